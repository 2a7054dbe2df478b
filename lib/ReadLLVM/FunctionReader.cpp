//===- FunctionReader.cpp - Machine functions to kernel facts -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "AccessReader.h"
#include "AsmStatement.h"
#include "FragmentReader.h"
#include "LocationTable.h"
#include "OpcodeTable.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace gpuocc;
using namespace llvm;

static SpecialReg specialRegister(StringRef Name) {
  return StringSwitch<SpecialReg>(Name)
      .Case("INT_PTX_SREG_TID_x", SpecialReg::TidX)
      .Case("INT_PTX_SREG_TID_y", SpecialReg::TidY)
      .Case("INT_PTX_SREG_TID_z", SpecialReg::TidZ)
      .Case("INT_PTX_SREG_NTID_x", SpecialReg::NTidX)
      .Case("INT_PTX_SREG_NTID_y", SpecialReg::NTidY)
      .Case("INT_PTX_SREG_NTID_z", SpecialReg::NTidZ)
      .Case("INT_PTX_SREG_CTAID_x", SpecialReg::CtaIdX)
      .Case("INT_PTX_SREG_CTAID_y", SpecialReg::CtaIdY)
      .Case("INT_PTX_SREG_CTAID_z", SpecialReg::CtaIdZ)
      .Case("INT_PTX_SREG_NCTAID_x", SpecialReg::NCtaIdX)
      .Case("INT_PTX_SREG_NCTAID_y", SpecialReg::NCtaIdY)
      .Case("INT_PTX_SREG_NCTAID_z", SpecialReg::NCtaIdZ)
      .Case("SREG_LANEID", SpecialReg::LaneId)
      .Case("SREG_WARPID", SpecialReg::WarpId)
      .Case("SREG_NWARPID", SpecialReg::NWarpId)
      .Case("SREG_SMID", SpecialReg::SmId)
      .Case("INT_PTX_SREG_LANEMASK_EQ", SpecialReg::LaneMaskEq)
      .Case("INT_PTX_SREG_LANEMASK_LT", SpecialReg::LaneMaskLt)
      .Case("INT_PTX_SREG_LANEMASK_LE", SpecialReg::LaneMaskLe)
      .Case("INT_PTX_SREG_LANEMASK_GT", SpecialReg::LaneMaskGt)
      .Case("INT_PTX_SREG_LANEMASK_GE", SpecialReg::LaneMaskGe)
      .Case("INT_PTX_SREG_WARPSIZE", SpecialReg::WarpSize)
      .Case("INT_PTX_SREG_DYNAMIC_SMEM_SIZE", SpecialReg::DynamicSharedBytes)
      .StartsWith("SREG_CLOCK", SpecialReg::Clock)
      .StartsWith("SREG_GLOBALTIMER", SpecialReg::GlobalTimer)
      .Default(SpecialReg::Other);
}

/// NVPTX::PTXCmpMode as it appears in machine operands; the ...U modes of
/// integers are unsigned.
static ComparePredicate comparePredicate(int64_t Mode) {
  static constexpr ComparePredicate Modes[] = {
      ComparePredicate::EQ,    ComparePredicate::NE,  ComparePredicate::LTS,
      ComparePredicate::LES,   ComparePredicate::GTS, ComparePredicate::GES,
      ComparePredicate::Other, // EQU
      ComparePredicate::Other, // NEU
      ComparePredicate::LTU,   ComparePredicate::LEU, ComparePredicate::GTU,
      ComparePredicate::GEU};
  return Mode >= 0 && Mode < int64_t(std::size(Modes))
             ? Modes[Mode]
             : ComparePredicate::Other;
}

/// NVPTX::PTXCmpMode of a floating-point comparison. The ...U modes also hold
/// for NaN; Other asks for nothing else.
static ComparePredicate floatPredicate(int64_t Mode, bool &HoldsForNaN) {
  constexpr int64_t FirstUnordered = 6, NumOrdered = 6, IsNumber = 12;
  HoldsForNaN = Mode >= FirstUnordered && Mode != IsNumber;
  int64_t Ordered = HoldsForNaN ? Mode - FirstUnordered : Mode;
  return Ordered < NumOrdered ? comparePredicate(Ordered)
                              : ComparePredicate::Other;
}

