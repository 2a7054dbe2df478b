//===- LaunchLoops.cpp - Loops of host code around a launch ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchLoops.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>

using namespace gpuocc;
using namespace clang;
using llvm::cast;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

using VariableSet = llvm::SmallPtrSet<const VarDecl *, 4>;

static const VarDecl *namedVariable(const Expr *E) {
  auto *Reference =
      E ? dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

/// True where \p S may leave a loop around it.
static bool leaves(const Stmt *S) {
  return S && (isa<BreakStmt, ReturnStmt, GotoStmt, CXXThrowExpr>(S) ||
               llvm::any_of(S->children(), leaves));
}

/// Does \p S, \p Step apart, change \p Counter?
static bool changes(const Stmt *S, const VarDecl *Counter,
                    const Stmt *Step = nullptr) {
  if (!S || S == Step)
    return false;
  if (auto *Op = dyn_cast<UnaryOperator>(S);
      Op && (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf) &&
      namedVariable(Op->getSubExpr()) == Counter)
    return true;
  if (auto *Op = dyn_cast<BinaryOperator>(S);
      Op && Op->isAssignmentOp() && namedVariable(Op->getLHS()) == Counter)
    return true;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return changes(Child, Counter, Step);
  });
}

namespace {

/// `for (int r = First; r < End; r += Step)`.
struct CountedLoop {
  const VarDecl *Counter = nullptr;
  const Expr *First = nullptr, *End = nullptr;
  /// One where it is absent.
  const Expr *Step = nullptr;
  bool IncludesEnd = false;
};

} // namespace

static bool readStart(const Stmt *Init, CountedLoop &L) {
  if (auto *Declared = dyn_cast_or_null<DeclStmt>(Init)) {
    if (!Declared->isSingleDecl())
      return false;
    L.Counter = dyn_cast<VarDecl>(Declared->getSingleDecl());
    L.First = L.Counter ? L.Counter->getInit() : nullptr;
  } else if (auto *Set = dyn_cast_or_null<BinaryOperator>(Init);
             Set && Set->getOpcode() == BO_Assign) {
    L.Counter = namedVariable(Set->getLHS());
    L.First = Set->getRHS();
  }
  return L.Counter && L.First &&
         L.Counter->getType()->isIntegralOrEnumerationType();
}

static bool readStep(const Expr *Step, CountedLoop &L) {
  if (auto *Op = dyn_cast_or_null<UnaryOperator>(Step))
    return Op->isIncrementOp() && namedVariable(Op->getSubExpr()) == L.Counter;
  auto *Op = dyn_cast_or_null<BinaryOperator>(Step);
  if (!Op || Op->getOpcode() != BO_AddAssign ||
      namedVariable(Op->getLHS()) != L.Counter)
    return false;
  L.Step = Op->getRHS();
  return true;
}

static std::optional<CountedLoop> countedLoop(const ForStmt *For) {
  CountedLoop L;
  auto *While = dyn_cast_or_null<BinaryOperator>(For->getCond());
  if (!readStart(For->getInit(), L) || !readStep(For->getInc(), L) || !While ||
      namedVariable(While->getLHS()) != L.Counter || leaves(For->getBody()) ||
      changes(For->getBody(), L.Counter))
    return std::nullopt;
  const BinaryOperatorKind Kind = While->getOpcode();
  if (Kind != BO_LT && Kind != BO_LE && (Kind != BO_NE || L.Step))
    return std::nullopt;
  L.End = While->getRHS();
  L.IncludesEnd = Kind == BO_LE;
  return L;
}

/// `int r = First; while (r < End) { ... r++; }` in \p Function, which changes
/// r nowhere else.
static std::optional<CountedLoop> countedLoop(const WhileStmt *While,
                                              const FunctionDecl *Function) {
  CountedLoop L;
  auto *Test = dyn_cast_or_null<BinaryOperator>(While->getCond());
  auto *Body = dyn_cast_or_null<CompoundStmt>(While->getBody());
  if (!Test || Test->getOpcode() != BO_LT || !Body || Body->body_empty() ||
      !Function)
    return std::nullopt;
  L.Counter = namedVariable(Test->getLHS());
  L.First = L.Counter ? L.Counter->getInit() : nullptr;
  auto *Step = dyn_cast<Expr>(Body->body_back());
  if (!L.First || !L.Counter->hasLocalStorage() ||
      !L.Counter->getType()->isIntegralOrEnumerationType() || !Step ||
      !readStep(Step, L) || leaves(Body) ||
      changes(Function->getBody(), L.Counter, Step))
    return std::nullopt;
  L.End = Test->getRHS();
  return L;
}

static std::optional<CountedLoop> countedLoop(const Stmt *Loop,
                                              const FunctionDecl *Function) {
  if (auto *For = dyn_cast<ForStmt>(Loop))
    return countedLoop(For);
  if (auto *While = dyn_cast<WhileStmt>(Loop))
    return countedLoop(While, Function);
  return std::nullopt;
}

/// Does \p S call anything but \p Launch and what waits for it?
static bool callsOthers(const Stmt *S, const CallExpr *Launch) {
  if (!S)
    return false;
  if (auto *Call = dyn_cast<CallExpr>(S); Call && Call != Launch) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    constexpr llvm::StringLiteral Waiting[] = {
        "cudaDeviceSynchronize",      "cudaStreamSynchronize",
        "cudaThreadSynchronize",      "cudaGetLastError",
        "cudaPeekAtLastError",        "cudaConfigureCall",
        "__cudaPushCallConfiguration"};
    if (!Callee || !Callee->getIdentifier() ||
        !llvm::is_contained(Waiting, Callee->getName()))
      return true;
  }
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return callsOthers(Child, Launch);
  });
}

