//===- ControlCode.cpp - The control code of an encoding ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadSass/ControlCode.h"

using namespace gpuocc;

IssueControl gpuocc::decodeControlCode(uint64_t UpperHalf) {
  // Bit 105 of the encoding, in its upper half.
  constexpr unsigned FirstBit = 105 - 64;
  uint64_t Code = UpperHalf >> FirstBit;
  auto Take = [&Code](unsigned Bits) {
    auto Field = uint8_t(Code & ((1u << Bits) - 1));
    Code >>= Bits;
    return Field;
  };
  IssueControl Control;
  Control.StallCycles = Take(4);
  // The bit says that the scheduler should stay with this warp.
  Control.Yields = Take(1) == 0;
  Control.WriteBarrier = Take(3);
  Control.ReadBarrier = Take(3);
  Control.WaitMask = Take(6);
  return Control;
}
