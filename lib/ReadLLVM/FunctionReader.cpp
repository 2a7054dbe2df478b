//===- FunctionReader.cpp - Machine functions to kernel facts -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "AccessReader.h"
#include "AsmAccess.h"
#include "AsmStatement.h"
#include "Calls.h"
#include "FlowReader.h"
#include "FragmentReader.h"
#include "FunctionMap.h"
#include "LocationTable.h"
#include "MachineNames.h"
#include "OpcodeTable.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <bit>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Makes one operation of each machine instruction.
class InstructionReader {
public:
  InstructionReader(const MachineFunction &MF, OpcodeTable &Opcodes,
                    FunctionMap &Map, LocationTable &Locations,
                    KernelFacts &Facts, std::vector<CallSite> &Calls)
      : MRI(MF.getRegInfo()), Opcodes(Opcodes), Map(Map), Locations(Locations),
        Facts(Facts), Calls(Calls) {}

  /// Fills the operation of \p MI, and the access and symbols that it needs.
  void read(const MachineInstr &MI);

  /// What needs all operations and loops.
  void finish() { resolveBulkCopies(BarrierUses, Facts); }

private:
  // Each fills Op, whose name, block and place are known.
  void readPhi(const MachineInstr &MI, Operation &Op);
  void readFragment(const MachineInstr &MI, const FragmentAccess &F,
                    Operation &Op);
  void readAccess(const MachineInstr &MI, const DecodedAccess &A,
                  Operation &Op);
  void readSteps(const MachineInstr &MI, const PtxBlock &Block,
                 const Operation &Like);
  void readPlaced(const MachineInstr &MI, const PlacedAccess &A, Operation &Op);
  void readBarrierUse(const MachineInstr &MI, const AsmStatement &S,
                      Operation &Op);
  Operand operandOf(const MachineInstr &MI, StringRef Text);
  std::optional<int64_t> numberOf(const MachineInstr &MI, StringRef Text) const;
  std::optional<unsigned> useNamed(const MachineInstr &MI,
                                   StringRef Text) const;
  void readTuples(const MachineInstr &MI, StringRef Text, Operation &Op);
  void readInlineAsm(const MachineInstr &MI, Operation &Op);
  void readAsmStatement(const MachineInstr &MI, StringRef Statement,
                        Operation &Op);
  bool convertsConstants(const MachineInstr &MI) const;
  void readStackAddress(const MachineInstr &MI, Operation &Op);
  void readByRule(const MachineInstr &MI, const OpcodeRule &Rule,
                  Operation &Op);
  void readDetails(const MachineInstr &MI, Operation &Op);
  void readSaturation(const MachineInstr &MI, Operation &Op);
  void readSymbol(const MachineInstr &MI, Operation &Op);
  void readUnknown(const MachineInstr &MI, Operation &Op);

  void addUses(const MachineInstr &MI, Operation &Op);
  void addAccess(const MachineInstr &MI, const DecodedAccess &A, Operation &Op);
  std::optional<int64_t> parameterAddress(const MachineOperand &Base);
  void addGap(const MachineInstr &MI, const Twine &What,
              bool LacksWork = false);

  const MachineRegisterInfo &MRI;
  OpcodeTable &Opcodes;
  FunctionMap &Map;
  LocationTable &Locations;
  KernelFacts &Facts;
  std::vector<CallSite> &Calls;
  std::vector<BarrierUse> BarrierUses;
  DenseSet<unsigned> ReportedOpcodes;
};

} // namespace

void InstructionReader::read(const MachineInstr &MI) {
  const StringRef Name = Opcodes.name(MI.getOpcode());
  Operation Op;
  Op.Opcode = Name.str();
  Op.Block = Map.blockOf(*MI.getParent());
  Op.Location = Locations.indexOf(MI.getDebugLoc());
  Op.NumResults = MI.getNumExplicitDefs();

  if (const PtxBlock *Block = Map.stepsOf(MI)) {
    readSteps(MI, *Block, Op);
    return;
  }
  if (MI.isPHI())
    readPhi(MI, Op);
  else if (std::optional<FragmentAccess> F = decodeFragment(MI, Name))
    readFragment(MI, *F, Op);
  else if (std::optional<DecodedAccess> A = decodeAccess(MI, Name))
    readAccess(MI, *A, Op);
  else if (MI.isInlineAsm())
    readInlineAsm(MI, Op);
  else if (Name.starts_with("LEA_ADDR"))
    readStackAddress(MI, Op);
  else if (const OpcodeRule *Rule = Opcodes.find(MI.getOpcode()))
    readByRule(MI, *Rule, Op);
  else
    readUnknown(MI, Op);
  if (MI.isCall() && !endsInTrap(*MI.getParent()))
    Calls.push_back({Map.operationOf(MI), calleeOf(MI).str()});
  Facts.Operations[Map.operationOf(MI)] = std::move(Op);
}