static const Stmt *bodyOf(const Stmt *Loop) {
  if (auto *For = dyn_cast<ForStmt>(Loop))
    return For->getBody();
  if (auto *While = dyn_cast<WhileStmt>(Loop))
    return While->getBody();
  return nullptr;
}

/// Is \p Variable part of \p S?
static bool names(const Stmt *S, const VarDecl *Variable) {
  if (!S)
    return false;
  if (auto *Reference = dyn_cast<DeclRefExpr>(S))
    return Reference->getDecl() == Variable;
  return llvm::any_of(
      S->children(), [&](const Stmt *Child) { return names(Child, Variable); });
}

namespace {

/// What a pointer is computed from.
class PointerParts {
public:
  PointerParts(const FunctionDecl *Function, HostValues &Values)
      : Function(Function), Values(Values) {}

  /// Pointers and arrays that none is computed from.
  VariableSet Bases;
  /// All other variables, those that stand for one value apart.
  VariableSet Others;

  void add(const Stmt *S) {
    if (!S)
      return;
    if (auto *Reference = dyn_cast<DeclRefExpr>(S))
      if (auto *Variable = dyn_cast<VarDecl>(Reference->getDecl()))
        addVariable(Variable);
    for (const Stmt *Child : S->children())
      add(Child);
  }

private:
  const FunctionDecl *Function;
  HostValues &Values;
  VariableSet Seen;

  void addVariable(const VarDecl *Variable) {
    if (!Seen.insert(Variable).second)
      return;
    const bool IsPointer = Variable->getType()->isAnyPointerType() ||
                           Variable->getType()->isArrayType() ||
                           Variable->getType()->isRecordType();
    const Expr *Value = Values.onlyValue(Variable, Function);
    // What a function returns, such as one that allocates, is an array.
    if (IsPointer && Value &&
        isa<CallExpr>(unwrapped(Value)->IgnoreParenCasts()))
      Value = nullptr;
    const size_t Before = Bases.size();
    add(Value);
    if (!IsPointer)
      Others.insert(Variable);
    else if (Bases.size() == Before)
      Bases.insert(Variable);
  }
};

} // namespace

static HostExpr combined(HostExpr A, HostExpr B, const char *Sign = "+") {
  return HostExpr::operation(Sign, {std::move(A), std::move(B)});
}

/// (End - First + Step - 1) / Step.
static HostExpr turnsOf(const CountedLoop &L, const FunctionDecl *Function,
                        const ParameterValues &Parameters, HostValues &Values) {
  HostExpr One = HostExpr::number(1);
  HostExpr Step = L.Step ? Values.scalar(L.Step, Function, Parameters) : One;
  HostExpr Turns = combined(Values.scalar(L.End, Function, Parameters),
                            Values.scalar(L.First, Function, Parameters), "-");
  if (L.IncludesEnd)
    Turns = combined(std::move(Turns), One);
  return combined(combined(combined(std::move(Turns), Step), One, "-"), Step,
                  "/");
}

/// Does \p Parts share an array with one of \p All, itself apart?
static bool sharesArray(const PointerParts &Parts,
                        llvm::ArrayRef<PointerParts> All) {
  return llvm::any_of(All, [&](const PointerParts &Other) {
    return &Other != &Parts &&
           llvm::any_of(Parts.Bases, [&](const VarDecl *Base) {
             return Other.Bases.contains(Base);
           });
  });
}

std::optional<LaunchesOfLoop>
gpuocc::launchesOfLoop(const CallExpr *Call,
                       llvm::ArrayRef<const Stmt *> Around,
                       const FunctionDecl *Function,
                       const ParameterValues &Parameters, HostValues &Values) {
  if (!isa<CUDAKernelCallExpr>(Call))
    return std::nullopt;
  std::vector<PointerParts> Pointers;
  std::vector<unsigned> Indices, Numbers;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    if (Call->getArg(I)->getType()->isAnyPointerType()) {
      Pointers.emplace_back(Function, Values).add(Call->getArg(I));
      Indices.push_back(I);
    } else if (Call->getArg(I)->getType()->isIntegralOrEnumerationType())
      Numbers.push_back(I);
  const bool AreApart = llvm::none_of(Pointers, [&](const PointerParts &Parts) {
    return sharesArray(Parts, Pointers);
  });
  std::optional<LaunchesOfLoop> Out;
  for (const Stmt *Loop : llvm::reverse(Around)) {
    const std::optional<CountedLoop> L = countedLoop(Loop, Function);
    // Launches of several streams overlap as they are.
    if (L && names(cast<CUDAKernelCallExpr>(Call)->getConfig(), L->Counter))
      break;
    std::vector<unsigned> Moved;
    if (L)
      for (const auto &[Index, Parts] : llvm::zip(Indices, Pointers))
        if (Parts.Others.contains(L->Counter) && !sharesArray(Parts, Pointers))
          Moved.push_back(Index);
    if (L && AreApart && !callsOthers(bodyOf(Loop), Call))
      for (unsigned Index : Numbers)
        if (names(Call->getArg(Index), L->Counter))
          Moved.push_back(Index);
    // A loop around that moves fewer of them only repeats what is inside.
    if (Moved.empty() || (Out && Moved != Out->Moved))
      break;
    HostExpr Turns = turnsOf(*L, Function, Parameters, Values);
    if (Out)
      Turns =
          HostExpr::operation("*", {std::move(Out->Turns), std::move(Turns)});
    Out = {std::move(Turns), std::move(Moved)};
  }
  return Out;
}
