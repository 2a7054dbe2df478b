// A load whose lanes lie a row apart is found once, with its price; one whose
// lanes lie side by side is not, even where some lanes are inactive. One finding
// tells what one edit mends: both accesses of x and y in the wrong order, and
// the load and the store of one index; a transposition has lanes side by side
// that another order would part, which is said, and a tile that threads move
// several elements of; a product, which has a loop, has no such tile. An exchange of x and y is
// priced with the addresses of all accesses evaluated anew. Lanes that go where a
// table says, known or not, are not told.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=columns:grid=4096,block=256,n=1024 \
// RUN:   -mllvm '-gpu-occupancy-launch=/rows|byTable/:grid=4096,block=256' \
// RUN:   -mllvm '-gpu-occupancy-launch=/exchanged|transposed|product/:grid=128x512,block=32x8,n=4096' \
// RUN:   -mllvm '-gpu-occupancy-launch=/indexed|ownWords/:grid=4096,block=256,n=4096' \
// RUN:   -mllvm '-gpu-occupancy-launch=/columnOfBlock|wordsOfBlock/:grid=262144,block=256,n=262144' \
// RUN:   -mllvm -gpu-occupancy-launch=turned:grid=65536,block=256,n=4096 \
// RUN:   -mllvm -gpu-occupancy-launch=chunks:grid=4096,block=128,n=16777216 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'columns'
__global__ void columns(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: UncoalescedAccess.cu:[[@LINE+1]]:12: remark: uncoalesced load: a warp touches 32 sectors of 32 B where 4 hold its data (lanes are 4096 B (1024 elements) apart), 1 request per warp; let neighbouring lanes use neighbouring elements, or stage the data in shared memory. Estimated gain: {{[1-9](\.[0-9]+)?}}x (then bound by
  out[i] = in[i * n];
}

// CHECK: remark: 'rows'
// CHECK-NOT: uncoalesced
__global__ void rows(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2)
    out[i] = in[i];
}

// CHECK: remark: 'exchanged'
// CHECK: UncoalescedAccess.cu:[[@LINE+5]]:{{[0-9]+}}: remark: uncoalesced {{load|store}}: a warp touches 32 sectors of 32 B where 4 hold its data (lanes are 16384 B (4096 elements) apart), 2 requests per warp with 1 more that lie alike in 2 arrays; exchange x and y of the threads. Estimated gain: {{[4-9]}}
// CHECK-NOT: uncoalesced
__global__ void exchanged(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[x * n + y] + 1;
}

// CHECK: remark: 'transposed'
// CHECK: remark: uncoalesced store: {{.*}}, 1 request per warp; stage the data in shared memory: an exchange of x and y of the threads would part the lanes of other accesses; of a tile of 32 x 32 elements each thread moves 4. Estimated
// CHECK-NOT: uncoalesced
__global__ void transposed(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

// The other factor is read by rows of threads in the other order.
// CHECK: remark: 'product'
// CHECK-NOT: exchange x and y
// CHECK: remark: uncoalesced load: {{.*}}; stage the data in shared memory: an exchange of x and y of the threads would part the lanes of other accesses. Estimated
__global__ void product(float *out, const float *in, const float *by, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < 256; k++)
    s += in[x * n + k] * by[y * n + k];
  out[x * n + y] = s;
}

// CHECK: remark: 'chunks'
// CHECK: remark: uncoalesced {{load|store}}: {{.*}}(lanes are 128 B (32 elements) apart), {{.*}} with {{[0-9]+}} more of the same array; {{.*}}. Estimated gain: {{[4-9]}}
// CHECK-NOT: uncoalesced
__global__ void chunks(unsigned *v, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
  for (int i = first; i < first + 32 && i < n; i++)
    v[i] += 17;
}

// In the other order each lane loads an index of its own: nothing is promised.
// CHECK: remark: 'indexedRows'
// CHECK: remark: uncoalesced {{.*}} (what that gains follows from the loaded index){{( \[-R.*)?$}}
__global__ void indexedRows(float *to, const float *from, const int *index,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int column = i / n, row = i % n;
  to[row * n + index[column]] = from[i];
}

// The words between those of two lanes are the thread's own, whatever the index.
// CHECK: remark: 'ownWords'
// CHECK: remark: uncoalesced store: {{.*}}(lanes are 32 B (8 elements) apart), {{.*}}. Estimated gain:
__global__ void ownWords(float *to, const float *from, const int *index,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *row = to + index[blockIdx.x] * 2048 + threadIdx.x * 8;
  for (int k = 0; k < 8; k++)
    row[k] = from[k * n + i];
}

// A table says where each lane goes: no order of threads brings them together.
// CHECK: remark: 'byTable'
// CHECK-NOT: uncoalesced
__device__ const int Places[32] = {19, 3,  28, 11, 6,  25, 14, 31, 0, 22, 9,
                                   17, 30, 5,  12, 27, 2,  20, 8,  15, 24, 1,
                                   29, 10, 18, 4,  23, 13, 26, 7,  16, 21};
__global__ void byTable(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[Places[threadIdx.x % 32] * 4096 + blockIdx.x];
}

// A thread goes through a column alone where a block does, which lies beside
// that of the next block; where a block writes a word of each thread, it does
// not.
// CHECK: remark: 'columnOfBlock'
// CHECK: remark: uncoalesced load: {{.*}}; let a thread do alone what a block does together, so that neighbours go through what neighbouring blocks go through, in blocks of 256 in a grid of 1024. Estimated gain: {{[4-9]}}
__global__ void columnOfBlock(float *out, const float *in, int n) {
  __shared__ float part[8];
  float s = 0;
  for (int r = threadIdx.x; r < 256; r += blockDim.x)
    s += in[r * n + blockIdx.x];
  for (int d = 16; d; d /= 2)
    s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      s += part[w];
    out[blockIdx.x] = s;
  }
}

// CHECK: remark: 'wordsOfBlock'
// CHECK: remark: uncoalesced load:
// CHECK-NOT: let a thread do alone
__global__ void wordsOfBlock(float *out, const float *in, int n) {
  __shared__ float part[256];
  float s = 0;
  for (int r = threadIdx.x; r < 1024; r += blockDim.x)
    s += in[r * n + blockIdx.x];
  part[threadIdx.x] = s;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = part[255 - threadIdx.x];
}

// A transposition by threads of one row has a tile as well.
// CHECK: remark: 'turned'
// CHECK: remark: uncoalesced store: {{.*}} or stage the data in shared memory; of a tile of 32 x 32 elements each thread moves 4. Estimated
__global__ void turned(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i % n * n + i / n] = in[i];
}
