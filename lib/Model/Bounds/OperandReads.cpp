//===- OperandReads.cpp - Registers that instructions read ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/OperandReads.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// What an operation reads, in the order of its operands; nothing where an
/// operand comes from no register.
using Registers = SmallVector<std::optional<Operand>, 4>;

/// An instruction has no more.
static constexpr size_t MostOperands = 3;

/// Does operation \p I belong to instruction \p User, which uses it? What is
/// computed comes before.
static bool isFolded(const KernelFacts &Facts, uint32_t I, uint32_t User) {
  const Operation &Op = Facts.Operations[I];
  return I < User && Op.Emits.empty() && !Op.Operands.empty() &&
         Op.Access == NoIndex && Op.What != Semantics::Phi &&
         Op.What != Semantics::Pack && Op.What != Semantics::Unpack;
}

/// Does \p O, which is no operation of its user's, lie in a register?
/// Constants are parts of their instructions, arguments and what lies in
/// constant memory come from its cache, and predicates have a file of their
/// own.
static bool isRegister(const KernelFacts &Facts, const Operand &O) {
  const Operation *From = Facts.operationOf(O);
  if (!From || From->Bits == 1)
    return false;
  switch (From->What) {
  case Semantics::Param:
  case Semantics::Compare:
  case Semantics::FCompare:
    return false;
  case Semantics::Copy:
    return !all_of(From->Operands,
                   [](const Operand &Of) { return Of.isImmediate(); });
  default:
    return From->Access == NoIndex ||
           Facts.Accesses[From->Access].Space != MemorySpace::Constant;
  }
}

/// Adds the registers that operation \p I and what is folded into it read to
/// \p Out.
static void addRegisters(const KernelFacts &Facts, uint32_t I, Registers &Out) {
  for (const Operand &O : Facts.Operations[I].Operands) {
    if (Out.size() == MostOperands)
      return;
    if (Facts.operationOf(O) && isFolded(Facts, O.Index, I))
      addRegisters(Facts, O.Index, Out);
    else if (isRegister(Facts, O) && !is_contained(Out, O))
      Out.push_back(O);
    else
      Out.push_back(std::nullopt);
  }
}

namespace {
/// What an instruction reads, behind the one before it in its block.
class OperandReader {
public:
  explicit OperandReader(const KernelFacts &Facts) : Facts(Facts) {}

  /// Reads of 32 bits by operation \p I, whose one emission is \p E.
  double read(uint32_t I, const Emission &E) {
    Registers Own;
    addRegisters(Facts, I, Own);
    const bool Waits =
        any_of(Own, [&](const auto &O) { return O && O->Index == Before; });
    double Words = 0;
    for (size_t Slot = 0; Slot != Own.size(); ++Slot) {
      const std::optional<Operand> &O = Own[Slot];
      const bool IsKept = !Waits && Slot < Kept.size() && Kept[Slot] == O;
      if (!O || IsKept)
        continue;
      const Operation &From = *Facts.operationOf(*O);
      const bool IsPair = From.Bits > 32 && From.NumResults == 1;
      Words += IsPair && readsPairs(E.Class) ? 2 : 1;
    }
    Before = I;
    Kept = std::move(Own);
    return E.Count * Words;
  }

  void forget() {
    Before = NoIndex;
    Kept.clear();
  }

private:
  /// Of other instructions on 64 bits each reads a half.
  static bool readsPairs(InstClass Class) {
    return defaultPipe(Class) == Resource::Fp64 || Class == InstClass::IMadWide;
  }

  const KernelFacts &Facts;
  uint32_t Before = NoIndex;
  Registers Kept;
};
} // namespace

/// Does the register file feed \p Pipe with an instruction a cycle at most?
static bool isArithmetic(Resource Pipe) {
  return Pipe == Resource::Fma || Pipe == Resource::Alu ||
         Pipe == Resource::Fp16 || Pipe == Resource::Fp64;
}

OperandWaits gpuocc::operandWaits(const KernelFacts &Facts,
                                  const ExecutionProfile &Profile, Numbers &N) {
  const std::optional<double> Rate = N.device().get(Quantity::RegisterReads);
  if (!Rate)
    return {};
  OperandWaits Waits;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    const BasicBlock &Block = Facts.Blocks[B];
    if (Profile.Blocks[B].ExecutionsPerWarp == 0)
      continue;
    OperandReader Reader(Facts), OfFma(Facts);
    double Reads = 0, FmaReads = 0, Slots = 0, FmaCycles = 0;
    for (uint32_t I = Block.FirstOp; I != Block.FirstOp + Block.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Op.Emits.empty())
        continue;
      const Emission &E = Op.Emits.front();
      if (Op.Emits.size() != 1 || !isArithmetic(N.pipe(E.Class))) {
        Reader.forget();
        continue;
      }
      Reads += Reader.read(I, E);
      Slots += E.Count * N.issueSlots(E.Class);
      if (N.pipe(E.Class) != Resource::Fma)
        continue;
      FmaReads += OfFma.read(I, E);
      FmaCycles += E.Count * N.pipeCycles(E.Class);
    }
    const double Executions = Profile.Blocks[B].ExecutionsPerWarp;
    Waits.OfFma +=
        Executions *
        std::max(0.0, FmaReads / (*Rate * N.schedulers()) - FmaCycles);
    Waits.OfIssue +=
        Executions * std::max(0.0, Reads / *Rate - Slots) / N.schedulers();
  }
  return Waits;
}