void InstructionReader::addGap(const MachineInstr &MI, const Twine &What,
                               bool LacksWork) {
  Facts.Gaps.push_back(
      {Locations.indexOf(MI.getDebugLoc()), What.str(), LacksWork});
}

void InstructionReader::addUses(const MachineInstr &MI, Operation &Op) {
  for (const MachineOperand &MO : MI.explicit_uses())
    if (MO.isReg() && MO.isUse())
      Op.Operands.push_back(Map.operand(MO));
}

void InstructionReader::readPhi(const MachineInstr &MI, Operation &Op) {
  Op.What = Semantics::Phi;
  Op.Bits = 64;
  for (unsigned I = 1; I + 1 < MI.getNumOperands(); I += 2) {
    Op.Operands.push_back(Map.operand(MI.getOperand(I)));
    Op.PhiBlocks.push_back(Map.blockOf(*MI.getOperand(I + 1).getMBB()));
  }
}

void InstructionReader::readUnknown(const MachineInstr &MI, Operation &Op) {
  Op.Emits.push_back({InstClass::Unknown, 1, 1});
  addUses(MI, Op);
  if (ReportedOpcodes.insert(MI.getOpcode()).second)
    addGap(MI, "machine opcode '" + Op.Opcode +
                   "' has no timing rule; counted as one integer instruction");
}

/// Address of a stack object: symbol plus offset.
void InstructionReader::readStackAddress(const MachineInstr &MI,
                                         Operation &Op) {
  Op.What = Semantics::SymbolAddress;
  Op.Bits = 64;
  Op.Operands.push_back(Map.operand(MI.getOperand(1)));
  if (MI.getNumOperands() > 2 && MI.getOperand(2).isImm())
    Op.Imm = MI.getOperand(2).getImm();
}

void InstructionReader::readFragment(const MachineInstr &MI,
                                     const FragmentAccess &F, Operation &Op) {
  const unsigned Base = MI.getNumExplicitDefs(), FirstData = Base + 2;
  const bool IsLoad = F.Kind == AccessKind::Load;
  SmallVector<Operand, 8> Data;
  for (unsigned I = 0; I != F.NumRegisters && !IsLoad; ++I)
    Data.push_back(Map.operand(MI.getOperand(FirstData + I)));
  const MachineOperand &Offset = MI.getOperand(Base + 1);
  const MachineOperand &Line =
      MI.getOperand(IsLoad ? FirstData : FirstData + F.NumRegisters);
  SmallVector<Operand, 8> Values = fillFragment(
      F, Facts, Map.operationOf(MI) - numFragmentOperations(F),
      Map.operand(MI.getOperand(Base)), Offset.isImm() ? Offset.getImm() : 0,
      Map.operand(Line), Data, Op);
  if (IsLoad)
    Op.Operands.assign(Values.begin(), Values.end());
  if (F.NumTransposed != 0)
    Op.Emits.push_back({InstClass::Mov, float(F.NumTransposed), 1});
  // Two multiplications by 256 with addition, and PRMT.
  if (F.NumPacked != 0)
    Op.Emits.append({{InstClass::IMad, 2 * float(F.NumPacked), 1},
                     {InstClass::Prmt, float(F.NumPacked), 1}});
}

/// Operands of \p What; negative for as many as there are.
static int arityOf(Semantics What) {
  static constexpr int Arities[] = {
#define SEMANTICS(Enum, Text, Arity) Arity,
#include "gpuocc/Kernel/Semantics.def"
  };
  return Arities[size_t(What)];
}

static int64_t immediateAt(const MachineInstr &MI, unsigned Index) {
  if (Index < MI.getNumOperands() && MI.getOperand(Index).isImm())
    return MI.getOperand(Index).getImm();
  return -1;
}

