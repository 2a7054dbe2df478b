//===- gpuocc_removed_cuda.h - What CUDA 13 no longer has -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before sources that a compiler does not take without it: programs
// for older toolkits call functions of the host that CUDA 12 and 13 removed,
// and read through texture references. Nothing here is linked or run: the
// functions are declared so that the kernels beside them can be read.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REMOVED_CUDA_H
#define GPUOCC_REMOVED_CUDA_H

// The command line makes these members of cudaDeviceProp.
#undef hostNumaMultinodeIpcSupported

// Clang's own headers have what is in these, without their guards: a program
// that includes one by name would define it again, for the host at least.
#if defined(__clang__) && defined(CUDART_VERSION)
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#endif

#if defined(__cplusplus) && defined(CUDART_VERSION)

#if CUDART_VERSION >= 13000
extern "C" {
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaThreadGetLimit(size_t *Value, cudaLimit Limit);
cudaError_t cudaThreadSetLimit(cudaLimit Limit, size_t Value);
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *Config);
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache Config);
}

// Until CUDA 12 the number of a device said where memory goes.
static inline cudaMemLocation gpuoccLocationOf(int Device) {
  cudaMemLocation Where;
  Where.type = Device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                         : cudaMemLocationTypeDevice;
  Where.id = Device == cudaCpuDeviceId ? 0 : Device;
  return Where;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *Pointer,
                                               size_t Bytes, int Device,
                                               cudaStream_t Stream = nullptr) {
  return cudaMemPrefetchAsync(Pointer, Bytes, gpuoccLocationOf(Device), 0,
                              Stream);
}
static inline cudaError_t cudaMemAdvise(const void *Pointer, size_t Bytes,
                                        cudaMemoryAdvise Advice, int Device) {
  return cudaMemAdvise(Pointer, Bytes, Advice, gpuoccLocationOf(Device));
}
#endif

// Clang's headers define it as nothing, and sources ask for its value.
#ifdef __clang__
#undef __CUDACC__
#define __CUDACC__ 1
#endif

// By nvcc's version programs choose the names that the headers of CUB have.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#endif

// nvcc knows nothing of texture references any more.
#if CUDART_VERSION >= 12000 && defined(__clang__)

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};

template <class T, int Dimensions = 1,
          cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
};

template <class T, int Dimensions, cudaTextureReadMode Mode>
cudaError_t
cudaBindTexture(size_t *Offset, const texture<T, Dimensions, Mode> &Texture,
                const void *Pointer, const cudaChannelFormatDesc &Format,
                size_t Bytes = ~0u);
template <class T, int Dimensions, cudaTextureReadMode Mode>
cudaError_t cudaBindTexture(size_t *Offset,
                            const texture<T, Dimensions, Mode> &Texture,
                            const void *Pointer, size_t Bytes = ~0u);
template <class T, int Dimensions, cudaTextureReadMode Mode>
cudaError_t cudaBindTextureToArray(const texture<T, Dimensions, Mode> &Texture,
                                   cudaArray_const_t Array);
template <class T, int Dimensions, cudaTextureReadMode Mode>
cudaError_t cudaBindTextureToArray(const texture<T, Dimensions, Mode> &Texture,
                                   cudaArray_const_t Array,
                                   const cudaChannelFormatDesc &Format);
template <class T, int Dimensions, cudaTextureReadMode Mode>
cudaError_t cudaUnbindTexture(const texture<T, Dimensions, Mode> &Texture);

// Clang hands device code the handle of a texture reference, which is what a
// texture object is too.
#define GPUOCC_FETCH(Name, Dimensions, Parameters, ...)                        \
  template <class T>                                                           \
  static inline __attribute__((device)) __attribute__((always_inline)) T Name( \
      texture<T, Dimensions, cudaReadModeElementType> Texture, Parameters) {   \
    return Name<T>(*(const cudaTextureObject_t *)&Texture, __VA_ARGS__);       \
  }

#define GPUOCC_COMMA ,
GPUOCC_FETCH(tex1Dfetch, 1, int X, X)
GPUOCC_FETCH(tex1D, 1, float X, X)
GPUOCC_FETCH(tex2D, 2, float X GPUOCC_COMMA float Y, X, Y)
GPUOCC_FETCH(tex3D, 3, float X GPUOCC_COMMA float Y GPUOCC_COMMA float Z, X, Y,
             Z)

#undef GPUOCC_COMMA
#undef GPUOCC_FETCH

#endif
#endif
#endif // GPUOCC_REMOVED_CUDA_H
