//===- ReadSass.cpp - Machine code to kernel facts ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadSass/ReadSass.h"
#include "FlowGraph.h"
#include "Values.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/ReadSass/SassOpcode.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

/// What is known of an instruction without a row in the table.
constexpr SassOpcode UnknownOpcode = {"", InstClass::Unknown, SassForm::Compute,
                                      1};

class Reader {
public:
  Reader(const SassFunction &F, const FlowGraph &Graph) : F(F), Graph(Graph) {}

  KernelFacts run() {
    Facts.Name = F.Name;
    Facts.View = "sass";
    Uses.resize(Graph.Blocks.size());
    for (uint32_t B = 0; B != Graph.Blocks.size(); ++B)
      readBlock(B);
    for (const std::string &Gap : Graph.Gaps)
      Facts.Gaps.push_back({NoIndex, Gap});
    for (const std::string &Opcode : Unknown)
      Facts.Gaps.push_back({NoIndex, "unknown opcode '" + Opcode + "'"});
    assignValues(Facts, Uses);
    findLoops(Facts);
    return std::move(Facts);
  }

private:
  const SassFunction &F;
  const FlowGraph &Graph;
  KernelFacts Facts;
  std::vector<BlockUses> Uses;
  std::set<std::string> Unknown;

  void readBlock(uint32_t Index) {
    const FlowBlock &From = Graph.Blocks[Index];
    gpuocc::BasicBlock B;
    B.Name = From.First == From.End
                 ? "exit"
                 : "0x" + utohexstr(F.Instructions[From.First].Offset,
                                    /*LowerCase=*/true);
    B.FirstOp = Facts.Operations.size();
    B.Successors = From.Successors;
    for (size_t I = From.First; I != From.End; ++I)
      readInstruction(F.Instructions[I], Index);
    B.NumOps = Facts.Operations.size() - B.FirstOp;
    if (From.EndsInBranch) {
      B.Branch = Facts.Branches.size();
      gpuocc::Branch Br;
      Br.Op = Facts.Operations.size() - 1;
      Br.Block = Index;
      Br.Negated = Facts.Operations.back().GuardNegated;
      Br.Indexed = From.Successors.size() > 2;
      Br.Targets = From.Successors;
      Facts.Branches.push_back(std::move(Br));
    }
    Facts.Blocks.push_back(std::move(B));
  }

  void readInstruction(const SassInstruction &I, uint32_t Block) {
    const SassOpcode *Row = findSassOpcode(I.Opcode);
    if (!Row) {
      Unknown.insert(I.Opcode);
      Row = &UnknownOpcode;
    }
    RegisterUse Use = registerUse(I, *Row);
    Operation Op;
    Op.Opcode = I.Opcode;
    Op.Emits.push_back({Row->Class, 1, 1});
    Op.Bits = 32;
    if (Row->ResultRegisters == 0 && !Use.Writes.empty())
      Op.Bits = 1;
    Op.NumResults = uint8_t(Use.Writes.size());
    Op.Block = Block;
    Op.Origin = I.Line ? I.Line : NoIndex;
    Op.Control = I.Control;
    Op.GuardNegated = StringRef(I.Predicate).starts_with("!");
    addAccess(I, *Row, Use, Op);
    Facts.Operations.push_back(std::move(Op));
    Uses[Block].push_back(std::move(Use));
  }

  static MemorySpace spaceOf(InstClass Class) {
    if (hasTrait(Class, InstTrait::OfShared))
      return MemorySpace::Shared;
    if (hasTrait(Class, InstTrait::OfLocal))
      return MemorySpace::Local;
    if (hasTrait(Class, InstTrait::OfGeneric))
      return MemorySpace::Generic;
    return hasTrait(Class, InstTrait::OfConstant) ? MemorySpace::Constant
                                                  : MemorySpace::Global;
  }

  static AccessKind kindOf(SassForm Form) {
    switch (Form) {
    case SassForm::Store:
      return AccessKind::Store;
    case SassForm::Atomic:
      return AccessKind::Atomic;
    case SassForm::Reduction:
      return AccessKind::Reduction;
    case SassForm::AsyncCopy:
      return AccessKind::AsyncCopy;
    case SassForm::Load:
    case SassForm::Compute:
    case SassForm::NoResult:
      break;
    }
    return AccessKind::Load;
  }

  void addAccess(const SassInstruction &I, const SassOpcode &Row,
                 const RegisterUse &Use, Operation &Op) {
    // Constant memory at a place that a lane computes.
    bool IndexedConstant =
        Row.Class == InstClass::Ldc && Use.AddressRegister >= 0;
    if (!IndexedConstant &&
        (Row.Form == SassForm::Compute || Row.Form == SassForm::NoResult))
      return;
    MemoryAccess A;
    A.Op = Facts.Operations.size();
    A.Space = spaceOf(Row.Class);
    A.Kind = kindOf(Row.Form);
    A.BytesPerLane = bytesPerLane(I.Opcode);
    A.OffsetBytes = Use.OffsetBytes;
    A.NonCoherent = StringRef(I.Opcode).contains(".CONSTANT");
    Op.What = Semantics::Load;
    Op.Access = Facts.Accesses.size();
    Facts.Accesses.push_back(std::move(A));
  }
};

} // namespace

Expected<KernelFacts> gpuocc::readSass(const SassFunction &Function) {
  Expected<FlowGraph> Graph = buildFlowGraph(Function);
  if (!Graph)
    return Graph.takeError();
  return Reader(Function, *Graph).run();
}
