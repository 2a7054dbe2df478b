//===- HostValues.cpp - Expressions of clang to host expressions ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace clang;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;

/// Variables and helper functions are followed this far; host code that is
/// deeper, or calls itself, stays symbolic.
static constexpr unsigned MaxDepth = 32;

/// Where an expression stands.
bool gpuocc::isDim3(QualType Type) {
  const CXXRecordDecl *Record =
      Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() && Record->getName() == "dim3";
}

/// "int32", "uint64", "float32": the conversion to \p Type; empty when it is no
/// number.
static std::string conversionTo(QualType Type, const ASTContext &Context) {
  if (Type->isBooleanType())
    return "bool";
  if (Type->isRealFloatingType())
    return Context.getTypeSize(Type) == 32 ? "float32" : "float64";
  if (!Type->isIntegralOrEnumerationType())
    return "";
  uint64_t Bits = Context.getTypeSize(Type);
  if (Bits > 64)
    return "";
  return (Type->isSignedIntegerOrEnumerationType() ? "int" : "uint") +
         std::to_string(Bits);
}

unsigned gpuocc::offsetInBytes(const FieldDecl &Field) {
  const ASTContext &Context = Field.getASTContext();
  return Context.getFieldOffset(&Field) / Context.getCharWidth();
}

const Expr *gpuocc::onlyReturned(const FunctionDecl *Function) {
  const Stmt *Body = Function ? Function->getBody() : nullptr;
  auto *Block = Body ? dyn_cast<CompoundStmt>(Body) : nullptr;
  if (!Block || Block->size() != 1)
    return nullptr;
  auto *Return = dyn_cast<ReturnStmt>(Block->body_front());
  return Return ? Return->getRetValue() : nullptr;
}

const Expr *gpuocc::unwrapped(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    if (auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
      E = Bound->getSubExpr();
    else if (auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      E = Default->getExpr();
    else if (auto *Replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = Replaced->getReplacement();
    else
      return E;
  }
}

static const VarDecl *variableIn(const Expr *E) {
  auto *Reference = dyn_cast<DeclRefExpr>(E);
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

/// True when something in \p E has neither a value nor a name of its own.
static bool hasOpaquePart(const HostExpr &E) {
  if (E.What == HostExpr::Kind::Variable)
    return !llvm::all_of(E.Name,
                         [](char C) { return llvm::isAlnum(C) || C == '_'; });
  return llvm::any_of(E.Operands, hasOpaquePart);
}

HostExpr HostValues::opaque(const Expr *E) const {
  const SourceManager &Sources = Context.getSourceManager();
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), Sources,
      Context.getLangOpts());
  StringRef Text = Lexer::getSourceText(Range, Sources, Context.getLangOpts());
  // Text over several lines would tear the message that shows it.
  llvm::SmallVector<StringRef, 8> Words;
  llvm::SplitString(Text, Words);
  return HostExpr::variable(Words.empty() ? "?" : llvm::join(Words, " "));
}

HostExtent HostValues::opaqueExtent(const Expr *E) const {
  std::string Name = opaque(E).Name;
  return {HostExpr::variable(Name + ".x"), HostExpr::variable(Name + ".y"),
          HostExpr::variable(Name + ".z")};
}

const VariableWrites &HostValues::writes(const VarDecl *Variable,
                                         const FunctionDecl *Function) {
  std::unique_ptr<VariableWritesMap> &Map = Writes[Function];
  if (!Map)
    Map = std::make_unique<VariableWritesMap>(Function ? Function->getBody()
                                                       : nullptr);
  return Map->of(Variable);
}

const Expr *HostValues::onlyValue(const VarDecl *Variable,
                                  const FunctionDecl *Function) {
  if (Variable->getType().isVolatileQualified() || isa<ParmVarDecl>(Variable))
    return nullptr;
  const Expr *Init = Variable->getAnyInitializer();
  if (Variable->getType().isConstQualified())
    return Init;
  if (!Variable->isLocalVarDecl())
    return nullptr;
  const VariableWrites &Changes = writes(Variable, Function);
  if (Changes.Otherwise || !Changes.Members.empty())
    return nullptr;
  // A class is always initialized, if only by its default constructor.
  auto *Construct =
      Init ? dyn_cast<CXXConstructExpr>(unwrapped(Init)) : nullptr;
  bool Default = Construct && llvm::all_of(Construct->arguments(),
                                           llvm::IsaPred<CXXDefaultArgExpr>);
  if (Changes.Assigned.empty())
    return Init;
  bool Only = Changes.Assigned.size() == 1 && (!Init || Default);
  return Only ? Changes.Assigned.front() : nullptr;
}

const Expr *HostValues::followed(const Expr *E, const FunctionDecl *Function) {
  while (E) {
    E = unwrapped(E)->IgnoreParenCasts();
    if (isa<FullExpr, MaterializeTemporaryExpr, SubstNonTypeTemplateParmExpr>(
            E))
      continue;
    auto *Address = dyn_cast<UnaryOperator>(E);
    if (Address && Address->getOpcode() == UO_AddrOf) {
      E = Address->getSubExpr();
      continue;
    }
    const VarDecl *Variable = variableIn(E);
    const Expr *Value = Variable ? onlyValue(Variable, Function) : nullptr;
    if (!Value)
      return E;
    E = Value;
  }
  return nullptr;
}

const FunctionDecl *HostValues::kernel(const Expr *E,
                                       const FunctionDecl *Function,
                                       const ParameterValues &Parameters) {
  const Expr *Named = followed(E, Function);
  auto *Reference = Named ? dyn_cast<DeclRefExpr>(Named) : nullptr;
  if (!Reference)
    return nullptr;
  if (auto *P = dyn_cast<ParmVarDecl>(Reference->getDecl())) {
    auto Found = Parameters.Kernels.find(P);
    return Found == Parameters.Kernels.end() ? nullptr : Found->second;
  }
  auto *Callee = dyn_cast<FunctionDecl>(Reference->getDecl());
  return Callee && Callee->hasAttr<CUDAGlobalAttr>() ? Callee : nullptr;
}

const VariableWrites *HostValues::memberWrites(const VarDecl *Variable,
                                               const FunctionDecl *Function) {
  if (!Variable->isLocalVarDecl())
    return nullptr;
  const VariableWrites &Changes = writes(Variable, Function);
  return Changes.Otherwise || !Changes.Assigned.empty() ? nullptr : &Changes;
}

HostExpr HostValues::scalar(const Expr *E, const FunctionDecl *Function,
                            const ParameterValues &Parameters) {
  return scalar(E, Scope{Function, Parameters});
}

HostExtent HostValues::extent(const Expr *E, const FunctionDecl *Function,
                              const ParameterValues &Parameters) {
  return extent(E, Scope{Function, Parameters});
}

ParameterValues HostValues::ofCall(const CallExpr *Call,
                                   const FunctionDecl *Function,
                                   const ParameterValues &Parameters) {
  return ofCall(Call, Scope{Function, Parameters});
}

ParameterValues HostValues::ofCall(const CallExpr *Call, const Scope &S) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  if (!Definition)
    return {};
  // The object comes first where an operator of it is called.
  llvm::ArrayRef<const Expr *> Given(Call->getArgs(), Call->getNumArgs());
  const auto *Method = dyn_cast<CXXMethodDecl>(Definition);
  if (isa<CXXOperatorCallExpr>(Call) && Method && !Method->isStatic())
    Given = Given.drop_front();
  return ofCall(Definition, Given, S);
}

