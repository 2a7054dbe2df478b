//===- DeviceTarget.cpp - A code generator for a device module ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadLLVM/DeviceTarget.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

using namespace gpuocc;
using namespace llvm;

Expected<std::unique_ptr<TargetMachine>>
gpuocc::createDeviceTarget(const Module &M) {
  std::string Why;
  const Triple &T = M.getTargetTriple();
  const Target *Found = TargetRegistry::lookupTarget(T, Why);
  if (!Found)
    return createStringError(Why);
  StringRef Cpu, Features;
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasFnAttribute("target-cpu")) {
      Cpu = F.getFnAttribute("target-cpu").getValueAsString();
      Features = F.getFnAttribute("target-features").getValueAsString();
      break;
    }
  std::unique_ptr<TargetMachine> TM(Found->createTargetMachine(
      T, Cpu, Features, TargetOptions(), std::nullopt, std::nullopt,
      CodeGenOptLevel::Aggressive));
  if (!TM)
    return createStringError("no code generator for '" + T.str() + "'");
  return TM;
}