/// Special functions take subnormal numbers only when they are scaled before
/// and after, unless such numbers count as zero (".ftz", the flag behind the
/// source).
static bool flushesSubnormals(const MachineInstr &MI, const Operation &Op) {
  return Op.Bits == 32 && MI.getNumOperands() > 2 && MI.getOperand(2).isImm() &&
         MI.getOperand(2).getImm() != 0 &&
         is_contained({Semantics::FEx2, Semantics::FLg2, Semantics::FRsqrt},
                      Op.What);
}

static bool isSaturation(const MachineInstr &MI, const Operation &Op) {
  constexpr int64_t Saturate = 0x20;
  return Op.What == Semantics::FConvert && Op.Bits == 32 && Op.FromBits == 32 &&
         immediateAt(MI, 2) > 0 && (immediateAt(MI, 2) & Saturate) &&
         MI.getOperand(1).isReg();
}

void InstructionReader::readByRule(const MachineInstr &MI,
                                   const OpcodeRule &Rule, Operation &Op) {
  Op.What = Rule.What;
  Op.Bits = Rule.Bits;
  Op.FromBits = Rule.FromBits;
  Op.Emits.assign(Rule.Emits.begin(), Rule.Emits.end());
  if (const int Arity = arityOf(Rule.What); Arity < 0) {
    addUses(MI, Op);
  } else {
    for (const MachineOperand &MO : MI.explicit_uses()) {
      if (int(Op.Operands.size()) == Arity)
        break;
      Op.Operands.push_back(Map.operand(MO));
    }
    if (int(Op.Operands.size()) < Arity)
      Op.What = Semantics::Opaque;
  }
  // Arithmetic on pairs of halves reads one half for both.
  if (Op.What == Semantics::Pack && Op.FromBits == 16 && all_equal(Op.Operands))
    Op.Emits.clear();
  if (isSaturation(MI, Op))
    readSaturation(MI, Op);
  else
    readDetails(MI, Op);
  if (flushesSubnormals(MI, Op))
    llvm::erase_if(Op.Emits, [](const Emission &E) {
      return defaultPipe(E.Class) != Resource::Xu;
    });
}

/// A conversion of a float to the numbers from 0 to 1: ".SAT" of the
/// instruction that computes it.
void InstructionReader::readSaturation(const MachineInstr &MI, Operation &Op) {
  Op.What = Semantics::Opaque;
  Op.Emits.assign(1, {InstClass::FAdd, 1, 1});
  const Register Source = MI.getOperand(1).getReg();
  const MachineInstr *Def = MRI.getUniqueVRegDef(Source);
  const OpcodeRule *Rule = Def ? Opcodes.find(Def->getOpcode()) : nullptr;
  if (Rule && MRI.hasOneNonDBGUse(Source) && Rule->Bits == 32 &&
      is_contained(
          {Semantics::FAdd, Semantics::FSub, Semantics::FMul, Semantics::FFma},
          Rule->What))
    Op.Emits.clear();
}

/// What the semantics of \p Op leave to its name and immediates.
void InstructionReader::readDetails(const MachineInstr &MI, Operation &Op) {
  switch (Op.What) {
  case Semantics::SReg:
    Op.SReg = specialRegister(Op.Opcode);
    break;
  case Semantics::Compare:
    Op.Compare = comparePredicate(immediateAt(MI, 3));
    break;
  case Semantics::FCompare: {
    const FloatPredicate P = floatPredicate(immediateAt(MI, 3));
    Op.Compare = P.Ordered;
    Op.Imm = P.HoldsForNaN;
    break;
  }
  case Semantics::FFromS:
  case Semantics::FFromU:
  case Semantics::FToS:
  case Semantics::FToU:
  case Semantics::FConvert:
    if (std::optional<IntegerRounding> R = integerRounding(immediateAt(MI, 2)))
      Op.Imm = int64_t(*R);
    else
      Op.What = Semantics::Opaque;
    break;
  case Semantics::FDiv:
  case Semantics::FRcp:
  case Semantics::FSqrt:
  case Semantics::FRsqrt:
  case Semantics::FEx2:
  case Semantics::FLg2:
  case Semantics::FSin:
  case Semantics::FCos:
    Op.Imm = StringRef(Op.Opcode).contains("APPROX");
    break;
  case Semantics::Sleep:
    Op.Imm = MI.getOperand(0).isImm() ? MI.getOperand(0).getImm() : -1;
    break;
  case Semantics::Shuffle:
    Op.Shuffle = shuffleKind(Op.Opcode);
    break;
  case Semantics::WaitCopies:
    Op.Imm = MI.getNumExplicitOperands() == 1 ? immediateAt(MI, 0) : -1;
    break;
  case Semantics::Copy:
    if (MI.getOperand(MI.getNumExplicitDefs()).isSymbol()) {
      readSymbol(MI, Op);
      Op.What = Semantics::SymbolAddress;
    }
    break;
  case Semantics::SymbolAddress:
    readSymbol(MI, Op);
    break;
  default:
    break;
  }
}

