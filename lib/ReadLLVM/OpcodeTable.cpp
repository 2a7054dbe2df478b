//===- OpcodeTable.cpp - What each NVPTX machine opcode is ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpcodeTable.h"
#include "AsmStatement.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct Row {
  StringRef Prefix;
  Semantics What;
  uint8_t Bits, FromBits;
  StringRef Emits;
};
} // namespace

static constexpr Row ByName[] = {
#define PTX_OPCODE(Prefix, What, Bits, FromBits, Emits)                        \
  {Prefix, Semantics::What, Bits, FromBits, Emits},
#include "PtxOpcodes.def"
};

static constexpr Row ByMnemonic[] = {
#define PTX_MNEMONIC(Prefix, Emits) {Prefix, Semantics::Opaque, 32, 0, Emits},
#define PTX_SHUFFLE(Prefix) {Prefix, Semantics::Shuffle, 32, 0, "shfl"},
#include "PtxMnemonics.def"
};

template <size_t N>
static const Row *longestPrefix(const Row (&Rows)[N], StringRef Name) {
  const Row *Best = nullptr;
  for (const Row &R : Rows)
    if (Name.starts_with(R.Prefix) &&
        (!Best || R.Prefix.size() > Best->Prefix.size()))
      Best = &R;
  return Best;
}

SmallVector<Emission, 4> gpuocc::parseEmissions(StringRef Text) {
  SmallVector<Emission, 4> Result;
  SmallVector<StringRef, 8> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    auto [Key, Numbers] = Word.split('*');
    auto [Count, OnPath] = Numbers.split('/');
    std::optional<InstClass> Class = parseInstClass(Key);
    assert(Class && "PtxOpcodes.def names an unknown instruction class");
    double N = 1, P = 1;
    if (!Count.empty()) {
      Count.getAsDouble(N);
      P = N;
    }
    if (!OnPath.empty())
      OnPath.getAsDouble(P);
    Result.push_back({*Class, float(N), float(P)});
  }
  return Result;
}

OpcodeTable::OpcodeTable(const TargetMachine &TM, const TargetInstrInfo &TII)
    : TM(TM), TII(TII),
      Printer(TM.getTarget().createMCInstPrinter(
          TM.getTargetTriple(), /*SyntaxVariant=*/0, *TM.getMCAsmInfo(),
          *TM.getMCInstrInfo(), *TM.getMCRegisterInfo())) {}

OpcodeTable::~OpcodeTable() = default;

StringRef OpcodeTable::mnemonic(unsigned Opcode) const {
  if (!Printer)
    return "";
  MCInst Inst;
  Inst.setOpcode(Opcode);
  const char *Text = Printer->getMnemonic(Inst).first;
  return Text ? StringRef(Text).trim() : "";
}

/// The printed instruction up to its operands. The mnemonic of LLVM ends where
/// the first operand decides about a qualifier, so operands are made up: any
/// number is a recent version of PTX.
std::string OpcodeTable::qualifiedMnemonic(unsigned Opcode) const {
  constexpr int64_t SomePtxVersion = 80;
  MCInst Inst;
  Inst.setOpcode(Opcode);
  for (unsigned I = 0, E = TII.get(Opcode).getNumOperands(); I != E; ++I)
    Inst.addOperand(MCOperand::createImm(SomePtxVersion));
  std::string Text;
  raw_string_ostream OS(Text);
  Printer->printInst(&Inst, /*Address=*/0, /*Annot=*/"",
                     *TM.getMCSubtargetInfo(), OS);
  return StringRef(Text).trim().split(' ').first.split('\t').first.str();
}

StringRef OpcodeTable::name(unsigned Opcode) {
  StringRef Name = TII.getName(Opcode);
  if (!Name.starts_with("anonymous_"))
    return Name;
  Name = mnemonic(Opcode);
  if (!Name.starts_with("wmma."))
    return Name;
  std::unique_ptr<std::string> &Full = Qualified[Opcode];
  if (!Full)
    Full = std::make_unique<std::string>(qualifiedMnemonic(Opcode));
  return *Full;
}

