// Words that each thread loads in one loop and again in later ones are worth
// registers, unless they are many. Words that later loops take from elsewhere, or
// that the kernel writes, are not.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/softmax|otherRow|inPlace/:grid=8192,block=256,n=4096' \
// RUN:   -mllvm -gpu-occupancy-launch=longRow:grid=8192,block=64,n=8192 %s -o /dev/null 2>&1 | FileCheck %s

__device__ float combined(float v, float *part) {
  for (int o = 16; o; o /= 2)
    v += __shfl_xor_sync(~0u, v, o);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  return part[0] + part[1];
}

// CHECK: remark: 'softmax'
__global__ void softmax(float *out, const float *in, int n) {
  __shared__ float part[8];
  const float *a = in + blockIdx.x * n;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i];
  sum = combined(sum, part);
  // CHECK: RereadWords.cu:[[@LINE+2]]:{{[0-9]+}}: remark: 2 later loops load the same words again; load them once and keep them in an array of 64 B of each thread, in loops of a constant number of turns that the compiler unrolls, so that it is in registers. Estimated gain: {{1\.[2-9]|2}}
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    squares += (a[i] - sum) * (a[i] - sum);
  squares = combined(squares, part);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = (a[i] - sum) * squares;
}

// CHECK: remark: 'longRow'
// CHECK-NOT: the same words again
__global__ void longRow(float *out, const float *in, int n) {
  __shared__ float part[8];
  const float *a = in + blockIdx.x * n;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i];
  sum = combined(sum, part);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = a[i] - sum;
}

// CHECK: remark: 'otherRow'
// CHECK-NOT: the same words again
__global__ void otherRow(float *out, const float *in, int n) {
  __shared__ float part[8];
  const float *a = in + blockIdx.x * n;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i];
  sum = combined(sum, part);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = a[i + n] - sum;
}

// CHECK: remark: 'inPlace'
// CHECK-NOT: the same words again
__global__ void inPlace(float *v, int n) {
  __shared__ float part[8];
  float *a = v + blockIdx.x * n;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i];
  sum = combined(sum, part);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] -= sum;
}
