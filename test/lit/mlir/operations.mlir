// Operations of vector, affine, math, nvgpu and memref are lowered on the way.

// REQUIRES: mlir, cuda-toolkit
// RUN: %mlir-opt --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off remarks=none report-file=%t.json})' %s -o /dev/null 2>&1 | count 0
// RUN: %python -c "import json; [print(k['name'], *[(a['space'], a['kind'], a['bytes_per_lane'], a['executions_per_warp']) for a in k['accesses']]) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

// A transfer says nothing of its alignment, so that its words are loaded each by
// itself.
// CHECK: vectors ('global', 'load', 16, 16) ('global', 'load', 4, 16) ('global', 'load', 4, 16) ('global', 'load', 4, 16) ('global', 'load', 4, 16) ('global', 'store', 16, 16)
// CHECK: shuffle ('global', 'load', 4, 1) ('global', 'reduction', 4, 1)
// CHECK: async ('global', 'async-copy', 16, 1) ('shared', 'load', 4, 1) ('global', 'store', 4, 1)
gpu.module @kernels {
  gpu.func @vectors(%x: memref<4096x64xf32>, %y: memref<4096x64xf32>) kernel attributes {
      known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %t = gpu.thread_id x
    %0 = arith.muli %b, %d : index
    %i = arith.addi %0, %t : index
    %f0 = arith.constant 0.0 : f32
    affine.for %k = 0 to 16 {
      %c4 = arith.constant 4 : index
      %j = arith.muli %k, %c4 : index
      %v = vector.load %x[%i, %j] {alignment = 16} : memref<4096x64xf32>, vector<4xf32>
      %w = vector.transfer_read %y[%i, %j], %f0 {in_bounds = [true]} : memref<4096x64xf32>, vector<4xf32>
      %s = arith.addf %v, %w : vector<4xf32>
      %r = vector.reduction <add>, %s : vector<4xf32> into f32
      %q = math.sqrt %r : f32
      %all = vector.broadcast %q : f32 to vector<4xf32>
      vector.store %all, %y[%i, %j] {alignment = 16} : memref<4096x64xf32>, vector<4xf32>
    }
    gpu.return
  }
  gpu.func @shuffle(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<?xf32>
    %o = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %s, %p = gpu.shuffle xor %v, %o, %w : f32
    %c0 = arith.constant 0 : index
    %a = memref.atomic_rmw addf %s, %x[%c0] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
  gpu.func @async(%x: memref<1024xf32>, %y: memref<1024xf32>)
      workgroup(%s: memref<1024xf32, #gpu.address_space<workgroup>>) kernel attributes {
      known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %i = arith.muli %t, %c4 : index
    %copy = nvgpu.device_async_copy %x[%i], %s[%i], 4
        : memref<1024xf32> to memref<1024xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group
    gpu.barrier
    %part = memref.subview %s[0][256][4] : memref<1024xf32, #gpu.address_space<workgroup>>
        to memref<256xf32, strided<[4]>, #gpu.address_space<workgroup>>
    %v = memref.load %part[%t] : memref<256xf32, strided<[4]>, #gpu.address_space<workgroup>>
    memref.store %v, %y[%t] : memref<1024xf32>
    gpu.return
  }
}