/// NVPTX::PTXCvtMode; nothing for the modes that are not evaluated (other
/// roundings than to nearest, saturation).
static std::optional<IntegerRounding> integerRounding(int64_t Mode) {
  constexpr int64_t FlushSubnormals = 0x10, RoundToNearest = 5;
  Mode &= ~FlushSubnormals;
  if (Mode == RoundToNearest)
    return IntegerRounding::None;
  if (Mode >= 0 && Mode <= int64_t(IntegerRounding::Up))
    return IntegerRounding(Mode);
  return std::nullopt;
}

static ShuffleKind shuffleKind(StringRef Name) {
  return StringSwitch<ShuffleKind>(Name)
      .StartsWith("shfl.sync.up", ShuffleKind::Up)
      .StartsWith("shfl.sync.down", ShuffleKind::Down)
      .StartsWith("shfl.sync.bfly", ShuffleKind::Bfly)
      .StartsWith("shfl.sync.idx", ShuffleKind::Idx)
      .Default(ShuffleKind::None);
}

namespace {

class Reader {
public:
  Reader(const MachineFunction &MF, OpcodeTable &Opcodes, KernelFacts &Facts)
      : MF(MF), MRI(MF.getRegInfo()), Opcodes(Opcodes), Facts(Facts),
        Locations(Facts.Locations) {}

  void run() {
    numberOperations();
    addStackSymbols();
    for (const MachineBasicBlock &MBB : MF)
      for (const MachineInstr &MI : MBB)
        if (OpOf.count(&MI))
          readInstruction(MI);
    readControlFlow();
  }

private:
  const MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  OpcodeTable &Opcodes;
  KernelFacts &Facts;
  LocationTable Locations;
  DenseMap<const MachineInstr *, uint32_t> OpOf;
  DenseMap<const MachineBasicBlock *, uint32_t> BlockOf;
  DenseMap<const GlobalValue *, uint32_t> SymbolOf;
  DenseMap<int, uint32_t> StackSymbolOf;
  DenseSet<unsigned> ReportedOpcodes;

  void gap(const MachineInstr &MI, const Twine &What) {
    Facts.Gaps.push_back({Locations.indexOf(MI.getDebugLoc()), What.str()});
  }

  static bool isCode(const MachineInstr &MI) {
    return !MI.isDebugInstr() && !MI.isCFIInstruction() &&
           !MI.isLifetimeMarker() && !MI.isImplicitDef() && !MI.isKill();
  }

  /// The fragment access that \p MI is, if it has the operands of one with a
  /// leading dimension: results, address, offset, data, leading dimension and
  /// the version of PTX.
  std::optional<FragmentAccess> fragmentOf(const MachineInstr &MI) {
    StringRef Name = Opcodes.name(MI.getOpcode());
    if (!Name.starts_with("wmma."))
      return std::nullopt;
    constexpr unsigned NumOthers = 4;
    std::optional<FragmentAccess> F = decodeFragment(Name);
    if (F && MI.getNumExplicitOperands() == F->NumRegisters + NumOthers)
      return F;
    return std::nullopt;
  }

  void readFragment(const MachineInstr &MI, const FragmentAccess &F,
                    uint32_t Index, Operation &Op) {
    const unsigned Base = MI.getNumExplicitDefs(), FirstData = Base + 2;
    const bool IsLoad = F.Kind == AccessKind::Load;
    SmallVector<Operand, 8> Data;
    for (unsigned I = 0; I != F.NumRegisters && !IsLoad; ++I)
      Data.push_back(readOperand(MI.getOperand(FirstData + I)));
    const MachineOperand &Offset = MI.getOperand(Base + 1);
    const MachineOperand &Line =
        MI.getOperand(IsLoad ? FirstData : FirstData + F.NumRegisters);
    SmallVector<Operand, 8> Values = fillFragment(
        F, Facts, Index - numFragmentOperations(F),
        readOperand(MI.getOperand(Base)), Offset.isImm() ? Offset.getImm() : 0,
        readOperand(Line), Data, Op);
    if (IsLoad)
      Op.Operands.assign(Values.begin(), Values.end());
    if (F.NumTransposed != 0)
      Op.Emits.push_back({InstClass::Mov, float(F.NumTransposed), 1});
    // Two multiplications by 256 with addition, and PRMT.
    if (F.NumPacked != 0)
      Op.Emits.append({{InstClass::IMad, 2 * float(F.NumPacked), 1},
                       {InstClass::Prmt, float(F.NumPacked), 1}});
  }

