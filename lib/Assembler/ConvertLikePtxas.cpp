//===- ConvertLikePtxas.cpp - Integers to floats where they lie -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// I2F converts a byte or half of a register where it lies (R0.B2). So ptxas
/// drops what takes an aligned part out for a conversion alone. It is timed as
/// F2I, at the pipe of special functions (I2F.F16 and F2I.F16 in turns
/// take 8.02 cycles each on an H200, F2I 8.02, and I2FP, which converts whole
/// registers, 2.04). What was loaded or taken out with zeros above it converts
/// as a whole. Each case was seen in the opcodes of ptxas 13.0 for sm_90 and
/// sm_100.
///
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class Converter {
public:
  explicit Converter(KernelFacts &Facts)
      : Facts(Facts), Uses(Facts.Operations.size()) {
    const auto Count = [&](const Operand &O) {
      if (O.isValue())
        ++Uses[O.Index];
    };
    for (const Operation &Op : Facts.Operations) {
      for (const Operand &O : Op.Operands)
        Count(O);
      Count(Op.Guard);
    }
    for (const Branch &B : Facts.Branches)
      Count(B.Condition);
  }

  void run() {
    for (Operation &Op : Facts.Operations)
      if ((Op.What == Semantics::FFromS || Op.What == Semantics::FFromU) &&
          Op.Bits == 32 && Op.FromBits <= 32 && !Op.Operands.empty())
        convert(Op);
  }

private:
  KernelFacts &Facts;
  /// Of each value: uses that are left.
  std::vector<unsigned> Uses;

  Operation *producer(const Operand &O) {
    return O.isValue() ? &Facts.Operations[O.Index] : nullptr;
  }

  void drop(const Operand &O) {
    if (--Uses[O.Index] == 0)
      Facts.Operations[O.Index].Emits.clear();
  }

  /// What was given another width at no cost, and who reads it.
  const Operand *behindCopies(const Operand *O) {
    for (const Operation *P = producer(*O);
         P && P->What == Semantics::Trunc && P->Emits.empty() &&
         Uses[O->Index] == 1;
         P = producer(*O))
      O = &P->Operands[0];
    return O;
  }

  /// An immediate operand \p I of \p Op; -1 for others.
  static int64_t immediate(const Operation &Op, unsigned I) {
    return I < Op.Operands.size() && Op.Operands[I].isImmediate()
               ? Op.Operands[I].Imm
               : -1;
  }

  /// Does \p Op take an aligned byte or half out, in one of the ways that I2F
  /// takes over?
  static bool takesPart(const Operation &Op) {
    switch (Op.What) {
    case Semantics::SExt:
      return Op.FromBits == 8 || Op.FromBits == 16;
    case Semantics::BfeS:
    case Semantics::BfeU: {
      const int64_t At = immediate(Op, 1), Bits = immediate(Op, 2);
      return Op.Bits == 32 && (Bits == 8 || Bits == 16) && At % Bits == 0;
    }
    case Semantics::ShrU: {
      const int64_t By = immediate(Op, 1);
      return Op.Bits == 32 && (By == 16 || By == 24);
    }
    case Semantics::And: {
      const int64_t Mask = immediate(Op, 1);
      return Op.Bits == 32 && (Mask == 0xff || Mask == 0xffff);
    }
    default:
      return false;
    }
  }

  /// Is what lies above the number in its register zero?
  bool hasZerosAbove(const Operand &O) {
    const Operation *P = producer(O);
    if (!P)
      return false;
    return P->What == Semantics::Prmt ||
           (P->Access != NoIndex && P->NumResults == 1 &&
            Facts.Accesses[P->Access].BytesPerLane <= 2);
  }

  void convert(Operation &Op) {
    const Operand *Part = behindCopies(&Op.Operands[0]);
    Operation *P = producer(*Part);
    InstClass Class = Op.FromBits < 32 ? InstClass::CvtF2I : InstClass::CvtI2F;
    if (Op.What == Semantics::FFromU && Op.FromBits < 32 &&
        hasZerosAbove(*Part)) {
      Class = InstClass::CvtI2F;
    } else if (P && takesPart(*P)) {
      Class = InstClass::CvtF2I;
      const Operand *Whole =
          P->What == Semantics::SExt ? behindCopies(&P->Operands[0]) : nullptr;
      drop(*Part);
      // A byte of loaded ones is one of its register.
      const Operation *Byte = Whole ? producer(*Whole) : nullptr;
      if (Byte && Byte->What == Semantics::Prmt && Uses[Part->Index] == 0)
        drop(*Whole);
    }
    Op.Emits.assign(1, Emission{Class, 1, 1});
  }
};

} // namespace

void gpuocc::convertPartsLikePtxas(KernelFacts &Facts) {
  Converter(Facts).run();
}
