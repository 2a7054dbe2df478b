// A few iterations are left to a few lanes, as the elements of a short row are.
// Lanes that search vote; a search that needs what it met before is not shared.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=shortRows:grid=2048,block=256,n=40' \
// RUN:   -mllvm '-gpu-occupancy-launch=/firstKey|firstDrop/:grid=64,block=256,n=512' %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'shortRows'
// CHECK: ShareFew.cu:[[@LINE+4]]:{{[0-9]+}}: remark: each thread combines 40 values alone, in 2048 blocks; let 8 lanes of a warp take its iterations in turns and combine their results by shuffles, in 16384 blocks. Estimated gain: {{1[.][2-9]|[2-9]}}
__global__ void shortRows(double *out, const double *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int c = 0; c < n; c++)
    sum += in[row * n + c];
  out[row] = sum;
}

// CHECK: remark: 'firstKey'
// CHECK: ShareFew.cu:[[@LINE+3]]:{{[0-9]+}}: remark: each thread searches {{[0-9]+}} values alone, in 64 blocks; let the 32 lanes of a warp take its iterations in turns and vote (__ballot_sync) on who has found it first
__global__ void firstKey(int *out, const int *in, int key, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, at = -1;
  for (int c = 0; c < n; c++)
    if (in[row * n + c] == key) {
      at = c;
      break;
    }
  out[row] = at;
}

// CHECK: remark: 'firstDrop'
// CHECK-NOT: each thread {{searches|combines}}
__global__ void firstDrop(int *out, const int *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, at = -1, last = -1;
  for (int c = 0; c < n; c++) {
    int v = in[row * n + c] ^ last * 5;
    if (v < last) {
      at = c;
      break;
    }
    last = v;
  }
  out[row] = at;
}