/// MOV of the address of a by-value parameter.
void InstructionReader::readSymbol(const MachineInstr &MI, Operation &Op) {
  const MachineOperand &MO = MI.getOperand(MI.getNumExplicitDefs());
  if (MO.isSymbol())
    if (std::optional<int64_t> Offset =
            Map.symbols().parameterOffset(MO.getSymbolName())) {
      Op.Operands.assign(1, Operand::symbol(Map.symbols().ofParameters()));
      Op.Imm = *Offset;
      return;
    }
  if (MO.isGlobal())
    Op.Imm = MO.getOffset();
  if (Op.Operands.empty() || Op.Operands[0].K != Operand::Kind::Symbol)
    Op.What = Semantics::Opaque;
}

/// The offset in the parameter area that \p Base stands for: a parameter, or
/// the address of a member of one that was passed by value.
std::optional<int64_t>
InstructionReader::parameterAddress(const MachineOperand &Base) {
  if (Base.isSymbol())
    return Map.symbols().parameterOffset(Base.getSymbolName());
  if (!Base.isReg() || !Base.getReg().isVirtual())
    return std::nullopt;
  const MachineInstr *Def = MRI.getUniqueVRegDef(Base.getReg());
  if (!Def || Def->getNumExplicitOperands() != 2 ||
      !Def->getOperand(1).isSymbol())
    return std::nullopt;
  return Map.symbols().parameterOffset(Def->getOperand(1).getSymbolName());
}

/// The offset behind the address in operand \p Base of \p MI, bytes.
static int64_t offsetBytes(const MachineInstr &MI, const DecodedAccess &A,
                           unsigned Base, int64_t TextOffsetBytes) {
  if (A.HasOffsetOperand)
    if (const MachineOperand &Offset = MI.getOperand(Base + 1); Offset.isImm())
      return Offset.getImm();
  return TextOffsetBytes;
}

void InstructionReader::readAccess(const MachineInstr &MI,
                                   const DecodedAccess &A, Operation &Op) {
  const MachineOperand &Base = MI.getOperand(A.BaseOperand);
  Op.Bits = std::min(64u, A.BytesPerLane * 8);
  Op.What = Semantics::Load;
  Op.Emits.push_back({A.Issues, 1, 1});
  if (A.Releases)
    Op.Emits.push_back({InstClass::MemBar, 1, 1});
  addUses(MI, Op);
  // A parameter at a constant offset is a constant-bank operand: it costs
  // one LDC for the pointers, nothing for scalars used once.
  if (A.Space == MemorySpace::Param)
    if (std::optional<int64_t> P = parameterAddress(Base)) {
      Op.What = Semantics::Param;
      Op.Bits = A.BytesPerLane * 8 / std::max<unsigned>(1, Op.NumResults);
      Op.Imm = *P + offsetBytes(MI, A, A.BaseOperand, A.TextOffsetBytes);
      Op.Operands.clear();
      return;
    }
  // Of an atomic, the address and the value in their places.
  if (isAtomic(A.Kind) && A.HasOffsetOperand &&
      A.BaseOperand + 2 < MI.getNumExplicitOperands()) {
    Op.Operands.assign(1, Map.operand(Base));
    for (unsigned I = A.BaseOperand + 2; I != MI.getNumExplicitOperands(); ++I)
      Op.Operands.push_back(Map.operand(MI.getOperand(I)));
  }
  addAccess(MI, A, Op);
}

