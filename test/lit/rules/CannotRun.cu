// Launches that fail: of each kernel one that does and one that does not.
//
// RUN: %clang_cuda %remarks %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %python %S/../command/Inputs/status.py 1 %gpu-occupancy analyze %s > %t.txt 2> %t.err
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// RUN: FileCheck %s --check-prefix=TOTAL < %t.err
// RUN: %python %S/../command/Inputs/status.py 1 %gpu-occupancy check --cache=off %s | FileCheck %s --check-prefix=GATE --implicit-check-not=error:
// RUN: %python %S/../command/Inputs/status.py 1 %gpu-occupancy analyze %s --format=sarif | FileCheck %s --check-prefix=SARIF
// RUN: %python %S/../command/Inputs/status.py 1 %gpu-occupancy analyze %s --format=json -o %t.json
// RUN: %validate %docs/report.schema.json %t.json

__global__ void tall(float *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(128) bounded(float *x) { x[threadIdx.x] = 1; }
__global__ void staged(float *x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x ^ 1];
}
// Somebody else may raise the limit of this one.
__global__ void handed(float *x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x ^ 1];
}
void prepare(void (*kernel)(float *));

void run(float *x) {
  // CHECK-DAG: CannotRun.cu:[[@LINE+2]]:3: remark: 'tall(float*)' cannot run on {{.*}}: block has 2048 threads, sm_90 allows 1024
  // GATE-DAG: CannotRun.cu:[[@LINE+1]]:3: error: 'tall(float*)' cannot run on {{.*}} [CannotRun]
  tall<<<1, 2048>>>(x);
  // CHECK-DAG: CannotRun.cu:[[@LINE+2]]:3: remark: 'tall(float*)' cannot run on {{.*}}: grid is 70000 in y, CUDA allows 65535
  // GATE-DAG: CannotRun.cu:[[@LINE+1]]:3: error: 'tall(float*)' {{.*}}grid is 70000 in y
  tall<<<dim3(1, 70000), 32>>>(x);
  tall<<<dim3(1, 65535), 32>>>(x);
  // CHECK-DAG: CannotRun.cu:[[@LINE+2]]:3: remark: 'bounded(float*)' cannot run on {{.*}}: block has 256 threads, the launch bound of the kernel is 128
  // GATE-DAG: CannotRun.cu:[[@LINE+1]]:3: error: 'bounded(float*)'
  bounded<<<1, 256>>>(x);
  bounded<<<1, 128>>>(x);
  // CHECK-DAG: CannotRun.cu:[[@LINE+2]]:3: remark: 'staged(float*)' cannot run on {{.*}}: block has 65536 bytes of shared memory, sm_90 allows 49152 without opting in to more; call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536) before the launch
  // GATE-DAG: CannotRun.cu:[[@LINE+1]]:3: error: 'staged(float*)'
  staged<<<8, 256, 65536>>>(x);
  staged<<<8, 256, 49152>>>(x);
  prepare(handed);
  handed<<<8, 256, 65536>>>(x);
  // CHECK-DAG: CannotRun.cu:[[@LINE+2]]:3: remark: 'handed(float*)' cannot run on {{.*}}: block has 262144 bytes of shared memory, sm_90 allows 232448
  // GATE-DAG: CannotRun.cu:[[@LINE+1]]:3: error: 'handed(float*)' {{.*}}262144
  handed<<<8, 256, 262144>>>(x);
}

// TEXT: tall(float*)
// TEXT-NEXT: cannot run (place, what)
// TEXT-NEXT: CannotRun.cu:{{[0-9]+}}:3: 'tall(float*)' cannot run on
// TEXT-NEXT: launch grid 1 ({{.*}}), block 2048
// TOTAL: 5 launches cannot run
// SARIF: "level": "error"