  void numberOperations() {
    for (const MachineBasicBlock &MBB : MF) {
      BlockOf[&MBB] = Facts.Blocks.size();
      gpuocc::BasicBlock B;
      B.Name = ("bb." + Twine(MBB.getNumber())).str();
      B.FirstOp = Facts.Operations.size();
      for (const MachineInstr &MI : MBB) {
        if (!isCode(MI))
          continue;
        // What a fragment access is taken apart into comes before it.
        if (std::optional<FragmentAccess> F = fragmentOf(MI)) {
          unsigned NumParts = numFragmentOperations(*F);
          Facts.Operations.resize(Facts.Operations.size() + NumParts);
          B.NumOps += NumParts;
        }
        OpOf[&MI] = Facts.Operations.size();
        Facts.Operations.emplace_back();
        ++B.NumOps;
      }
      Facts.Blocks.push_back(std::move(B));
    }
  }

  void addStackSymbols() {
    const MachineFrameInfo &Frame = MF.getFrameInfo();
    uint64_t Offset = 0;
    for (int I = 0, E = Frame.getObjectIndexEnd(); I < E; ++I) {
      Symbol S;
      S.Name = ("stack." + Twine(I)).str();
      S.Space = MemorySpace::Local;
      S.SizeBytes = Frame.getObjectSize(I);
      S.AlignBytes = Frame.getObjectAlign(I).value();
      S.OffsetBytes = Offset = alignTo(Offset, Align(S.AlignBytes));
      Offset += S.SizeBytes;
      StackSymbolOf[I] = Facts.Symbols.size();
      Facts.Symbols.push_back(std::move(S));
    }
  }

  uint32_t symbolFor(const GlobalValue *GV) {
    auto [It, Inserted] = SymbolOf.try_emplace(GV, Facts.Symbols.size());
    if (!Inserted)
      return It->second;
    const DataLayout &DL = MF.getDataLayout();
    Symbol S;
    S.Name = GV->getName().str();
    switch (GV->getAddressSpace()) {
    case NVPTXAS::ADDRESS_SPACE_SHARED:
      S.Space = MemorySpace::Shared;
      break;
    case NVPTXAS::ADDRESS_SPACE_CONST:
      S.Space = MemorySpace::Constant;
      break;
    default:
      S.Space = MemorySpace::Global;
    }
    Type *Ty = GV->getValueType();
    S.SizeBytes = Ty->isSized() ? DL.getTypeAllocSize(Ty).getFixedValue() : 0;
    if (const auto *Var = dyn_cast<GlobalVariable>(GV))
      S.AlignBytes = Var->getAlign().value_or(Align(1)).value();
    if (S.Space == MemorySpace::Shared) {
      S.IsDynamicShared = S.SizeBytes == 0 || GV->isDeclaration();
      if (S.IsDynamicShared) {
        Facts.UsesDynamicShared = true;
      } else {
        S.OffsetBytes = alignTo(Facts.StaticSharedBytes, Align(S.AlignBytes));
        Facts.StaticSharedBytes = S.OffsetBytes + S.SizeBytes;
      }
    }
    Facts.Symbols.push_back(std::move(S));
    return It->second;
  }

  /// The offset in the parameter area of "<kernel>_param_<N>", if \p Name is
  /// one.
  std::optional<int64_t> parameterOffset(StringRef Name) const {
    auto [Prefix, Number] = Name.rsplit("_param_");
    unsigned Index;
    if (Number.getAsInteger(10, Index) || Index >= Facts.Parameters.size())
      return std::nullopt;
    return Facts.Parameters[Index].OffsetBytes;
  }

