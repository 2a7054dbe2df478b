// A tile that L1 would replace is told so, and one that turns rows into columns
// is not; loads that threads of a block repeat are worth a tile, and those that
// they do not are not. Words that only their own thread reads need no tile in a
// loop; where several are loaded before the first is used, they may. A table
// that loaded indices choose from is worth a copy in each block; a large one, and
// one that is read in order, are not, nor is one that threads search by halves,
// whose words are in one bank.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=stencil:grid=128x512,block=32x8,pitch=4100 \
// RUN:   -mllvm -gpu-occupancy-launch=transposed:grid=128x128,block=32x32 \
// RUN:   -mllvm -gpu-occupancy-launch=product:grid=64x64,block=16x16,n=1024 \
// RUN:   -mllvm -gpu-occupancy-launch=columns:grid=1024,block=256,n=256 \
// RUN:   -mllvm '-gpu-occupancy-launch=/ownWord|copied/:grid=264,block=256,n=67584,steps=256' \
// RUN:   -mllvm '-gpu-occupancy-launch=/looksUp|looksUpMuch|readsAlong|bisects/:grid=2048,block=256' %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'stencil'
__global__ void stencil(float *out, const float *in, int pitch) {
  __shared__ float tile[10][34];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int at = (blockIdx.y * 8 + y) * pitch + blockIdx.x * 32 + x;
  // CHECK: SharedReuse.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a tile of 1360 B in shared memory costs more than it saves: L1 keeps the lines that the warps of a block share, and a register the word of a thread; let 5 loads read global memory. Estimated gain: {{[1-9]}}
  tile[y][x] = in[at];
  if (threadIdx.x == 0)
    tile[y][0] = in[at - 1];
  if (threadIdx.x == 31)
    tile[y][33] = in[at + 1];
  if (threadIdx.y == 0)
    tile[0][x] = in[at - pitch];
  if (threadIdx.y == 7)
    tile[9][x] = in[at + pitch];
  __syncthreads();
  out[at] = tile[y][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] +
            tile[y + 1][x];
}

// CHECK: remark: 'transposed'
// CHECK-NOT: costs more than it saves
__global__ void transposed(float *out, const float *in) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * 4096 + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * 4096 + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// CHECK: remark: 'product'
__global__ void product(float *__restrict__ c, const float *__restrict__ a,
                        const float *__restrict__ b, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: SharedReuse.cu:[[@LINE+1]]:{{[0-9]+}}: remark: {{[0-9]+}} loads of the loop are repeated by up to 16 threads of a block; let the block copy the words of several iterations into a tile of 2048 B in shared memory, each word once, and read them there. Estimated gain: 1.
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

// CHECK: remark: 'columns'
// CHECK-NOT: of the loop
__global__ void columns(float *__restrict__ sums, const float *__restrict__ in,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[k * 262144 + i];
  sums[i] = sum;
}

// CHECK: remark: 'ownWord'
__global__ void ownWord(const float *a, float *b, int n, int steps) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int k = 0; k < steps; k++) {
    // CHECK: SharedReuse.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread reads only the words that it has stored in shared memory itself; keep them in registers, without the 1024 B and without barriers. Estimated gain: {{[2-6]}}
    s[threadIdx.x] = a[k * n + i];
    __syncthreads();
    t += s[threadIdx.x] * 0.5f;
    __syncthreads();
  }
  b[i] = t;
}

// CHECK: remark: 'copied'
// CHECK-NOT: itself; keep them
__global__ void copied(const float *a, float *b, int n, int steps) {
  __shared__ float s[4][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; k++)
    s[k][threadIdx.x] = a[k * n + i];
  __syncthreads();
  for (int k = 0; k < 4; k++)
    b[k * n + i] = s[k][threadIdx.x];
}

// CHECK: remark: 'looksUp'
__global__ void looksUp(float *out, const int4 *in, const float *table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    int4 at = in[k * 67584 + i];
    // CHECK: SharedReuse.cu:[[@LINE+1]]:{{[0-9]+}}: remark: {{[0-9]+}} loads at loaded indices choose from 2048 words of a table, and L1 looks up each line that a warp touches; let each block copy the table to shared memory first (8192 B), and read it there. Estimated gain: {{[1-9]}}
    sum += table[at.x & 2047] + table[at.y & 2047] + table[at.z & 2047] +
           table[at.w & 2047];
  }
  out[i] = sum;
}

// CHECK: remark: 'looksUpMuch'
// CHECK-NOT: words of a table
__global__ void looksUpMuch(float *out, const int4 *in, const float *table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    int4 at = in[k * 67584 + i];
    sum += table[at.x & 65535] + table[at.y & 65535] + table[at.z & 65535] +
           table[at.w & 65535];
  }
  out[i] = sum;
}

// CHECK: remark: 'readsAlong'
// CHECK-NOT: words of a table
__global__ void readsAlong(float *out, const int4 *in, const float *table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    int4 at = in[k * 67584 + i];
    sum += float(at.x + at.y + at.z + at.w) * table[threadIdx.x + k];
  }
  out[i] = sum;
}

// CHECK: remark: 'bisects'
// CHECK-NOT: words of a table
__global__ void bisects(int *out, const float *in, const float *table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; ++k) {
    float x = in[k * 67584 + i];
    int low = 0, high = 2047;
    while (low < high) {
      int middle = (low + high) / 2;
      if (table[middle] < x)
        low = middle + 1;
      else
        high = middle;
    }
    out[k * 67584 + i] = low;
  }
}
