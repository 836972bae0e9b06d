#!/usr/bin/env bash
# Builds the benchmarks: one folder that a machine with a GPU needs nothing else for but python3 and the
# driver. The programs are built as the GPU suite's are.
#
#   tests/benchmarks/build.sh [ARCH] [FOLDER]      sm_90, BUILD/benchmarks
#
#   VERTIGO_EXAMPLES    programs, separated by blanks (those of the table)
#   and the variables of tests/gpu/build.sh
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

arch=${1:-sm_90}
build=${VERTIGO_BUILD_DIR:-build}
folder=${2:-$build/benchmarks}
nvcc=${VERTIGO_NVCC:-$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")}

VERTIGO_EXAMPLES=${VERTIGO_EXAMPLES:-bfs sssp pagerank pagerank_l1 wcc bc bfs_parents sssp_parents} VERTIGO_MORE=tests/benchmarks/programs \
  tests/gpu/build.sh "$arch" "$folder"
rm -f "$folder/run_gpu.py" "$folder/sssp"
"$nvcc" -O3 -arch="$arch" -std=c++20 -cudart static tests/benchmarks/calibrate.cu -o "$folder/calibrate"
for checker in check_bc check_pagerank; do
  g++ -std=c++20 -O3 -fopenmp -Iruntime/include "tests/benchmarks/$checker.cpp" -o "$folder/$checker" \
    -static-libstdc++ -static-libgcc -L"$build/lib" -lvertigo_rt \
    -L"$(dirname "$(tests/gpu/cudart.sh "$nvcc")")" -lcudart_static -lpthread -ldl -lrt
done
strip "$folder/calibrate" "$folder"/check_*
cp tests/benchmarks/*.py tests/benchmarks/run.sh tests/benchmarks/peers.json "$folder/"
du -sh "$folder"
