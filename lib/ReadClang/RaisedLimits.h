//===- RaisedLimits.h - Limits of kernels that host code raises -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READCLANG_RAISEDLIMITS_H
#define GPUOCC_LIB_READCLANG_RAISEDLIMITS_H

#include "gpuocc/Kernel/HostLaunch.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace gpuocc {

class HostValues;

/// Which kernels of a translation unit may have attributes that raise a limit
/// of their launches. A kernel that is handed to a function other than the
/// runtime's own may have all of them, and so may every kernel where a call
/// sets an attribute of a kernel that cannot be told.
class RaisedLimits {
public:
  /// Takes note of \p Call, inside of \p Function, which launches nothing.
  void add(const clang::CallExpr *Call, const clang::FunctionDecl *Function,
           HostValues &Values);

  /// Writes what may be raised for \p Kernel to \p Allowed.
  void tell(const clang::FunctionDecl *Kernel, HostAllowance &Allowed) const;

private:
  struct Raised {
    bool Shared = false, Cluster = false;
  };
  Raised OfAny;
  llvm::DenseMap<const clang::FunctionDecl *, Raised> OfKernel;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READCLANG_RAISEDLIMITS_H
