//===- AsNvcc.cpp - Sources as nvcc reads them ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadClang/AsNvcc.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

/// \p Pointer behind a comma: the same value, of which only the type is known.
/// Code generation looks through casts and address-of for what a pointer points
/// to, and believes what was declared; it does not look through a comma.
static Expr *withoutOrigin(ASTContext &Context, Expr *Pointer) {
  SourceLocation Place = Pointer->getExprLoc();
  auto *Nothing = IntegerLiteral::Create(
      Context, llvm::APInt(Context.getIntWidth(Context.IntTy), 0),
      Context.IntTy, Place);
  return BinaryOperator::Create(Context, Nothing, Pointer, BO_Comma,
                                Pointer->getType(), VK_PRValue, OK_Ordinary,
                                Place, FPOptionsOverride());
}

/// Takes `pow(float, int)` and `pow(double, int)` of clang's CUDA headers,
/// which multiply, out of overload resolution. nvcc has the C++ library's: pow
/// of doubles.
static void hideIntegralPower(ASTContext &Context, FunctionDecl &Function) {
  if (!Function.getIdentifier() || !Function.getIdentifier()->isStr("pow") ||
      !Function.hasAttr<CUDADeviceAttr>() || Function.hasAttr<CUDAHostAttr>() ||
      Function.isTemplateInstantiation() || Function.getNumParams() != 2 ||
      !Context.hasSameType(Function.getParamDecl(1)->getType(),
                           Context.IntTy) ||
      Function.hasAttr<EnableIfAttr>())
    return;
  SourceLocation Place = Function.getLocation();
  auto *Never =
      CXXBoolLiteralExpr::Create(Context, false, Context.BoolTy, Place);
  Function.addAttr(EnableIfAttr::CreateImplicit(Context, Never, "not in nvcc"));
}

namespace {

class NvccReader : public RecursiveASTVisitor<NvccReader> {
public:
  explicit NvccReader(ASTContext &Context) : Context(Context) {}

  bool TraverseDecl(Decl *D) {
    // What is not instantiated has no code. The toolkit's headers are written
    // for both compilers.
    if (!D || Context.getSourceManager().isInSystemHeader(D->getLocation()))
      return true;
    if (const auto *Function = dyn_cast<FunctionDecl>(D);
        Function && Function->isDependentContext())
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool TraverseFunctionTemplateDecl(FunctionTemplateDecl *) { return true; }
  bool TraverseClassTemplateDecl(ClassTemplateDecl *) { return true; }
  bool TraverseVarTemplateDecl(VarTemplateDecl *) { return true; }
  bool TraverseClassTemplatePartialSpecializationDecl(
      ClassTemplatePartialSpecializationDecl *) {
    return true;
  }

  bool VisitVarDecl(VarDecl *Variable) {
    if (!Variable->hasGlobalStorage() || Variable->isTemplated() ||
        Variable->hasAttr<CUDASharedAttr>() ||
        !(Variable->isConstexpr() || Variable->getType().isConstQualified()))
      return true;
    // In functions clang decides without an attribute.
    const auto *Constant = Variable->getAttr<CUDAConstantAttr>();
    if (Constant ? !Constant->isImplicit() : !Variable->isStaticLocal())
      return true;
    Variable->dropAttr<CUDAConstantAttr>();
    if (!Variable->hasAttr<CUDADeviceAttr>())
      Variable->addAttr(CUDADeviceAttr::CreateImplicit(Context));
    return true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *Cast) {
    Expr *Operand = Cast->getSubExpr();
    if (Cast->isTypeDependent() || Operand->isTypeDependent())
      return true;
    if (Cast->getCastKind() == CK_BitCast) {
      if (Cast->getType()->isPointerType() &&
          isWider(Cast->getType()->getPointeeType(),
                  Operand->getType()->getPointeeType()))
        Cast->setSubExpr(withoutOrigin(Context, Operand));
    } else if (Cast->getCastKind() == CK_LValueBitCast &&
               isWider(Cast->getType(), Operand->getType())) {
      Cast->setSubExpr(placeOfType(Operand, Cast->getType()));
    }
    return true;
  }

private:
  /// Both complete, and a \p To is aligned to more than a \p From.
  bool isWider(QualType To, QualType From) const {
    return !To->isIncompleteType() && !From->isIncompleteType() &&
           !To->isDependentType() && !From->isDependentType() &&
           Context.getTypeAlignInChars(To) > Context.getTypeAlignInChars(From);
  }

  /// `*(Type *)&Place`, of which only the type is known.
  Expr *placeOfType(Expr *Place, QualType Type) const {
    SourceLocation Location = Place->getExprLoc();
    QualType Pointer = Context.getPointerType(Type);
    Expr *Address = UnaryOperator::Create(
        Context, Place, UO_AddrOf, Context.getPointerType(Place->getType()),
        VK_PRValue, OK_Ordinary, Location, /*CanOverflow=*/false,
        FPOptionsOverride());
    Expr *Cast = CStyleCastExpr::Create(
        Context, Pointer, VK_PRValue, CK_BitCast,
        withoutOrigin(Context, Address), /*BasePath=*/nullptr,
        FPOptionsOverride(),
        Context.getTrivialTypeSourceInfo(Pointer, Location), Location,
        Location);
    return UnaryOperator::Create(Context, Cast, UO_Deref, Type, VK_LValue,
                                 OK_Ordinary, Location, /*CanOverflow=*/false,
                                 FPOptionsOverride());
  }

  ASTContext &Context;
};

} // namespace

void gpuocc::readAsNvcc(ASTContext &Context, Decl &D) {
  if (auto *Function = dyn_cast<FunctionDecl>(&D);
      Function &&
      Context.getSourceManager().isInSystemHeader(Function->getLocation()))
    hideIntegralPower(Context, *Function);
  NvccReader(Context).TraverseDecl(&D);
}
