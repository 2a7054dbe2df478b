//===- FunctionMap.cpp - Machine code and the facts made of it ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionMap.h"
#include "AsmAccess.h"
#include "AsmStatement.h"
#include "FragmentReader.h"
#include "OpcodeTable.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Constants.h"

using namespace gpuocc;
using namespace llvm;

static bool isCode(const MachineInstr &MI) {
  return !MI.isDebugInstr() && !MI.isCFIInstruction() &&
         !MI.isLifetimeMarker() && !MI.isImplicitDef() && !MI.isKill();
}

/// The steps of inline assembly, or of an instruction whose opcode has no row
/// of Semantics.def; nothing where they say no more than one opaque operation.
static std::optional<PtxBlock> stepsOf(const MachineInstr &MI,
                                       OpcodeTable &Opcodes) {
  if (!MI.isInlineAsm())
    return Opcodes.steps(MI);
  const StringRef Text = MI.getOperand(0).getSymbolName();
  if (waitsForGroups(Text) || decodeAsmAccess(MI))
    return std::nullopt;
  PtxBlock Block = readPtxBlock(Text);
  if (!Block.isLifted() || Block.Steps.empty())
    return std::nullopt;
  return Block;
}

/// Operations that the steps of one function add: what reading costs grows with
/// their number, and a video instruction has some forty.
static constexpr size_t MostSteps = 16384;

FunctionMap::FunctionMap(const MachineFunction &MF, OpcodeTable &Opcodes,
                         KernelFacts &Facts)
    : Registers(MF.getRegInfo()), Symbols(MF, Facts) {
  size_t NumSteps = 0;
  for (const MachineBasicBlock &MBB : MF) {
    Blocks[&MBB] = Facts.Blocks.size();
    gpuocc::BasicBlock B;
    B.Name = ("bb." + Twine(MBB.getNumber())).str();
    B.FirstOp = Facts.Operations.size();
    for (const MachineInstr &MI : MBB) {
      if (!isCode(MI))
        continue;
      // What a fragment access is taken apart into comes before it.
      if (std::optional<FragmentAccess> F =
              decodeFragment(MI, Opcodes.name(MI.getOpcode())))
        Facts.Operations.resize(Facts.Operations.size() +
                                numFragmentOperations(*F));
      else if (std::optional<PlacedAccess> Placed = placedAccessOf(MI))
        Facts.Operations.resize(Facts.Operations.size() +
                                numPlaceOperations(*Placed));
      else if (std::optional<PtxBlock> Block = ::stepsOf(MI, Opcodes);
               Block && (NumSteps += Block->Steps.size() - 1) <= MostSteps) {
        Facts.Operations.resize(Facts.Operations.size() + Block->Steps.size() -
                                1);
        Steps[&MI] = std::make_unique<PtxBlock>(std::move(*Block));
      }
      Operations[&MI] = Facts.Operations.size();
      Facts.Operations.emplace_back();
    }
    B.NumOps = Facts.Operations.size() - B.FirstOp;
    Facts.Blocks.push_back(std::move(B));
  }
  if (NumSteps > MostSteps)
    Facts.Gaps.push_back(
        {NoIndex, "PTX instructions beyond the first " +
                      std::to_string(MostSteps) +
                      " steps that they are evaluated in: their results are "
                      "not followed"});
}

uint32_t FunctionMap::firstStep(const MachineInstr &MI) const {
  return operationOf(MI) + 1 - uint32_t(Steps.at(&MI)->Steps.size());
}

/// The number of `$N` in the text of \p MI that defines \p Reg.
static std::optional<unsigned> argumentOf(const MachineInstr &MI,
                                          Register Reg) {
  for (unsigned I = 0; I != MI.getNumOperands(); ++I) {
    std::optional<unsigned> At = MI.isInlineAsm() ? asmOperand(MI, I) : I;
    if (!At || *At >= MI.getNumOperands() || !MI.getOperand(*At).isReg() ||
        !MI.getOperand(*At).isDef())
      break;
    if (MI.getOperand(*At).getReg() == Reg)
      return I;
  }
  return std::nullopt;
}

Operand FunctionMap::operand(const MachineInstr &MI, const PtxRef &Ref) {
  switch (Ref.K) {
  case PtxRef::Kind::Step:
    return Operand::value(firstStep(MI) + Ref.Index, Ref.Result);
  case PtxRef::Kind::Number:
    return Operand::immediate(Ref.Number);
  case PtxRef::Kind::Unknown:
    return Operand();
  case PtxRef::Kind::Argument:
    break;
  }
  std::optional<unsigned> At =
      MI.isInlineAsm() ? asmOperand(MI, Ref.Index) : Ref.Index;
  if (!At || *At >= MI.getNumOperands())
    return Operand();
  const MachineOperand &MO = MI.getOperand(*At);
  if (!MO.isReg() || !MO.isDef())
    return operand(MO);
  // Read and written ("+r").
  return MO.isTied() ? operand(MI.getOperand(MI.findTiedOperandIdx(*At)))
                     : Operand();
}

Operand FunctionMap::ofRegister(Register Reg) const {
  if (!Reg.isVirtual())
    return Operand();
  const MachineInstr *Def = Registers.getUniqueVRegDef(Reg);
  auto It = Operations.find(Def);
  if (It == Operations.end())
    return Operand();
  if (const PtxBlock *Block = stepsOf(*Def)) {
    const std::optional<unsigned> Argument = argumentOf(*Def, Reg);
    const PtxRef *Ref = Argument ? Block->result(*Argument) : nullptr;
    return Ref ? Operand::value(firstStep(*Def) + Ref->Index, Ref->Result)
               : Operand();
  }
  uint8_t Result = 0;
  for (const MachineOperand &MO : Def->all_defs()) {
    if (MO.getReg() == Reg)
      return Operand::value(It->second, Result);
    ++Result;
  }
  return Operand();
}

Operand FunctionMap::operand(const MachineOperand &MO) {
  switch (MO.getType()) {
  case MachineOperand::MO_Register:
    return ofRegister(MO.getReg());
  case MachineOperand::MO_Immediate:
    return Operand::immediate(MO.getImm());
  case MachineOperand::MO_CImmediate:
    return Operand::immediate(MO.getCImm()->getSExtValue());
  case MachineOperand::MO_FPImmediate: {
    APInt Bits = MO.getFPImm()->getValueAPF().bitcastToAPInt();
    return Bits.getBitWidth() <= 64
               ? Operand::immediate(int64_t(Bits.getZExtValue()))
               : Operand();
  }
  case MachineOperand::MO_GlobalAddress:
    return Operand::symbol(Symbols.ofVariable(*MO.getGlobal()));
  case MachineOperand::MO_FrameIndex: {
    uint32_t Symbol = Symbols.ofStackObject(MO.getIndex());
    return Symbol == NoIndex ? Operand() : Operand::symbol(Symbol);
  }
  default:
    return Operand();
  }
}
