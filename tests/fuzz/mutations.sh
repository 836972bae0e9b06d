#!/usr/bin/env bash
# mutations.sh [SECONDS [JOBS [INPUTS [TARGET]]]]: builds every mutate_* (or TARGET) of the usual build and runs each for SECONDS (60) or
# until INPUTS (10,000,000) are tried, in JOBS processes (one a core), under 256 MiB and 5 seconds an input. Other inputs at every call:
# VERTIGO_FUZZ_FIRST is the number of the first (0), and the last line says how many there were.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${VERTIGO_BUILD_DIR:-$root/build}
seconds=${1:-60} jobs=${2:-$(nproc)} inputs=${3:-10000000}
status=0
mkdir -p "$build"
for source in "$here"/${4:-mutate_*}.cpp; do
  target=$(basename "$source" .cpp)
  part=${target#mutate_}
  flock "$build/fuzz.lock" "$root/dev" build "$target" >/dev/null  # run_mutations.py starts several of this
  seeds=("$here/corpus/$part")
  if [ "$part" = frontend ]; then seeds+=("$root"/dsl-examples/*/*.vg "$root"/tests/{parse,check,lower}/*.vg); fi
  dictionary=()
  if [ -f "$here/$part.dict" ]; then dictionary=(--dictionary "$here/$part.dict"); fi
  echo "fuzz: $target for $seconds seconds"
  "$build/bin/tests/$target" --seconds "$seconds" --jobs "$jobs" --inputs "$inputs" --first "${VERTIGO_FUZZ_FIRST:-0}" \
    --found "$build/fuzz/$part" "${dictionary[@]}" "${seeds[@]}" || status=1
done
exit $status
