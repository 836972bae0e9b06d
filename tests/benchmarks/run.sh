#!/usr/bin/env bash
# Runs the benchmarks where a GPU is: ./run.sh [FOLDER OF GRAPHS] [OPTIONS OF run.py]. Needs the folder it
# lies in and python3. Results go to $OUT, or to results/ beside this.
set -euo pipefail
folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export OUT=${OUT:-$folder/results}
if [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; then
  set -- --graphs "$@"
fi
exec python3 "$folder/run.py" "$@"
