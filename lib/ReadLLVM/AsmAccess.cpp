//===- AsmAccess.cpp - Memory operands of inline assembly -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmAccess.h"
#include "AsmStatement.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace gpuocc;
using namespace llvm;

std::optional<unsigned> gpuocc::asmOperand(const MachineInstr &MI,
                                           unsigned Index) {
  unsigned Group = 0;
  for (unsigned I = InlineAsm::MIOp_FirstOperand;
       I < MI.getNumOperands() && MI.getOperand(I).isImm();) {
    InlineAsm::Flag Flag(MI.getOperand(I).getImm());
    if (Group++ == Index)
      return Flag.getNumOperandRegisters() == 1 ? std::optional(I + 1)
                                                : std::nullopt;
    I += 1 + Flag.getNumOperandRegisters();
  }
  return std::nullopt;
}

/// Bits of a PTX type: "u8", "f32", "b128", "bf16x2".
static unsigned bitsOfType(StringRef Type) {
  unsigned Bits = 0, Parts = 1;
  Type = Type.drop_while(isAlpha);
  if (Type.consumeInteger(10, Bits) ||
      (Type.consume_front("x") && Type.consumeInteger(10, Parts)))
    return 0;
  return Bits * Parts;
}

/// The operation of `atom` or `red` among the words of the mnemonic.
static StringRef atomicOpAmong(ArrayRef<StringRef> Words) {
  static constexpr StringRef Ops[] = {"add", "min", "max", "and", "or",
                                      "xor", "inc", "dec", "cas", "exch"};
  const auto *Op =
      find_if(Words, [&](StringRef Word) { return is_contained(Ops, Word); });
  return Op == Words.end() ? StringRef() : *Op;
}

/// Whether something reads what the inline assembly \p MI defines.
static bool isResultUsed(const MachineInstr &MI) {
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  return any_of(MI.all_defs(), [&](const MachineOperand &Def) {
    return !MRI.use_nodbg_empty(Def.getReg());
  });
}

namespace {
/// "[$1]" or "[$1+16]" in the text of inline assembly.
struct AsmAddress {
  unsigned Operand = 0;
  int64_t OffsetBytes = 0;
};
} // namespace

/// The next address in \p Rest, which is then what follows it.
static std::optional<AsmAddress> takeAddress(const MachineInstr &MI,
                                             StringRef &Rest) {
  size_t Open = Rest.find('['), Close = Rest.find(']');
  if (Open == StringRef::npos || Close == StringRef::npos || Close < Open)
    return std::nullopt;
  auto [Base, Offset] = Rest.slice(Open + 1, Close).split('+');
  Rest = Rest.drop_front(Close + 1);
  AsmAddress A;
  unsigned Index = 0;
  if (!Base.trim().consume_front("$") ||
      Base.trim().drop_front().getAsInteger(10, Index) ||
      (!Offset.empty() && Offset.trim().getAsInteger(0, A.OffsetBytes)))
    return std::nullopt;
  std::optional<unsigned> Operand = asmOperand(MI, Index);
  if (!Operand)
    return std::nullopt;
  A.Operand = *Operand;
  return A;
}

std::optional<int64_t> gpuocc::asmNumber(const MachineInstr &MI,
                                         StringRef Text) {
  Text = Text.trim();
  int64_t Number = 0;
  unsigned Index = 0;
  if (!Text.getAsInteger(10, Number))
    return Number;
  if (!Text.consume_front("$") || Text.getAsInteger(10, Index))
    return std::nullopt;
  std::optional<unsigned> Operand = asmOperand(MI, Index);
  if (!Operand || !MI.getOperand(*Operand).isImm())
    return std::nullopt;
  return MI.getOperand(*Operand).getImm();
}

/// Each lane gives the address of one 16-byte row.
static std::optional<DecodedAccess>
decodeAsmMatrix(const MachineInstr &MI, StringRef Mnemonic, StringRef Rest) {
  const bool IsLoad = Mnemonic.starts_with("ld");
  std::optional<AsmAddress> Address = takeAddress(MI, Rest);
  if (!Address)
    return std::nullopt;
  DecodedAccess A;
  A.Kind = IsLoad ? AccessKind::Load : AccessKind::Store;
  A.Space = MemorySpace::Shared;
  A.BytesPerLane = 16;
  A.AddressLanes = lanesOfMatrices(Mnemonic);
  A.HasOffsetOperand = false;
  A.BaseOperand = Address->Operand;
  A.TextOffsetBytes = Address->OffsetBytes;
  A.Issues = IsLoad ? InstClass::LdMatrix : InstClass::StMatrix;
  return A;
}