  Operand registerOperand(Register Reg) const {
    if (!Reg.isVirtual())
      return Operand();
    const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
    auto It = OpOf.find(Def);
    if (It == OpOf.end())
      return Operand();
    uint8_t Result = 0;
    for (const MachineOperand &MO : Def->all_defs()) {
      if (MO.getReg() == Reg)
        return Operand::value(It->second, Result);
      ++Result;
    }
    return Operand();
  }

  Operand readOperand(const MachineOperand &MO) {
    switch (MO.getType()) {
    case MachineOperand::MO_Register:
      return registerOperand(MO.getReg());
    case MachineOperand::MO_Immediate:
      return Operand::immediate(MO.getImm());
    case MachineOperand::MO_CImmediate:
      return Operand::immediate(MO.getCImm()->getSExtValue());
    case MachineOperand::MO_FPImmediate: {
      APInt Bits = MO.getFPImm()->getValueAPF().bitcastToAPInt();
      if (Bits.getBitWidth() <= 64)
        return Operand::immediate(int64_t(Bits.getZExtValue()));
      return Operand();
    }
    case MachineOperand::MO_GlobalAddress:
      return Operand::symbol(symbolFor(MO.getGlobal()));
    case MachineOperand::MO_FrameIndex:
      if (auto It = StackSymbolOf.find(MO.getIndex());
          It != StackSymbolOf.end())
        return Operand::symbol(It->second);
      return Operand();
    default:
      return Operand();
    }
  }

  void readInstruction(const MachineInstr &MI) {
    uint32_t Index = OpOf[&MI];
    StringRef Name = Opcodes.name(MI.getOpcode());
    const OpcodeRule *Rule = Opcodes.find(MI.getOpcode());

    Operation Op;
    Op.Opcode = Name.str();
    Op.Block = BlockOf[MI.getParent()];
    Op.Location = Locations.indexOf(MI.getDebugLoc());
    Op.NumResults = MI.getNumExplicitDefs();

    if (MI.isPHI()) {
      Op.What = Semantics::Phi;
      Op.Bits = 64;
      for (unsigned I = 1; I + 1 < MI.getNumOperands(); I += 2) {
        Op.Operands.push_back(readOperand(MI.getOperand(I)));
        Op.PhiBlocks.push_back(BlockOf[MI.getOperand(I + 1).getMBB()]);
      }
    } else if (std::optional<FragmentAccess> F = fragmentOf(MI)) {
      readFragment(MI, *F, Index, Op);
    } else if (std::optional<DecodedAccess> A = decodeAccess(MI, Name)) {
      readAccess(MI, *A, Index, Op);
    } else if (MI.isInlineAsm()) {
      // Outputs of inline assembly are no defs of its description.
      Op.NumResults = range_size(MI.all_defs());
      if (std::optional<DecodedAccess> A = decodeAsmAccess(MI))
        readAccess(MI, *A, Index, Op);
      else
        readInlineAsm(MI, Op);
    } else if (Name.starts_with("LEA_ADDR")) {
      // Address of a stack object: symbol plus offset.
      Op.What = Semantics::SymbolAddress;
      Op.Bits = 64;
      Op.Operands.push_back(readOperand(MI.getOperand(1)));
      if (MI.getNumOperands() > 2 && MI.getOperand(2).isImm())
        Op.Imm = MI.getOperand(2).getImm();
    } else if (Rule) {
      applyRule(MI, Name, *Rule, Op);
    } else {
      Op.Emits.push_back({InstClass::Unknown, 1, 1});
      addUses(MI, Op);
      if (ReportedOpcodes.insert(MI.getOpcode()).second)
        gap(MI, "machine opcode '" + Name +
                    "' has no timing rule; counted as one integer instruction");
    }
    if (MI.isCall())
      gap(MI, "call that was not inlined; the callee is not part of the "
              "analysis");
    Facts.Operations[Index] = std::move(Op);
  }

