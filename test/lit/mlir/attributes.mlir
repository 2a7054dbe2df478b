// Attributes that another pass decides by: of the launch that takes longest,
// and of each where there are several. Kernels that are not analyzed have none.

// REQUIRES: mlir
// RUN: %mlir-opt --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off remarks=none attributes=true})' %s | FileCheck %s
// RUN: %mlir-opt --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off remarks=none})' %s | FileCheck %s --check-prefix=NONE --implicit-check-not=gpu_occupancy
// NONE: gpu.func @copy

// CHECK: gpu.func @copy
// CHECK-SAME: gpu_occupancy.available_warps = 64 : i64
// CHECK-SAME: gpu_occupancy.device = "nvidia-h200"
// CHECK-SAME: gpu_occupancy.launches = [
// CHECK-SAME: block = array<i64: 128, 1, 1>
// CHECK-SAME: grid = array<i64: 1000, 1, 1>
// CHECK-SAME: block = array<i64: 128, 1, 1>
// CHECK-SAME: grid = array<i64: 100000, 1, 1>
// CHECK-SAME: gpu_occupancy.limiter = "{{[a-z0-9]+}}"
// CHECK-SAME: gpu_occupancy.needed_warps = {{[0-9.]+}} : f64
// CHECK-SAME: gpu_occupancy.occupancy_limiter = "warps"
// CHECK-SAME: gpu_occupancy.registers = {{[0-9]+}} : i64
// CHECK-SAME: gpu_occupancy.time_us = {{[0-9.]+}} : f64
// CHECK-SAME: gpu_occupancy.time_us_interval = array<f64: {{[0-9.]+}}, {{[0-9.]+}}>
// CHECK: gpu.func @unknown
// CHECK-NOT: gpu_occupancy
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) kernel {
      %b = gpu.block_id x
      %d = gpu.block_dim x
      %t = gpu.thread_id x
      %0 = arith.muli %b, %d : index
      %i = arith.addi %0, %t : index
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %v = memref.load %x[%i] : memref<?xf32>
        memref.store %v, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @unknown(%x: memref<?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<?xf32>
      %s = gpu.all_reduce add %v {} : (f32) -> f32
      memref.store %s, %x[%c0] : memref<?xf32>
      gpu.return
    }
  }
  func.func @host(%x: memref<?xf32>, %y: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %few = arith.constant 1000 : index
    %many = arith.constant 100000 : index
    %nfew = arith.muli %few, %c128 : index
    %nmany = arith.muli %many, %c128 : index
    gpu.launch_func @kernels::@copy blocks in (%few, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%x : memref<?xf32>, %y : memref<?xf32>, %nfew : index)
    gpu.launch_func @kernels::@copy blocks in (%many, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%x : memref<?xf32>, %y : memref<?xf32>, %nmany : index)
    return
  }
}
