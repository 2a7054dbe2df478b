// Each thread reads every 262144th index, and the words that they choose.
__global__ void gather(float *out, const float *from, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++)
    sum += from[at[k * n + i]];
  out[i] = sum;
}

// A thread goes on by the number of threads.
__global__ void strided(float *out, const float *from, const int *at, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = from[at[i]];
}
