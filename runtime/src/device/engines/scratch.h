#pragma once
// Device memory of a preparation, freed when it is over.

#include <cstddef>
#include <string>

#include "../check.h"

namespace vertigo::gpu {

template <class T>
class Scratch {
 public:
  Scratch(std::size_t count, const std::string& purpose) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), (count > 0 ? count : 1) * sizeof(T)),
          "allocate memory to " + purpose);
  }
  ~Scratch() { cudaFree(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() const { return data_; }
  operator T*() const { return data_; }  // NOLINT: kernels take plain pointers

 private:
  T* data_ = nullptr;
};

}  // namespace vertigo::gpu
