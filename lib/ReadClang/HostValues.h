//===- HostValues.h - Expressions of clang to host expressions -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READCLANG_HOSTVALUES_H
#define GPUOCC_LIB_READCLANG_HOSTVALUES_H

#include "VariableWrites.h"
#include "gpuocc/Kernel/HostLaunch.h"
#include "clang/AST/Type.h"
#include <map>
#include <memory>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class ParmVarDecl;
class VarDecl;
} // namespace clang

namespace gpuocc {

/// What the parameters of a function hold in one of its calls.
struct ParameterValues {
  /// A scalar is the first element of its extent.
  std::map<const clang::ParmVarDecl *, HostExtent> Extents;
  /// Of parameters that point to kernels.
  std::map<const clang::ParmVarDecl *, const clang::FunctionDecl *> Kernels;
};

/// Reads values of host code.
class HostValues {
public:
  explicit HostValues(const clang::ASTContext &Context) : Context(Context) {}

  /// The value of \p E, an integer, real number or pointer, inside of
  /// \p Function.
  HostExpr scalar(const clang::Expr *E, const clang::FunctionDecl *Function,
                  const ParameterValues &Parameters);

  /// The value of \p E, a dim3 or something that converts to one.
  HostExtent extent(const clang::Expr *E, const clang::FunctionDecl *Function,
                    const ParameterValues &Parameters);

  /// The parameters of the callee of \p Call, made inside of \p Function.
  ParameterValues ofCall(const clang::CallExpr *Call,
                         const clang::FunctionDecl *Function,
                         const ParameterValues &Parameters);

  /// The kernel that \p E stands for inside of \p Function, through casts, `&`,
  /// variables that hold one value, and parameters; null when there is none.
  const clang::FunctionDecl *kernel(const clang::Expr *E,
                                    const clang::FunctionDecl *Function,
                                    const ParameterValues &Parameters);

  /// What \p E stands for without casts, `&` and variables that hold one value.
  const clang::Expr *followed(const clang::Expr *E,
                              const clang::FunctionDecl *Function);

  /// The only expression that local \p Variable is set to; null when there are
  /// none or several.
  const clang::Expr *onlyValue(const clang::VarDecl *Variable,
                               const clang::FunctionDecl *Function);

  /// What is assigned to members of local \p Variable, and nothing else;
  /// null when that cannot be known.
  const VariableWrites *memberWrites(const clang::VarDecl *Variable,
                                     const clang::FunctionDecl *Function);

private:
  struct Scope;
  HostExpr scalar(const clang::Expr *E, const Scope &S);
  HostExpr cast(const clang::Expr *E, const Scope &S);
  HostExpr call(const clang::CallExpr *E, const Scope &S);
  HostExpr member(const clang::Expr *E, const Scope &S);
  HostExpr opaque(const clang::Expr *E) const;
  HostExtent extent(const clang::Expr *E, const Scope &S);
  HostExtent extentOfVariable(const clang::VarDecl *Variable,
                              const clang::Expr *E, const Scope &S);
  HostExtent opaqueExtent(const clang::Expr *E) const;
  ParameterValues ofCall(const clang::CallExpr *Call, const Scope &S);
  const VariableWrites &writes(const clang::VarDecl *Variable,
                               const clang::FunctionDecl *Function);

  const clang::ASTContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *,
                 std::unique_ptr<VariableWritesMap>>
      Writes;
};

/// True for dim3.
bool isDim3(clang::QualType Type);

} // namespace gpuocc

#endif // GPUOCC_LIB_READCLANG_HOSTVALUES_H