ParameterValues HostValues::ofCall(const FunctionDecl *Definition,
                                   llvm::ArrayRef<const Expr *> Given,
                                   const Scope &S) {
  ParameterValues Values;
  size_t Count = std::min<size_t>(Given.size(), Definition->getNumParams());
  for (size_t I = 0; I != Count; ++I) {
    const ParmVarDecl *P = Definition->getParamDecl(I);
    QualType Type = P->getType().getNonReferenceType();
    // A parameter that the function changes is a variable like any other.
    if (const VariableWrites &Changes = writes(P, Definition);
        Changes.Otherwise || !Changes.Assigned.empty() ||
        !Changes.Members.empty())
      continue;
    if (isDim3(Type))
      Values.Extents[P] = extent(Given[I], S.deeper());
    else if (Type->isArithmeticType() || Type->isEnumeralType())
      Values.Extents[P] = {scalar(Given[I], S.deeper())};
    else if (const FunctionDecl *Kernel =
                 kernel(Given[I], S.Function, S.Parameters))
      Values.Kernels[P] = Kernel;
    else if (Type->isRecordType())
      Values.Members[P] = members(Given[I], S.deeper());
    else if (Type->isPointerType())
      if (std::optional<HostExpr> Bytes = arrayBytes(Given[I], S.deeper()))
        Values.ArrayBytes[P] = std::move(*Bytes);
  }
  return Values;
}

HostExpr HostValues::cast(const Expr *E, const Scope &S) {
  auto *Cast = llvm::cast<CastExpr>(E);
  HostExpr Inner = scalar(Cast->getSubExpr(), S);
  switch (Cast->getCastKind()) {
  case CK_IntegralCast:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingCast:
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
    if (std::string To = conversionTo(E->getType(), Context); !To.empty())
      return HostExpr::operation(std::move(To), {std::move(Inner)});
    return opaque(E);
  case CK_LValueToRValue:
  case CK_NoOp:
    return Inner;
  default:
    return opaque(E);
  }
}

