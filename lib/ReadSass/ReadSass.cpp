//===- ReadSass.cpp - Machine code to kernel facts ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadSass/ReadSass.h"
#include "FlowGraph.h"
#include "JoinHalves.h"
#include "LiftInstruction.h"
#include "Values.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/ReadSass/SassOpcode.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "gpuocc/Support/Plural.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

/// What is known of an instruction without a row in the table.
constexpr SassOpcode UnknownOpcode = {"", InstClass::Unknown, SassForm::Compute,
                                      1};

class Reader {
public:
  Reader(const SassFunction &F, const FlowGraph &Graph,
         const SassKernel *Alone = nullptr)
      : F(F), Graph(Graph) {
    if (Alone)
      Context.emplace(LiftContext{*Alone, findWideOffsets(F)});
  }

  KernelFacts run() {
    Facts.Name = F.Name;
    Facts.View = MachineView::Sass;
    Uses.resize(Graph.Blocks.size());
    for (uint32_t B = 0; B != Graph.Blocks.size(); ++B)
      readBlock(B);
    for (const std::string &Gap : Graph.Gaps)
      Facts.Gaps.push_back({NoIndex, Gap});
    for (const std::string &Opcode : Unknown)
      Facts.Gaps.push_back({NoIndex, "unknown opcode '" + Opcode + "'"});
    assignValues(Facts, Uses);
    findLoops(Facts);
    if (Context)
      describe(Context->Of);
    return std::move(Facts);
  }

private:
  const SassFunction &F;
  const FlowGraph &Graph;
  KernelFacts Facts;
  std::vector<BlockUses> Uses;
  std::set<std::string> Unknown;
  /// Set where the instructions say what they compute.
  std::optional<LiftContext> Context;

  void describe(const SassKernel &Of) {
    Facts.Architecture = Of.Architecture;
    Facts.Bounds = Of.Bounds;
    Facts.Parameters = Of.Parameters;
    Facts.Symbols = Of.Symbols;
    Facts.StaticSharedBytes = Of.StaticSharedBytes;
    Facts.Resources = Of.Resources;
    Facts.UsesDynamicShared = Of.StaticSharedBytes == 0 &&
                              any_of(Facts.Accesses, [](const MemoryAccess &A) {
                                return A.Space == MemorySpace::Shared;
                              });
    Facts.Locations = F.Places;
    if (!F.Places.empty())
      Facts.Place = F.Places.front().outermost();
    for (Loop &L : Facts.Loops)
      L.Location = placeOfLoop(L);
    joinHalves(Facts);
    dropSidesOfGuards(Facts);
    findPointers(Facts);
    noteUnfollowed();
  }

  /// The opcodes that \p Base rests on and that are not evaluated; what memory
  /// holds is none of them.
  std::set<std::string> unfollowedBehind(const Operand &Base) const {
    std::set<std::string> Opcodes;
    std::set<uint32_t> Seen;
    SmallVector<Operand, 16> Work = {Base};
    while (!Work.empty()) {
      const Operand O = Work.pop_back_val();
      if (!O.isValue() || !Seen.insert(O.Index).second)
        continue;
      const Operation &Op = Facts.Operations[O.Index];
      if (Op.What == Semantics::Load)
        continue;
      if (Op.What == Semantics::Opaque)
        Opcodes.insert(Op.Emits.empty() ? "a constant" : Op.Opcode);
      append_range(Work, Op.Operands);
    }
    return Opcodes;
  }

  void noteUnfollowed() {
    unsigned Count = 0;
    std::set<std::string> Opcodes;
    for (const MemoryAccess &A : Facts.Accesses) {
      const std::set<std::string> Its = unfollowedBehind(A.Base);
      Count += !Its.empty();
      Opcodes.insert(Its.begin(), Its.end());
    }
    if (Count)
      Facts.Gaps.push_back(
          {NoIndex,
           "addresses of " + std::to_string(Count) + " memory " +
               plural(Count, "instruction") +
               " rest on what is not followed: " + join(Opcodes, ", ")});
  }

  /// That of the branch that closes the loop.
  uint32_t placeOfLoop(const Loop &L) const {
    for (uint32_t Latch : L.Latches)
      if (uint32_t Br = Facts.Blocks[Latch].Branch; Br != NoIndex)
        return Facts.Operations[Facts.Branches[Br].Op].Location;
    return NoIndex;
  }

  /// True if the block \p Index calls what the assembler adds for numbers out
  /// of the range of an approximation.
  bool callsSlowPath(uint32_t Index) const {
    const FlowBlock &B = Graph.Blocks[Index];
    if (B.First == B.End)
      return false;
    const SassInstruction &Last = F.Instructions[B.End - 1];
    return StringRef(Last.Opcode).starts_with("CALL") &&
           any_of(Last.Operands, [](StringRef Operand) {
             return Operand.contains("slowpath");
           });
  }

