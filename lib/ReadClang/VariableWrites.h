//===- VariableWrites.h - Who writes the variables of a function *- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READCLANG_VARIABLEWRITES_H
#define GPUOCC_LIB_READCLANG_VARIABLEWRITES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace gpuocc {

/// How a function changes one of its variables after it is initialized.
struct VariableWrites {
  /// Right sides of `variable = ...`.
  llvm::SmallVector<const clang::Expr *, 1> Assigned;
  /// `variable.member = ...`: the members ("x", "gridDim.x") and the right
  /// side.
  struct MemberWrite {
    std::string Path;
    const clang::Expr *Value;
  };
  llvm::SmallVector<MemberWrite, 2> Members;
  /// Also in ways that are not followed: `++`, its address taken, a reference.
  bool Otherwise = false;
};

/// The variables that are changed in a function body.
class VariableWritesMap {
public:
  /// \p Body may be null.
  explicit VariableWritesMap(const clang::Stmt *Body);

  /// What happens to \p Variable; nothing when only reads were seen.
  const VariableWrites &of(const clang::VarDecl *Variable) const;

private:
  void visit(const clang::Stmt *S);
  bool visitAssignment(const clang::Stmt *S);

  llvm::DenseMap<const clang::VarDecl *, VariableWrites> Writes;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READCLANG_VARIABLEWRITES_H
