//===- Values.cpp - Registers to values -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A definition: the result of an operation, or a phi.
struct Definition {
  bool IsPhi = false;
  uint32_t Block = NoIndex;
  /// Operation, or index in the phis of the block.
  uint32_t Index = NoIndex;
  uint8_t Result = 0;
  /// Phi: one definition for each predecessor; a phi with one distinct input
  /// is that input.
  std::vector<uint32_t> Inputs;
  bool IsPredicate = false;
};

/// Source: Braun et al. 2013, "Simple and Efficient Construction of Static
/// Single Assignment Form", with all blocks known from the start.
class Builder {
public:
  Builder(KernelFacts &Facts, const std::vector<BlockUses> &Uses)
      : Facts(Facts), Uses(Uses), Predecessors(Facts.Blocks.size()),
        AtEnd(Facts.Blocks.size()), AtStart(Facts.Blocks.size()) {
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      for (uint32_t S : Facts.Blocks[B].Successors)
        Predecessors[S].push_back(B);
  }

  void run() {
    defineAll();
    connectAll();
    insertPhis();
  }

private:
  static constexpr uint32_t Undefined = NoIndex;

  KernelFacts &Facts;
  const std::vector<BlockUses> &Uses;
  std::vector<SmallVector<uint32_t, 4>> Predecessors;
  std::vector<Definition> Defined;
  /// Definitions that reach the end and, where asked for, the start of a block.
  std::vector<std::vector<uint32_t>> AtEnd, AtStart;
  /// Inputs of each operation as definitions.
  std::vector<SmallVector<uint32_t, 6>> InputsOf;
  std::vector<uint32_t> AddressOf, SharedAddressOf, GuardOf;
  std::vector<bool> HasOperands;
  /// For each definition itself, or one that it is in truth.
  std::vector<uint32_t> StandsFor;
  /// By block: the phis that are used.
  std::vector<SmallVector<uint32_t, 4>> PhisOf;
  /// New numbers of operations, by old number, and of phis, by definition.
  std::vector<uint32_t> NewIndex, PhiIndex;
  uint32_t NumNew = 0;

  static constexpr uint32_t NotAsked = NoIndex - 1;

