//===- RaisedLimits.cpp - Limits of kernels that host code raises ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaisedLimits.h"
#include "HostValues.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace clang;
using llvm::StringRef;

/// Functions that set an attribute of their first argument to their third.
static constexpr llvm::StringLiteral SetAttribute[] = {
    "cudaFuncSetAttribute", "cuFuncSetAttribute", "cuKernelSetAttribute"};

/// How the names of functions begin that raise no limit of the kernels they
/// are given.
static constexpr llvm::StringLiteral Harmless[] = {
    "cudaOccupancy",       "cudaFuncGet",   "cudaFuncSetCacheConfig",
    "cudaFuncSetShared",   "cudaGetFuncBy", "cudaGraphAddKernelNode",
    "cudaGetSymbolAddress"};

/// Values of cudaFuncAttribute and CUfunction_attribute, which are the same.
/// Source: driver_types.h and cuda.h of CUDA 13.0.
static constexpr int64_t MaxDynamicSharedSize = 8, NonPortableCluster = 14;

static StringRef nameOfCallee(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && Callee->getIdentifier() ? Callee->getName() : StringRef();
}

void RaisedLimits::add(const CallExpr *Call, const FunctionDecl *Function,
                       HostValues &Values) {
  const StringRef Name = nameOfCallee(Call);
  if (llvm::any_of(Harmless,
                   [&](StringRef Start) { return Name.starts_with(Start); }))
    return;
  auto RaisedOf = [&](const FunctionDecl *Kernel) -> Raised & {
    return Kernel ? OfKernel[Kernel->getCanonicalDecl()] : OfAny;
  };
  if (llvm::is_contained(SetAttribute, Name) && Call->getNumArgs() == 3) {
    Raised &Of = RaisedOf(Values.kernel(Call->getArg(0), Function, {}));
    const HostExpr Which = Values.scalar(Call->getArg(1), Function, {});
    const bool IsKnown = Which.What == HostExpr::Kind::Number;
    Of.Shared |= !IsKnown || Which.Value.Integer == MaxDynamicSharedSize;
    Of.Cluster |= !IsKnown || Which.Value.Integer == NonPortableCluster;
    return;
  }
  for (const Expr *Argument : Call->arguments()) {
    const QualType Type = Argument->IgnoreParenCasts()->getType();
    if (!Type->isFunctionType() && !Type->isFunctionPointerType() &&
        !Type->isVoidPointerType())
      continue;
    if (const FunctionDecl *Kernel = Values.kernel(Argument, Function, {}))
      RaisedOf(Kernel) = {true, true};
  }
}

void RaisedLimits::tell(const FunctionDecl *Kernel,
                        HostAllowance &Allowed) const {
  const Raised Of = OfKernel.lookup(Kernel->getCanonicalDecl());
  Allowed.MayRaiseShared = Of.Shared || OfAny.Shared;
  Allowed.MayRaiseCluster = Of.Cluster || OfAny.Cluster;
}
