//===- vector_types.h - dim3 and the short vectors -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and alignments are those of the CUDA C++ Programming Guide, table of
// built-in vector types: only 2- and 4-element vectors are aligned to more
// than their elements, which is what makes one wide access of them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_VECTOR_TYPES_H
#define GPUOCC_CUDA_SHIM_VECTOR_TYPES_H

#define GPUOCC_SHIM_HD __attribute__((host)) __attribute__((device))

/// Defines T1 to T4 and make_T1 to make_T4 for one element type; Align2 and
/// Align4 are the alignments in bytes of the 2- and 4-element vectors.
#define GPUOCC_SHIM_VECTORS(Name, Element, Align2, Align4)                     \
  struct Name##1 { Element x; };                                               \
  struct __attribute__((aligned(Align2))) Name##2 { Element x, y; };           \
  struct Name##3 { Element x, y, z; };                                         \
  struct __attribute__((aligned(Align4))) Name##4 { Element x, y, z, w; };     \
  static inline GPUOCC_SHIM_HD Name##1 make_##Name##1(Element x) {             \
    return {x};                                                                \
  }                                                                            \
  static inline GPUOCC_SHIM_HD Name##2 make_##Name##2(Element x, Element y) {  \
    return {x, y};                                                             \
  }                                                                            \
  static inline GPUOCC_SHIM_HD Name##3 make_##Name##3(Element x, Element y,    \
                                                      Element z) {             \
    return {x, y, z};                                                          \
  }                                                                            \
  static inline GPUOCC_SHIM_HD Name##4 make_##Name##4(Element x, Element y,    \
                                                      Element z, Element w) {  \
    return {x, y, z, w};                                                       \
  }

GPUOCC_SHIM_VECTORS(char, signed char, 2, 4)
GPUOCC_SHIM_VECTORS(uchar, unsigned char, 2, 4)
GPUOCC_SHIM_VECTORS(short, short, 4, 8)
GPUOCC_SHIM_VECTORS(ushort, unsigned short, 4, 8)
GPUOCC_SHIM_VECTORS(int, int, 8, 16)
GPUOCC_SHIM_VECTORS(uint, unsigned int, 8, 16)
GPUOCC_SHIM_VECTORS(long, long, 16, 16)
GPUOCC_SHIM_VECTORS(ulong, unsigned long, 16, 16)
GPUOCC_SHIM_VECTORS(longlong, long long, 16, 16)
GPUOCC_SHIM_VECTORS(ulonglong, unsigned long long, 16, 16)
GPUOCC_SHIM_VECTORS(float, float, 8, 16)
GPUOCC_SHIM_VECTORS(double, double, 16, 16)

#undef GPUOCC_SHIM_VECTORS

/// Extents of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr GPUOCC_SHIM_HD dim3(unsigned int x = 1, unsigned int y = 1,
                                unsigned int z = 1)
      : x(x), y(y), z(z) {}
  constexpr GPUOCC_SHIM_HD dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr GPUOCC_SHIM_HD operator uint3() const { return {x, y, z}; }
};

#undef GPUOCC_SHIM_HD

// The compiler's header declares these conversions and leaves them to be
// defined once the vector types are known.
#define GPUOCC_SHIM_CONVERSIONS(Variable)                                      \
  inline __attribute__((device)) __cuda_builtin_##Variable##_t::               \
  operator dim3() const {                                                      \
    return dim3(x, y, z);                                                      \
  }                                                                            \
  inline __attribute__((device)) __cuda_builtin_##Variable##_t::               \
  operator uint3() const {                                                     \
    return {x, y, z};                                                          \
  }

GPUOCC_SHIM_CONVERSIONS(threadIdx)
GPUOCC_SHIM_CONVERSIONS(blockIdx)
GPUOCC_SHIM_CONVERSIONS(blockDim)
GPUOCC_SHIM_CONVERSIONS(gridDim)

#undef GPUOCC_SHIM_CONVERSIONS

#endif // GPUOCC_CUDA_SHIM_VECTOR_TYPES_H