  void addUses(const MachineInstr &MI, Operation &Op) {
    for (const MachineOperand &MO : MI.explicit_uses())
      if (MO.isReg() && MO.isUse())
        Op.Operands.push_back(readOperand(MO));
  }

  void applyRule(const MachineInstr &MI, StringRef Name, const OpcodeRule &Rule,
                 Operation &Op) {
    static constexpr int Arities[] = {
#define SEMANTICS(Enum, Text, Arity) Arity,
#include "gpuocc/Kernel/Semantics.def"
    };
    Op.What = Rule.What;
    Op.Bits = Rule.Bits;
    Op.FromBits = Rule.FromBits;
    Op.Emits.assign(Rule.Emits.begin(), Rule.Emits.end());
    int Arity = Arities[size_t(Rule.What)];
    if (Arity < 0) {
      addUses(MI, Op);
    } else {
      auto Uses = MI.explicit_uses();
      for (const MachineOperand &MO : Uses) {
        if (int(Op.Operands.size()) == Arity)
          break;
        Op.Operands.push_back(readOperand(MO));
      }
      if (int(Op.Operands.size()) < Arity)
        Op.What = Semantics::Opaque;
    }
    switch (Op.What) {
    case Semantics::SReg:
      Op.SReg = specialRegister(Name);
      break;
    case Semantics::Compare:
      Op.Compare = comparePredicate(immediateAt(MI, 3));
      break;
    case Semantics::FCompare: {
      bool HoldsForNaN = false;
      Op.Compare = floatPredicate(immediateAt(MI, 3), HoldsForNaN);
      Op.Imm = HoldsForNaN;
      break;
    }
    case Semantics::FFromS:
    case Semantics::FFromU:
    case Semantics::FToS:
    case Semantics::FToU:
    case Semantics::FConvert:
      if (std::optional<IntegerRounding> R =
              integerRounding(immediateAt(MI, 2)))
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
      Op.Imm = Name.contains("APPROX");
      break;
    case Semantics::Shuffle:
      Op.Shuffle = shuffleKind(Name);
      break;
    case Semantics::Copy:
      readCopyOfParameter(MI, Op);
      break;
    case Semantics::SymbolAddress:
      readSymbol(MI, Op);
      break;
    default:
      break;
    }
  }

  static int64_t immediateAt(const MachineInstr &MI, unsigned Index) {
    if (Index < MI.getNumOperands() && MI.getOperand(Index).isImm())
      return MI.getOperand(Index).getImm();
    return -1;
  }

  /// MOV of the address of a by-value parameter.
  void readSymbol(const MachineInstr &MI, Operation &Op) {
    const MachineOperand &MO = MI.getOperand(MI.getNumExplicitDefs());
    if (MO.isSymbol())
      if (std::optional<int64_t> Offset = parameterOffset(MO.getSymbolName())) {
        Op.Operands.assign(1, Operand::symbol(parameterSymbol()));
        Op.Imm = *Offset;
        return;
      }
    if (MO.isGlobal())
      Op.Imm = MO.getOffset();
    if (Op.Operands.empty() || Op.Operands[0].K != Operand::Kind::Symbol)
      Op.What = Semantics::Opaque;
  }

  void readCopyOfParameter(const MachineInstr &MI, Operation &Op) {
    const MachineOperand &MO = MI.getOperand(MI.getNumExplicitDefs());
    if (MO.isSymbol())
      readSymbol(MI, Op), Op.What = Semantics::SymbolAddress;
  }

  std::optional<uint32_t> ParameterSymbol;
  /// The whole parameter area as a symbol, for indexed by-value structs.
  uint32_t parameterSymbol() {
    if (!ParameterSymbol) {
      ParameterSymbol = Facts.Symbols.size();
      Symbol S;
      S.Name = "kernel parameters";
      S.Space = MemorySpace::Param;
      if (!Facts.Parameters.empty())
        S.SizeBytes = Facts.Parameters.back().OffsetBytes +
                      Facts.Parameters.back().SizeBytes;
      Facts.Symbols.push_back(std::move(S));
    }
    return *ParameterSymbol;
  }

