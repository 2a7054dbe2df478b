struct Steps {
  float width;
  int count;
};

// Threads of the front walk to their neighbours.
__global__ void walk(const char *front, const int *next, float *out, int n,
                     Steps steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && front[i]) {
    float sum = 0;
    for (int k = 0; k < steps.count; ++k)
      sum += out[next[i + k * n]] * steps.width;
    out[i + n] = sum;
  }
  // A search from the first.
  for (int k = 0; k < n; ++k)
    if (next[k] == i) {
      out[i + 2 * n] = k;
      break;
    }
}