void InstructionReader::addAccess(const MachineInstr &MI,
                                  const DecodedAccess &A, Operation &Op) {
  const MachineOperand &Base = MI.getOperand(A.BaseOperand);
  MemoryAccess Access;
  Access.Op = Map.operationOf(MI);
  Access.Space = A.Space;
  Access.Kind = A.Kind;
  Access.BytesPerLane = A.BytesPerLane;
  Access.Base = Map.operand(Base);
  Access.OffsetBytes = offsetBytes(MI, A, A.BaseOperand, A.TextOffsetBytes);
  if (Base.isGlobal())
    Access.OffsetBytes += Base.getOffset();
  Access.NonCoherent = A.NonCoherent;
  Access.Volatile = A.Volatile;
  Access.Acquires = A.Acquires;
  Access.SignExtendedTo = A.SignExtendedTo;
  Access.AddressLanes = A.AddressLanes;
  for (unsigned I = 0; I != A.NumStored; ++I)
    Access.Stored.push_back(Map.operand(MI.getOperand(I)));
  Access.AtomicOp = A.AtomicOp;
  Access.OnFloats = A.OnFloats;
  if (A.Kind == AccessKind::AsyncCopy) {
    Access.SharedBase = Map.operand(MI.getOperand(A.SharedBaseOperand));
    Access.SharedOffsetBytes =
        offsetBytes(MI, A, A.SharedBaseOperand, A.SharedTextOffsetBytes);
  }
  Op.Access = Facts.Accesses.size();
  Facts.Accesses.push_back(std::move(Access));
}

/// Is \p MI inline assembly that converts constants? ptxas computes that
/// itself.
bool InstructionReader::convertsConstants(const MachineInstr &MI) const {
  if (MI.hasUnmodeledSideEffects() || MI.mayLoadOrStore() ||
      !StringRef(MI.getOperand(0).getSymbolName()).contains("cvt."))
    return false;
  bool HasInput = false;
  for (const MachineOperand &MO : MI.all_uses()) {
    const MachineInstr *Def =
        MO.getReg().isVirtual() ? MRI.getUniqueVRegDef(MO.getReg()) : nullptr;
    if (Def && Def->isCopy() && Def->getOperand(1).getReg().isVirtual())
      Def = MRI.getUniqueVRegDef(Def->getOperand(1).getReg());
    if (!Def || !Opcodes.name(Def->getOpcode()).starts_with("MOV_") ||
        !(Def->getOperand(1).isImm() || Def->getOperand(1).isFPImm()))
      return false;
    HasInput = true;
  }
  return HasInput;
}

/// An operation for each step; one of each statement has its cost.
void InstructionReader::readSteps(const MachineInstr &MI, const PtxBlock &Block,
                                  const Operation &Like) {
  const uint32_t First = Map.operationOf(MI) + 1 - uint32_t(Block.Steps.size());
  const std::string Name = MI.isInlineAsm() ? "inline asm" : Like.Opcode;
  for (auto [I, S] : enumerate(Block.Steps)) {
    Operation &Op = Facts.Operations[First + I];
    Op.Opcode = Name + " (step)";
    Op.Block = Like.Block;
    Op.Location = Like.Location;
    Op.What = S.What;
    Op.Bits = S.Bits;
    Op.FromBits = S.FromBits;
    Op.NumResults = S.NumResults;
    Op.SReg = S.SReg;
    Op.Compare = S.Compare;
    Op.Shuffle = S.Shuffle;
    Op.Imm = S.Imm;
    for (const PtxRef &R : S.Operands)
      Op.Operands.push_back(Map.operand(MI, R));
  }
  if (MI.isInlineAsm() && convertsConstants(MI))
    return;
  // What computes nothing is paid at the end.
  for (const PtxBlockStatement &S : Block.Statements) {
    Operation &Op = S.Principal ? Facts.Operations[First + *S.Principal]
                                : Facts.Operations[Map.operationOf(MI)];
    Op.Opcode = Name;
    if (MI.isInlineAsm())
      readAsmStatement(MI, S.Text, Op);
    else if (const OpcodeRule *Rule = Opcodes.find(MI.getOpcode()))
      append_range(Op.Emits, Rule->Emits);
  }
}

/// \p Text, a number or "$1", as an operand.
Operand InstructionReader::operandOf(const MachineInstr &MI, StringRef Text) {
  if (std::optional<int64_t> Number = asmNumber(MI, Text))
    return Operand::immediate(*Number);
  if (std::optional<unsigned> At = asmOperandAt(MI, Text))
    return Map.operand(MI.getOperand(*At));
  return Operand();
}

