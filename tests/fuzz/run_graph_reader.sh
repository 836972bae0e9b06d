#!/bin/sh
# Builds the fuzz target of the graph readers with clang 19 and runs it: run_graph_reader.sh [SECONDS] [JOBS].
# It starts from the written seeds in corpus/graph and from what earlier runs found, corpus/graph-found.tar.zst; the
# last lines that it prints pack a new one.
set -eu
seconds=${1:-60}
jobs=${2:-1}
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$root/build/fuzz/graph
mkdir -p "$out/objects" "$out/found"
flags="-std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -DFMT_HEADER_ONLY"
cd "$out/objects"
for source in "$root"/runtime/src/core/*.cpp "$root"/runtime/src/graph/*.cpp; do
  object=$(basename "$source" .cpp).o
  if [ ! -e "$object" ] || [ "$source" -nt "$object" ] ||
     [ -n "$(find "$root/runtime/src/graph" "$root/runtime/include" -newer "$object" -name '*.h' | head -1)" ]; then
    # shellcheck disable=SC2086
    ${CCACHE:-} clang++-19 $flags -fsanitize=fuzzer-no-link -I"$root/runtime/include" -c "$source" -o "$object"
  fi
done
# shellcheck disable=SC2086
clang++-19 $flags -fsanitize=fuzzer -I"$root/runtime/include" "$root/tests/fuzz/fuzz_graph_reader.cpp" ./*.o \
  -lz -lzstd -llzma -o "$out/fuzz_graph_reader"
cd "$out"
zstd -dcq "$root/tests/fuzz/corpus/graph-found.tar.zst" | tar -xf - -C found
./fuzz_graph_reader -max_total_time="$seconds" -jobs="$jobs" -workers="$jobs" -max_len=4096 -rss_limit_mb=1024 \
  -timeout=5 -print_final_stats=1 found "$root/tests/fuzz/corpus/graph"
echo "to keep what is new, in $out:"
echo "  mkdir kept && ./fuzz_graph_reader -merge=1 kept found"
echo "  tar --sort=name --owner=0 --group=0 --mtime=@0 -C kept -cf - . | zstd -19 > $root/tests/fuzz/corpus/graph-found.tar.zst"
