//===- MaterializeLikePtxas.cpp - Constants that need registers -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Instructions hold 32 bits of a constant: all of a float and the upper half
/// of a double. Other doubles come from two uniform registers, of which an
/// instruction reads one pair, or from two registers. ptxas writes these where
/// they are read first, also in loops: an exponential function in double
/// precision takes 24 UMOV beside 15 DFMA. What follows in the same loop reads
/// them again. Only of loops that load nothing it writes them before, if they
/// are few: polynomials with 4 constants
/// in double precision, or 7 in single, have none in the loop, those with more
/// have all of them there (code of ptxas 13.0).
class Materializer {
public:
  explicit Materializer(KernelFacts &Facts)
      : Facts(Facts), Graph(graphOf(Facts)), Tree(Dominators::of(Graph)),
        Loops(Facts.Loops.size()) {}

  void run() {
    for (uint32_t Block : reversePostOrder(Graph)) {
      const BasicBlock &B = Facts.Blocks[Block];
      for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op)
        visit(Op);
    }
    summarizeLoops();
    for (const Move &M : Moves)
      if (!isBeforeLoop(loopOf(M.Op)))
        emit(M);
    storeConstants();
    dropFoldedMoves();
  }

private:
  /// Instructions that write the constants of an operation.
  struct Move {
    uint32_t Op;
    InstClass Class;
    unsigned Count;
  };

  static bool computes(const Operation &Op,
                       std::initializer_list<InstClass> Classes) {
    return any_of(Op.Emits, [&](const Emission &E) {
      return is_contained(Classes, E.Class);
    });
  }

  static bool isDoubleArithmetic(const Operation &Op) {
    return computes(Op, {InstClass::DAdd, InstClass::DMul, InstClass::DFma,
                         InstClass::DSetp});
  }

  /// Zero has a register.
  static bool isConstant(const Operand &O) {
    return O.isImmediate() && O.Imm != 0;
  }

  /// A move of a constant of 64 bits, which instructions hold instead.
  bool isConstantMove(uint32_t I) const {
    const Operation &Op = Facts.Operations[I];
    return Op.What == Semantics::Copy && Op.Bits == 64 &&
           computes(Op, {InstClass::Mov}) && Op.Operands.size() == 1 &&
           Op.Operands[0].isImmediate();
  }

  std::optional<int64_t> constantOf(const Operand &O) const {
    if (O.isImmediate())
      return O.Imm;
    if (O.isValue() && O.Index < Facts.Operations.size() &&
        isConstantMove(O.Index))
      return Facts.Operations[O.Index].Operands[0].Imm;
    return std::nullopt;
  }

  /// Is \p Constant in no register yet in \p Block? From then on it is.
  bool isNew(int64_t Constant, uint32_t Block) {
    SmallVector<uint32_t, 2> &Writers =
        WrittenIn[{Facts.Blocks[Block].Loop, Constant}];
    if (any_of(Writers, [&](uint32_t W) { return Tree.dominates(W, Block); }))
      return false;
    Writers.push_back(Block);
    return true;
  }

  void visit(uint32_t I) {
    const Operation &Op = Facts.Operations[I];
    // Of a constant factor and a constant addend the addend is in the
    // instruction.
    if (computes(Op, {InstClass::FFma}) && Op.Bits == 32 &&
        Op.Operands.size() == 3 && Op.Operands[1].isImmediate() &&
        Op.Operands[2].isImmediate() && Op.Operands[2].Imm &&
        isNew(Op.Operands[1].Imm, Op.Block))
      Moves.push_back({I, InstClass::Mov, 1});
    // Of two constants one is in the instruction.
    if (computes(Op, {InstClass::Sel}) && Op.What == Semantics::Select &&
        Op.Bits == 32 && isConstant(Op.Operands[0]) &&
        isConstant(Op.Operands[1]) && isNew(Op.Operands[0].Imm, Op.Block))
      Moves.push_back({I, InstClass::Mov, 1});
    if (!isDoubleArithmetic(Op))
      return;
    bool ReadsUniform = false;
    for (const Operand &O : Op.Operands) {
      const std::optional<int64_t> Constant = constantOf(O);
      if (!Constant || uint32_t(*Constant) == 0)
        continue;
      if (isNew(*Constant, Op.Block))
        Moves.push_back({I, ReadsUniform ? InstClass::Mov : FirstConstant, 2});
      ReadsUniform = true;
    }
  }

  /// Stores read registers: a constant other than 0 is written into one, in
  /// loops too (`x[i] = 1` in a loop on an H100: one more instruction a turn).
  void storeConstants() {
    SmallVector<Move, 4> Written;
    for (uint32_t Block : reversePostOrder(Graph)) {
      const BasicBlock &B = Facts.Blocks[Block];
      for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
        const uint32_t A = Facts.Operations[I].Access;
        if (A < Facts.Accesses.size() && isWord(Facts.Accesses[A]) &&
            isNew(Facts.Accesses[A].Stored[0].Imm, Block))
          Written.push_back({I, InstClass::Mov, 1});
      }
    }
    for (const Move &M : Written)
      emit(M);
  }

  /// A store of a constant of up to 32 bits.
  static bool isWord(const MemoryAccess &A) {
    return A.Kind == AccessKind::Store && A.BytesPerLane <= 4 &&
           A.Stored.size() == 1 && A.Stored[0].isImmediate() &&
           uint32_t(A.Stored[0].Imm) != 0;
  }

  /// The innermost loop around operation \p Op; NoIndex for none.
  uint32_t loopOf(uint32_t Op) const {
    const uint32_t L = Facts.Blocks[Facts.Operations[Op].Block].Loop;
    return L < Facts.Loops.size() ? L : NoIndex;
  }

  void summarizeLoops() {
    for (const MemoryAccess &A : Facts.Accesses)
      if (A.Kind == AccessKind::Load && A.Op < Facts.Operations.size() &&
          A.Space != MemorySpace::Param)
        for (uint32_t L = loopOf(A.Op); L != NoIndex; L = Facts.Loops[L].Parent)
          Loops[L].Loads = true;
    for (const Move &M : Moves)
      for (uint32_t L = loopOf(M.Op); L != NoIndex; L = Facts.Loops[L].Parent) {
        Loops[L].Moves += M.Count;
        Loops[L].VectorMoves += M.Class == InstClass::Mov ? M.Count : 0;
      }
  }

  /// Does loop \p L find its constants written?
  bool isBeforeLoop(uint32_t L) const {
    constexpr unsigned MostMoves = 8, MostVectorMoves = 7;
    return L != NoIndex && !Loops[L].Loads && Loops[L].Moves <= MostMoves &&
           Loops[L].VectorMoves <= MostVectorMoves;
  }

  void emit(const Move &M) const {
    const uint32_t L = loopOf(M.Op);
    const unsigned Copies =
        L == NoIndex ? 1 : std::max(1u, Facts.Loops[L].UnrolledBy);
    Facts.Operations[M.Op].Emits.push_back(
        {M.Class, float(M.Count) / float(Copies), 0});
  }

  /// Moves that nothing but arithmetic reads are no instructions.
  void dropFoldedMoves() {
    std::vector<bool> IsRead(Facts.Operations.size());
    for (const Operation &Op : Facts.Operations)
      if (!isDoubleArithmetic(Op))
        for (const Operand &O : Op.Operands)
          if (O.isValue() && O.Index < IsRead.size())
            IsRead[O.Index] = true;
    for (const MemoryAccess &A : Facts.Accesses)
      for (const Operand &O : A.Stored)
        if (O.isValue() && O.Index < IsRead.size())
          IsRead[O.Index] = true;
    for (uint32_t I = 0; I < Facts.Operations.size(); ++I)
      if (!IsRead[I] && isConstantMove(I))
        Facts.Operations[I].Emits.clear();
  }

  KernelFacts &Facts;
  const BlockGraph Graph;
  const Dominators Tree;
  /// By innermost loop and constant: blocks that write it into registers.
  std::map<std::pair<uint32_t, int64_t>, SmallVector<uint32_t, 2>> WrittenIn;
  SmallVector<Move, 16> Moves;
  /// Writes the first constant that an operation reads; a second one has to be
  /// in a register of the lane.
  const InstClass FirstConstant =
      assemblerRules(Facts.Architecture).HasUniformDatapath ? InstClass::UInt
                                                            : InstClass::Mov;
  /// By loop: what it and the loops in it hold.
  struct LoopSummary {
    unsigned Moves = 0, VectorMoves = 0;
    bool Loads = false;
  };
  std::vector<LoopSummary> Loops;
};

} // namespace

void gpuocc::materializeConstantsLikePtxas(KernelFacts &Facts) {
  Materializer(Facts).run();
}