/// "cp.async.cg.shared.global [to], [from], 16": \p Rest is what follows the
/// mnemonic. L1 serves no copy \p PastL1.
static std::optional<DecodedAccess>
decodeAsmAsyncCopy(const MachineInstr &MI, bool PastL1, StringRef Rest) {
  std::optional<AsmAddress> To = takeAddress(MI, Rest);
  std::optional<AsmAddress> From = takeAddress(MI, Rest);
  if (!To || !From || !Rest.consume_front(","))
    return std::nullopt;
  std::optional<int64_t> Bytes = asmNumber(MI, Rest.split(',').first);
  if (!Bytes || *Bytes <= 0)
    return std::nullopt;
  DecodedAccess A;
  A.Kind = AccessKind::AsyncCopy;
  A.Space = MemorySpace::Global;
  A.Volatile = PastL1;
  A.BytesPerLane = unsigned(*Bytes);
  A.HasOffsetOperand = false;
  A.SharedBaseOperand = To->Operand;
  A.SharedTextOffsetBytes = To->OffsetBytes;
  A.BaseOperand = From->Operand;
  A.TextOffsetBytes = From->OffsetBytes;
  A.Issues = InstClass::CpAsync;
  return A;
}

/// What `ld`, `st`, `atom` or `red` with the qualifiers \p Words accesses,
/// without its address.
static std::optional<DecodedAccess>
decodeAsmQualifiers(const MachineInstr &MI, ArrayRef<StringRef> Words) {
  DecodedAccess A;
  A.HasOffsetOperand = false;
  if (Words[0] == "ld") {
    A.Kind = AccessKind::Load;
  } else if (Words[0] == "st") {
    A.Kind = AccessKind::Store;
  } else if (Words[0] == "atom" || Words[0] == "red") {
    A.AtomicOp = atomicOpAmong(Words).str();
    A.OnFloats =
        Words.back().starts_with("f") || Words.back().starts_with("bf");
    A.Kind = isResultUsed(MI) || A.AtomicOp == "cas" || A.AtomicOp == "exch"
                 ? AccessKind::Atomic
                 : AccessKind::Reduction;
    if (A.AtomicOp.empty())
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  unsigned Vector = 1;
  for (StringRef Word : drop_begin(Words)) {
    A.Space = StringSwitch<MemorySpace>(Word)
                  .Case("global", MemorySpace::Global)
                  .Cases({"shared", "shared::cta", "shared::cluster"},
                         MemorySpace::Shared)
                  .Case("local", MemorySpace::Local)
                  .Case("const", MemorySpace::Constant)
                  .Default(A.Space);
    A.NonCoherent |= Word == "nc";
    A.Volatile |= Word == "volatile" || Word == "relaxed" ||
                  Word == "acquire" || Word == "release" || Word == "mmio";
    Vector = StringSwitch<unsigned>(Word).Case("v2", 2).Case("v4", 4).Default(
        Vector);
  }
  A.BytesPerLane = Vector * bitsOfType(Words.back()) / 8;
  if (A.BytesPerLane == 0)
    return std::nullopt;
  auto Orders = [&](StringRef Order) {
    return (is_contained(Words, Order) || is_contained(Words, "acq_rel")) &&
           !is_contained(Words, "cta") && A.Space != MemorySpace::Shared;
  };
  A.Releases = Orders("release");
  A.Acquires = Orders("acquire");
  A.Volatile |= A.Releases;
  A.Issues = issueClass(A.Space, A.Kind);
  return A;
}

/// The one statement of \p MI; without a mnemonic where there are several.
static AsmStatement onlyStatement(const MachineInstr &MI) {
  StringRef Text = MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
  Text = Text.trim(" \t\n").rtrim(";");
  if (Text.consume_front("{"))
    Text = Text.rtrim(" \t\n;}");
  return Text.contains(';') ? AsmStatement() : parseAsmStatement(Text);
}

std::optional<unsigned> gpuocc::asmOperandAt(const MachineInstr &MI,
                                             StringRef Text) {
  unsigned Index = 0;
  Text = Text.trim();
  if (!Text.consume_front("$") || Text.consumeInteger(10, Index))
    return std::nullopt;
  return asmOperand(MI, Index);
}

std::optional<PlacedAccess> gpuocc::placedAccessOf(const MachineInstr &MI) {
  if (!MI.isInlineAsm())
    return std::nullopt;
  return decodePlacedAccess(onlyStatement(MI));
}

std::optional<DecodedAccess> gpuocc::decodeAsmAccess(const MachineInstr &MI) {
  const AsmStatement S = onlyStatement(MI);
  if (S.Mnemonic.empty() || !S.Guard.empty())
    return std::nullopt;
  StringRef Rest = S.Operands;
  if (S.Mnemonic.starts_with("cp.async.ca.shared") ||
      S.Mnemonic.starts_with("cp.async.cg.shared"))
    return decodeAsmAsyncCopy(MI, S.Mnemonic.starts_with("cp.async.cg"), Rest);
  if (S.Mnemonic.starts_with("ldmatrix") || S.Mnemonic.starts_with("stmatrix"))
    return decodeAsmMatrix(MI, S.Mnemonic, Rest);
  std::optional<DecodedAccess> A =
      decodeAsmQualifiers(MI, mnemonicWords(S.Mnemonic));
  std::optional<AsmAddress> Address = takeAddress(MI, Rest);
  if (!A || !Address)
    return std::nullopt;
  A->BaseOperand = Address->Operand;
  A->TextOffsetBytes = Address->OffsetBytes;
  return A;
}
