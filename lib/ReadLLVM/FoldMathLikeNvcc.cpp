//===- FoldMathLikeNvcc.cpp - Mathematical functions of constants ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChangeEach.h"
#include "gpuocc/ReadLLVM/LikeNvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include <cmath>
#include <cstdlib>
#include <optional>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A function of the C library that nvcc 13.0 computes where its arguments are
/// constants. It does not for log2, exp10, erf, cbrt, hypot and the like, nor
/// for the overloads of <cmath> for floats.
struct FoldedFunction {
  StringLiteral Name;
  double (*OfOne)(double) = nullptr;
  double (*OfTwo)(double, double) = nullptr;
};

constexpr FoldedFunction FoldedFunctions[] = {
    {"acos", std::acos},
    {"asin", std::asin},
    {"atan", std::atan},
    {"cos", std::cos},
    {"cosh", std::cosh},
    {"exp", std::exp},
    {"exp2", std::exp2},
    {"log", std::log},
    {"log10", std::log10},
    {"sin", std::sin},
    {"sinh", std::sinh},
    {"sqrt", std::sqrt},
    {"tan", std::tan},
    {"tanh", std::tanh},
    {"atan2", nullptr, std::atan2},
    {"fmod", nullptr, std::fmod},
    {"pow", nullptr, std::pow},
};

} // namespace

/// The name of the C library that \p F has: without the f of those for floats,
/// and empty for overloads for other types.
static StringRef nameInLibrary(const Function &F, std::string &Buffer) {
  ItaniumPartialDemangler Demangler;
  const std::string Mangled = F.getName().str();
  if (Demangler.partialDemangle(Mangled.c_str()) || !Demangler.isFunction())
    return "";
  char *Base = Demangler.getFunctionBaseName(nullptr, nullptr);
  if (!Base)
    return "";
  Buffer = Base;
  std::free(Base);
  StringRef Name = Buffer;
  if (F.getReturnType()->isFloatTy() && !Name.consume_back("f"))
    return "";
  return Name;
}

/// What \p Name gives for \p Arguments; nothing if nvcc calls it.
static std::optional<double> folded(StringRef Name,
                                    ArrayRef<double> Arguments) {
  const auto *Found = find_if(
      FoldedFunctions, [&](const FoldedFunction &F) { return F.Name == Name; });
  if (Found == std::end(FoldedFunctions))
    return std::nullopt;
  double Value = NAN;
  if (Found->OfOne && Arguments.size() == 1)
    Value = Found->OfOne(Arguments[0]);
  else if (Found->OfTwo && Arguments.size() == 2)
    Value = Found->OfTwo(Arguments[0], Arguments[1]);
  if (!std::isfinite(Value))
    return std::nullopt;
  return Value;
}

static bool fold(CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  Type *Ty = Call.getType();
  // Those that clang's headers define come from libdevice.
  if (!F || !F->hasLocalLinkage() || !(Ty->isFloatTy() || Ty->isDoubleTy()))
    return false;
  SmallVector<double, 2> Arguments;
  for (const Value *Argument : Call.args()) {
    const auto *Number = dyn_cast<ConstantFP>(Argument);
    if (!Number || Number->getType() != Ty)
      return false;
    Arguments.push_back(Number->getValueAPF().convertToDouble());
  }
  std::string Buffer;
  const std::optional<double> Value =
      folded(nameInLibrary(*F, Buffer), Arguments);
  if (!Value)
    return false;
  Call.replaceAllUsesWith(ConstantFP::get(Ty, *Value));
  Call.eraseFromParent();
  return true;
}

PreservedAnalyses FoldMathLikeNvccPass::run(Function &F,
                                            FunctionAnalysisManager &) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  return changeEach<CallInst>(F, fold);
}
