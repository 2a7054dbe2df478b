//===- KernelMangling.h - Mangled names of kernels --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READCLANG_KERNELMANGLING_H
#define GPUOCC_LIB_READCLANG_KERNELMANGLING_H

#include "clang/AST/Decl.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace gpuocc {

/// The name that \p Kernel has in device code.
inline std::string mangledName(clang::MangleContext &Mangler,
                               const clang::FunctionDecl *Kernel) {
  if (!Mangler.shouldMangleDeclName(Kernel))
    return Kernel->getNameAsString();
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Mangler.mangleName(
      clang::GlobalDecl(Kernel, clang::KernelReferenceKind::Kernel), OS);
  return Name;
}

} // namespace gpuocc

#endif // GPUOCC_LIB_READCLANG_KERNELMANGLING_H
