//===- VariableWrites.cpp - Who writes the variables of a function --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariableWrites.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace clang;
using llvm::dyn_cast;
using llvm::isa;

/// The variable that \p E names, possibly through the members \p Path; null
/// when it is something else.
static const VarDecl *namedVariable(const Expr *E, std::string &Path) {
  E = E->IgnoreParens();
  if (auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
    const VarDecl *Variable = namedVariable(Member->getBase(), Path);
    if (!Path.empty())
      Path += '.';
    Path += Member->getMemberDecl()->getName();
    return Variable;
  }
  if (auto *Reference = dyn_cast<DeclRefExpr>(E))
    return dyn_cast<VarDecl>(Reference->getDecl());
  return nullptr;
}

static bool namesVariable(const Expr *E) {
  std::string Path;
  return namedVariable(E, Path);
}

/// True when \p S only reads the variable that it names directly.
static bool onlyReads(const Stmt *S) {
  if (auto *Cast = dyn_cast<ImplicitCastExpr>(S)) {
    bool Loads = Cast->getCastKind() == CK_LValueToRValue;
    bool MakesConst =
        Cast->getCastKind() == CK_NoOp && Cast->getType().isConstQualified();
    return (Loads || MakesConst) && namesVariable(Cast->getSubExpr());
  }
  return isa<UnaryExprOrTypeTraitExpr>(S);
}

/// True when \p S hands a variable over by address or by reference.
static bool handsOver(const Stmt *S) {
  auto *E = dyn_cast<Expr>(S);
  if (!E)
    return false;
  E = E->IgnoreParenCasts();
  auto *Address = dyn_cast<UnaryOperator>(E);
  if (Address && Address->getOpcode() == UO_AddrOf)
    E = Address->getSubExpr();
  return namesVariable(E);
}

/// True when variables are handed over by \p S to launch something, which does
/// not change them: `void *arguments[] = {&n}`, cudaLaunchKernelEx(&config, k,
/// n).
static bool launches(const Stmt *S) {
  if (isa<InitListExpr>(S))
    return true;
  auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
         Callee->getName().starts_with("cudaLaunch");
}

VariableWritesMap::VariableWritesMap(const Stmt *Body) {
  if (Body)
    visit(Body);
}

const VariableWrites &VariableWritesMap::of(const VarDecl *Variable) const {
  static const VariableWrites None;
  auto Found = Writes.find(Variable);
  return Found == Writes.end() ? None : Found->second;
}

bool VariableWritesMap::visitAssignment(const Stmt *S) {
  const Expr *Left = nullptr, *Right = nullptr;
  if (auto *Op = dyn_cast<BinaryOperator>(S);
      Op && Op->getOpcode() == BO_Assign) {
    Left = Op->getLHS();
    Right = Op->getRHS();
  } else if (auto *Call = dyn_cast<CXXOperatorCallExpr>(S);
             Call && Call->getOperator() == OO_Equal &&
             Call->getNumArgs() == 2) {
    Left = Call->getArg(0);
    Right = Call->getArg(1);
  }
  VariableWrites::MemberWrite Write;
  const VarDecl *Variable = Left ? namedVariable(Left, Write.Path) : nullptr;
  if (!Variable)
    return false;
  VariableWrites &Into = Writes[Variable];
  Write.Value = Right;
  if (Write.Path.empty())
    Into.Assigned.push_back(Right);
  else
    Into.Members.push_back(std::move(Write));
  visit(Right);
  return true;
}

void VariableWritesMap::visit(const Stmt *S) {
  if (onlyReads(S) || visitAssignment(S))
    return;
  if (auto *Reference = dyn_cast<DeclRefExpr>(S)) {
    // Copies that a lambda captured are constant in it.
    auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    if (Variable && !Reference->getType().isConstQualified())
      Writes[Variable].Otherwise = true;
    return;
  }
  // What a lambda captures is written where its body writes it.
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    for (auto [Capture, Init] :
         llvm::zip(Lambda->captures(), Lambda->capture_inits()))
      if (Init && !(Capture.capturesVariable() && handsOver(Init)))
        visit(Init);
    return visit(Lambda->getBody());
  }
  bool Launches = launches(S);
  for (const Stmt *Child : S->children())
    if (Child && !(Launches && handsOver(Child)))
      visit(Child);
}
