#!/usr/bin/env bash
# pack.sh [FOLDER [mutations]]: what run.py needs on another machine that has this tree, g++ (and nvcc, for --target gpu) but none of the
# packages of the project: the compiler without Clang and the runtime's launcher. There: run.py --tools FOLDER.
# With "mutations", the programs of mutations.sh too, which are to be built before.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../.."
build=${VERTIGO_BUILD_DIR:-build}
folder=${1:-$build/fuzz-tools}
llvm=$(dirname "$(find /usr/lib/llvm-*/lib -name libLLVMSupport.a | sort -V | tail -n 1)")
mkdir -p "$folder"

# link OUTPUT OBJECT... LIBRARY...: against archives alone, but for the C library.
link() {
  local output=$1
  shift
  g++ -O1 -fopenmp -Wl,--start-group "$@" "$llvm"/libLLVM{Support,Demangle}.a "$(g++ -print-file-name=libantlr4-runtime.a)" \
    "$build"/lib/libvertigo_{core,trace,graph}.a "$(g++ -print-file-name=libgomp.a)" -Wl,--end-group -l:libuuid.a -l:libz.a \
    -l:libzstd.a -l:liblzma.a -l:libexpat.a -l:libtinfo.a -lpthread -ldl -static-libstdc++ -static-libgcc -o "$folder/$output"
  strip "$folder/$output"
}
compiler=("$build"/lib/libvertigo_{frontend,passes,emit,parse,grammar,check,lower,ast,diag,plan,ir}.a)
link emit_program "$build"/tests/unit/emit/CMakeFiles/emit_program.dir/emit_program.cpp.o "${compiler[@]}"
if [ "${2:-}" = mutations ]; then
  link mutate_frontend "$build"/tests/fuzz/CMakeFiles/mutate_frontend.dir/*.o "$build"/lib/libvertigo_{mutation_run,frontend_input}.a \
    "${compiler[@]}"
  link mutate_graph_reader "$build"/tests/fuzz/CMakeFiles/mutate_graph_reader.dir/*.o "$build"/lib/libvertigo_mutation_run.a \
    "$build"/lib/libvertigo_graph_reader_input.a
fi

# A runtime that was built with nvcc needs the CUDA runtime. Programs for a GPU find it in the launcher's, which its shared
# form alone allows: the static one hides names that both need, and serves the CPU target.
libraries=()
nvcc=$(sed -n 's/^VERTIGO_NVCC_WORKS:INTERNAL=//p' "$build/CMakeCache.txt")
if [ -n "$nvcc" ]; then
  cudart=$(tests/gpu/cudart.sh "$nvcc")
  libraries=("$cudart" '-Wl,-rpath,$ORIGIN')
  case $cudart in *.so.*) cp -L "$cudart" "$folder/" ;; esac
fi
g++ -std=c++20 -O1 -Iruntime/include tests/gpu/launcher.cpp -o "$folder/launcher" -rdynamic \
  -Wl,--whole-archive "$build/lib/libvertigo_rt.a" -Wl,--no-whole-archive -Wl,--allow-multiple-definition \
  "${libraries[@]}" -lpthread -ldl -lrt
strip "$folder/launcher"
du -sh "$folder"
