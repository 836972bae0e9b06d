#!/usr/bin/env bash
# run.sh [SECONDS]: builds every fuzz target with clang, sanitizers and coverage into a build of its own, and runs each
# for SECONDS (60). Starts from the corpus kept here and, for the front end, from the examples and the tests; what a run adds stays in
# the build. A crash, a leak or an input that takes a minute ends it with the input's path and exit status 1.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-60}
build=${VERTIGO_FUZZ_BUILD_DIR:-$root/build-fuzz}

compiler=
for version in 22 21 20 19; do
  if [ -z "$compiler" ] && command -v "clang++-$version" >/dev/null; then compiler=$version; fi
done
if [ -z "$compiler" ]; then
  echo "fuzz: clang 19 or newer is needed (Debian: clang-19 libclang-rt-19-dev)" >&2
  exit 2
fi
cmake -S "$root" -B "$build" -G Ninja -DVERTIGO_FUZZ=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_C_COMPILER="clang-$compiler" -DCMAKE_CXX_COMPILER="clang++-$compiler" >/dev/null
targets=()
for source in "$here"/fuzz_*.cpp; do targets+=("$(basename "$source" .cpp)"); done
cmake --build "$build" --target "${targets[@]}"

# ANTLR's and LLVM's libraries are not instrumented: what they put into containers looks out of bounds to the checker.
export ASAN_OPTIONS=detect_container_overflow=0
status=0
for target in "${targets[@]}"; do
  part=${target#fuzz_}
  found="$build/fuzz/$part"
  mkdir -p "$found/corpus"
  seeds=()
  if [ -d "$here/corpus/$part" ]; then seeds+=("$here/corpus/$part"); fi
  if [ "$part" = frontend ]; then
    mkdir -p "$found/examples"
    for program in "$root"/dsl-examples/*/*.vg "$root"/tests/{parse,check,lower}/*.vg; do
      cp "$program" "$found/examples/$(basename "$(dirname "$program")")-$(basename "$program")"
    done
    seeds+=("$found/examples")
  fi
  dictionary=()
  if [ -f "$here/$part.dict" ]; then dictionary=("-dict=$here/$part.dict"); fi
  echo "fuzz: $target for $seconds seconds"
  "$build/bin/$target" "${dictionary[@]}" -max_len=4096 -timeout=60 -rss_limit_mb=2048 -max_total_time="$seconds" \
    -artifact_prefix="$found/" -print_final_stats=1 "$found/corpus" "${seeds[@]}" 2>"$found/log" || status=1
  if [ "$status" -ne 0 ]; then
    grep -E "ERROR|SUMMARY|Test unit" "$found/log" >&2 || tail -5 "$found/log" >&2
    exit 1
  fi
  grep -E "number_of_executed_units|new_units_added" "$found/log" || true
done