  /// The offset in the parameter area that \p Base stands for: a parameter, or
  /// the address of a member of one that was passed by value.
  std::optional<int64_t> parameterAddress(const MachineOperand &Base) const {
    if (Base.isSymbol())
      return parameterOffset(Base.getSymbolName());
    if (!Base.isReg() || !Base.getReg().isVirtual())
      return std::nullopt;
    const MachineInstr *Def = MRI.getUniqueVRegDef(Base.getReg());
    if (!Def || Def->getNumExplicitOperands() != 2 ||
        !Def->getOperand(1).isSymbol())
      return std::nullopt;
    return parameterOffset(Def->getOperand(1).getSymbolName());
  }

  void readAccess(const MachineInstr &MI, const DecodedAccess &A,
                  uint32_t Index, Operation &Op) {
    const MachineOperand &Base = MI.getOperand(A.BaseOperand);
    int64_t OffsetBytes = A.TextOffsetBytes;
    if (A.HasOffsetOperand)
      if (const MachineOperand &Offset = MI.getOperand(A.BaseOperand + 1);
          Offset.isImm())
        OffsetBytes = Offset.getImm();
    Op.Bits = std::min(64u, A.BytesPerLane * 8);
    Op.What = Semantics::Load;
    Op.Emits.push_back({A.Issues, 1, 1});
    addUses(MI, Op);
    // A parameter at a constant offset is a constant-bank operand: it costs
    // one LDC for the pointers, nothing for scalars used once.
    if (A.Space == MemorySpace::Param)
      if (std::optional<int64_t> P = parameterAddress(Base)) {
        Op.What = Semantics::Param;
        Op.Imm = *P + OffsetBytes;
        Op.Operands.clear();
        return;
      }
    // Of an atomic, the address and the value in their places.
    const bool IsAtomic = isAtomic(A.Kind);
    if (IsAtomic && A.HasOffsetOperand &&
        A.BaseOperand + 2 < MI.getNumExplicitOperands()) {
      Op.Operands.clear();
      Op.Operands.push_back(readOperand(Base));
      for (unsigned I = A.BaseOperand + 2; I != MI.getNumExplicitOperands();
           ++I)
        Op.Operands.push_back(readOperand(MI.getOperand(I)));
    }
    MemoryAccess Access;
    Access.Op = Index;
    Access.Space = A.Space;
    Access.Kind = A.Kind;
    Access.BytesPerLane = A.BytesPerLane;
    Access.Base = readOperand(Base);
    Access.OffsetBytes = OffsetBytes;
    Access.NonCoherent = A.NonCoherent;
    Access.Volatile = A.Volatile;
    for (unsigned I = 0; I != A.NumStored; ++I)
      Access.Stored.push_back(readOperand(MI.getOperand(I)));
    Access.AtomicOp = A.AtomicOp;
    Access.OnFloats = A.OnFloats;
    if (Base.isGlobal())
      Access.OffsetBytes += Base.getOffset();
    if (A.Kind == AccessKind::AsyncCopy) {
      Access.SharedBase = readOperand(MI.getOperand(A.SharedBaseOperand));
      Access.SharedOffsetBytes = A.SharedTextOffsetBytes;
      if (A.HasOffsetOperand)
        if (const MachineOperand &Offset =
                MI.getOperand(A.SharedBaseOperand + 1);
            Offset.isImm())
          Access.SharedOffsetBytes = Offset.getImm();
    }
    Op.Access = Facts.Accesses.size();
    Facts.Accesses.push_back(std::move(Access));
  }

  /// Counts the statements of inline assembly; its results are opaque except
  /// for the one idiom that reads the lane index.
  void readInlineAsm(const MachineInstr &MI, Operation &Op) {
    StringRef Text = MI.getOperand(0).getSymbolName();
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
    // What clang's headers make of __ffs() and __clz(): of 0 it is -1.
    if (IsSingle && Text.contains("bfind.shiftamt.u32") &&
        Op.Operands.size() == 1)
      Op.What = Semantics::Clz;
    SmallVector<StringRef, 4> Statements;
    Text.split(Statements, ';', -1, /*KeepEmpty=*/false);
    for (StringRef Statement : Statements)
      readAsmStatement(MI, Statement, Op);
  }

