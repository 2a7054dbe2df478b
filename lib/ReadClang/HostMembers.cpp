//===- HostMembers.cpp - What structs of host code hold -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace clang;
using llvm::ArrayRef;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;

namespace {

/// Structs in structs, and elements of arrays, that are looked into.
constexpr unsigned MaxDepth = 16, MaxElements = 16;

bool isScalar(QualType Type) {
  return Type->isArithmeticType() || Type->isEnumeralType();
}

/// The struct that \p Type is, where its fields are all that it has.
const RecordDecl *plainRecord(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Record->isUnion() || Record->isDependentType() ||
      Record->isInvalidDecl())
    return nullptr;
  const auto *Class = dyn_cast<CXXRecordDecl>(Record);
  return Class && (Class->getNumBases() || Class->isPolymorphic()) ? nullptr
                                                                   : Record;
}

/// The field that \p E assigns to where it is `this->field = ...`; null
/// elsewhere.
const FieldDecl *assignedField(const BinaryOperator *E) {
  const auto *Member =
      E->getOpcode() == BO_Assign
          ? dyn_cast<MemberExpr>(E->getLHS()->IgnoreParenImpCasts())
          : nullptr;
  return Member && isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts())
             ? dyn_cast<FieldDecl>(Member->getMemberDecl())
             : nullptr;
}

} // namespace

namespace gpuocc {

/// Adds members of one struct.
class MemberReader {
public:
  MemberReader(HostValues &Values, HostMembers &Into)
      : Values(Values), Context(Values.Context), Into(Into) {}

  using Scope = HostValues::Scope;

  /// \p E, of \p Type, whose first byte is \p At.
  void read(const Expr *E, QualType Type, unsigned At, const Scope &S) {
    if (S.Depth > MaxDepth || E->isValueDependent())
      return;
    if (isScalar(Type)) {
      Into[At] = Values.scalar(E, S);
      return;
    }
    E = unwrapped(E)->IgnoreParenCasts();
    if (E != unwrapped(E))
      return read(E, Type, At, S.deeper());
    if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type))
      return readElements(E, *Array, At, S);
    if (const RecordDecl *Record = plainRecord(Type))
      readRecord(E, Type, *Record, At, S);
  }

