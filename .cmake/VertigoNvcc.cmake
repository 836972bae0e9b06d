# vertigo_nvcc_problem(NVCC FOLDER RESULT): why this nvcc cannot compile what the runtime needs, in one line; empty where
# it can. An nvcc without the rest of its toolkit (headers, CUB, the static runtime, a host compiler that it knows) would
# end the configuration with CMake's own words. All that nvcc says is in FOLDER/probe.log.
function(vertigo_nvcc_problem nvcc folder result)
  file(WRITE ${folder}/probe.cu "\
#include <cub/cub.cuh>
#include <cuda_runtime.h>
__global__ void kernel() {}
int main() { kernel<<<1, 1>>>(); return cudaDeviceSynchronize(); }
")
  execute_process(COMMAND ${nvcc} -std=c++20 -cudart static -o ${folder}/probe ${folder}/probe.cu
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  file(WRITE ${folder}/probe.log "${said}")
  if(failed STREQUAL "0")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  string(STRIP "${said}" said)
  string(REGEX REPLACE "\n.*" "" first "${said}")
  if(first STREQUAL "")
    set(first "exit status ${failed}")
  endif()
  set(${result} "${first}" PARENT_SCOPE)
endfunction()