/// The number that \p Text stands for; also of a register that holds one.
std::optional<int64_t> InstructionReader::numberOf(const MachineInstr &MI,
                                                   StringRef Text) const {
  if (std::optional<int64_t> Number = asmNumber(MI, Text))
    return Number;
  const std::optional<unsigned> At = asmOperandAt(MI, Text);
  if (!At || !MI.getOperand(*At).isReg())
    return std::nullopt;
  const MachineInstr *Def = nullptr;
  for (Register R = MI.getOperand(*At).getReg(); R.isVirtual();
       R = Def->getOperand(1).getReg()) {
    Def = MRI.getUniqueVRegDef(R);
    if (!Def || !Def->isCopy())
      break;
  }
  if (!Def || !Opcodes.name(Def->getOpcode()).starts_with("MOV_") ||
      !Def->getOperand(1).isImm())
    return std::nullopt;
  return Def->getOperand(1).getImm();
}

/// A bulk copy, or a fetch from a texture. Elements of textures are as wide as
/// what is used of them.
void InstructionReader::readPlaced(const MachineInstr &MI,
                                   const PlacedAccess &A, Operation &Op) {
  const bool IsTexture = A.Space == MemorySpace::Texture;
  MemoryAccess Access;
  Access.Op = Map.operationOf(MI);
  Access.Space = A.Space;
  Access.Kind = A.Kind;
  Access.AtomicOp = A.AtomicOp;
  Access.Bulk = !IsTexture;
  Access.Rank = uint8_t(A.Coordinates.size());
  Op.What = Semantics::Load;
  Op.Bits = IsTexture ? 32 : 64;
  addUses(MI, Op);
  if (IsTexture) {
    constexpr unsigned WordBytes = 4;
    const unsigned Used = count_if(MI.all_defs(), [&](const MachineOperand &D) {
      return !MRI.use_nodbg_empty(D.getReg());
    });
    Access.BytesPerLane = WordBytes * std::bit_ceil(std::max(1u, Used));
    Access.WidthAssumed = true;
    Op.Emits.push_back({InstClass::Tex, 1, 1});
  } else {
    const std::optional<int64_t> Bytes = numberOf(MI, A.Bytes);
    Access.BytesPerLane = unsigned(std::max<int64_t>(0, Bytes.value_or(0)));
    if (const auto *Computed = find(Op.Operands, operandOf(MI, A.Bytes));
        !Bytes && Computed != Op.Operands.end())
      Access.BytesOperand = uint32_t(Computed - Op.Operands.begin());
    Access.SharedBase = operandOf(MI, A.Shared.Base);
    if (Access.SharedBase.K == Operand::Kind::Undef)
      Access.SharedBase = Operand::immediate(0);
    Access.SharedOffsetBytes = A.Shared.OffsetBytes;
    Op.Emits.push_back({InstClass::CpAsync, 1, 1});
    if (!A.Barrier.empty())
      BarrierUses.push_back({Access.Op, operandOf(MI, A.Barrier)});
  }
  const Operand Object = operandOf(MI, A.Object.Base);
  if (A.Coordinates.empty()) {
    Access.Base = Object;
    Access.OffsetBytes = A.Object.OffsetBytes;
  } else {
    SmallVector<Operand, 5> Coordinates;
    for (StringRef C : A.Coordinates)
      Coordinates.push_back(operandOf(MI, C));
    Access.Base = fillPlace(
        A, Access.BytesPerLane, Facts, Access.Op - numPlaceOperations(A),
        numberOfObject(Facts, Object, A.Object.OffsetBytes), Coordinates, Op);
  }
  Op.Access = Facts.Accesses.size();
  Facts.Accesses.push_back(std::move(Access));
}

/// A statement that makes a barrier of shared memory ready, waits for it, or
/// lets it expect bytes.
void InstructionReader::readBarrierUse(const MachineInstr &MI,
                                       const AsmStatement &S, Operation &Op) {
  if (S.Mnemonic.starts_with("mbarrier.init")) {
    Op.What = Semantics::InitBarrier;
    return;
  }
  const bool Waits = S.Mnemonic.starts_with("mbarrier.try_wait") ||
                     S.Mnemonic.starts_with("mbarrier.test_wait");
  const bool Expects = S.Mnemonic.contains("expect_tx");
  const auto [Before, Behind] = S.Operands.split('[');
  const auto [Barrier, Rest] = Behind.split(']');
  if (!(Waits || Expects) || Rest.empty())
    return;
  Op.What = Waits ? Semantics::WaitBarrier : Semantics::ExpectBytes;
  // A barrier of another block of the cluster waits for nobody here.
  Op.Imm = Waits ? 0
                 : numberOf(MI, StringRef(Rest).ltrim(", ").split(',').first)
                       .value_or(-1);
  BarrierUses.push_back({Map.operationOf(MI), operandOf(MI, Barrier)});
}

