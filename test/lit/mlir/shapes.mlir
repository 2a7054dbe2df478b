// Strides come from the layouts of memrefs: of the argument's type, of what the
// host allocates, and of known_grid_size the grid.

// REQUIRES: mlir
// RUN: %mlir-opt --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off remarks=none report-file=%t.json})' %s -o /dev/null
// RUN: %python -c "import json; [print(k['name'], k['launch']['grid'], k['launch']['block'], *[(a['kind'], a['lane_stride_bytes'], a['sectors_per_request']) for a in k['accesses']]) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

// CHECK: columns [1024, 1, 1] [32, 1, 1] ('load', 4096, 32) ('store', 4, 4)
// CHECK: rows [64, 1, 1] [32, 1, 1] ('load', 2048, 32) ('store', 4, 4)
// CHECK: lowered [7, 1, 1] [64, 1, 1] ('load', 8, 8) ('store', 4, 4)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @columns(%x: memref<1024x1024xf32>, %y: memref<1024x1024xf32>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1024, 1, 1>} {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %v = memref.load %x[%t, %b] : memref<1024x1024xf32>
      memref.store %v, %y[%b, %t] : memref<1024x1024xf32>
      gpu.return
    }
    gpu.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>) kernel {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %v = memref.load %x[%t, %b] : memref<?x?xf32>
      memref.store %v, %y[%b, %t] : memref<?x?xf32>
      gpu.return
    }
  }
  gpu.module @llvm {
    llvm.func @lowered(%x: !llvm.ptr, %y: !llvm.ptr) attributes {
        gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 64, 1, 1>,
        gpu.known_grid_size = array<i32: 7, 1, 1>} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %i = llvm.mul %t, %c2 : i32
      %from = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %to = llvm.getelementptr %y[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %from : !llvm.ptr -> f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.return
    }
  }
  func.func @host() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %x = memref.alloc(%c32, %c512) : memref<?x?xf32>
    %static = memref.alloc() : memref<64x32xf32>
    %y = memref.cast %static : memref<64x32xf32> to memref<?x?xf32>
    gpu.launch_func @kernels::@rows blocks in (%c64, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<?x?xf32>, %y : memref<?x?xf32>)
    return
  }
}
