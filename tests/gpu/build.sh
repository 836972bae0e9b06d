#!/usr/bin/env bash
# Builds the GPU suite: one folder that a machine with a GPU needs nothing else for. Every example is
# a program with GPU and CPU code, as a shared object; the runtime, which they share, is in the
# launcher that loads them. One example is there as users get it, too.
#
#   tests/gpu/build.sh [ARCH] [FOLDER]      sm_90, BUILD/gpu-suite
#
#   VERTIGO_BUILD_DIR   where vertigo was built (build/)
#   VERTIGO             the compiler, when it is not the built one
#   VERTIGO_JOBS        compilers at a time (2)
#   VERTIGO_EXAMPLES    programs, separated by blanks (all of dsl-examples/ and tests/run/programs/)
#   VERTIGO_MORE        a folder with further programs
#   VERTIGO_PINNED      FILE:NAME:PINS, separated by blanks (those of manifest.json)
#   VERTIGO_TESTS       tests of the runtime, separated by blanks; "none"
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

arch=${1:-sm_90}
build=${VERTIGO_BUILD_DIR:-build}
suite=${2:-$build/gpu-suite}
work=$build/gpu-suite-objects
vertigo=${VERTIGO:-$build/bin/vertigo}
jobs=${VERTIGO_JOBS:-2}
nvcc=${VERTIGO_NVCC:-$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")}
cudart=$(tests/gpu/cudart.sh "$nvcc")

rm -rf "$suite"
mkdir -p "$suite" "$work"

# Programs find the runtime and OpenMP in the launcher, whole. The static forms of these three hide names
# that both sides need, so they lie beside.
cp -L "$cudart" "$(g++ -print-file-name=libstdc++.so.6)" "$(g++ -print-file-name=libgcc_s.so.1)" \
  "$suite/"
g++ -std=c++20 -O2 -Iruntime/include tests/gpu/launcher.cpp -o "$suite/launcher" -rdynamic \
  -Wl,--whole-archive "$build/lib/libvertigo_rt.a" -Wl,--no-whole-archive \
  -Wl,--allow-multiple-definition "$cudart" '-Wl,-rpath,$ORIGIN' -lpthread -ldl -lrt
strip "$suite/launcher"

compile_one() {  # EXAMPLE[:NAME:PINS]
  local file name pins
  IFS=: read -r file name pins <<< "$1"
  name=${name:-$(basename "$file" .vg)}
  set -- "$file" --schedules=all ${pins:+--schedule "$pins"}
  if ! "$vertigo" "$@" --emit=cuda -o "$work/$name.cu" 2> "$work/$name.refused"; then
    grep -q 'VG0601' "$work/$name.refused" && return 0  # for the interpreter alone so far
    cat "$work/$name.refused" >&2
    return 1
  fi
  "$vertigo" "$@" --emit=cpu -o "$work/$name.cpp"
  # Headers that a program names by 'use' lie beside it.
  $ccache "$nvcc" -Iruntime/include -I"$(dirname "$file")" -std=c++20 -fmad=false -lineinfo -split-compile=0 -Werror cross-execution-space-call -arch="$arch" -Xcompiler -fPIC \
    -c "$work/$name.cu" -o "$work/$name.cuda.o"
  $ccache g++ -std=c++20 -O3 -fopenmp -fPIC -Iruntime/include -I"$(dirname "$file")" -c "$work/$name.cpp" -o "$work/$name.cpu.o"
  g++ -shared "$work/$name.cuda.o" "$work/$name.cpu.o" -o "$suite/$name.so" '-Wl,-rpath,$ORIGIN'
  strip --strip-unneeded "$suite/$name.so"
}
export -f compile_one
ccache=$(command -v ccache || true)
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1  # what one checkout compiled, another need not
export vertigo work suite nvcc arch ccache

examples=$(find dsl-examples tests/run/programs ${VERTIGO_MORE:-} -name '*.vg' | sort)
if [ -n "${VERTIGO_EXAMPLES:-}" ]; then
  wanted=" $VERTIGO_EXAMPLES sssp "  # the binary as users get it is made of sssp
  examples=$(for path in $examples; do
    [[ $wanted == *" $(basename "$path" .vg) "* ]] && echo "$path" || true
  done)
fi
# Variants that are compiled on demand only: manifest.json knows them by names of their own.
mapfile -t pinned < <(python3 - <<'END'
import json
for entry in json.load(open("tests/run/manifest.json"))["programs"]:
    if "pins" in entry:
        print(":".join((entry["file"], entry["name"], entry["pins"])))
END
)
[ -n "${VERTIGO_EXAMPLES:-}" ] && read -r -a pinned <<<"${VERTIGO_PINNED:-}"
printf '%s\0' $examples "${pinned[@]}" |
  xargs -0 -n1 -P"$jobs" bash -c 'set -euo pipefail; compile_one "$1"' compile_one

"$nvcc" -arch="$arch" -cudart static "$work/sssp.cuda.o" "$work/sssp.cpu.o" -L"$build/lib" -lvertigo_rt \
  -Xcompiler -static-libstdc++,-static-libgcc -o "$suite/sssp"
tests=${VERTIGO_TESTS:-prepare_test balance_test parts_test combine_test wide_combine_test neighbourhoods_test intersections_test colouring_test donations_test worklist_test text_test}
tests=${tests#none}
compile_test() {
  # Without -fmad, as programs are compiled: the host's expectations have no fused operations.
  $ccache "$nvcc" -Iruntime/include -Iruntime/src/device -O3 -std=c++20 -fmad=false -arch="$arch" -c "tests/gpu/$1.cu" -o "$work/$1.o"
  "$nvcc" -arch="$arch" -cudart static "$work/$1.o" -L"$build/lib" -lvertigo_rt -Xcompiler -static-libstdc++,-static-libgcc -o "$suite/$1"
  strip "$suite/$1"
}
export -f compile_test
export build
[ -z "$tests" ] || printf '%s\0' $tests | xargs -0 -n1 -P"$jobs" bash -c 'set -euo pipefail; compile_test "$1"' compile_test
cp "$build/bin/vertigo-graph" "$suite/"
"$nvcc" -Iruntime/include -arch="$arch" -lineinfo -std=c++20 -cudart static tests/gpu/planted.cu -o "$suite/planted"
strip "$suite/sssp" "$suite/vertigo-graph"
mkdir "$suite/suite"
cp tests/suite/*.py "$suite/suite/"
cp tests/gpu/{run.sh,run_gpu.py} tests/run/manifest.json "$suite/"
du -sh "$suite"