/// An access, or statements that are counted; their results are opaque except
/// for the lane index.
void InstructionReader::readInlineAsm(const MachineInstr &MI, Operation &Op) {
  // Outputs of inline assembly are no defs of its description.
  Op.NumResults = range_size(MI.all_defs());
  if (std::optional<DecodedAccess> A = decodeAsmAccess(MI)) {
    readAccess(MI, *A, Op);
    return;
  }
  if (std::optional<PlacedAccess> A = placedAccessOf(MI)) {
    Op.Opcode = "inline asm";
    readPlaced(MI, *A, Op);
    return;
  }
  const StringRef Text = MI.getOperand(0).getSymbolName();
  addUses(MI, Op);
  Op.Opcode = "inline asm";
  const bool IsSingle = Text.count(';') <= 1;
  if (SpecialReg R = registerOfAsm(Text); IsSingle && R != SpecialReg::None) {
    Op.What = Semantics::SReg;
    Op.SReg = R;
    Op.Operands.clear();
    Op.Emits.push_back({InstClass::S2R, 1, 1});
    return;
  }
  if (convertsConstants(MI))
    return;
  SmallVector<StringRef, 4> Statements;
  Text.split(Statements, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Statement : Statements)
    readAsmStatement(MI, Statement, Op);
}

/// What \p Mnemonic does with groups of asynchronous work.
static std::optional<Semantics> groupSemantics(StringRef Mnemonic) {
  static constexpr std::pair<StringLiteral, Semantics> Rows[] = {
      {"cp.async.commit_group", Semantics::CommitCopies},
      {"cp.async.wait_", Semantics::WaitCopies},
      {"cp.async.bulk.commit_group", Semantics::CommitBulk},
      {"cp.async.bulk.wait_group", Semantics::WaitBulk},
      {"wgmma.commit_group", Semantics::CommitProducts},
      {"wgmma.wait_group", Semantics::WaitProducts}};
  for (const auto &[Prefix, What] : Rows)
    if (Mnemonic.starts_with(Prefix))
      return What;
  return std::nullopt;
}

/// The number of groups that a wait with \p Text for operands leaves, which
/// may be an operand of \p Op; -1 where it names none.
static int64_t groupsThatRemain(StringRef Text, const Operation &Op) {
  int64_t Number = -1;
  if (!Text.trim().getAsInteger(10, Number))
    return Number;
  for (const Operand &O : Op.Operands)
    if (O.isImmediate())
      return O.Imm;
  return -1;
}

/// The machine operand that \p Text, "$1", reads; of what is read and written,
/// the one that is read.
std::optional<unsigned> InstructionReader::useNamed(const MachineInstr &MI,
                                                    StringRef Text) const {
  const std::optional<unsigned> At = asmOperandAt(MI, Text);
  if (!At || !MI.getOperand(*At).isReg() || MI.getOperand(*At).isUse())
    return At;
  unsigned Use = 0;
  return MI.isRegTiedToUseOperand(*At, &Use) ? std::optional(Use)
                                             : std::nullopt;
}

/// What a product with the operands \p Text reads, in the order of its text:
/// registers in braces are neighbors. What it writes comes first. Operands of
/// other statements follow.
void InstructionReader::readTuples(const MachineInstr &MI, StringRef Text,
                                   Operation &Op) {
  SmallVector<unsigned, 16> Uses;
  SmallVector<uint32_t, 0> Tuples;
  StringRef Rest = Text.split('}').second;
  while (!(Rest = Rest.ltrim(" \t\n,")).empty()) {
    const bool IsTuple = Rest.consume_front("{");
    auto [Names, Behind] = Rest.split(IsTuple ? '}' : ',');
    Rest = Behind;
    SmallVector<StringRef, 4> Parts;
    Names.split(Parts, ',');
    const size_t Before = Uses.size();
    for (StringRef Part : Parts)
      if (std::optional<unsigned> Use = useNamed(MI, Part.trim());
          Use && MI.getOperand(*Use).isReg())
        Uses.push_back(*Use);
    if (Uses.size() != Before)
      Tuples.push_back(uint32_t(Uses.size() - Before));
  }
  SmallVector<Operand, 3> Operands;
  for (unsigned Use : Uses)
    Operands.push_back(Map.operand(MI.getOperand(Use)));
  for (const MachineOperand &MO : MI.explicit_uses())
    if (MO.isReg() && MO.isUse() && !is_contained(Uses, MO.getOperandNo()))
      Operands.push_back(Map.operand(MO));
  Op.Operands = std::move(Operands);
  Op.Tuples = std::move(Tuples);
}

