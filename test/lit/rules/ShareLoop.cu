// A thread that sums a row alone is told to share it with its warp, a running sum
// too, unless it says where to write. A loop that loaded data ends cannot be
// shared, and columns
// whose lanes lie side by side in a full grid gain nothing. Loops that go through
// one row are shared together, also one that writes words of its own or adds to
// words that all rows share. Warps share columns where the grid is small. Threads
// of a block that all compute the same are told to share it, unless what they
// compute needs its own thread. Blocks of one thread grow to a warp or more, and
// where nothing is combined and places on the SMs are empty, more blocks share;
// not of a grid that knows how many blocks it has, or of one that fills the SMs.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=rows:grid=16,block=256,n=4096 \
// RUN:   -mllvm '-gpu-occupancy-launch=/normalize|largest|shifted/:grid=32,block=256,n=1024' \
// RUN:   -mllvm '-gpu-occupancy-launch=/running|runningPlace|untilZero/:grid=16,block=256,n=4096' \
// RUN:   -mllvm -gpu-occupancy-launch=columns:grid=4096,block=256,n=256 \
// RUN:   -mllvm -gpu-occupancy-launch=gradients:grid=32,block=256,n=1024 \
// RUN:   -mllvm '-gpu-occupancy-launch=/columnSums|columnLimits/:grid=12,block=256,batches=8,rows=1024,n=3072' \
// RUN:   -mllvm '-gpu-occupancy-launch=/sameSum|ownSum/:grid=2048,block=256,n=2048' \
// RUN:   -mllvm -gpu-occupancy-launch=chosenRows:grid=256,block=256,n=256 -mllvm -gpu-occupancy-launch=chosenSums:grid=256,block=256 \
// RUN:   -mllvm -gpu-occupancy-launch=rowOfOne:grid=4096,block=1,n=1024 \
// RUN:   -mllvm '-gpu-occupancy-launch=/scaleByOne|sumByOne/:grid=1,block=1,n=1048576' \
// RUN:   -mllvm '-gpu-occupancy-launch=/scaleByBlock|scaleByGrid/:grid=1,block=1024,n=4194304' \
// RUN:   -mllvm -gpu-occupancy-launch=scaleByMany:grid=2048,block=1024,n=65536 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'rows'
// CHECK: ShareLoop.cu:[[@LINE+4]]:{{[0-9]+}}: remark: each thread combines 4096 values alone, in 16 blocks; let the {{32 lanes of a warp|256 threads of a block}} take its iterations in turns and combine their results by shuffles, in {{512|4096}} blocks. Estimated gain: {{[1-3][0-9]}}x
__global__ void rows(float *out, const float *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; c++)
    sum += in[row * n + c];
  out[row] = sum;
}

// CHECK: remark: 'running'
// CHECK: remark: each thread combines 4096 values alone, in 16 blocks; let the 32 lanes of a warp take its iterations in turns, combine by shuffles what lanes have before each other, and hand the last lane's on, in 512 blocks. Estimated gain: {{[1-4]?[0-9]}}
__global__ void running(float *out, const float *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; c++) {
    sum += in[row * n + c];
    out[row * n + c] = sum;
  }
}

// CHECK: remark: 'runningPlace'
// CHECK-NOT: each thread combines
__global__ void runningPlace(int *out, const int *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  for (int c = 0; c < n; c++) {
    at += in[row * n + c];
    out[at] = row;
  }
}

// CHECK: remark: 'untilZero'
// CHECK-NOT: each thread combines
__global__ void untilZero(float *out, const float *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; c++) {
    float v = in[row * n + c];
    if (v == 0)
      break;
    sum += v;
  }
  out[row] = sum;
}

// CHECK: remark: 'columns'
// CHECK-NOT: each thread combines
__global__ void columns(float *out, const float *in, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < n; r++)
    sum += in[r * (4096 * 256) + column];
  out[column] = sum;
}

// CHECK: remark: 'normalize'
// CHECK: remark: each thread combines 1024 values alone, in each of 3 loops and in 32 blocks; let the {{.*}}. Estimated gain: {{[5-9]|[1-9][0-9]}}
__global__ void normalize(float *out, const float *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, squares = 0;
  for (int c = 0; c < n; c++)
    sum += in[row * n + c];
  float mean = sum / n;
  for (int c = 0; c < n; c++)
    squares += (in[row * n + c] - mean) * (in[row * n + c] - mean);
  float scale = rsqrtf(squares / n);
  for (int c = 0; c < n; c++)
    out[row * n + c] = (in[row * n + c] - mean) * scale;
}

// The larger of two may be taken in any order, too.
// CHECK: remark: 'largest'
// CHECK: remark: each thread combines 1024 values alone, in 32 blocks;
__global__ void largest(int *out, const int *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int most = -1;
  for (int c = 0; c < n; c++)
    if (in[row * n + c] > most)
      most = in[row * n + c];
  out[row] = most;
}

// Iterations that read what others write cannot be shared.
// CHECK: remark: 'shifted'
// CHECK-NOT: each thread {{combines|goes}}
__global__ void shifted(float *v, int n) {
  float *row = v + (blockIdx.x * blockDim.x + threadIdx.x) * n;
  for (int c = 1; c < n; c++)
    row[c] = row[c - 1] * 0.5f + row[c];
}

// When words are only added to does not matter.
// CHECK: remark: 'gradients'
// CHECK: remark: each thread goes through 1024 values alone, in 32 blocks; let the {{32 lanes of a warp|256 threads of a block}} take its iterations in turns, in
__global__ void gradients(float *weights, const float *out, const float *in,
                          int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int c = 0; c < n; c++)
    atomicAdd(weights + c, out[row * n + c] * in[row * n + c]);
}