/// The name under which evaluate() knows the function \p Callee; empty when it
/// does not.
static StringRef knownFunction(const FunctionDecl *Callee) {
  if (!Callee || !Callee->getIdentifier())
    return "";
  struct Row {
    llvm::StringLiteral Spelled, Name;
    unsigned Operands;
  };
  static constexpr Row Rows[] = {
      {"min", "min", 2},     {"max", "max", 2},      {"fmin", "min", 2},
      {"fmax", "max", 2},    {"ceil", "ceil", 1},    {"ceilf", "ceil", 1},
      {"floor", "floor", 1}, {"floorf", "floor", 1}, {"sqrt", "sqrt", 1},
      {"sqrtf", "sqrt", 1},
  };
  for (const Row &R : Rows)
    if (Callee->getName() == R.Spelled && Callee->getNumParams() == R.Operands)
      return R.Name;
  return "";
}

HostExpr HostValues::call(const CallExpr *E, const Scope &S) {
  const FunctionDecl *Callee = E->getDirectCallee();
  if (StringRef Known = knownFunction(Callee); !Known.empty()) {
    std::vector<HostExpr> Operands;
    for (const Expr *Argument : E->arguments())
      Operands.push_back(scalar(Argument, S.deeper()));
    return HostExpr::operation(Known.str(), std::move(Operands));
  }
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  const Expr *Returned = onlyReturned(Definition);
  if (!Returned)
    return opaque(E);
  ParameterValues Values = ofCall(E, S);
  HostExpr Value = scalar(Returned, Scope{Definition, Values, S.Depth + 1});
  return hasOpaquePart(Value) ? opaque(E) : Value;
}

HostExpr HostValues::member(const Expr *E, const Scope &S) {
  auto *Member = llvm::cast<MemberExpr>(E);
  const Expr *Base = unwrapped(Member->getBase());
  if (Member->isArrow())
    return opaque(E);
  if (!isDim3(Base->getType())) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->isBitField())
      return opaque(E);
    const HostMembers Known = members(Base, S.deeper());
    const auto Found = Known.find(offsetInBytes(*Field));
    return Found == Known.end() || hasOpaquePart(Found->second) ? opaque(E)
                                                                : Found->second;
  }
  std::optional<size_t> Axis = llvm::StringSwitch<std::optional<size_t>>(
                                   Member->getMemberDecl()->getName())
                                   .Case("x", 0)
                                   .Case("y", 1)
                                   .Case("z", 2)
                                   .Default(std::nullopt);
  return Axis ? extent(Base, S.deeper())[*Axis] : opaque(E);
}

HostExpr HostValues::scalar(const Expr *E, const Scope &S) {
  E = unwrapped(E);
  if (S.Depth > MaxDepth || E->isValueDependent())
    return opaque(E);
  Expr::EvalResult Constant;
  if (E->getType()->isPointerType()) {
    bool IsNull = E->isNullPointerConstant(const_cast<ASTContext &>(Context),
                                           Expr::NPC_NeverValueDependent) !=
                  Expr::NPCK_NotNull;
    if (IsNull || (E->EvaluateAsRValue(Constant, Context) &&
                   Constant.Val.isLValue() && Constant.Val.isNullPointer()))
      return HostExpr::number(0);
    return opaque(E);
  }
  if (E->isPRValue() && E->EvaluateAsRValue(Constant, Context)) {
    HostExpr Number;
    if (Constant.Val.isInt()) {
      if (Constant.Val.getInt().getBitWidth() > 64)
        return opaque(E);
      Number.Value.Integer = Constant.Val.getInt().getExtValue();
      return Number;
    }
    if (Constant.Val.isFloat()) {
      Number.Value.IsReal = true;
      Number.Value.Real = Constant.Val.getFloat().convertToDouble();
      return Number;
    }
  }
  if (isa<CastExpr>(E))
    return cast(E, S);
  if (auto *Member = dyn_cast<MemberExpr>(E))
    return member(Member, S);
  if (auto *Call = dyn_cast<CallExpr>(E))
    return call(Call, S);
  if (const VarDecl *Variable = variableIn(E)) {
    if (auto *P = dyn_cast<ParmVarDecl>(Variable))
      if (auto Found = S.Parameters.Extents.find(P);
          Found != S.Parameters.Extents.end())
        return Found->second[0];
    HostExpr Named = HostExpr::variable(Variable->getNameAsString());
    const Expr *Init = onlyValue(Variable, S.Function);
    if (!Init)
      return Named;
    // The name of `int n = atoi(argv[1])` says more than what it is set to.
    HostExpr Value = scalar(Init, S.deeper());
    return hasOpaquePart(Value) ? Named : Value;
  }
  if (auto *Choice = dyn_cast<ConditionalOperator>(E))
    return HostExpr::operation("?:",
                               {scalar(Choice->getCond(), S.deeper()),
                                scalar(Choice->getTrueExpr(), S.deeper()),
                                scalar(Choice->getFalseExpr(), S.deeper())});
  if (auto *Op = dyn_cast<BinaryOperator>(E);
      Op && !Op->isAssignmentOp() && !Op->isPtrMemOp() && !Op->isCommaOp())
    return HostExpr::operation(
        Op->getOpcodeStr().str(),
        {scalar(Op->getLHS(), S.deeper()), scalar(Op->getRHS(), S.deeper())});
  if (auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Plus)
      return scalar(Op->getSubExpr(), S.deeper());
    if (Op->isArithmeticOp())
      return HostExpr::operation(
          Op->getOpcode() == UO_Minus
              ? "neg"
              : UnaryOperator::getOpcodeStr(Op->getOpcode()).str(),
          {scalar(Op->getSubExpr(), S.deeper())});
  }
  return opaque(E);
}

