//===- ArithmeticSpecs.cpp - The instructions that are timed --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Shared memory whose every word is the address of its start.
static constexpr const char *FillShared = R"(
  mov.u32 %s, smem;
  shl.b32 %t0, %ktid, 2;
  add.u32 %t0, %t0, %s;
  shl.b32 %t1, %kntid, 2;
  add.u32 %t2, %s, 2048;
$FILL:
  setp.ge.u32 %q, %t0, %t2;
  @%q bra $FILLED;
  st.shared.u32 [%t0], %s;
  add.u32 %t0, %t0, %t1;
  bra $FILL;
$FILLED:
  bar.sync 0;
  mov.u32 %d0, %s;
  mov.u32 %d1, %s;
  mov.u32 %d2, %s;
  mov.u32 %d3, %s;
  mov.u32 %d4, %s;
  mov.u32 %d5, %s;
  mov.u32 %d6, %s;
  mov.u32 %d7, %s;
)";

/// Chain starts that differ between lanes, so that no warp-wide operation is
/// an identity that the compiler could drop.
static constexpr const char *VaryByLane = R"(
  add.u32 %d0, %d0, %klane;
  add.u32 %d1, %d0, 32;
  add.u32 %d2, %d0, 64;
  add.u32 %d3, %d0, 96;
  add.u32 %d4, %d0, 128;
  add.u32 %d5, %d0, 160;
  add.u32 %d6, %d0, 192;
  add.u32 %d7, %d0, 224;
  add.u32 %a, %a, %klane;
)";

/// One word of shared memory a lane.
static constexpr const char *StoreShared = R"(
  mov.u32 %s, smem;
  mad.lo.u32 %s, %klane, 4, %s;
)";

#define STEPS(...) {__VA_ARGS__}
#define SPEC(KeyOf, PipeOf, OpcodeOf, WidthOf, KindOf, StepsOf, ...)           \
  {.Key = KeyOf,                                                               \
   .Pipe = PipeOf,                                                             \
   .Opcode = OpcodeOf,                                                         \
   .Width = WidthOf,                                                           \
   .Kind = KindOf,                                                             \
   .Steps = StepsOf __VA_OPT__(, ) __VA_ARGS__},

ArrayRef<ArithmeticSpec> arithmeticSpecs() {
  using enum Operands;
  static const ArithmeticSpec Specs[] = {
#define ARITHMETIC SPEC
#include "ArithmeticSpecs.def"
  };
  return Specs;
}

ArrayRef<ArithmeticSpec> dependenceSpecs() {
  using enum Operands;
  static const ArithmeticSpec Specs[] = {
#define DEPENDENCE SPEC
#include "ArithmeticSpecs.def"
  };
  return Specs;
}

} // namespace gpuocc::calibration