// Lanes side by side stay what they are; the inner of two loops is shared.
// CHECK: remark: 'columnSums'
// CHECK: ShareLoop.cu:[[@LINE+6]]:{{[0-9]+}}: remark: each thread combines 1024 values alone, in 12 blocks; let 32 warps of a block take its iterations in turns (threadIdx.y), each for the 32 threads side by side that one went through it for, and combine their results in shared memory, in 384 blocks. Estimated gain: {{[12][0-9]}}x
__global__ void columnSums(float *out, const float *in, int batches, int rows,
                           int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int b = 0; b < batches; b++)
    for (int r = 0; r < rows; r++)
      sum += in[(b * rows + r) * n + column];
  out[column] = sum;
}

// What is behind the inner loop needs what it made: all lanes of a warp have it.
// CHECK: remark: 'columnLimits'
// CHECK: remark: each thread combines 1024 values alone, in 12 blocks; let the 32 lanes of a warp take its iterations in turns
__global__ void columnLimits(float *out, const float *in, int batches, int rows,
                             int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int b = 0; b < batches; b++) {
    for (int r = 0; r < rows; r++)
      sum += in[(b * rows + r) * n + column];
    sum = sum / (1 + sum * sum);
  }
  out[column] = sum;
}

// CHECK: remark: 'sameSum'
// CHECK: ShareLoop.cu:[[@LINE+4]]:{{[0-9]+}}: remark: each of the 256 threads of a block combines the same {{20[0-9]*}} values; let each take every 256th of them, combine the results of a warp by shuffles and those of the warps in shared memory. Estimated gain: {{[5-9]|[1-9][0-9]}}
__global__ void sameSum(float *out, const float *in, int n) {
  const float *row = in + blockIdx.x * n;
  float sum = 0;
  for (int c = 0; c < n; c++)
    sum += row[c];
  for (int c = threadIdx.x; c < n; c += 256)
    out[blockIdx.x * n + c] = row[c] / sum;
}

// CHECK: remark: 'ownSum'
// CHECK-NOT: combines the same
__global__ void ownSum(float *out, const float *in, int n) {
  const float *row = in + blockIdx.x * n;
  float sum = 0, own = threadIdx.x;
  for (int c = 0; c < n; c++)
    sum += row[c] * own;
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// CHECK: remark: 'rowOfOne'
// CHECK: remark: each thread combines 1024 values alone, in 4096 blocks of 1 thread; let the 32 lanes of a warp take its iterations in turns and combine their results by shuffles, in 4096 blocks of 32 threads. Estimated gain: {{[5-9]|1[0-9]}}
__global__ void rowOfOne(float *out, const float *in, int n) {
  float sum = 0;
  for (int c = 0; c < n; c++)
    sum += in[blockIdx.x * n + c];
  out[blockIdx.x] = sum;
}

// CHECK: remark: 'scaleByOne'
// CHECK: remark: each thread goes through 1048576 values alone, in 1 block of 1 thread, which leaves places on the SMs empty; let [[N:[0-9]+]] blocks take the iterations of one in turns (from blockIdx.x * blockDim.x + threadIdx.x on in steps of gridDim.x * blockDim.x), in [[N]] blocks of 256 threads. Estimated gain: {{[1-9][0-9][0-9][0-9]}}
__global__ void scaleByOne(float *out, const float *in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] * 2;
}

// Results of blocks would have to be combined, too.
// CHECK: remark: 'sumByOne'
// CHECK: remark: each thread combines 1048576 values alone, in 1 block of 1 thread; let the 256 threads of a block take its iterations in turns and combine their results by shuffles, in 1 block of 256 threads.
__global__ void sumByOne(float *out, const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[i];
  *out = sum;
}

// CHECK: remark: 'scaleByBlock'
// CHECK: remark: each thread goes through 4096 values alone, in 1 block, which leaves places on the SMs empty; let [[N:[0-9]+]] blocks take the iterations of one in turns ({{.*}}), in [[N]] blocks. Estimated gain: {{[1-9][0-9]+}}
__global__ void scaleByBlock(float *out, const float *in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * 2;
}

// CHECK: remark: 'scaleByGrid'
// CHECK-NOT: each thread goes through
// CHECK: threads share the work among the blocks of the grid, so launch
__global__ void scaleByGrid(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = in[i] * 2;
}

// CHECK: remark: 'scaleByMany'
// CHECK-NOT: which leaves places
__global__ void scaleByMany(float *out, const float *in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = in[blockIdx.x * n + i] * 2;
}

// Rows that a loaded index chooses: the index is loaded again in each turn.
// CHECK: remark: 'chosenRows'
__global__ void chosenRows(float *out, const float *table, const int *row,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: ShareLoop.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread goes through 256 values alone, in {{[0-9]+}} blocks; let the 32 lanes of a warp take its iterations in turns
  for (int k = 0; k < n; k++)
    out[i * n + k] = table[row[i] * n + k];
}

// What an unrolled loop inside adds up is written by the turns of the one
// around it.
// CHECK: remark: 'chosenSums'
__global__ void chosenSums(float *out, const float *table, const int *row) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: remark: each thread goes through 64 values alone, in {{[0-9]+}} blocks; let the 32 lanes of a warp take its iterations in turns
  for (int d = 0; d < 64; d++) {
    float sum = 0;
    for (int k = 0; k < 8; k++)
      sum += table[row[i * 8 + k] * 64 + d];
    out[i * 64 + d] = sum;
  }
}
