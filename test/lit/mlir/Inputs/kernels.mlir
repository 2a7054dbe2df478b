// The kernels of kernels.cu beside this file.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @saxpy(%n: i32, %a: f32, %x: memref<?xf32>, %y: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %first = arith.muli %block, %size : index
      %i = arith.addi %first, %thread : index
      %count = arith.index_cast %n : i32 to index
      %inside = arith.cmpi slt, %i, %count : index
      scf.if %inside {
        %xi = memref.load %x[%i] : memref<?xf32>
        %yi = memref.load %y[%i] : memref<?xf32>
        %product = arith.mulf %a, %xi fastmath<contract> : f32
        %sum = arith.addf %product, %yi fastmath<contract> : f32
        memref.store %sum, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @transpose(%in: memref<4096x4096xf32>, %out: memref<4096x4096xf32>)
        workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 8, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %x0 = arith.muli %bx, %c32 : index
      %y0 = arith.muli %by, %c32 : index
      %x = arith.addi %x0, %tx : index
      scf.for %j = %c0 to %c32 step %c8 {
        %row = arith.addi %ty, %j : index
        %y = arith.addi %y0, %row : index
        %v = memref.load %in[%y, %x] : memref<4096x4096xf32>
        memref.store %v, %tile[%row, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %xt = arith.addi %y0, %tx : index
      scf.for %j = %c0 to %c32 step %c8 {
        %row = arith.addi %ty, %j : index
        %y = arith.addi %x0, %row : index
        %v = memref.load %tile[%tx, %row] : memref<32x32xf32, #gpu.address_space<workgroup>>
        memref.store %v, %out[%y, %xt] : memref<4096x4096xf32>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %in: memref<4096x4096xf32>,
                  %out: memref<4096x4096xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %c4096 = arith.constant 4096 : index
    %n = arith.constant 1048576 : i32
    %a = arith.constant 2.0 : f32
    %tiles = arith.ceildivui %c4096, %c32 : index
    gpu.launch_func @kernels::@saxpy blocks in (%c4096, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%n : i32, %a : f32, %x : memref<?xf32>, %y : memref<?xf32>)
    gpu.launch_func @kernels::@transpose blocks in (%tiles, %tiles, %c1)
        threads in (%c32, %c8, %c1)
        args(%in : memref<4096x4096xf32>, %out : memref<4096x4096xf32>)
    return
  }
}
