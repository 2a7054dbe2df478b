//===- AccessReader.cpp - Memory operands of machine instructions ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessReader.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace gpuocc;
using namespace llvm;

static MemorySpace spaceOf(int64_t AddressSpace) {
  switch (AddressSpace) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return MemorySpace::Global;
  case NVPTXAS::ADDRESS_SPACE_SHARED:
  case NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return MemorySpace::Shared;
  case NVPTXAS::ADDRESS_SPACE_CONST:
    return MemorySpace::Constant;
  case NVPTXAS::ADDRESS_SPACE_LOCAL:
    return MemorySpace::Local;
  case 101: // .param; NVPTXAS names it differently from release to release.
    return MemorySpace::Param;
  default:
    return MemorySpace::Generic;
  }
}

namespace {
struct IssueRow {
  MemorySpace Space;
  InstClass Load, Store, Atomic, Reduction;
};
} // namespace

static constexpr IssueRow IssueRows[] = {
    {MemorySpace::Global, InstClass::LdGlobal, InstClass::StGlobal,
     InstClass::AtomGlobal, InstClass::RedGlobal},
    {MemorySpace::Shared, InstClass::LdShared, InstClass::StShared,
     InstClass::AtomShared, InstClass::AtomShared},
    {MemorySpace::Local, InstClass::LdLocal, InstClass::StLocal,
     InstClass::AtomGlobal, InstClass::RedGlobal},
    {MemorySpace::Constant, InstClass::Ldc, InstClass::Ldc, InstClass::Ldc,
     InstClass::Ldc},
    {MemorySpace::Param, InstClass::Ldc, InstClass::StLocal, InstClass::Ldc,
     InstClass::Ldc},
    {MemorySpace::Texture, InstClass::Tex, InstClass::Tex, InstClass::Tex,
     InstClass::Tex},
    {MemorySpace::Generic, InstClass::LdGeneric, InstClass::StGeneric,
     InstClass::AtomGlobal, InstClass::RedGlobal},
};

InstClass gpuocc::issueClass(MemorySpace Space, AccessKind Kind) {
  for (const IssueRow &R : IssueRows) {
    if (R.Space != Space)
      continue;
    switch (Kind) {
    case AccessKind::Load:
      return R.Load;
    case AccessKind::Store:
      return R.Store;
    case AccessKind::Atomic:
      return R.Atomic;
    case AccessKind::Reduction:
      return R.Reduction;
    case AccessKind::AsyncCopy:
      return InstClass::CpAsync;
    }
  }
  llvm_unreachable("a memory space without a row");
}

/// The immediate operand \p Index from the end.
static int64_t immediateFromEnd(const MachineInstr &MI, unsigned Index) {
  const MachineOperand &MO =
      MI.getOperand(MI.getNumExplicitOperands() - 1 - Index);
  return MO.isImm() ? MO.getImm() : 0;
}

/// Bits of the register that the load \p Name, with operands "..., sign, width,
/// mask, base, offset", extends a signed number to; 0 for others.
static uint8_t signExtendedTo(const MachineInstr &MI, StringRef Name) {
  // NVPTX::PTXLdStInstCode: unsigned, signed, float, untyped.
  constexpr int64_t Signed = 1;
  unsigned Register = 0;
  StringRef Width = Name.substr(Name.rfind('i') + 1);
  if (immediateFromEnd(MI, 4) != Signed || Width.consumeInteger(10, Register) ||
      Register > 64 || immediateFromEnd(MI, 3) >= Register)
    return 0;
  return uint8_t(Register);
}

/// Loads and stores end in "..., address space, [sign,] width, [mask,] base,
/// offset"; ordering and scope precede the address space.
static std::optional<DecodedAccess> decodeLoadStore(const MachineInstr &MI,
                                                    StringRef Name) {
  DecodedAccess A;
  unsigned Vector = 1;
  if (size_t V = Name.rfind("_v"); V != StringRef::npos) {
    // "_v4" or "_v2i32".
    StringRef Count = Name.substr(V + 2);
    Count.consumeInteger(10, Vector);
  }
  A.BaseOperand = MI.getNumExplicitOperands() - 2;

  // Operands between the values and the address, from the end.
  unsigned WidthFromEnd = 2, SpaceFromEnd = 3;
  if (Name.starts_with("LD_i") || Name.starts_with("LDV_i")) {
    WidthFromEnd = 3, SpaceFromEnd = 5;
    A.Kind = AccessKind::Load;
  } else if (Name.starts_with("ST_i") || Name.starts_with("STV_i")) {
    A.Kind = AccessKind::Store;
    A.NumStored = Vector;
  } else if (Name.starts_with("LD_GLOBAL_NC_") ||
             Name.starts_with("LDU_GLOBAL_")) {
    A.Kind = AccessKind::Load;
    A.Space = MemorySpace::Global;
    A.NonCoherent = true;
    WidthFromEnd = 3;
  } else {
    return std::nullopt;
  }
  if (!A.NonCoherent) {
    A.Space = spaceOf(immediateFromEnd(MI, SpaceFromEnd));
    // NVPTX::Ordering: 0 is not atomic, volatile is a higher value.
    // NVPTX::Scope: 0 and 1 are a thread and a block.
    constexpr int64_t Acquire = 4, Block = 1;
    const int64_t Ordering = immediateFromEnd(MI, SpaceFromEnd + 2);
    A.Volatile = Ordering != 0;
    A.Acquires = Ordering == Acquire && A.Space != MemorySpace::Shared &&
                 immediateFromEnd(MI, SpaceFromEnd + 1) > Block;
  }
  if (A.Kind == AccessKind::Load)
    A.SignExtendedTo = signExtendedTo(MI, Name);
  A.BytesPerLane = Vector * immediateFromEnd(MI, WidthFromEnd) / 8;
  if (!A.BytesPerLane)
    A.BytesPerLane = 4;
  A.Issues = issueClass(A.Space, A.Kind);
  return A;
}

