#!/usr/bin/env bash
# Builds the folder of paths.py: each program three times, as the compiler prefers it, vertex by vertex, and
# along paths.
#
#   tests/benchmarks/build_paths.sh [TARGET] [FOLDER]      gpu, BUILD/paths; or cpu, which tries the script
#
#   VERTIGO_BUILD_DIR   where vertigo was built (build/)
#   VERTIGO_ARCH        of the GPU (sm_90)
#   VERTIGO_EXAMPLES    programs, separated by blanks (all four)
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

target=${1:-gpu}
build=${VERTIGO_BUILD_DIR:-build}
folder=${2:-$build/paths}
declare -A sources=([pagerank]=07-pagerank [sssp]=03-sssp [wcc]=06-wcc [adsorption]=11-adsorption)
names=${VERTIGO_EXAMPLES:-${!sources[*]}}
declare -A pins=([vertices]=variant=async-push-data [paths]=order=path)

rm -rf "$folder"
mkdir -p "$folder"
if [ "$target" = gpu ]; then
  programs=
  for name in $names; do
    for way in "${!pins[@]}"; do
      programs+="dsl-examples/${sources[$name]}/$name.vg:${name}_$way:${pins[$way]} "
    done
  done
  VERTIGO_EXAMPLES=$names VERTIGO_PINNED=$programs VERTIGO_TESTS=none \
    tests/gpu/build.sh "${VERTIGO_ARCH:-sm_90}" "$folder"
  rm -f "$folder"/{sssp,planted,run_gpu.py,run.sh,manifest.json}
else
  for name in $names; do
    source=dsl-examples/${sources[$name]}/$name.vg
    "$build/bin/vertigo" "$source" --target=cpu -o "$folder/$name"
    for way in "${!pins[@]}"; do
      "$build/bin/vertigo" "$source" --target=cpu --schedule "${pins[$way]}" -o "$folder/${name}_$way"
    done
  done
  cp "$build/bin/vertigo-graph" "$folder/"
  cp -r tests/suite "$folder/"
fi
cp tests/benchmarks/{paths,measure}.py "$folder/"
du -sh "$folder"
