extern "C" __global__ void copy(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  for (int k = 0; k < 32; k++)
    v = v * 0.99f + 0.1f;
  b[i] = v;
}