namespace {
/// An instruction that takes something of its block or SM, or time, and which
/// of its operands says how much.
struct ClaimRow {
  StringLiteral Prefix;
  Semantics What;
  unsigned Amount;
};
} // namespace

static const ClaimRow *claimOf(StringRef Mnemonic) {
  static constexpr ClaimRow Rows[] = {
      {"setmaxnreg.inc", Semantics::TakeRegisters, 0},
      {"setmaxnreg.dec", Semantics::GiveRegisters, 0},
      {"nanosleep", Semantics::Sleep, 0},
      {"tcgen05.alloc", Semantics::AllocateTensorMemory, 1},
      {"tcgen05.dealloc", Semantics::FreeTensorMemory, 1}};
  const ClaimRow *Found = find_if(Rows, [&](const ClaimRow &Row) {
    return Mnemonic.starts_with(Row.Prefix);
  });
  return Found == std::end(Rows) ? nullptr : Found;
}

/// Products of Blackwell's tensor cores, and what copies to and from their
/// memory (PTX ISA 8.7, 9.7.16).
static bool movesTensorMemory(StringRef Mnemonic) {
  constexpr StringRef Work[] = {"tcgen05.mma", "tcgen05.cp", "tcgen05.ld",
                                "tcgen05.st", "tcgen05.shift"};
  return any_of(Work, [&](StringRef W) { return Mnemonic.starts_with(W); });
}

void InstructionReader::readAsmStatement(const MachineInstr &MI,
                                         StringRef Statement, Operation &Op) {
  const AsmStatement S = parseAsmStatement(Statement);
  const StringRef Mnemonic = S.Mnemonic;
  if (Mnemonic.empty())
    return;
  if (const ClaimRow *Claim = claimOf(Mnemonic)) {
    SmallVector<StringRef, 4> Operands;
    S.Operands.split(Operands, ',');
    Op.What = Claim->What;
    Op.Imm = Claim->Amount < Operands.size()
                 ? numberOf(MI, Operands[Claim->Amount].trim()).value_or(-1)
                 : -1;
  }
  if (Mnemonic.starts_with("mov.") && readsSpecialRegister(Statement)) {
    Op.Emits.push_back({InstClass::S2R, 1, 1});
  } else if (packsHalves(Statement)) {
    Op.Emits.push_back({InstClass::Prmt, 1, 1});
  } else if (auto Emits = emissionsOfMnemonic(Mnemonic, S.Operands)) {
    append_range(Op.Emits, *Emits);
    if (std::optional<Semantics> What = groupSemantics(S.Mnemonic)) {
      Op.What = *What;
      Op.Imm = groupsThatRemain(S.Operands, Op);
    }
    readBarrierUse(MI, S, Op);
    // What is multiplied, which the class does not say.
    if (Mnemonic.starts_with("wgmma.mma_async"))
      Op.Opcode = Mnemonic.str();
    if (Mnemonic.starts_with("wgmma.mma_async") || Mnemonic.starts_with("mma."))
      readTuples(MI, S.Operands, Op);
  } else if (movesTensorMemory(Mnemonic)) {
    // Whole tiles, of which the descriptor of the product says how large.
    Op.Emits.push_back({InstClass::Unknown, 1, 1});
    addGap(MI,
           "what '" + Mnemonic +
               "' takes of the tensor cores and of tensor memory is not known; "
               "counted as one integer instruction",
           /*LacksWork=*/true);
  } else {
    Op.Emits.push_back({InstClass::Unknown, 1, 1});
    addGap(MI, "inline assembly '" + Mnemonic +
                   "' has no timing rule; counted as one integer instruction");
  }
}

void gpuocc::readFunction(const MachineFunction &MF, OpcodeTable &Opcodes,
                          KernelFacts &Facts, std::vector<CallSite> &Calls) {
  LocationTable Locations(Facts.Locations.edit());
  FunctionMap Map(MF, Opcodes, Facts);
  InstructionReader Reader(MF, Opcodes, Map, Locations, Facts, Calls);
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (Map.hasOperation(MI))
        Reader.read(MI);
  readFlow(MF, Map, Opcodes, Locations, Facts);
  Reader.finish();
}
