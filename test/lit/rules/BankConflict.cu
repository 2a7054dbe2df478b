// A column of a tile of 32 words a row collides in one bank; with one word of
// padding it does not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/tile/:grid=2048,block=32x32 %s -o /dev/null 2>&1 | FileCheck %s

template <int Row> __device__ void transposeTile(float *out, const float *in) {
  __shared__ float tile[32][Row];
  int base = blockIdx.x * 1024;
  tile[threadIdx.y][threadIdx.x] = in[base + threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  // CHECK: remark: 'tile32'
  // CHECK: BankConflict.cu:[[@LINE+1]]:{{[0-9]+}}: remark: 32-way bank conflict: a load of a warp takes 32 wavefronts instead of 1 (lanes are 128 B (32 elements) apart); pad the row from 32 to 33 elements. Estimated gain:
  out[base + threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void tile32(float *out, const float *in) {
  transposeTile<32>(out, in);
}

// CHECK: remark: 'tile33'
// CHECK-NOT: bank conflict
__global__ void tile33(float *out, const float *in) {
  transposeTile<33>(out, in);
}
