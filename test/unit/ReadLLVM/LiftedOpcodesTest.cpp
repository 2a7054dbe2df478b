//===- LiftedOpcodesTest.cpp - What costs something means something -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpcodeTable.h"
#include "gpuocc/Kernel/PtxSteps.h"
#include "gpuocc/ReadLLVM/DeviceTarget.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr StringLiteral Mnemonics[] = {
#define PTX_MNEMONIC(Prefix, Emits) Prefix,
#define PTX_SHUFFLE(Prefix) Prefix,
#include "../../../lib/ReadLLVM/PtxMnemonics.def"
};

/// \p Text may have a brace and declarations before the mnemonic, and more
/// behind it.
bool isLiftedOrExcepted(StringRef Text) {
  StringRef Mnemonic;
  while (Mnemonic.empty() || Mnemonic.starts_with(".")) {
    if (Text.empty())
      return false;
    auto [First, Rest] = Text.split(';');
    Mnemonic = First.ltrim(" \t\n{").split(' ').first.split('\t').first;
    Text = Rest;
  }
  // A jump with its guard.
  return Mnemonic == "@" || isEvaluatedPtx(Mnemonic.split('.').first) ||
         !whyOpaquePtx(Mnemonic).empty();
}

TEST(LiftedOpcodes, MnemonicsWithACostAreLiftedOrExcepted) {
  for (StringRef Mnemonic : Mnemonics)
    EXPECT_TRUE(isLiftedOrExcepted(Mnemonic)) << Mnemonic.str();
}

TEST(LiftedOpcodes, OpcodesOfTheBackendAreLiftedOrExcepted) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMContext Context;
  Module M("m", Context);
  M.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  Function *F =
      Function::Create(FunctionType::get(Type::getVoidTy(Context), false),
                       GlobalValue::ExternalLinkage, "f", M);
  F->addFnAttr("target-cpu", "sm_90");
  F->addFnAttr("target-features", "+ptx83");
  IRBuilder<>(BasicBlock::Create(Context, "", F)).CreateRetVoid();
  Expected<std::unique_ptr<TargetMachine>> TM = createDeviceTarget(M);
  ASSERT_TRUE(bool(TM)) << toString(TM.takeError());
  const TargetInstrInfo &TII = *(*TM)->getSubtargetImpl(*F)->getInstrInfo();
  OpcodeTable Opcodes(**TM, TII);
  unsigned NumOpaque = 0;
  for (unsigned I = 0; I != TII.getNumOpcodes(); ++I) {
    const OpcodeRule *Rule = Opcodes.find(I);
    const StringRef Mnemonic = Opcodes.mnemonic(I);
    if (!Rule || Rule->What != Semantics::Opaque || Rule->Emits.empty() ||
        Mnemonic.empty())
      continue;
    ++NumOpaque;
    EXPECT_TRUE(isLiftedOrExcepted(Mnemonic))
        << TII.getName(I).str() << " '" << Mnemonic.str() << "'";
  }
  EXPECT_GT(NumOpaque, 0u);
}

TEST(LiftedOpcodes, AnOpcodeWithoutBothIsFound) {
  EXPECT_FALSE(isLiftedOrExcepted("vnew.u32"));
}

} // namespace
