// Each different launch of host code is a verdict; what is unknown is an
// assumption until somebody gives it; what a user says comes first.
//
// RUN: %gpu-occupancy analyze %s | FileCheck %s --check-prefix=HOST
// RUN: %gpu-occupancy analyze %s --launch=scale:n=2560 | FileCheck %s --check-prefix=GIVEN
// RUN: %gpu-occupancy analyze %s --launch=scale:count=2560 | FileCheck %s --check-prefix=GIVEN
// RUN: %gpu-occupancy analyze %s --launch=twice:block=64 | FileCheck %s --check-prefix=OVER

__global__ void scale(float *x, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    x[i] *= 2;
}
__global__ void twice(float *x) { x[threadIdx.x] += 1; }

void run(float *x, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, n);
  twice<<<1, 32>>>(x);
  twice<<<100, 128>>>(x);
  twice<<<1, 32>>>(x + 32);
}

// HOST: scale(
// HOST: launch grid unknown, block 256 (launch at verdicts.cu:17)
// HOST: grid (n + 255) / 256 (launch at verdicts.cu:17) = {{.*}}; 'n' is not known
// HOST: twice(
// HOST: launch grid 1 (launch at verdicts.cu:18), block 32 (launch at verdicts.cu:18)
// HOST: launch grid 100 (launch at verdicts.cu:19), block 128 (launch at verdicts.cu:19)
// HOST-NOT: launch grid

// GIVEN: launch grid 10 (launch at verdicts.cu:17), block 256 (launch at verdicts.cu:17)

// OVER: launch grid 1 (launch at verdicts.cu:18), block 64 (--launch)
// OVER: block = 64x1x1 (--launch); against 32x1x1 (launch at verdicts.cu:18)
