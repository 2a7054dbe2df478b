// The sizes of arrays come from where host code allocates them: in the function
// that launches, in others, in functions that return or fill pointers.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -mllvm -gpu-occupancy-quiet -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.ptx
// RUN: %python %S/Inputs/print_launches.py %t.json | FileCheck %s --match-full-lines --implicit-check-not=_Z

__global__ void copy(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

template <class T> T *array(size_t n) {
  T *d;
  cudaMalloc(&d, n * sizeof(T));
  return d;
}
void allocate(float **p, int n) { cudaMalloc((void **)p, n * 4); }

float *everywhere, *twice;

void begin(int n) {
  cudaMalloc((void **)&everywhere, 512 * sizeof(float));
  cudaMalloc(&twice, 64);
  cudaMalloc(&twice, 128);
}

void launch(float *to, const float *from) {
  // CHECK: _Z4copyPfPKf [[@LINE+1]] grid 4,1,1 block 256,1,1 shared 0 args arrays 0=4096 1=n*4
  copy<<<4, 256>>>(to, from);
}

void run(int n, float *given) {
  float *made = array<float>(1024), *filled, *set = nullptr;
  cudaMallocManaged(&set, n * sizeof(float));
  allocate(&filled, 2048);
  launch(made, set);
  // CHECK: _Z4copyPfPKf [[@LINE+1]] grid 8,1,1 block 256,1,1 shared 0 args arrays 0=8192 1=2048
  copy<<<8, 256>>>(filled, everywhere);
  // An array that is allocated twice has no size, one that is handed over has none
  // here.
  // CHECK: _Z4copyPfPKf [[@LINE+1]] grid 9,1,1 block 256,1,1 shared 0 args
  copy<<<9, 256>>>(twice, given);
  // What lies before the pointer does not count.
  // CHECK: _Z4copyPfPKf [[@LINE+1]] grid 1,1,1 block 256,1,1 shared 0 args arrays 0=3072 1=8192-(n*4)
  copy<<<1, 256>>>(made + 256, &filled[n]);
}