  void defineAll() {
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
      AtEnd[B].assign(NumRegisterIds, NotAsked);
      AtStart[B].assign(NumRegisterIds, NotAsked);
      uint32_t Op = Facts.Blocks[B].FirstOp;
      for (const RegisterUse &U : Uses[B]) {
        uint8_t Result = 0;
        for (RegisterId R : U.Writes) {
          if (R < NumRegisterIds)
            AtEnd[B][R] = Defined.size();
          Definition D;
          D.Block = B;
          D.Index = Op;
          D.Result = Result++;
          D.IsPredicate = isPredicateRegister(R);
          Defined.push_back(std::move(D));
        }
        ++Op;
      }
    }
  }

  /// The definition of \p R that reaches the end of \p Block.
  uint32_t atEnd(uint32_t Block, RegisterId R) {
    uint32_t Known = AtEnd[Block][R];
    if (Known != NotAsked)
      return Known;
    uint32_t D = atStart(Block, R);
    AtEnd[Block][R] = D;
    return D;
  }

  uint32_t atStart(uint32_t Block, RegisterId R) {
    uint32_t Known = AtStart[Block][R];
    if (Known != NotAsked)
      return Known;
    // Straight chains are walked without recursion.
    SmallVector<uint32_t, 16> Chain = {Block};
    bool IsEntered = true;
    while (Predecessors[Chain.back()].size() == 1) {
      uint32_t P = Predecessors[Chain.back()].front();
      // A loop that nothing leads into, in which nothing defines it.
      IsEntered = !is_contained(Chain, P);
      if (!IsEntered || AtEnd[P][R] != NotAsked || AtStart[P][R] != NotAsked)
        break;
      Chain.push_back(P);
    }
    uint32_t D = IsEntered ? atStartOfLast(Chain.back(), R) : Undefined;
    for (uint32_t B : Chain) {
      AtStart[B][R] = D;
      if (B != Block)
        AtEnd[B][R] = D;
    }
    return D;
  }

  uint32_t atStartOfLast(uint32_t Block, RegisterId R) {
    const auto &From = Predecessors[Block];
    if (From.empty())
      return Undefined;
    if (From.size() == 1 && From.front() != Block)
      return atEnd(From.front(), R);
    uint32_t Phi = Defined.size();
    Definition D;
    D.IsPhi = true;
    D.Block = Block;
    D.IsPredicate = isPredicateRegister(R);
    Defined.push_back(std::move(D));
    AtStart[Block][R] = Phi;
    std::vector<uint32_t> Inputs;
    for (uint32_t P : From)
      Inputs.push_back(atEnd(P, R));
    Defined[Phi].Inputs = std::move(Inputs);
    return Phi;
  }

  void connectAll() {
    InputsOf.resize(Facts.Operations.size());
    AddressOf.assign(Facts.Operations.size(), Undefined);
    SharedAddressOf.assign(Facts.Operations.size(), Undefined);
    HasOperands.assign(Facts.Operations.size(), false);
    GuardOf.assign(Facts.Operations.size(), Undefined);
    std::vector<uint32_t> Now(NumRegisterIds);
    uint32_t NextDefinition = 0;
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
      Now.assign(NumRegisterIds, NotAsked);
      auto Read = [&](RegisterId R) {
        if (R >= NumRegisterIds)
          return Undefined;
        return Now[R] != NotAsked ? Now[R] : atStart(B, R);
      };
      uint32_t Op = Facts.Blocks[B].FirstOp;
      for (const RegisterUse &U : Uses[B]) {
        for (RegisterId R : U.Reads)
          InputsOf[Op].push_back(Read(R));
        // Lanes that a guard leaves out keep the old value.
        if (U.Guard >= 0 && !U.HasOperands)
          for (RegisterId R : U.Writes)
            InputsOf[Op].push_back(Read(R));
        if (U.AddressRegister >= 0)
          AddressOf[Op] = Read(RegisterId(U.AddressRegister));
        if (U.SharedAddressRegister >= 0)
          SharedAddressOf[Op] = Read(RegisterId(U.SharedAddressRegister));
        HasOperands[Op] = U.HasOperands;
        if (U.Guard >= 0)
          GuardOf[Op] = Read(RegisterId(U.Guard));
        for (RegisterId R : U.Writes) {
          if (R < NumRegisterIds)
            Now[R] = NextDefinition;
          ++NextDefinition;
        }
        ++Op;
      }
    }
  }

  /// The definition that \p D stands for.
  uint32_t resolved(uint32_t D) const {
    while (D != Undefined && StandsFor[D] != D)
      D = StandsFor[D];
    return D;
  }

  /// Finds phis that are one of their inputs, also where that is so only since
  /// other phis are.
  void resolvePhis() {
    StandsFor.resize(Defined.size());
    for (uint32_t D = 0; D != Defined.size(); ++D)
      StandsFor[D] = D;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t D = 0; D != Defined.size(); ++D) {
        if (!Defined[D].IsPhi || StandsFor[D] != D)
          continue;
        uint32_t Only = Undefined;
        bool IsOne = true;
        for (uint32_t In : Defined[D].Inputs) {
          In = resolved(In);
          if (In == D || In == Undefined || In == Only)
            continue;
          IsOne = Only == Undefined;
          Only = In;
          if (!IsOne)
            break;
        }
        if (!IsOne)
          continue;
        StandsFor[D] = Only;
        Changed = true;
      }
    }
  }

  void insertPhis() {
    resolvePhis();
    findUsedPhis();
    numberAnew();
    std::vector<Operation> Operations(NumNew);
    uint32_t First = 0;
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
      for (uint32_t D : PhisOf[B])
        writePhi(D, Operations[PhiIndex[D]]);
      gpuocc::BasicBlock &Block = Facts.Blocks[B];
      for (uint32_t K = 0; K != Block.NumOps; ++K)
        moveOperation(Block.FirstOp + K,
                      Operations[NewIndex[Block.FirstOp + K]]);
      if (Block.Branch != NoIndex) {
        gpuocc::Branch &Br = Facts.Branches[Block.Branch];
        Br.Op = NewIndex[Br.Op];
        Br.Condition = Operations[Br.Op].Guard;
      }
      Block.FirstOp = First;
      Block.NumOps += PhisOf[B].size();
      First += Block.NumOps;
    }
    Facts.Operations = std::move(Operations);
  }

  /// Finds the phis that some operation uses, also by way of other phis.
  void findUsedPhis() {
    std::vector<uint8_t> Used(Defined.size());
    SmallVector<uint32_t, 32> Work;
    auto Use = [&](uint32_t D) {
      D = resolved(D);
      if (D != Undefined && Defined[D].IsPhi && !Used[D]) {
        Used[D] = 1;
        Work.push_back(D);
      }
    };
    for (const auto &Inputs : InputsOf)
      for (uint32_t D : Inputs)
        Use(D);
    while (!Work.empty())
      for (uint32_t In : Defined[Work.pop_back_val()].Inputs)
        Use(In);
    PhisOf.resize(Facts.Blocks.size());
    for (uint32_t D = 0; D != Defined.size(); ++D)
      if (Used[D])
        PhisOf[Defined[D].Block].push_back(D);
  }

  /// Gives each block's phis and operations their numbers, in this order.
  void numberAnew() {
    NewIndex.resize(Facts.Operations.size());
    PhiIndex.assign(Defined.size(), NoIndex);
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
      for (uint32_t D : PhisOf[B])
        PhiIndex[D] = NumNew++;
      for (uint32_t K = 0; K != Facts.Blocks[B].NumOps; ++K)
        NewIndex[Facts.Blocks[B].FirstOp + K] = NumNew++;
    }
  }

  Operand operandOf(uint32_t D) const {
    D = resolved(D);
    if (D == Undefined)
      return Operand();
    if (Defined[D].IsPhi)
      return Operand::value(PhiIndex[D]);
    return Operand::value(NewIndex[Defined[D].Index], Defined[D].Result);
  }

  void writePhi(uint32_t D, Operation &Phi) const {
    const uint32_t Block = Defined[D].Block;
    Phi.Opcode = "phi";
    Phi.What = Semantics::Phi;
    Phi.Bits = Defined[D].IsPredicate ? 1 : 32;
    Phi.Block = Block;
    Phi.PhiBlocks.assign(Predecessors[Block].begin(),
                         Predecessors[Block].end());
    for (uint32_t In : Defined[D].Inputs)
      Phi.Operands.push_back(operandOf(In));
  }

  void moveOperation(uint32_t Old, Operation &Op) {
    Op = std::move(Facts.Operations[Old]);
    if (HasOperands[Old])
      for (Operand &O : Op.Operands)
        O = O.isValue() ? operandOf(InputsOf[Old][O.Index]) : O;
    else
      for (uint32_t D : InputsOf[Old])
        if (Operand In = operandOf(D);
            In.isValue() && !is_contained(Op.Operands, In))
          Op.Operands.push_back(In);
    // A register that held nothing keeps nothing.
    if (HasOperands[Old] && Op.What == Semantics::Select)
      for (unsigned Side : {0u, 1u})
        if (Op.Operands[Side].K == Operand::Kind::Undef) {
          Op.What = Semantics::Copy;
          Op.Operands = {Op.Operands[1 - Side], Op.Operands[2]};
          break;
        }
    if (GuardOf[Old] != Undefined)
      Op.Guard = operandOf(GuardOf[Old]);
    if (Op.Access != NoIndex) {
      Facts.Accesses[Op.Access].Op = NewIndex[Old];
      MemoryAccess &A = Facts.Accesses[Op.Access];
      // What no register holds is a number.
      if (AddressOf[Old] != Undefined || !HasOperands[Old])
        A.Base = operandOf(AddressOf[Old]);
      if (SharedAddressOf[Old] != Undefined)
        A.SharedBase = operandOf(SharedAddressOf[Old]);
    }
  }
};

} // namespace

void gpuocc::assignValues(KernelFacts &Facts,
                          const std::vector<BlockUses> &Uses) {
  Builder(Facts, Uses).run();
}
