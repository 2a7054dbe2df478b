// As much of torch's tensors as the host functions of LeetCUDA name.
#pragma once
#include <cassert>
#include <iostream>
#include <stdexcept>

namespace torch {
enum Type { kFloat32, kHalf, kFloat = kFloat32, kFloat16 = kHalf };

struct TensorOptions {
  Type T;
  Type dtype() const { return T; }
};
inline std::ostream &operator<<(std::ostream &Out, TensorOptions O) {
  return Out << int(O.T);
}

struct Tensor {
  void *P;
  Type T;
  int Dims;
  long Sizes[4];
  TensorOptions options() const { return {T}; }
  int dim() const { return Dims; }
  long size(int I) const { return Sizes[I]; }
  void *data_ptr() const { return P; }
  template <class E> E *data_ptr() const { return static_cast<E *>(P); }
};

struct Bindings {
  template <class... A> void def(A &&...) {}
};
} // namespace torch

#define TORCH_EXTENSION_NAME leetcuda
#define PYBIND11_MODULE(NAME, M) static inline void bind(torch::Bindings M)
