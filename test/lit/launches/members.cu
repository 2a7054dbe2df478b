// Members of structs that host code hands to kernels, by their offset.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -mllvm -gpu-occupancy-quiet -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.ptx
// RUN: %python %S/Inputs/print_launches.py %t.json | FileCheck %s --match-full-lines --implicit-check-not=_Z

struct View {
  float *Data;
  int Rows, Columns;
};
struct Built {
  int Rows;
  float *Data;
  __host__ __device__ Built(float *data, int rows) : Rows(rows) { Data = data; }
};
struct Checked {
  int Rows;
  Checked(int rows) : Rows(rows) { check(); }
  void check();
};
struct Nested {
  View V;
  int Sizes[3];
  double Scale = 0.5;
};

__global__ void view(View v) { v.Data[threadIdx.x] = v.Rows; }
__global__ void built(Built b) { b.Data[threadIdx.x] = b.Rows; }
__global__ void checked(Checked c, float *x) { x[threadIdx.x] = c.Rows; }
__global__ void nested(Nested n) { n.V.Data[threadIdx.x] = n.Sizes[1]; }
template <class F> __global__ void each(F f) { f(threadIdx.x); }

View square(float *x, int n) { return {x, n, n}; }
void fill(View *v);
void through(View v) {
  // CHECK: _Z4view4View [[@LINE+1]] grid 4,1,1 block 32,1,1 shared 0 args 0+12=9 0+8=4
  view<<<v.Rows, 32>>>(v);
}

void run(float *x, int n, bool twice) {
  // CHECK: _Z4view4View [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args 0+12=n 0+8=4096
  view<<<1, 32>>>(View{x, 4096, n});
  // CHECK: _Z4view4View [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args 0+12=5 0+8=5
  view<<<1, 32>>>(square(x, 5));
  // CHECK: _Z5built5Built [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args 0+0=n*2
  built<<<1, 32>>>(Built(x, n * 2));

  View assigned;
  assigned.Data = x;
  assigned.Rows = 7;
  assigned.Columns = 8;
  // CHECK: _Z4view4View [[@LINE+1]] grid 7,1,1 block 32,1,1 shared 0 args 0+12=8 0+8=7
  view<<<assigned.Rows, 32>>>(assigned);

  View either = {x, 1, 2};
  if (twice)
    either.Rows = 3;
  // An assignment counts wherever it is, as for other variables.
  // CHECK: _Z4view4View [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args 0+12=2 0+8=3
  view<<<1, 32>>>(either);

  View several = {x, 1, 2};
  several.Rows = 3;
  several.Rows = n;
  // CHECK: _Z4view4View [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args 0+12=2
  view<<<1, 32>>>(several);

  View filled = {x, 1, 2};
  fill(&filled);
  // CHECK: _Z4view4View [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args
  view<<<1, 32>>>(filled);

  // CHECK: _Z7checked7CheckedPf [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args
  checked<<<1, 32>>>(Checked(5), x);

  Nested deep = {{x, 1, 2}, {3, 4}};
  deep.V.Rows = 11;
  // CHECK: _Z6nested6Nested [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args 0+12=2 0+16=3 0+20=4 0+24=0 0+32=0.5 0+8=11
  nested<<<1, 32>>>(deep);

  through({x, 4, 9});

  // CHECK: _Z4each{{.*}} [[@LINE+1]] grid 1,1,1 block 32,1,1 shared 0 args 0+8=n
  each<<<1, 32>>>([=] __device__(int i) { x[i] = n; });
}
