// Remarks stand at the locations of operations, whatever form these have; an
// operation without a file has the place of the one around it.

// REQUIRES: mlir
// RUN: %mlir-opt --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off})' %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %mlir-opt --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off remarks=none report-file=%t.json})' %s -o /dev/null
// RUN: %python -c "import json; print(*[(a['space'], a['kind'], a['file'], a['line'], a['column']) for a in json.load(open('%t.json'))['kernels'][0]['accesses']], sep='\n')" | FileCheck %s --check-prefix=PLACES

// CHECK: kernel.py:1:1: remark: 'strided' is bound by
// CHECK-DAG: kernel.py:10:5: remark: {{.*}}[gpu-occupancy: UncoalescedAccess]
// CHECK-DAG: kernel.py:11:7: remark: {{.*}}[gpu-occupancy: UncoalescedAccess]
// CHECK-DAG: library.py:3:4: remark: {{.*}}[gpu-occupancy: UncoalescedAccess]

// PLACES: ('global', 'load', 'kernel.py', 10, 5)
// PLACES-NEXT: ('global', 'load', 'library.py', 3, 4)
// PLACES-NEXT: ('global', 'load', 'kernel.py', 1, 1)
// PLACES-NEXT: ('global', 'store', 'kernel.py', 11, 7)
gpu.module @kernels {
  gpu.func @strided(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>, %w: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4096, 1, 1>} {
    %c256 = arith.constant 256 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %b = gpu.block_id x loc("block")
    %t = gpu.thread_id x loc("thread")
    %0 = arith.muli %b, %c256 : index loc(unknown)
    %1 = arith.addi %0, %t : index loc(unknown)
    // Accesses whose lanes lie alike are one finding; these do not.
    %i = arith.muli %1, %c64 : index loc(unknown)
    %j = arith.muli %1, %c96 : index loc(unknown)
    %k = arith.muli %1, %c128 : index loc(unknown)
    %u = memref.load %x[%i] : memref<?xf32> loc("load of x"("kernel.py":10:5))
    %v = memref.load %y[%j] : memref<?xf32> loc(callsite("library.py":3:4 at "kernel.py":9:1))
    %r = memref.load %w[%i] : memref<?xf32> loc("no file")
    %s = arith.addf %u, %v : f32 loc("kernel.py":10:9)
    %q = arith.addf %s, %r : f32 loc("kernel.py":10:9)
    memref.store %q, %z[%k] : memref<?xf32> loc(fused["kernel.py":11:7, "other.py":2:2])
    gpu.return loc(unknown)
  } loc("kernel.py":1:1)
}