private:
  HostValues &Values;
  const ASTContext &Context;
  HostMembers &Into;

  /// Removes what is known of \p Bytes from \p At on.
  void forget(unsigned At, uint64_t Bytes) {
    Into.erase(Into.lower_bound(At), Into.lower_bound(At + Bytes));
  }

  void readElements(const Expr *E, const ConstantArrayType &Array, unsigned At,
                    const Scope &S) {
    const auto *List = dyn_cast<InitListExpr>(E);
    const uint64_t Count = Array.getZExtSize();
    if (!List || Count > MaxElements)
      return;
    const unsigned Bytes =
        Context.getTypeSizeInChars(Array.getElementType()).getQuantity();
    for (uint64_t I = 0; I != Count; ++I)
      if (const Expr *Element = I < List->getNumInits()
                                    ? List->getInit(I)
                                    : List->getArrayFiller())
        read(Element, Array.getElementType(), At + I * Bytes, S.deeper());
  }

  void readRecord(const Expr *E, QualType Type, const RecordDecl &Record,
                  unsigned At, const Scope &S) {
    if (const auto *List = dyn_cast<InitListExpr>(E)) {
      if (List->isSyntacticForm() && List->getSemanticForm())
        List = List->getSemanticForm();
      for (const FieldDecl *Field : Record.fields())
        if (Field->getFieldIndex() < List->getNumInits())
          readField(Field, List->getInit(Field->getFieldIndex()), At, S);
    } else if (const auto *Lambda = dyn_cast<LambdaExpr>(E)) {
      for (auto [Field, Init] :
           llvm::zip(Record.fields(), Lambda->capture_inits()))
        readField(Field, Init, At, S);
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      readConstructed(*Construct, Type, At, S);
    } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      const FunctionDecl *Definition =
          Callee ? Callee->getDefinition() : nullptr;
      const Expr *Returned = onlyReturned(Definition);
      if (!Returned)
        return;
      const ParameterValues Given = Values.ofCall(Call, S);
      read(Returned, Type, At, Scope{Definition, Given, S.Depth + 1});
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      readMember(*Member, Type, At, S);
    } else if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl()))
        readVariable(Variable, Type, Record, At, S);
    }
  }

  void readField(const FieldDecl *Field, const Expr *Init, unsigned At,
                 const Scope &S) {
    if (!Init || Field->isBitField())
      return;
    const unsigned Place = At + offsetInBytes(*Field);
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(Init))
      Init = Default->getExpr();
    if (!isa<ImplicitValueInitExpr>(Init))
      read(Init, Field->getType(), Place, S.deeper());
    else if (isScalar(Field->getType()))
      Into[Place] = HostExpr::number(0);
  }

  /// A struct that is a member of another one.
  void readMember(const MemberExpr &E, QualType Type, unsigned At,
                  const Scope &S) {
    const auto *Field = dyn_cast<FieldDecl>(E.getMemberDecl());
    if (!Field || E.isArrow())
      return;
    const unsigned Begin = offsetInBytes(*Field);
    const uint64_t Bytes = Context.getTypeSizeInChars(Type).getQuantity();
    for (const auto &[Offset, Value] : Values.members(E.getBase(), S.deeper()))
      if (Offset >= Begin && Offset - Begin < Bytes)
        Into[At + Offset - Begin] = Value;
  }

  void readConstructed(const CXXConstructExpr &E, QualType Type, unsigned At,
                       const Scope &S) {
    const CXXConstructorDecl *Constructor = E.getConstructor();
    if (Constructor->isCopyOrMoveConstructor() && E.getNumArgs() == 1)
      return read(E.getArg(0), Type, At, S.deeper());
    const FunctionDecl *Definition = Constructor->getDefinition();
    if (!Definition)
      return;
    Constructor = llvm::cast<CXXConstructorDecl>(Definition);
    const ParameterValues Given = Values.ofCall(
        Constructor, ArrayRef<const Expr *>(E.getArgs(), E.getNumArgs()), S);
    const Scope Inside{Constructor, Given, S.Depth + 1};
    for (const CXXCtorInitializer *Init : Constructor->inits())
      if (const FieldDecl *Field = Init->getMember())
        readField(Field, Init->getInit(), At, Inside);
    readBody(Constructor->getBody(), Type, At, Inside);
  }

  /// Assignments to members at the top of a constructor's body. Where there
  /// is anything else, nothing is known.
  void readBody(const Stmt *Body, QualType Type, unsigned At, const Scope &S) {
    for (const Stmt *Step :
         Body ? Body->children()
              : Stmt::const_child_range(Stmt::const_child_iterator(),
                                        Stmt::const_child_iterator())) {
      const auto *E = dyn_cast<Expr>(Step);
      const auto *Assignment =
          E ? dyn_cast<BinaryOperator>(unwrapped(E)) : nullptr;
      const FieldDecl *Field = Assignment ? assignedField(Assignment) : nullptr;
      if (!Field)
        return forget(At, Context.getTypeSizeInChars(Type).getQuantity());
      readField(Field, Assignment->getRHS(), At, S);
    }
  }

  void readVariable(const VarDecl *Variable, QualType Type,
                    const RecordDecl &Record, unsigned At, const Scope &S) {
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Variable)) {
      auto Found = S.Parameters.Members.find(Parameter);
      if (Found != S.Parameters.Members.end())
        for (const auto &[Offset, Value] : Found->second)
          Into[At + Offset] = Value;
      return;
    }
    if (const Expr *Value = Values.onlyValue(Variable, S.Function))
      return read(Value, Type, At, S.deeper());
    const VariableWrites *Writes = Values.memberWrites(Variable, S.Function);
    if (!Writes)
      return;
    if (const Expr *Init = Variable->getAnyInitializer())
      read(Init, Type, At, S.deeper());
    for (const VariableWrites::MemberWrite &Write : Writes->Members)
      readWrite(Write, Record, At, S,
                llvm::count_if(Writes->Members, [&](const auto &Other) {
                  return Other.Path == Write.Path;
                }) == 1);
  }

  /// `variable.member = ...`. Of several assignments, \p IsOnly is false.
  void readWrite(const VariableWrites::MemberWrite &Write,
                 const RecordDecl &Record, unsigned At, const Scope &S,
                 bool IsOnly) {
    const RecordDecl *Inside = &Record;
    const FieldDecl *Field = nullptr;
    for (StringRef Name : llvm::split(Write.Path, '.')) {
      Inside = Field ? plainRecord(Field->getType()) : Inside;
      const auto Found = Inside ? llvm::find_if(Inside->fields(),
                                                [&](const FieldDecl *F) {
                                                  return F->getName() == Name;
                                                })
                                : RecordDecl::field_iterator();
      if (!Inside || Found == Inside->field_end())
        return;
      At += Field ? offsetInBytes(*Field) : 0;
      Field = *Found;
    }
    forget(At + offsetInBytes(*Field),
           Context.getTypeSizeInChars(Field->getType()).getQuantity());
    if (IsOnly)
      readField(Field, Write.Value, At, S);
  }
};

} // namespace gpuocc

HostMembers HostValues::members(const Expr *E, const Scope &S) {
  HostMembers Members;
  MemberReader(*this, Members).read(E, E->getType(), 0, S);
  return Members;
}

HostMembers HostValues::members(const Expr *E, const FunctionDecl *Function,
                                const ParameterValues &Parameters) {
  return members(E, Scope{Function, Parameters});
}
