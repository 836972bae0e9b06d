#!/bin/bash
# build.sh NAME 'sed expressions on the headers' -> .bench/bin/NAME
cd "$(dirname "$0")/.."; rm -rf .bench/inc-$1; mkdir -p .bench/inc-$1/vertigo/device/engines .bench/bin; cp -r runtime/include/vertigo/device/engines/levels .bench/inc-$1/vertigo/device/engines/
[ -n "$2" ] && sed -i -E "$2" .bench/inc-$1/vertigo/device/engines/levels/*
nvcc -O3 -arch=sm_90 -std=c++20 -fmad=false -DLV_NAME="\"$1\"" -I.bench/inc-$1 -Iruntime/include -Xptxas -v -cudart static -o .bench/bin/$1 .bench/bench.cu 2>&1 | grep -A2 "search_\|error" | grep -v Comp | grep -v "Function prop" 
strip .bench/bin/$1; ls -la .bench/bin/$1
