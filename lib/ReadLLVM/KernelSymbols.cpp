//===- KernelSymbols.cpp - Memory that a kernel names ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSymbols.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace gpuocc;
using namespace llvm;

KernelSymbols::KernelSymbols(const MachineFunction &MF, KernelFacts &Facts)
    : Layout(MF.getDataLayout()), Facts(Facts) {
  addStackObjects(MF.getFrameInfo());
}

void KernelSymbols::addStackObjects(const MachineFrameInfo &Frame) {
  uint64_t Offset = 0;
  for (int I = 0, E = Frame.getObjectIndexEnd(); I < E; ++I) {
    Symbol S;
    S.Name = ("stack." + Twine(I)).str();
    S.Space = MemorySpace::Local;
    S.SizeBytes = Frame.getObjectSize(I);
    S.AlignBytes = Frame.getObjectAlign(I).value();
    S.OffsetBytes = Offset = alignTo(Offset, Align(S.AlignBytes));
    Offset += S.SizeBytes;
    StackObjects[I] = Facts.Symbols.size();
    Facts.Symbols.push_back(std::move(S));
  }
}

uint32_t KernelSymbols::ofStackObject(int FrameIndex) const {
  auto It = StackObjects.find(FrameIndex);
  return It == StackObjects.end() ? NoIndex : It->second;
}

static MemorySpace spaceOf(const GlobalValue &GV) {
  switch (GV.getAddressSpace()) {
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return MemorySpace::Shared;
  case NVPTXAS::ADDRESS_SPACE_CONST:
    return MemorySpace::Constant;
  default:
    return MemorySpace::Global;
  }
}

/// The bytes of \p Init, two hexadecimal digits each; empty where they are not
/// known, all zero, or more than constant memory has.
static std::string contentsOf(Constant *Init, uint64_t SizeBytes,
                              const DataLayout &Layout) {
  constexpr uint64_t MostBytes = 64 << 10;
  constexpr unsigned OffsetBits = 64;
  std::string Digits;
  if (Init->isNullValue() || isa<UndefValue>(Init) || SizeBytes > MostBytes)
    return Digits;
  Type *Byte = Type::getInt8Ty(Init->getContext());
  for (uint64_t At = 0; At != SizeBytes; ++At) {
    const auto *Value = dyn_cast_or_null<ConstantInt>(
        ConstantFoldLoadFromConst(Init, Byte, APInt(OffsetBits, At), Layout));
    if (!Value)
      return std::string();
    Digits += toHex(uint8_t(Value->getZExtValue()), /*LowerCase=*/true);
  }
  return Digits;
}

uint32_t KernelSymbols::ofVariable(const GlobalValue &GV) {
  auto [It, Inserted] = Variables.try_emplace(&GV, Facts.Symbols.size());
  if (!Inserted)
    return It->second;
  Symbol S;
  S.Name = GV.getName().str();
  S.Space = spaceOf(GV);
  Type *Ty = GV.getValueType();
  S.SizeBytes = Ty->isSized() ? Layout.getTypeAllocSize(Ty).getFixedValue() : 0;
  if (const auto *Var = dyn_cast<GlobalVariable>(&GV))
    S.AlignBytes = Var->getAlign().value_or(Align(1)).value();
  if (S.Space == MemorySpace::Shared)
    placeInShared(GV, S);
  else if (const auto *Var = dyn_cast<GlobalVariable>(&GV);
           Var && Var->hasInitializer()) {
    S.Contents = contentsOf(const_cast<Constant *>(Var->getInitializer()),
                            S.SizeBytes, Layout);
    S.IsReadOnly = Var->isConstant();
  }
  Facts.Symbols.push_back(std::move(S));
  return It->second;
}

void KernelSymbols::placeInShared(const GlobalValue &GV, Symbol &S) {
  S.IsDynamicShared = S.SizeBytes == 0 || GV.isDeclaration();
  if (S.IsDynamicShared) {
    Facts.UsesDynamicShared = true;
    return;
  }
  S.OffsetBytes = alignTo(Facts.StaticSharedBytes, Align(S.AlignBytes));
  Facts.StaticSharedBytes = S.OffsetBytes + S.SizeBytes;
}

uint32_t KernelSymbols::ofParameters() {
  if (!Parameters) {
    Parameters = Facts.Symbols.size();
    Symbol S;
    S.Name = "kernel parameters";
    S.Space = MemorySpace::Param;
    if (!Facts.Parameters.empty())
      S.SizeBytes = Facts.Parameters.back().OffsetBytes +
                    Facts.Parameters.back().SizeBytes;
    Facts.Symbols.push_back(std::move(S));
  }
  return *Parameters;
}

std::optional<int64_t> KernelSymbols::parameterOffset(StringRef Name) const {
  auto [Prefix, Number] = Name.rsplit("_param_");
  unsigned Index;
  if (Number.getAsInteger(10, Index) || Index >= Facts.Parameters.size())
    return std::nullopt;
  return Facts.Parameters[Index].OffsetBytes;
}