/// The place of a field that is known while assembling, as a word behind the
/// first of the mnemonic; empty for others.
static StringRef fieldWord(StringRef Operands) {
  constexpr unsigned ByteBits = 8, HalfBits = 16;
  SmallVector<StringRef, 5> Parts;
  Operands.split(Parts, ',');
  unsigned At = 0, Length = 0;
  if (Parts.size() < 4 || Parts[Parts.size() - 2].trim().getAsInteger(0, At) ||
      Parts.back().trim().getAsInteger(0, Length))
    return "";
  const bool IsBytes =
      At % ByteBits == 0 && (Length == ByteBits || Length == HalfBits);
  return IsBytes || At == 0 ? ".aligned" : ".constant";
}

/// What rows of PtxMnemonics.def are looked up by: comparisons without what
/// they compare for, matrix products without their layout.
static std::string keyOf(StringRef Mnemonic, StringRef Operands = "") {
  static constexpr StringRef Layout[] = {"sync", "aligned", "row", "col",
                                         "satfinite"};
  auto [First, Rest] = Mnemonic.split('.');
  if (First == "bfi")
    return (First + fieldWord(Operands) + "." + Rest).str();
  if (First == "setp" || First == "set")
    return (First + "." + Rest.rsplit('.').second).str();
  if (First != "mma" && First != "wgmma" && !Mnemonic.starts_with("wmma.mma."))
    return Mnemonic.str();
  SmallVector<StringRef, 12> Words = mnemonicWords(Mnemonic);
  erase_if(Words, [](StringRef W) { return is_contained(Layout, W); });
  return join(Words, ".");
}

std::optional<SmallVector<Emission, 4>>
gpuocc::emissionsOfMnemonic(StringRef Mnemonic, StringRef Operands) {
  if (const Row *R = longestPrefix(ByMnemonic, keyOf(Mnemonic, Operands)))
    return parseEmissions(R->Emits);
  return std::nullopt;
}

const OpcodeRule *OpcodeTable::find(unsigned Opcode) {
  auto [It, Inserted] = Cache.try_emplace(Opcode);
  if (!Inserted)
    return It->second.get();
  StringRef Name = TII.getName(Opcode);
  const Row *R = Name.starts_with("anonymous_")
                     ? longestPrefix(ByMnemonic, keyOf(name(Opcode)))
                     : longestPrefix(ByName, Name);
  // Mnemonics that an operand decides about are no more than a word here.
  if (const StringRef Mnemonic = mnemonic(Opcode);
      !R && Mnemonic.contains('.') && isEvaluatedPtx(Mnemonic.split('.').first))
    R = longestPrefix(ByMnemonic, keyOf(Mnemonic));
  if (R)
    It->second = std::make_unique<OpcodeRule>(
        OpcodeRule{R->What, R->Bits, R->FromBits, parseEmissions(R->Emits)});
  return It->second.get();
}

/// Are there steps for instructions that begin with the mnemonic of \p Opcode?
bool OpcodeTable::mayHaveSteps(unsigned Opcode) {
  auto [It, Inserted] = HasSteps.try_emplace(Opcode, false);
  if (Inserted) {
    const OpcodeRule *Rule = find(Opcode);
    It->second = Rule && Rule->What == Semantics::Opaque &&
                 isEvaluatedPtx(mnemonic(Opcode).split('.').first);
  }
  return It->second;
}

std::optional<PtxBlock> OpcodeTable::steps(const MachineInstr &MI) {
  if (MI.isPseudo() || MI.mayLoadOrStore() || MI.getNumExplicitDefs() == 0 ||
      !mayHaveSteps(MI.getOpcode()))
    return std::nullopt;
  // Operands are printed as numbers that nothing else has.
  constexpr int64_t FirstNumber = 7310000;
  MCInst Inst;
  Inst.setOpcode(MI.getOpcode());
  for (unsigned I = 0, E = MI.getNumExplicitOperands(); I != E; ++I)
    Inst.addOperand(MCOperand::createImm(MI.getOperand(I).isImm()
                                             ? MI.getOperand(I).getImm()
                                             : FirstNumber + I));
  std::string Text;
  raw_string_ostream OS(Text);
  Printer->printInst(&Inst, /*Address=*/0, /*Annot=*/"",
                     *TM.getMCSubtargetInfo(), OS);
  for (unsigned I = 0, E = MI.getNumExplicitOperands(); I != E; ++I) {
    const std::string Number = std::to_string(FirstNumber + I);
    for (size_t At; (At = Text.find(Number)) != std::string::npos;)
      Text.replace(At, Number.size(), "$" + std::to_string(I));
  }
  PtxBlock Block = readPtxBlock(Text);
  if (!Block.isLifted())
    return std::nullopt;
  return Block;
}
