"""Every example, as Program IR and as a plan, prints and reads back to the same text: round_trip.py VERTIGO VERTIGO_OPT EXAMPLES."""
import glob
import subprocess
import sys

vertigo, vertigo_opt, examples = sys.argv[1:]


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


programs = sorted(glob.glob(examples + "/*/*.vg"))
failures = 0 if programs else 1
plans = 0
for program in programs:
    for level in ("ir", "plan"):
        for places in ([], ["--locations"]):
            printed = output(vertigo, program, f"--emit={level}", *places)
            if level == "plan" and "[VG0601]" in printed.stderr:
                continue  # what no target can run has no plan
            again = output(vertigo_opt, *places, "-", text=printed.stdout)
            plans += level == "plan"
            if printed.returncode or again.returncode or printed.stdout != again.stdout:
                failures += 1
                print(f"{program} {level} {places}: {printed.stderr}{again.stderr}")
print(f"{len(programs)} programs, {plans // 2} of them with plans, {failures} differ")
sys.exit(failures != 0)
