//===- KnownModule.cpp - Device code that was read before -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownModule.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral MetadataName = "gpuocc.fingerprint";

/// Equal for modules of the same code at the same places.
static std::string fingerprintOf(const Module &M) {
  SmallString<0> Bitcode;
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  const XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Bitcode.str()));
  return utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
         utohexstr(Hash.low64, /*LowerCase=*/true, 16);
}

/// Leaves declarations only. False where other symbols name functions.
static bool removeCode(Module &M) {
  if (!M.alias_empty() || !M.ifunc_empty())
    return false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    F.deleteBody();
    F.setComdat(nullptr);
  }
  return true;
}

PreservedAnalyses FingerprintPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isDeviceModule(M))
    return PreservedAnalyses::all();
  const std::string Fingerprint = fingerprintOf(M);
  const bool IsRemoved = Fingerprint == Known && removeCode(M);
  LLVMContext &Context = M.getContext();
  M.getOrInsertNamedMetadata(MetadataName)
      ->addOperand(MDNode::get(Context, MDString::get(Context, Fingerprint)));
  return IsRemoved ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

std::string gpuocc::notedFingerprint(const Module &M) {
  const NamedMDNode *Noted = M.getNamedMetadata(MetadataName);
  if (!Noted || Noted->getNumOperands() == 0)
    return "";
  return cast<MDString>(Noted->getOperand(0)->getOperand(0))->getString().str();
}
