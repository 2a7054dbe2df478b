// Code of one block, or of one thread, of many, which is neither the first nor
// the last: by its number, by that of a thread, and by both in one condition.

__device__ void addUp(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i];
  *out = sum;
}

__global__ void byBlock(const float *in, float *out, int n) {
  if (blockIdx.x == 77)
    addUp(in, out + threadIdx.x, n);
}

__global__ void byThread(const float *in, float *out, int n, int chosen) {
  if (blockIdx.x * blockDim.x + threadIdx.x == chosen)
    addUp(in, out, n);
}

__global__ void byBoth(const float *in, float *out, int n) {
  if (blockIdx.x != 77 || threadIdx.x != 0)
    return;
  addUp(in, out, n);
}
