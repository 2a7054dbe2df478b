//===- HostArrays.cpp - How large the arrays of host code are -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace clang;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Variables, functions and pointers that are followed from one to the next.
constexpr unsigned MaxDepth = 16;

/// A function of the runtime that allocates as many bytes as one argument says
/// for the variable that another points to.
struct AllocationFunction {
  llvm::StringLiteral Name;
  unsigned Pointer, Bytes;
};

constexpr AllocationFunction AllocationFunctions[] = {
    {"cudaMalloc", 0, 1},      {"cudaMallocManaged", 0, 1},
    {"cudaMallocAsync", 0, 1}, {"cudaMallocFromPoolAsync", 0, 1},
    {"cudaMallocHost", 0, 1},  {"cudaHostAlloc", 0, 1},
};

const AllocationFunction *allocationOf(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->getIdentifier())
    return nullptr;
  const auto *Found =
      llvm::find_if(AllocationFunctions, [&](const AllocationFunction &F) {
        return Callee->getName() == F.Name && Call->getNumArgs() > F.Bytes;
      });
  return Found == std::end(AllocationFunctions) ? nullptr : Found;
}

const VarDecl *variableNamed(const Expr *E) {
  auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

/// The variable that \p E is the address of; null where it is none.
const VarDecl *addressedVariable(const Expr *E) {
  auto *Address = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
  return Address && Address->getOpcode() == UO_AddrOf
             ? variableNamed(Address->getSubExpr())
             : nullptr;
}

/// Finds what a function returns, lambdas in it apart.
class ReturnFinder : public RecursiveASTVisitor<ReturnFinder> {
public:
  llvm::SmallVector<const Expr *, 2> Values;

  bool VisitReturnStmt(ReturnStmt *S) {
    Values.push_back(S->getRetValue());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
};

/// The bytes that all say who say anything; nothing where two differ, or one
/// does not know.
class AgreedBytes {
public:
  void add(const std::optional<HostExpr> &Bytes) {
    Agree &= Bytes && (!Said || *Said == *Bytes);
    Said = Bytes;
  }
  std::optional<HostExpr> get() const { return Agree ? Said : std::nullopt; }

private:
  bool Agree = true;
  std::optional<HostExpr> Said;
};

} // namespace

namespace gpuocc {

/// Finds the size of one array.
class ArrayReader {
public:
  using Scope = HostValues::Scope;

  explicit ArrayReader(HostValues &Values)
      : Values(Values), Context(Values.Context) {}

  std::optional<HostExpr> read(const Expr *E, const Scope &S) {
    if (S.Depth > MaxDepth || E->isValueDependent())
      return std::nullopt;
    E = unwrapped(unwrapped(E)->IgnoreParenCasts());
    if (const VarDecl *Variable = variableNamed(E))
      return ofVariable(*Variable, S);
    if (auto *Call = dyn_cast<CallExpr>(E))
      return returned(*Call, S);
    if (auto *Sum = dyn_cast<BinaryOperator>(E);
        Sum && Sum->getOpcode() == BO_Add && E->getType()->isPointerType() &&
        Sum->getLHS()->getType()->isPointerType())
      return from(Sum->getLHS(), Sum->getRHS(), S);
    if (auto *Address = dyn_cast<UnaryOperator>(E);
        Address && Address->getOpcode() == UO_AddrOf)
      if (auto *Element = dyn_cast<ArraySubscriptExpr>(
              Address->getSubExpr()->IgnoreParens()))
        return from(Element->getBase(), Element->getIdx(), S);
    return std::nullopt;
  }

private:
  /// From element \p Index of what \p Pointer points to on.
  std::optional<HostExpr> from(const Expr *Pointer, const Expr *Index,
                               const Scope &S) {
    const std::optional<HostExpr> All = read(Pointer, S.deeper());
    const QualType Element = Pointer->getType()->getPointeeType();
    if (!All || Element.isNull() || Element->isIncompleteType() ||
        Element->isDependentType())
      return std::nullopt;
    HostExpr Before = HostExpr::operation(
        "*",
        {Values.scalar(Index, S.deeper()),
         HostExpr::number(Context.getTypeSizeInChars(Element).getQuantity())});
    return HostExpr::operation("-", {*All, std::move(Before)});
  }

  /// What \p Call, which allocates, allocates.
  std::optional<HostExpr> allocated(const CallInside &Call, const Scope &S) {
    const ParameterValues None;
    const Scope At{Call.Function,
                   Call.Function == S.Function ? S.Parameters : None,
                   S.Depth + 1};
    if (At.Depth > MaxDepth)
      return std::nullopt;
    if (const AllocationFunction *F = allocationOf(Call.Call))
      return Values.scalar(Call.Call->getArg(F->Bytes), At);
    auto Known = Values.Allocators.find(definitionOf(*Call.Call));
    if (Known == Values.Allocators.end())
      return std::nullopt;
    const ParameterValues Given = Values.ofCall(Call.Call, At);
    const CallInside &Inner = Known->second.second;
    return allocated(Inner, Scope{Inner.Function, Given, At.Depth});
  }

  std::optional<HostExpr> ofVariable(const VarDecl &Variable, const Scope &S) {
    if (auto *P = dyn_cast<ParmVarDecl>(&Variable)) {
      auto Given = S.Parameters.ArrayBytes.find(P);
      return Given == S.Parameters.ArrayBytes.end()
                 ? std::nullopt
                 : std::optional(Given->second);
    }
    AgreedBytes Agreed;
    if (auto Known = Values.Allocations.find(&Variable);
        Known != Values.Allocations.end())
      for (const CallInside &Call : Known->second)
        Agreed.add(allocated(Call, S));
    auto AddValue = [&](const Expr *Value) {
      if (!Value->isNullPointerConstant(const_cast<ASTContext &>(Context),
                                        Expr::NPC_ValueDependentIsNotNull))
        Agreed.add(read(Value, S.deeper()));
    };
    if (const Expr *Init = Variable.getAnyInitializer())
      AddValue(Init);
    for (const Expr *Value : Values.writes(&Variable, S.Function).Assigned)
      AddValue(Value);
    return Agreed.get();
  }

  std::optional<HostExpr> returned(const CallExpr &Call, const Scope &S) {
    const FunctionDecl *Definition = definitionOf(Call);
    if (!Definition)
      return std::nullopt;
    ReturnFinder Found;
    Found.TraverseStmt(Definition->getBody());
    if (Found.Values.size() != 1 || !Found.Values.front())
      return std::nullopt;
    const ParameterValues Given = Values.ofCall(&Call, S);
    return read(Found.Values.front(), Scope{Definition, Given, S.Depth + 1});
  }

  static const FunctionDecl *definitionOf(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    return Callee ? Callee->getDefinition() : nullptr;
  }

  HostValues &Values;
  const ASTContext &Context;
};

} // namespace gpuocc

void HostValues::noteAllocation(const CallInside &Call) {
  const FunctionDecl *Callee = Call.Call->getDirectCallee();
  const Expr *Pointer = nullptr;
  if (const AllocationFunction *F = allocationOf(Call.Call)) {
    Pointer = Call.Call->getArg(F->Pointer);
  } else if (auto Known =
                 Allocators.find(Callee ? Callee->getDefinition() : nullptr);
             Known != Allocators.end()) {
    const unsigned Index = Known->second.first->getFunctionScopeIndex();
    if (Index < Call.Call->getNumArgs())
      Pointer = Call.Call->getArg(Index);
  }
  if (!Pointer)
    return;
  if (auto *P = llvm::dyn_cast_or_null<ParmVarDecl>(variableNamed(Pointer));
      P && Call.Function)
    Allocators.try_emplace(Call.Function, P, Call);
  else if (const VarDecl *Variable = addressedVariable(Pointer))
    if (auto &Calls = Allocations[Variable];
        llvm::none_of(Calls, [&](const CallInside &Other) {
          return Other.Call == Call.Call;
        }))
      Calls.push_back(Call);
}

std::optional<HostExpr> HostValues::arrayBytes(const Expr *E, const Scope &S) {
  return ArrayReader(*this).read(E, S);
}

std::optional<HostExpr>
HostValues::arrayBytes(const Expr *E, const FunctionDecl *Function,
                       const ParameterValues &Parameters) {
  return arrayBytes(E, Scope{Function, Parameters});
}
