// The forms in which host code launches kernels. Expressions of unknown
// variables stay as they are written.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -mllvm -gpu-occupancy-quiet -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.ptx
// RUN: %python %S/Inputs/print_launches.py %t.json | FileCheck %s --match-full-lines --implicit-check-not=_Z

__global__ void plain(float *x, int w, int h) { x[threadIdx.x] = w + h; }
template <int B, typename T> __global__ void scaled(T *x, T a, int n) {
  if (threadIdx.x < n)
    x[blockIdx.x * B + threadIdx.x] *= a;
}
template <class F> __global__ void each(int n, F f) {
  if (threadIdx.x < n)
    f(threadIdx.x);
}
extern "C" __global__ void unmangled() {}

static int divUp(int a, int b) { return (a + b - 1) / b; }
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
constexpr int Tile = 16;
int ask();

void constants(float *x) {
  const int n = 1 << 20;
  int threads = 128;
  // CHECK: _Z6scaledILi128EfEvPT0_S0_i {{[0-9]+}} grid 8192,1,1 block 128,1,1 shared 0 args 1=3.0 2=1048576
  scaled<128><<<DIV_UP(n, threads), threads>>>(x, 3.0f, n);
  dim3 block(32, 8), grid(n / block.x, 7);
  // CHECK: _Z5plainPfii {{[0-9]+}} grid 32768,7,1 block 32,8,1 shared 64 args 0=0 1=1048576 2=5
  plain<<<grid, block, Tile * sizeof(float)>>>(nullptr, n, 5);
  // CHECK: unmangled {{[0-9]+}} grid 1,1,1 block 1,1,4 shared 0 args
  dim3 deep;
  deep.z = 4;
  unmangled<<<1, deep>>>();
}

void symbols(float *x, bool wide) {
  int n = ask();
  // CHECK: _Z6scaledILi256EdEvPT0_S0_i {{[0-9]+}} grid (n+255)/256,1,1 block 256,1,1 shared 0 args 0=0 1=1.0 2=n
  scaled<256, double><<<(n + 255) / 256, 256>>>(nullptr, 1.0, n);
  int threads = 64;
  if (wide)
    threads = 128;
  // CHECK: _Z5plainPfii {{[0-9]+}} grid ((n+threads)-1)/threads,1,1 block threads,1,1 shared n*4 args 1=n 2=1
  plain<<<divUp(n, threads), threads, n * sizeof(float)>>>(x, n, 1);
  for (int s = 1; s < 8; s *= 2)
    // CHECK: _Z5plainPfii {{[0-9]+}} grid s,1,1 block 64,1,1 shared 0 args 1=s 2=1
    plain<<<s, 64>>>(x, s, 1);
  // CHECK: _Z4eachIZ7symbolsPfbEUliE_EviT_ {{[0-9]+}} grid 7,1,1 block wide?32:64,1,1 shared 0 args 0=n
  each<<<7, wide ? 32 : 64>>>(n, [=] __device__(int i) { x[i] = 1; });
}

// Launches that depend on the callers appear for each of them.
static void wrapped(float *x, int n, dim3 block) {
  // CHECK: _Z5plainPfii {{[0-9]+}} grid 16,1,1 block 64,1,1 shared 0 args 1=1000 2=3
  // CHECK: _Z5plainPfii {{[0-9]+}} grid 125,1,1 block 8,8,1 shared 0 args 1=1000 2=3
  plain<<<divUp(n, block.x), block>>>(x, n, 3);
}

void callers(float *x) {
  wrapped(x, 1000, 64);
  wrapped(x, 1000, dim3(8, 8));
  wrapped(nullptr, 1000, 64);
}

void runtime(float *x) {
  int w = 5, h = 7;
  void *arguments[] = {&x, &w, &h};
  // CHECK: _Z5plainPfii {{[0-9]+}} grid 2,3,1 block 96,1,1 shared 0 args 1=5 2=7
  cudaLaunchKernel((const void *)plain, dim3(2, 3), dim3(96), arguments, 0, 0);
}

// The kernel is what the callers of the function pass to it.
static void through(const void *kernel, int blocks, void **arguments) {
  // CHECK: _Z5plainPfii {{[0-9]+}} grid 33,1,1 block 32,1,1 shared 0 args
  // CHECK: unmangled {{[0-9]+}} grid 34,1,1 block 32,1,1 shared 0 args
  cudaLaunchKernel(kernel, dim3(blocks), dim3(32), arguments, 0, 0);
}
template <class K> static void launchAny(K *kernel, float *x) {
  // CHECK: _Z5plainPfii {{[0-9]+}} grid 5,1,1 block 96,1,1 shared 0 args 1=1 2=2
  kernel<<<5, 96>>>(x, 1, 2);
}

void kernelsOfCallers(float *x) {
  int w = 5, h = 7;
  void *arguments[] = {&x, &w, &h};
  through((const void *)plain, 33, arguments);
  through((const void *)unmangled, 34, nullptr);
  launchAny(plain, x);
}

// Each instance of a generic lambda launches what its types say.
void instances(float *x) {
  auto scale = [=](auto factor) {
    // CHECK: _Z6scaledILi64EfEvPT0_S0_i {{[0-9]+}} grid 9,1,1 block 64,1,1 shared 0 args 1=2.0 2=64
    scaled<64, decltype(factor)><<<9, 64>>>((decltype(factor) *)x, factor, 64);
  };
  scale(2.0f);
}
