// A loop of host code that launches a kernel for a row at a time is told to
// launch once. One that repeats a launch, whose rows depend on each other, whose
// kernel writes what all launches share, or that may end early, is not. Told so,
// too, is one that gives the kernel the number of the row, or that counts in a
// `while`, but not where launches read what others wrote, or the loop does more.
//
// RUN: %gpu-occupancy analyze %s --device=nvidia-h100 --max-findings=0 | FileCheck %s --implicit-check-not='times in a loop'

__global__ void scaled(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * 2;
}
__global__ void summed(const float *in, float *out, float *all, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = in[i] * 2;
    all[i] += in[i];
  }
}
__global__ void apart(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * 3;
}
int ask(int row);

void run(float *x, float *y, float *all) {
  const int rows = 512, n = 768;
  for (int r = 0; r < rows; r++) {
    float *to = y + r * n;
    // CHECK: loops.cu:[[@LINE+1]]: host code launches this grid of 1 block 512 times in a loop, each for other parts of its arrays, in {{.*}}; launch once with a grid of 1x512, and compute in the kernel, from the index of the block, where its part begins. Estimated gain: {{[0-9]+}}x
    scaled<<<1, 128>>>(x + r * n, to, n);
  }
  for (int r = 0; r < rows; r++)
    summed<<<1, 128>>>(x + r * n, y + r * n, all, n);
  for (int r = 0; r < rows; r++)
    apart<<<1, 64>>>(x, y, n);
  for (int r = 0; r + 1 < rows; r++)
    apart<<<1, 96>>>(x + r * n, x + (r + 1) * n, n);
  for (int r = 0; r < rows; r++) {
    if (ask(r))
      break;
    apart<<<1, 128>>>(x + r * n, y + r * n, n);
  }
}

__global__ void numbered(const float *in, float *out, int n, int row) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[row * n + i] = in[row * n + i] * 2;
}
__global__ void doubled(float *all, int n, int row) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    all[row * n + i] *= 2;
}
__global__ void eliminated(float *all, int n, int row) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    all[row * n + n + i] -= all[row * n + i];
}
__global__ void pivoted(const float *in, float *out, int n, int row) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[row * n + i] = in[row * n + i] * 4;
}
__global__ void counted(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * 5;
}
__global__ void recounted(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * 6;
}

void number(float *x, float *y, float *z) {
  const int rows = 512, n = 768;
  // CHECK: loops.cu:[[@LINE+2]]: host code launches this grid of 1 block 512 times in a loop
  for (int r = 0; r < rows; r++)
    numbered<<<1, 128>>>(x, y, n, r);
  // CHECK: loops.cu:[[@LINE+2]]: host code launches this grid of 1 block 512 times in a loop
  for (int r = 0; r < rows; r++)
    doubled<<<1, 128>>>(z, n, r);
  for (int r = 0; r < rows; r++)
    eliminated<<<1, 128>>>(z, n, r);
  for (int r = 0; r < rows; r++) {
    pivoted<<<1, 128>>>(x, y, n, r);
    eliminated<<<1, 128>>>(x, n, r);
  }
}

void count(float *x, float *y) {
  const int rows = 512, n = 768;
  int r = 0, s = 0;
  while (r < rows) {
    // CHECK: loops.cu:[[@LINE+1]]: host code launches this grid of 1 block 512 times in a loop
    counted<<<1, 128>>>(x + r * n, y + r * n, n);
    ++r;
  }
  s = ask(r);
  while (s < rows) {
    recounted<<<1, 128>>>(x + s * n, y + s * n, n);
    ++s;
  }
}

__global__ void streamed(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * 7;
}

// Launches of several streams overlap as they are.
void stream(float *x, float *y, cudaStream_t *streams) {
  const int rows = 512, n = 768;
  for (int r = 0; r < rows; r++)
    streamed<<<1, 128, 0, streams[r % 4]>>>(x + r * n, y + r * n, n);
}