/// INT_PTX_[S]ATOM[IC]_<OP>_<type>_<space and form>: address first after the
/// result. A result that nobody reads makes ptxas emit RED.
static std::optional<DecodedAccess> decodeAtomic(const MachineInstr &MI,
                                                 StringRef Name) {
  StringRef Rest = Name;
  if (!Rest.consume_front("INT_PTX_ATOMIC_") &&
      !Rest.consume_front("INT_PTX_ATOM_") &&
      !Rest.consume_front("INT_PTX_SATOM_") && !Rest.consume_front("ATOM_"))
    return std::nullopt;
  DecodedAccess A;
  auto [Op, Suffix] = Rest.split('_');
  A.AtomicOp = Op.lower();
  A.OnFloats = Suffix.starts_with("F") || Suffix.starts_with("BF");
  A.BytesPerLane = Suffix.contains("128")  ? 16
                   : Suffix.contains("64") ? 8
                   : Suffix.contains("16") ? 2
                                           : 4;
  // The compare-and-swap names its space in an operand, others in the suffix:
  // _G global, _S shared, _GEN generic.
  A.Space = StringSwitch<MemorySpace>(Suffix.rsplit('_').second)
                .StartsWith("GEN", MemorySpace::Generic)
                .StartsWith("G", MemorySpace::Global)
                .StartsWith("S", MemorySpace::Shared)
                .StartsWith("C", MemorySpace::Shared)
                .Default(MemorySpace::Generic);
  if (A.AtomicOp == "cas" || Name.starts_with("ATOM_"))
    A.Space = spaceOf(immediateFromEnd(MI, 0));
  A.BaseOperand = MI.getNumExplicitDefs();
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  bool Unused = MI.getNumExplicitDefs() == 0 ||
                MRI.use_nodbg_empty(MI.getOperand(0).getReg());
  A.Kind = Unused && A.AtomicOp != "cas" && A.AtomicOp != "exch"
               ? AccessKind::Reduction
               : AccessKind::Atomic;
  A.Issues = issueClass(A.Space, A.Kind);
  return A;
}

static std::optional<DecodedAccess> decodeAsyncCopy(const MachineInstr &MI,
                                                    StringRef Name) {
  StringRef Rest = Name;
  const bool PastL1 = Rest.consume_front("CP_ASYNC_CG_SHARED_GLOBAL_");
  if (!PastL1 && !Rest.consume_front("CP_ASYNC_CA_SHARED_GLOBAL_"))
    return std::nullopt;
  DecodedAccess A;
  A.Kind = AccessKind::AsyncCopy;
  A.Space = MemorySpace::Global;
  A.Volatile = PastL1;
  Rest.split('_').first.getAsInteger(10, A.BytesPerLane);
  A.SharedBaseOperand = MI.getNumExplicitDefs();
  A.BaseOperand = A.SharedBaseOperand + 2;
  A.Issues = InstClass::CpAsync;
  return A;
}

uint8_t gpuocc::lanesOfMatrices(StringRef Name) {
  constexpr uint8_t RowsOfMatrix = 8;
  return RowsOfMatrix * (Name.contains("x4") ? 4 : Name.contains("x2") ? 2 : 1);
}

/// Each lane gives the address of one 16-byte row.
static std::optional<DecodedAccess> decodeLdMatrix(const MachineInstr &MI,
                                                   StringRef Name) {
  bool IsLoad = Name.starts_with("ldmatrix");
  if (!IsLoad && !Name.starts_with("stmatrix"))
    return std::nullopt;
  DecodedAccess A;
  A.Kind = IsLoad ? AccessKind::Load : AccessKind::Store;
  A.Space = MemorySpace::Shared;
  A.BytesPerLane = 16;
  A.AddressLanes = lanesOfMatrices(Name);
  A.BaseOperand = MI.getNumExplicitDefs();
  A.Issues = IsLoad ? InstClass::LdMatrix : InstClass::StMatrix;
  return A;
}

std::optional<DecodedAccess> gpuocc::decodeAccess(const MachineInstr &MI,
                                                  StringRef Name) {
  for (auto *Decode :
       {decodeLoadStore, decodeAtomic, decodeAsyncCopy, decodeLdMatrix})
    if (std::optional<DecodedAccess> A = Decode(MI, Name)) {
      if (A->BaseOperand + 1 >= MI.getNumOperands())
        return std::nullopt;
      return A;
    }
  return std::nullopt;
}
