// Functions of the LLVM dialect that are kernels already, directly in a module,
// with debug information of their own.

// REQUIRES: mlir
// RUN: %mlir-opt --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200 ptxas=off launch={strided:grid=4096,n=1000}})' %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: k.py:1:1: remark: 'strided' is bound by {{.*}} for grid 4096, block 128
// CHECK: k.py:5:7: remark: uncoalesced load: a warp touches 32 sectors of 32 B where 4 hold its data
// CHECK-NOT: not analyzed
#file = #llvm.di_file<"k.py" in "">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#function = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "strided", linkageName = "strided", file = #file, line = 1, scopeLine = 1, subprogramFlags = "Definition|Optimized", type = #type>
#variable = #llvm.di_local_variable<scope = #function, name = "i", file = #file, line = 3, type = #int>
llvm.func @strided(%x: !llvm.ptr<1> loc("x"), %y: !llvm.ptr<1> loc("y"), %n: i32 loc("n")) attributes {
    nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %t = nvvm.read.ptx.sreg.tid.x : i32 loc("k.py":3:3)
  %b = nvvm.read.ptx.sreg.ctaid.x : i32 loc("k.py":3:3)
  %c128 = llvm.mlir.constant(128 : i32) : i32 loc("k.py":3:3)
  %first = llvm.mul %b, %c128 : i32 loc("k.py":3:3)
  %i = llvm.add %first, %t : i32 loc("k.py":3:3)
  llvm.intr.dbg.value #variable = %i : i32 loc(fused<#function>["k.py":3:3])
  %c16 = llvm.mlir.constant(16 : i32) : i32 loc("k.py":4:3)
  %j = llvm.mul %i, %c16 : i32 loc("k.py":4:3)
  %from = llvm.getelementptr %x[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32 loc("k.py":5:7)
  %to = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32 loc("k.py":6:7)
  %v = llvm.load %from : !llvm.ptr<1> -> f32 loc("k.py":5:7)
  llvm.store %v, %to : f32, !llvm.ptr<1> loc("k.py":6:7)
  llvm.return loc("k.py":7:1)
} loc(fused<#function>["k.py":1:1])
