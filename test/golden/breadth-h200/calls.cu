//===- calls.cu - Calls, tables of constants and textures ------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__constant__ float weights[64];
__constant__ int codes[256];

typedef float (*Operation)(float, float);
__device__ float sumOf(float a, float b) { return a + b; }
__device__ float productOf(float a, float b) { return a * b; }
__device__ float largerOf(float a, float b) { return fmaxf(a, b) * 0.5f; }
__device__ Operation operations[3] = {sumOf, productOf, largerOf};

struct Shape {
  float size;
  __device__ Shape(float size) : size(size) {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  using Shape::Shape;
  __device__ float area() const override { return size * size; }
};
struct Disk : Shape {
  using Shape::Shape;
  __device__ float area() const override { return 3.14159f * size * size; }
};

__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recursive(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fibonacci(in[i]);
}

__global__ void byPointer(const int *which, const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = operations[which[i / 32]](a[i], b[i]);
}

__global__ void virtualCalls(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Square square(a[i]);
  Disk disk(a[i]);
  const Shape *shape =
      (blockIdx.x & 1) ? (const Shape *)&square : (const Shape *)&disk;
  b[i] = shape->area();
}

__noinline__ __device__ float horner(float x, float a, float b, float c) {
  return (a * x + b) * x + c;
}

__global__ void calledInLoop(const float *a, float *b, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  for (int k = 0; k < rounds; ++k)
    x = horner(x, 0.1f, 0.2f, 0.3f);
  b[i] = x;
}

__global__ void constantTableByLane(const unsigned char *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  for (int k = i; k < n; k += gridDim.x * blockDim.x)
    s += codes[in[k]];
  out[i] = s;
}

__global__ void constantFilter(const float *a, float *b, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + taps > n)
    return;
  float s = 0;
  for (int k = 0; k < taps; ++k)
    s += a[i + k] * weights[k];
  b[i] = s;
}

__global__ void textureZoom(cudaTextureObject_t of, float *out, int width,
                            int height, float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = tex2D<float>(of, x * scale + 0.5f, y * scale + 0.5f);
}

__global__ void textureLinearGather(cudaTextureObject_t of, const int *at,
                                    float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch<float>(of, at[i]);
}

int main() {
  const int n = 1 << 19;
  std::vector<float> w(64, 0.015f);
  std::vector<int> c(256);
  for (int &x : c)
    x = drawn() % 100;
  cudaMemcpyToSymbol(weights, w.data(), sizeof(float) * 64);
  cudaMemcpyToSymbol(codes, c.data(), sizeof(int) * 256);
  float *a = fractions(2 * n), *b = cleared<float>(2 * n);
  int *small = numbers(n, 12), *out = cleared<int>(n), *three = numbers(n, 3);
  recursive<<<32, 128>>>(small, out);
  byPointer<<<n / 256, 256>>>(three, a, b, n);
  virtualCalls<<<n / 256, 256>>>(a, b, n);
  calledInLoop<<<n / 256, 256>>>(a, b, 100);
  constantTableByLane<<<264, 256>>>((unsigned char *)a, out, n);
  constantFilter<<<n / 128, 128>>>(a, b, n, 63);

  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 1024, 512);
  cudaMemcpy2DToArray(array, 0, 0, a, 4096, 4096, 512,
                      cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc as = {};
  as.filterMode = cudaFilterModeLinear;
  as.addressMode[0] = as.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t image, linear;
  cudaCreateTextureObject(&image, &resource, &as, nullptr);
  textureZoom<<<dim3(64, 64), dim3(16, 16)>>>(image, b, 1024, 1024, 0.5f);
  cudaResourceDesc flat = {};
  flat.resType = cudaResourceTypeLinear;
  flat.res.linear.devPtr = a;
  flat.res.linear.desc = format;
  flat.res.linear.sizeInBytes = 4 * n;
  cudaTextureDesc plain = {};
  cudaCreateTextureObject(&linear, &flat, &plain, nullptr);
  textureLinearGather<<<n / 256, 256>>>(linear, numbers(n, n), b, n);
  return finished("calls");
}
