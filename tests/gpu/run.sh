#!/usr/bin/env bash
# Runs the GPU suite where a GPU is: ./run.sh [--target cpu] [--budget SECONDS]. Needs the folder it
# lies in and python3. The log goes to $OUT, or to results/ beside this.
set -euo pipefail
folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export OUT=${OUT:-$folder/results}
mkdir -p "$OUT"
exec python3 "$folder/run_gpu.py" "$@"
