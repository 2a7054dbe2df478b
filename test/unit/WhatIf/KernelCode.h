//===- KernelCode.h - Facts written by hand ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_UNIT_WHATIF_KERNELCODE_H
#define GPUOCC_TEST_UNIT_WHATIF_KERNELCODE_H

#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/KernelVariant.h"

namespace gpuocc {

/// Operations of a kernel, appended one by one to its last block.
struct Code {
  KernelFacts F;

  Code() {
    F.Name = F.Demangled = "k";
    F.Architecture = "sm_90";
    F.Parameters.resize(2);
    F.Parameters[0] = {"out", 0, 8, 256, true, false};
    F.Parameters[1] = {"in", 8, 8, 256, true, false};
    F.Blocks.resize(1);
  }

  uint32_t add(Semantics What, InstClass Class,
               std::initializer_list<Operand> Operands, uint8_t Bits = 32) {
    Operation Op;
    Op.What = What;
    Op.Bits = Bits;
    Op.Emits = {{Class, 1, 1}};
    Op.Operands = Operands;
    Op.Block = uint32_t(F.Blocks.size()) - 1;
    F.Operations.push_back(Op);
    ++F.Blocks.back().NumOps;
    return uint32_t(F.Operations.size()) - 1;
  }

  Operand special(SpecialReg R) {
    const uint32_t I = add(Semantics::SReg, InstClass::S2R, {});
    F.Operations[I].SReg = R;
    return Operand::value(I);
  }

  Operand parameter(int64_t Offset) {
    const uint32_t I = add(Semantics::Param, InstClass::Mov, {}, 64);
    F.Operations[I].Imm = Offset;
    F.Operations[I].Emits.clear();
    return Operand::value(I);
  }

  uint32_t access(AccessKind Kind, Operand Base,
                  MemorySpace Space = MemorySpace::Global) {
    const bool IsLoad = Kind == AccessKind::Load;
    const uint32_t I = add(IsLoad ? Semantics::Load : Semantics::Opaque,
                           classOf(IsLoad, Space), {Base});
    F.Operations[I].NumResults = IsLoad;
    F.Operations[I].Access = uint32_t(F.Accesses.size());
    MemoryAccess A;
    A.Op = I;
    A.Space = Space;
    A.Kind = Kind;
    A.Base = Base;
    F.Accesses.push_back(A);
    return I;
  }

  static InstClass classOf(bool IsLoad, MemorySpace Space) {
    if (Space == MemorySpace::Shared)
      return IsLoad ? InstClass::LdShared : InstClass::StShared;
    return IsLoad ? InstClass::LdGlobal : InstClass::StGlobal;
  }

  /// Begins a block; successors and loops are the caller's.
  uint32_t block() {
    BasicBlock B;
    B.FirstOp = uint32_t(F.Operations.size());
    F.Blocks.push_back(B);
    return uint32_t(F.Blocks.size()) - 1;
  }

  uint32_t exit() {
    const uint32_t I = add(Semantics::Opaque, InstClass::Exit, {});
    F.Operations[I].NumResults = 0;
    return I;
  }

  /// Ends the kernel: block 1, the last one, is a loop of \p Trips iterations,
  /// in which each access has one request.
  KernelVariant loopOnItself(double Trips) {
    F.Blocks[1].Successors = {1, 2};
    F.Blocks[1].Loop = 0;
    Loop L;
    L.Header = 1;
    L.Blocks = L.Latches = {1};
    F.Loops = {L};
    block();
    exit();
    KernelVariant V;
    V.Facts = std::move(F);
    V.Profile.Blocks = {{1, 1}, {Trips, 1}, {1, 1}};
    V.Profile.Loops.resize(1);
    V.Profile.Loops[0].TripCount = Trips;
    V.Profile.Accesses.resize(V.Facts.Accesses.size());
    for (AccessProfile &P : V.Profile.Accesses) {
      P.ExecutionsPerWarp = P.RequestsPerWarp = Trips;
      P.L1HitFraction = 1 - 1 / Trips;
    }
    return V;
  }
};

} // namespace gpuocc

#endif // GPUOCC_TEST_UNIT_WHATIF_KERNELCODE_H
