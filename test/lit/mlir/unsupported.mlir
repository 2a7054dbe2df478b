// An operation without a lowering is named where it stands, and so is a launch
// that is not outlined; other kernels are analyzed, and no pipeline fails.

// REQUIRES: mlir
// RUN: %mlir-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off})' %s -o %t.after 2>&1 | FileCheck %s
// RUN: %mlir-opt --allow-unregistered-dialect %s -o %t.before
// RUN: diff %t.before %t.after

// CHECK-DAG: unsupported.mlir:[[@LINE+4]]:3: remark: 'good' is bound by {{.*}}KernelVerdict
// CHECK-DAG: unsupported.mlir:[[@LINE+11]]:5: remark: 'matrix' is not analyzed: operation 'linalg.matmul' has no lowering to LLVM [gpu-occupancy: NotAnalyzed]
// CHECK-DAG: unsupported.mlir:[[@LINE+16]]:10: remark: 'strange' is not analyzed: operation 'my.op' has no lowering to LLVM [gpu-occupancy: NotAnalyzed]
gpu.module @kernels {
  gpu.func @good(%x: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @matrix(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %z: memref<8x8xf32>) kernel {
    // Lowered by passes of linalg, which come first.
    linalg.matmul ins(%x, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%z : memref<8x8xf32>)
    gpu.return
  }
  gpu.func @strange(%x: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    // Of a dialect that nobody knows.
    %v = "my.op"(%i) : (index) -> f32
    memref.store %v, %x[%i] : memref<?xf32>
    gpu.return
  }
  // CHECK-DAG: unsupported.mlir:[[@LINE+4]]:10: remark: 'reduce' is not analyzed: failed to legalize operation 'gpu.all_reduce'
  gpu.func @reduce(%x: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %s = gpu.all_reduce add %v {} : (f32) -> f32
    memref.store %s, %x[%i] : memref<?xf32>
    gpu.return
  }
}

// CHECK-DAG: unsupported.mlir:[[@LINE+3]]:3: remark: gpu.launch is not analyzed: run gpu-kernel-outlining before gpu-occupancy
func.func @host(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
