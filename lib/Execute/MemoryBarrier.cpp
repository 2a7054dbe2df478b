//===- MemoryBarrier.cpp - Barriers that lie in shared memory -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryBarrier.h"
#include <cstring>

using namespace gpuocc::execute;

namespace {

struct Object {
  /// Arrivals that the phase waits for, and those that the next one will.
  uint64_t Pending : 20;
  uint64_t Expected : 20;
  uint64_t Parity : 1;
  /// Bytes that the phase waits for, modulo 2^23.
  uint64_t Bytes : 23;

  void endPhase() {
    if (Pending != 0 || Bytes != 0)
      return;
    Parity ^= 1;
    Pending = Expected;
  }
};
static_assert(sizeof(Object) == sizeof(uint64_t));

Object objectIn(uint64_t Bits) {
  Object O;
  std::memcpy(&O, &Bits, sizeof(O));
  return O;
}

} // namespace

uint64_t gpuocc::execute::stepMemoryBarrier(uint64_t &Bits, BarrierStep Step,
                                            uint64_t Operand, int32_t Bytes) {
  Object O = objectIn(Bits);
  const uint64_t Before = Bits;
  uint64_t Result = Before;
  O.Bytes += uint32_t(Bytes);
  switch (Step) {
  case BarrierStep::Init:
    O = {Operand, Operand, 0, 0};
    break;
  case BarrierStep::ArriveAndDrop:
    O.Expected -= Operand;
    [[fallthrough]];
  case BarrierStep::Arrive:
    O.Pending -= Operand;
    O.endPhase();
    break;
  case BarrierStep::ExpectBytes:
    break;
  case BarrierStep::CompleteBytes:
    O.Bytes -= Operand;
    O.endPhase();
    break;
  case BarrierStep::Test:
    return O.Parity != objectIn(Operand).Parity;
  case BarrierStep::TestParity:
    return O.Parity != (Operand & 1);
  case BarrierStep::PendingCount:
    return objectIn(Operand).Pending;
  }
  std::memcpy(&Bits, &O, sizeof(Bits));
  return Result;
}
