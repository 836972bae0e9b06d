# cmake -DMODULE=… -DNVCC=… -DFOLDER=… -P: what configuring finds out about an nvcc.
include(${MODULE})
vertigo_nvcc_problem(${NVCC} ${FOLDER} problem)
message("problem: '${problem}'")
