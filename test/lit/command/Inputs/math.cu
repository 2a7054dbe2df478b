extern "C" {

__global__ void exponential(float *x) {
  x[threadIdx.x] = __nvvm_ex2_approx_f(x[threadIdx.x]);
}

__global__ void flushing(float *x) {
  x[threadIdx.x] = __nvvm_ex2_approx_ftz_f(x[threadIdx.x]);
}

__global__ void saturating(float *x) {
  x[threadIdx.x] =
      __nvvm_saturate_f(__builtin_fmaf(x[threadIdx.x], 3.0f, 0.5f));
}

__global__ void saturated(float *x) {
  x[threadIdx.x] = __nvvm_saturate_f(x[threadIdx.x]);
}

__global__ void plain(const float *a, const float *b, float *c, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[t + i * 4096] + b[t + i * 4096];
  c[t] = sum;
}

#ifdef CALLS
__noinline__ __device__ float square(float x) { return x * x; }

__global__ void caller(float *x) { x[threadIdx.x] = square(x[threadIdx.x]); }
#endif
}
