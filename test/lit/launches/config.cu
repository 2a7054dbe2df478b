// A launch whose configuration a function makes: its kernel is known, and the
// rest has the names of the members.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -mllvm -gpu-occupancy-quiet -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.ptx
// RUN: %python %S/Inputs/print_launches.py %t.json | FileCheck %s --match-full-lines --implicit-check-not=_Z

__global__ void plain(float *x, int w, int h) { x[threadIdx.x] = w + h; }

namespace sample {
struct Config {
  dim3 gridDim, blockDim;
  unsigned long dynamicSmemBytes;
};
Config made(int blocks);
template <class... Parameters, class... Arguments>
int cudaLaunchKernelEx(const Config *config, void (*kernel)(Parameters...),
                       Arguments... arguments);

void configured(float *x) {
  Config config = made(7);
  // CHECK: _Z5plainPfii {{[0-9]+}} grid gridDim.x,gridDim.y,gridDim.z block blockDim.x,blockDim.y,blockDim.z shared dynamicSmemBytes args 1=1 2=2
  cudaLaunchKernelEx(&config, plain, x, 1, 2);
}
} // namespace sample