HostExtent HostValues::extentOfVariable(const VarDecl *Variable, const Expr *E,
                                        const Scope &S) {
  if (auto *P = dyn_cast<ParmVarDecl>(Variable))
    if (auto Found = S.Parameters.Extents.find(P);
        Found != S.Parameters.Extents.end())
      return Found->second;
  if (const Expr *Value = onlyValue(Variable, S.Function))
    return extent(Value, S.deeper());
  const VariableWrites *Changes = memberWrites(Variable, S.Function);
  const Expr *Init = Variable->getAnyInitializer();
  if (!Changes || !Init)
    return opaqueExtent(E);
  HostExtent Value = extent(Init, S.deeper());
  static constexpr StringRef Axes[] = {"x", "y", "z"};
  for (auto [Axis, Name] : llvm::enumerate(Axes)) {
    unsigned Times = 0;
    for (const VariableWrites::MemberWrite &Write : Changes->Members)
      if (Write.Path == Name) {
        Value[Axis] = scalar(Write.Value, S.deeper());
        ++Times;
      }
    if (Times > 1)
      Value[Axis] =
          HostExpr::variable((Variable->getName() + "." + Name).str());
  }
  return Value;
}

HostExtent HostValues::extent(const Expr *E, const Scope &S) {
  E = unwrapped(E);
  if (S.Depth > MaxDepth)
    return opaqueExtent(E);
  HostExpr One = HostExpr::number(1);
  if (E->getType()->isIntegralOrEnumerationType())
    return {scalar(E, S), One, One};
  // dim3(w, h), dim3{w, h}, and copies of a dim3.
  llvm::SmallVector<const Expr *, 3> Parts;
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    Parts.append(Construct->arg_begin(), Construct->arg_end());
  } else if (auto *List = dyn_cast<InitListExpr>(E)) {
    Parts.append(List->inits().begin(), List->inits().end());
  } else if (auto *Cast = dyn_cast<CastExpr>(E)) {
    return extent(Cast->getSubExpr(), S);
  } else if (const VarDecl *Variable = variableIn(E)) {
    return extentOfVariable(Variable, E, S);
  } else if (auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    HostExpr Condition = scalar(Choice->getCond(), S.deeper());
    HostExtent Yes = extent(Choice->getTrueExpr(), S.deeper());
    HostExtent No = extent(Choice->getFalseExpr(), S.deeper());
    HostExtent Out;
    for (size_t I = 0; I != Out.size(); ++I)
      Out[I] = Yes[I] == No[I]
                   ? Yes[I]
                   : HostExpr::operation("?:", {Condition, Yes[I], No[I]});
    return Out;
  } else if (auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
    const Expr *Returned = onlyReturned(Definition);
    if (!Returned)
      return opaqueExtent(E);
    ParameterValues Values = ofCall(Call, S);
    return extent(Returned, Scope{Definition, Values, S.Depth + 1});
  } else {
    return opaqueExtent(E);
  }
  if (Parts.size() == 1 && isDim3(Parts[0]->getType()))
    return extent(Parts[0], S.deeper());
  HostExtent Out = {One, One, One};
  for (auto [Slot, Part] : llvm::zip(Out, Parts)) {
    if (!unwrapped(Part)->getType()->isIntegralOrEnumerationType())
      return opaqueExtent(E);
    Slot = scalar(Part, S.deeper());
  }
  return Out;
}
