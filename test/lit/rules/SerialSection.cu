// A sum that one thread of a block makes is shared among all, and so is one of
// an unrolled loop. Iterations that depend on each other are not, and no advice
// to align the branch is given: no condition would let the lanes agree. What one
// lane of a warp does alone is shared by the warp, and so is a table that one
// thread copies; a sum in place, whose steps need each other, is not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=2048,block=128,count=1024 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'sumOfOne'
__global__ void sumOfOne(float *out, const float *in, int count) {
  __shared__ float total;
  const float *row = in + blockIdx.x * count;
  // CHECK: SerialSection.cu:[[@LINE+1]]:{{[0-9]+}}: remark: serial section: one thread combines {{10[0-9]+}} values ({{.*}}) while the other 127 of its block do not work; let each of them combine every 128th value, and combine their results by shuffles. Estimated gain:
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < count; ++i)
      sum += row[i];
    total = sum;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// CHECK: remark: 'inOrder'
// CHECK-NOT: serial section
// CHECK-NOT: agree within each 32 lanes
__global__ void inOrder(float *out, const float *in, int count) {
  __shared__ float total;
  const float *row = in + blockIdx.x * count;
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < count; ++i)
      sum = row[i] - sum * sum;
    total = sum;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// The index of a maximum goes with it.
// CHECK: remark: 'argmax'
__global__ void argmax(int *out, const float *in, int count) {
  const float *row = in + blockIdx.x * count;
  // CHECK: SerialSection.cu:[[@LINE+1]]:{{[0-9]+}}: remark: serial section: one thread combines {{10[0-9]+}} values
  if (threadIdx.x == 0) {
    float most = row[0];
    int at = 0;
    for (int i = 1; i < count; ++i)
      if (row[i] > most) {
        most = row[i];
        at = i;
      }
    out[blockIdx.x] = at;
  }
}

// An index that another value chooses does not.
// CHECK: remark: 'lastAbove'
// CHECK-NOT: serial section
__global__ void lastAbove(int *out, const float *in, int count) {
  const float *row = in + blockIdx.x * count;
  if (threadIdx.x == 0) {
    int at = 0;
    for (int i = 1; i < count; ++i)
      if (row[i] > at)
        at = i;
    out[blockIdx.x] = at;
  }
}

// CHECK: remark: 'sumOfLane'
__global__ void sumOfLane(float *out, const float *in, int count) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const float *row = in + warp * count;
  // CHECK: SerialSection.cu:[[@LINE+1]]:{{[0-9]+}}: remark: serial section: one lane of each warp combines {{10[0-9]+}} values ({{.*}} per warp) while the other 31 of its warp do not work; let each of them combine every 32th value, and combine their results by shuffles. Estimated gain: {{[2-9]}}
  if (warp < 8192 && threadIdx.x % 32 == 0) {
    float sum = 0;
    for (int i = 0; i < count; ++i)
      sum += row[i];
    out[warp] = sum;
  }
}

// CHECK: remark: 'copyOfOne'
__global__ void copyOfOne(float *out, const float *table, int count) {
  __shared__ float own[1024];
  // CHECK: SerialSection.cu:[[@LINE+1]]:{{[0-9]+}}: remark: serial section: one thread copies {{10[0-9]+}} values ({{.*}} per block) while the other 127 of its block do not work; let each of them copy every 128th value. Estimated gain: {{[2-9]|[1-9][0-9]}}
  if (threadIdx.x == 0)
    for (int i = 0; i < count; ++i)
      own[i] = table[i];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = own[threadIdx.x * 3 & 1023];
}

// CHECK: remark: 'sumInPlace'
// CHECK-NOT: serial section
__global__ void sumInPlace(float *out, const float *in, int count) {
  __shared__ float own[1024];
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    own[i] = in[i];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 1; i < count; ++i)
      own[i] = own[i] * 0.5f + own[i - 1] * own[i - 1];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = own[threadIdx.x];
}
