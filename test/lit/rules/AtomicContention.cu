// Atomics of all lanes on one address are found, and those of all blocks on few
// words; on one address a lane they are not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=64,block=256 %s -o /dev/null 2>&1 | FileCheck --check-prefix=FEW %s

// CHECK: remark: 'oneCounter'
__global__ void oneCounter(int *old, int *counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: AtomicContention.cu:[[@LINE+2]]:{{[0-9]+}}: remark: 32 lanes of a warp use one address in this shared {{atomic|reduction}} and are served one after the other; combine them in the warp first
  __shared__ int bins[1];
  old[i] = atomicExch(&bins[0], i);
}

// Shared memory adds no floats: the lanes try again, one succeeds a turn.
// CHECK: remark: 'oneSum'
__global__ void oneSum(float *out, const float *in) {
  __shared__ float sum;
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: 32 lanes of a warp use one address in this shared atomic and are served one after the other; combine them in the warp first
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  out[blockIdx.x] = sum;
  // CHECK-NOT: divergent loop
}

// CHECK: remark: 'ownCounters'
// CHECK-NOT: use one address
__global__ void ownCounters(int *old) {
  __shared__ int bins[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = atomicExch(&bins[threadIdx.x], i);
}

// The assembler adds up the lanes itself; what is left are the warps. Where
// more blocks are launched than run at a time, they can add up first.
// CHECK: remark: 'allWarps'
// FEW: remark: 'allWarps'
__global__ void allWarps(int *counter) {
  // FEW: AtomicContention.cu:[[@LINE+2]]:{{[0-9]+}}: remark: all warps of the grid meet on 1 sector in this global reduction (the assembler combines the lanes of a warp already) and are served one after the other; combine the warps of a block in shared memory
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all blocks of the grid meet on 1 word in this global reduction; launch 1056 blocks, as many as run at a time, let each thread combine in a register, in turns, what it has, combine the threads of the block by shuffles, and let one of them update
  atomicAdd(counter, 1);
}

// Threads of a block meet on its word, twice.
// CHECK: remark: 'wordsOfBlocks'
// FEW: remark: 'wordsOfBlocks'
__global__ void wordsOfBlocks(float *sums, const float *in) {
  float v = in[blockIdx.x * blockDim.x + threadIdx.x];
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all threads of a block meet on one word in this global reduction (and on one each of 1 more beside it) and are served one after the other; combine the lanes of each warp by shuffles and the warps of the block in shared memory, and let one thread of the block update. Estimated gain: {{[1-9]}}
  atomicAdd(&sums[blockIdx.x / 16 * 2], v);
  atomicAdd(&sums[blockIdx.x / 16 * 2 + 1], v * v);
}

// All iterations of a thread update one word.
// FEW: remark: 'closePairs'
// CHECK: remark: 'closePairs'
__global__ void closePairs(int *count, const float *in, int n) {
  float own = in[threadIdx.x];
  for (int k = 0; k < 1024; k++)
    if (in[k] * own > 0)
      // FEW: AtomicContention.cu:[[@LINE+2]]:{{[0-9]+}}: remark: each iteration of a loop updates the same word by this global reduction, and all of them take their turns at L2; let each thread combine its values in a register and update once behind the loop
      // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each iteration of a loop updates the same word by this global reduction
      atomicAdd(count, 1);
}

// What others have added so far is read in each iteration.
// FEW: remark: 'readPairs'
// FEW-NOT: each iteration of a loop updates
// CHECK: remark: 'readPairs'
// CHECK-NOT: each iteration of a loop updates
__global__ void readPairs(int *count, const float *in, int n) {
  float own = in[threadIdx.x];
  for (int k = 0; k < 1024 && *(volatile int *)count < n; k++)
    if (in[k] * own > 0)
      atomicAdd(count, 1);
}

// Loaded indices choose one of 64 words.
// CHECK: remark: 'fewWords'
__global__ void fewWords(int *bins, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all blocks of the grid meet on 64 words in this global reduction, if loaded indices choose all of them alike, and L2 serves {{1[23].*}} turns of a warp one after the other; launch {{[0-9]+}} blocks, as many as run at a time, let each do the work of several in turns, count in shared memory, and update once
  atomicAdd(bins + (in[i] & 63), 1);
}

// Two sums of one loop are counted together.
// CHECK: remark: 'twoSums'
// CHECK: AtomicContention.cu:[[@LINE+3]]:{{[0-9]+}}: remark: all blocks of the grid meet on 64 words in this global reduction (and on those of 1 more beside it) and L2 serves
__global__ void twoSums(float *a, float *b, const float *in) {
  for (int k = 0; k < 64; k++) {
    atomicAdd(a + k, in[threadIdx.x]);
    atomicAdd(b + k, in[threadIdx.x] * 2);
  }
}

// Every lane has a word of its own, which it shares with all warps.
// CHECK: remark: 'wordsOfLanes'
__global__ void wordsOfLanes(int *counts, const int *in) {
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all blocks of the grid meet on 32 words in this global reduction and L2 serves 4 turns
  atomicAdd(counts + threadIdx.x % 32, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

// A word a thread of the block: only blocks that do the work of several have
// something to add up first. All blocks of a small grid run at a time.
// FEW: remark: 'wordsOfBlock'
// FEW-NOT: meet on
// FEW: remark: 'manyWords'
// CHECK: remark: 'wordsOfBlock'
__global__ void wordsOfBlock(int *counts, const int *in) {
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all blocks of the grid meet on 256 words in this global reduction{{.*}}; launch {{[0-9]+}} blocks, as many as run at a time, let each {{.*}} in turns, {{.*}} and update once
  atomicAdd(counts + threadIdx.x, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

// Loaded indices go anywhere.
// CHECK: remark: 'manyWords'
// CHECK-NOT: meet on
__global__ void manyWords(int *bins, const int *in) {
  atomicAdd(bins + in[blockIdx.x * blockDim.x + threadIdx.x], 1);
}

// One edit counts the three histograms of a picture.
// CHECK: remark: 'colors'
__global__ void colors(unsigned *bins, const uchar4 *in) {
  uchar4 p = in[blockIdx.x * blockDim.x + threadIdx.x];
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all blocks of the grid meet on {{.*}} in this global reduction (and on those of 2 more beside it){{.*}} if loaded indices choose all of them alike,
  atomicAdd(bins + p.x, 1);
  atomicAdd(bins + 256 + p.y, 1);
  atomicAdd(bins + 512 + p.z, 1);
}

// An unrolled loop has several updates; a thread makes one behind it.
// CHECK: remark: 'hits'
__global__ void hits(unsigned *all) {
  unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; k++) {
    s = s * 1664525u + 1013904223u;
    if (s > 1u << 30)
      // CHECK: remark: each iteration of a loop updates the same word by this global reduction, and all of them take their turns at L2; let each thread combine its values in a register and update once behind the loop. Estimated gain: {{[2-9][0-9]}}
      atomicAdd(all, 1);
  }
}

// Lanes meet on the words of one array at two places: one edit for both.
// CHECK: remark: 'neighbours'
// CHECK: AtomicContention.cu:[[@LINE+4]]:{{[0-9]+}}: remark: 4 lanes of a warp use one address in this global reduction (and in 1 more of the array beside it) and are served one after the other; combine them in the warp first
// CHECK-NOT: lanes of a warp use one address
__global__ void neighbours(float *sums, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[i / 4], in[i] * 0.25f);
  atomicAdd(&sums[i / 4 + 1], in[i] * 0.75f);
}
