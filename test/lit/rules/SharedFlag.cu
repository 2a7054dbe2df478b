// A flag that all warps set: L2 takes one store after the other. On an H200, a
// step of 65536 blocks of 8 warps takes 61 us without, 132 us where one thread
// of a block stores and 317 us where all do (test/accuracy/cures/changedflag.cu).
//
// RUN: %gpu-occupancy analyze %s --device=nvidia-h200 --code=clang --advise --cache=off --launch=step:grid=128x512,block=32x8,n=4096 --launch=agreed:grid=128x512,block=32x8,n=4096 --launch=own:grid=128x512,block=32x8,n=4096 | FileCheck %s

// CHECK-LABEL: step(
// CHECK: {{[23](\.[0-9]+)?}}x {{.*}}SharedFlag.cu:[[@LINE+10]]:{{[0-9]+}}: {{[78](\.[0-9]+)?}} warps of each block store one value to one word, and L2 takes one store after the other; let the threads of a block agree before
__global__ void step(const float *in, float *out, int *changed, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int i = y * n + x;
  if (x >= n - 1 || y >= n - 1)
    return;
  float v = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  out[i] = v;
  if (fabsf(v - in[i]) > 1e-6f)
    *changed = 1;
}

// CHECK-LABEL: agreed(
// CHECK-NOT: store one value
__global__ void agreed(const float *in, float *out, int *changed, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int i = y * n + x, differs = 0;
  if (x < n - 1 && y < n - 1) {
    float v = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    out[i] = v;
    differs = fabsf(v - in[i]) > 1e-6f;
  }
  differs = __syncthreads_or(differs);
  if (differs && threadIdx.x == 0 && threadIdx.y == 0)
    *changed = 1;
}

// CHECK-LABEL: own(
// CHECK-NOT: store one value
__global__ void own(const float *in, float *out, int *changed, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int i = y * n + x;
  if (x >= n - 1 || y >= n - 1)
    return;
  float v = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  out[i] = v;
  if (fabsf(v - in[i]) > 1e-6f)
    changed[blockIdx.y * gridDim.x + blockIdx.x] = 1;
}