  void readAsmStatement(const MachineInstr &MI, StringRef Statement,
                        Operation &Op) {
    StringRef Mnemonic = asmMnemonic(Statement);
    if (Mnemonic.empty())
      return;
    if (Mnemonic.starts_with("mov.") && readsSpecialRegister(Statement)) {
      Op.Emits.push_back({InstClass::S2R, 1, 1});
    } else if (auto Emits = emissionsOfMnemonic(Mnemonic)) {
      append_range(Op.Emits, *Emits);
    } else {
      Op.Emits.push_back({InstClass::Unknown, 1, 1});
      gap(MI, "inline assembly '" + Mnemonic +
                  "' has no timing rule; counted as one integer instruction");
    }
  }

  void readControlFlow() {
    auto &Mutable = const_cast<MachineFunction &>(MF);
    MachineDominatorTree Dominators;
    Dominators.recalculate(Mutable);
    MachineLoopInfo MachineLoops;
    MachineLoops.analyze(Dominators);
    MachinePostDominatorTree PostDominators;
    PostDominators.recalculate(Mutable);

    addLoops(MachineLoops);
    for (const MachineBasicBlock &MBB : MF) {
      gpuocc::BasicBlock &B = Facts.Blocks[BlockOf[&MBB]];
      for (const MachineBasicBlock *S : MBB.successors())
        B.Successors.push_back(BlockOf[S]);
      if (const auto *Node =
              PostDominators.getNode(const_cast<MachineBasicBlock *>(&MBB)))
        if (const auto *Parent = Node->getIDom(); Parent && Parent->getBlock())
          B.PostDominator = BlockOf[Parent->getBlock()];
      readBranch(MBB);
    }
    placeFallThroughs();
  }

  /// True for loops that carry "nounroll" into PTX: remainders of unrolled
  /// loops, and those that the source marks so.
  static bool forbidsUnrolling(const MachineLoop &L) {
    MDNode *Id = L.getLoopID();
    if (!Id)
      return false;
    auto Has = [&](StringRef Name) {
      for (const MDOperand &O : drop_begin(Id->operands()))
        if (const auto *Option = dyn_cast<MDNode>(O))
          if (Option->getNumOperands() > 0)
            if (const auto *Key = dyn_cast<MDString>(Option->getOperand(0)))
              if (Key->getString() == Name)
                return true;
      return false;
    };
    return Has("llvm.loop.unroll.disable");
  }

  void addLoops(const MachineLoopInfo &Info) {
    DenseMap<const MachineLoop *, uint32_t> IndexOf;
    for (const MachineLoop *L : Info.getLoopsInPreorder()) {
      IndexOf[L] = Facts.Loops.size();
      gpuocc::Loop Out;
      Out.Header = BlockOf[L->getHeader()];
      Out.Depth = L->getLoopDepth();
      if (const MachineLoop *Parent = L->getParentLoop())
        Out.Parent = IndexOf[Parent];
      Out.Blocks.push_back(Out.Header);
      for (const MachineBasicBlock *MBB : L->blocks())
        if (BlockOf[MBB] != Out.Header)
          Out.Blocks.push_back(BlockOf[MBB]);
      SmallVector<MachineBasicBlock *, 2> Latches;
      L->getLoopLatches(Latches);
      for (const MachineBasicBlock *Latch : Latches)
        Out.Latches.push_back(BlockOf[Latch]);
      Out.Location = Locations.indexOf(L->getStartLoc());
      Out.NoUnroll = forbidsUnrolling(*L);
      // Preorder: inner loops come later and overwrite.
      for (uint32_t Block : Out.Blocks)
        Facts.Blocks[Block].Loop = Facts.Loops.size();
      Facts.Loops.push_back(std::move(Out));
    }
  }