  /// Whether the branch at the end of \p B is taken, where only cases that
  /// kernels avoid decide: lanes that are not together, slow paths.
  std::optional<bool> avoided(const FlowBlock &B, const SassInstruction &I) {
    if (!B.EndsInBranch || &I != &F.Instructions[B.End - 1] ||
        B.Successors.size() != 2)
      return std::nullopt;
    if (StringRef(I.Opcode).starts_with("BRA.DIV"))
      return false;
    const bool First = callsSlowPath(B.Successors[0]),
               Second = callsSlowPath(B.Successors[1]);
    if (First == Second)
      return std::nullopt;
    return Second;
  }

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
    // What a strong access acquires; behind a fence the fence says it.
    if (I.Opcode == "CCTL.IVALL" && !Facts.Accesses.empty())
      Facts.Accesses.back().Acquires = true;
    if (Context) {
      addLifted(I, *Row, std::move(Op));
      return;
    }
    addAccess(I, *Row, Use, Op);
    Facts.Operations.push_back(std::move(Op));
    Uses[Block].push_back(std::move(Use));
  }

  void addLifted(const SassInstruction &I, const SassOpcode &Row,
                 Operation Op) {
    if (I.Place < F.Places.size())
      Op.Location = uint32_t(I.Place);
    Op.Origin = NoIndex;
    LiftedInstruction M = liftInstruction(I, Row, Op, *Context,
                                          avoided(Graph.Blocks[Op.Block], I));
    for (auto [Index, Step] : enumerate(M.Steps)) {
      if (Index == M.Itself)
        addAccess(I, Row, Step.Use, Step.Op);
      Facts.Operations.push_back(std::move(Step.Op));
      Uses[Op.Block].push_back(std::move(Step.Use));
    }
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

  /// What only this view says of an access.
  static void completeAccess(const SassInstruction &I, const RegisterUse &Use,
                             MemoryAccess &A) {
    SmallVector<StringRef, 8> Parts;
    StringRef(I.Opcode).split(Parts, '.');
    A.Volatile = is_contained(Parts, "STRONG") || is_contained(Parts, "BYPASS");
    A.SharedOffsetBytes = Use.SharedOffsetBytes;
    if (Use.AddressRegister < 0)
      A.Base = Operand::immediate(0);
    if (A.Kind == AccessKind::AsyncCopy && Use.SharedAddressRegister < 0)
      A.SharedBase = Operand::immediate(0);
    for (StringRef Part : Parts)
      if (Part == "S8" || Part == "S16")
        A.SignExtendedTo = 32;
    if (!isAtomic(A.Kind))
      return;
    for (StringRef Part : drop_begin(Parts)) {
      if (StringSwitch<bool>(Part)
              .Cases({"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR",
                      "EXCH", "CAS"},
                     true)
              .Default(false))
        A.AtomicOp = Part.lower();
      A.OnFloats |= Part.starts_with("F16") || Part.starts_with("F32") ||
                    Part.starts_with("F64") || Part.starts_with("BF16");
    }
  }

  void addAccess(const SassInstruction &I, const SassOpcode &Row,
                 const RegisterUse &Use, Operation &Op) {
    // Constant memory at a place that a lane computes.
    bool IndexedConstant =
        Row.Class == InstClass::Ldc && Use.AddressRegister >= 0;
    if (Context && Use.HasOperands && Row.Class == InstClass::Ldc &&
        Use.AddressRegister < 0)
      IndexedConstant = false;
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
    if (Context)
      completeAccess(I, Use, A);
    Op.What = Semantics::Load;
    Op.Access = Facts.Accesses.size();
    Facts.Accesses.push_back(std::move(A));
  }
};

} // namespace

ConstantLayout gpuocc::constantLayout(StringRef Architecture) {
  // sm_100 and later as in listings that others published; sm_75 to sm_90 were
  // seen.
  constexpr unsigned Blackwell = 100;
  if (architectureNumber(Architecture) < Blackwell)
    return {};
  return {{0x360, 0x364, 0x368, 0x370, 0x374, 0x378}, 0x37c};
}

Expected<KernelFacts> gpuocc::readSassAlone(const SassFunction &Function,
                                            const SassKernel &Of) {
  Expected<FlowGraph> Graph = buildFlowGraph(Function);
  if (!Graph)
    return Graph.takeError();
  return Reader(Function, *Graph, &Of).run();
}

Expected<KernelFacts> gpuocc::readSass(const SassFunction &Function) {
  Expected<FlowGraph> Graph = buildFlowGraph(Function);
  if (!Graph)
    return Graph.takeError();
  return Reader(Function, *Graph).run();
}
