"""own_names.py VERTIGO INCLUDE FOLDER: every name that emitted code has may be a state's. Writes a program whose states have the names of
what is emitted for another one, and lets Clang read its CUDA and g++ its C++. Says how many names there were."""

import pathlib
import re
import subprocess
import sys

vertigo, include, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)


def program(names):
    declared = "".join(f"  vertex {name}: int32 = 0;\n" for name in names)
    written = "".join(f"    v.{name} = least + {i};\n" for i, name in enumerate(names))
    return ("program every(first: vertex) {\n  edge length: int32 = 1;\n  vertex far: int32 = inf;\n" + declared +
            "  message least: int32 combine min;\n  start first { least = 0; }\n"
            "  update v when least < v.far && v.out_degree > 0 {\n    v.far = least;\n" + written + "    send least + length;\n  }\n"
            "  let rounds = 0;\n  while any(v.far > 3) && rounds < 2 {\n    update v where v.far > 3 { v.far = v.far - 1; }\n"
            "    rounds = rounds + 1;\n  }\n  output far" + "".join(f", {name}" for name in names) + ";\n}\n")


def emit(names, form):
    """(exit status, what was emitted, what was said)"""
    source = folder / "every.vg"
    source.write_text(program(names))
    done = subprocess.run([vertigo, source, "--schedules=all", f"--emit={form}"], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


found = set()
for form in ("cuda", "cpu"):
    status, text, said = emit([], form)
    assert status == 0, said
    found |= set(re.findall(r"\b[A-Za-z]\w*\b", re.sub(r"//.*", "", text)))
names = sorted(found - {"every", "first", "length", "far", "least", "rounds"})
# Words of the language are refused, each with its place.
while True:
    status, _, said = emit(names, "ast")
    if status == 0:
        break
    refused = {program(names).splitlines()[int(line) - 1].split()[1].rstrip(":") for line in re.findall(r"every\.vg:(\d+):\d+: error", said)}
    assert refused & set(names), said
    names = [name for name in names if name not in refused]
status, _, said = emit(names, "cuda")
assert status == 0, said
status, text, said = emit(names, "cpu")
assert status == 0, said
done = subprocess.run(["g++", "-std=c++20", "-fopenmp", "-fsyntax-only", f"-I{include}", "-x", "c++", "-"], input=text, capture_output=True, text=True)
assert done.returncode == 0, done.stderr[:2000]
print(len(names), "names")