  void readBranch(const MachineBasicBlock &MBB) {
    uint32_t Block = BlockOf[&MBB];
    for (const MachineInstr &MI : MBB.terminators()) {
      StringRef Name = Opcodes.name(MI.getOpcode());
      Branch Br;
      Br.Block = Block;
      if (Name == "CBranch") {
        Br.Op = OpOf[&MI];
        Br.Condition = readOperand(MI.getOperand(0));
        const MachineBasicBlock *Taken = MI.getOperand(1).getMBB();
        Br.Targets.push_back(BlockOf[Taken]);
        for (const MachineBasicBlock *S : MBB.successors())
          if (S != Taken)
            Br.Targets.push_back(BlockOf[S]);
        if (Br.Targets.size() == 1)
          continue;
      } else if (Name == "BRX_END") {
        Br.Op = OpOf[&MI];
        Br.Indexed = true;
        for (const MachineInstr &Item : MBB.terminators())
          for (const MachineOperand &MO : Item.explicit_uses())
            if (MO.isMBB() && Opcodes.name(Item.getOpcode()) != "CBranch")
              Br.Targets.push_back(BlockOf[MO.getMBB()]);
        for (const MachineOperand &MO : MI.explicit_uses())
          if (MO.isReg())
            Br.Condition = readOperand(MO);
      } else {
        continue;
      }
      setPrior(MI, Br);
      Facts.Blocks[Block].Branch = Facts.Branches.size();
      Facts.Branches.push_back(std::move(Br));
      return;
    }
  }

  /// Does every way from \p MBB on end in a trap? Such ways are as good as
  /// never taken (failed assertions; the unreachable heuristic of LLVM's
  /// BranchProbabilityInfo).
  bool endsInTrap(const MachineBasicBlock &MBB, unsigned Depth = 0) const {
    constexpr unsigned MaxDepth = 4;
    if (MBB.succ_empty())
      return none_of(MBB, [](const MachineInstr &MI) { return MI.isReturn(); });
    return Depth < MaxDepth && all_of(
                                   MBB.successors(),
                                   [&](const MachineBasicBlock *S) {
                                     return endsInTrap(*S, Depth + 1);
                                   });
  }

  void setPrior(const MachineInstr &Terminator, Branch &Br) const {
    if (Br.Indexed || Br.Targets.size() != 2)
      return;
    const MachineBasicBlock &MBB = *Terminator.getParent();
    bool Traps[2] = {false, false};
    for (const MachineBasicBlock *S : MBB.successors())
      if (endsInTrap(*S))
        Traps[BlockOf.lookup(S) == Br.Targets[0] ? 0 : 1] = true;
    if (Traps[0] == Traps[1])
      return;
    Br.TakenPrior = Traps[0] ? 0.0 : 1.0;
    Br.PriorReason = "the other side ends in a trap";
  }

  /// A jump to a block that can be placed right behind costs nothing: each
  /// block gets the most frequent such predecessor as its fall-through. A loop
  /// closed by a conditional branch out and a jump back is closed by the
  /// opposite branch instead.
  void placeFallThroughs() {
    DenseMap<uint32_t, const MachineInstr *> Best;
    auto DepthOf = [&](const MachineInstr *MI) {
      uint32_t Loop = Facts.Blocks[BlockOf[MI->getParent()]].Loop;
      return Loop == NoIndex ? 0u : Facts.Loops[Loop].Depth;
    };
    for (const MachineBasicBlock &MBB : MF)
      for (const MachineInstr &MI : MBB.terminators())
        if (Opcodes.name(MI.getOpcode()) == "GOTO") {
          uint32_t Target = BlockOf[MI.getOperand(0).getMBB()];
          bool IsBackEdge = Target <= BlockOf[&MBB];
          if (IsBackEdge && MBB.succ_size() == 2)
            Facts.Operations[OpOf[&MI]].Emits.clear();
          const MachineInstr *&Slot = Best[Target];
          if (!IsBackEdge && (!Slot || DepthOf(&MI) > DepthOf(Slot)))
            Slot = &MI;
        }
    for (auto [Target, MI] : Best)
      if (MI)
        Facts.Operations[OpOf[MI]].Emits.clear();
  }
};

} // namespace

void gpuocc::readFunction(const MachineFunction &MF, OpcodeTable &Opcodes,
                          KernelFacts &Facts) {
  Reader(MF, Opcodes, Facts).run();
}
