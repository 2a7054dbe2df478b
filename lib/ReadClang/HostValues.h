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
#include <optional>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FieldDecl;
class FunctionDecl;
class ParmVarDecl;
class VarDecl;
} // namespace clang

namespace gpuocc {

/// Scalar members of a struct by their offset in bytes.
using HostMembers = std::map<unsigned, HostExpr>;

/// What the parameters of a function hold in one of its calls.
struct ParameterValues {
  /// A scalar is the first element of its extent.
  std::map<const clang::ParmVarDecl *, HostExtent> Extents;
  /// Of parameters that point to kernels.
  std::map<const clang::ParmVarDecl *, const clang::FunctionDecl *> Kernels;
  /// Of parameters that are structs.
  std::map<const clang::ParmVarDecl *, HostMembers> Members;
  /// Bytes of the arrays that parameters point to, from there on.
  std::map<const clang::ParmVarDecl *, HostExpr> ArrayBytes;
};

/// A call, and the function that it is in.
struct CallInside {
  const clang::CallExpr *Call = nullptr;
  const clang::FunctionDecl *Function = nullptr;
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

  /// What is known of the members of \p E, a struct: of lists, constructors,
  /// assignments to members, functions that return one, and captures.
  HostMembers members(const clang::Expr *E, const clang::FunctionDecl *Function,
                      const ParameterValues &Parameters);

  /// Notes that \p Call may allocate an array. Of functions that allocate what
  /// a parameter of theirs points to, calls are noted behind the function's
  /// own.
  void noteAllocation(const CallInside &Call);

  /// Bytes from where \p E, a pointer, points to the end of its array; nothing
  /// where no allocation of it was noted, or several of other sizes.
  std::optional<HostExpr> arrayBytes(const clang::Expr *E,
                                     const clang::FunctionDecl *Function,
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
  friend class MemberReader;
  friend class ArrayReader;
  /// Where an expression stands.
  struct Scope {
    const clang::FunctionDecl *Function;
    const ParameterValues &Parameters;
    unsigned Depth = 0;

    Scope deeper() const { return {Function, Parameters, Depth + 1}; }
  };
  HostExpr scalar(const clang::Expr *E, const Scope &S);
  HostExpr cast(const clang::Expr *E, const Scope &S);
  HostExpr call(const clang::CallExpr *E, const Scope &S);
  HostExpr member(const clang::Expr *E, const Scope &S);
  HostExpr opaque(const clang::Expr *E) const;
  HostExtent extent(const clang::Expr *E, const Scope &S);
  HostExtent extentOfVariable(const clang::VarDecl *Variable,
                              const clang::Expr *E, const Scope &S);
  HostExtent opaqueExtent(const clang::Expr *E) const;
  HostMembers members(const clang::Expr *E, const Scope &S);
  std::optional<HostExpr> arrayBytes(const clang::Expr *E, const Scope &S);
  ParameterValues ofCall(const clang::CallExpr *Call, const Scope &S);
  ParameterValues ofCall(const clang::FunctionDecl *Definition,
                         llvm::ArrayRef<const clang::Expr *> Given,
                         const Scope &S);
  const VariableWrites &writes(const clang::VarDecl *Variable,
                               const clang::FunctionDecl *Function);

  const clang::ASTContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *,
                 std::unique_ptr<VariableWritesMap>>
      Writes;
  /// Calls that allocate the array of a variable.
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<CallInside, 1>>
      Allocations;
  /// Of functions that allocate what a parameter points to, the call.
  std::map<const clang::FunctionDecl *,
           std::pair<const clang::ParmVarDecl *, CallInside>>
      Allocators;
};

/// \p E without what C++ wraps around values: parentheses, temporaries, and
/// template parameters that were replaced.
const clang::Expr *unwrapped(const clang::Expr *E);

/// Where \p Field, no bit-field, begins in its struct.
unsigned offsetInBytes(const clang::FieldDecl &Field);

/// What a function returns whose body is one return; null for others.
const clang::Expr *onlyReturned(const clang::FunctionDecl *Function);

/// True for dim3.
bool isDim3(clang::QualType Type);

} // namespace gpuocc

#endif // GPUOCC_LIB_READCLANG_HOSTVALUES_H
