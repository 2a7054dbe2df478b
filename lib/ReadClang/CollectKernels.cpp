//===- CollectKernels.cpp - Kernels as a source declares them -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadClang/CollectKernels.h"
#include "KernelMangling.h"
#include "gpuocc/Kernel/KernelName.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace clang;

namespace {

class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  std::vector<const FunctionDecl *> Kernels;

  bool shouldVisitTemplateInstantiations() const { return true; }
  // Kernels are not defined in functions.
  bool TraverseStmt(Stmt *) { return true; }

  bool VisitFunctionDecl(FunctionDecl *Function) {
    if (!Function->hasAttr<CUDAGlobalAttr>() ||
        Function->isDependentContext() || Function->isInvalidDecl())
      return true;
    const bool IsDefined = Function->isThisDeclarationADefinition() ||
                           Function->getTemplateInstantiationPattern();
    if (IsDefined && Seen.insert(Function->getCanonicalDecl()).second)
      Kernels.push_back(Function);
    return true;
  }

private:
  llvm::SmallPtrSet<const FunctionDecl *, 32> Seen;
};

} // namespace

static SourcePlace placeOf(const ASTContext &Context,
                           const FunctionDecl *Kernel) {
  const SourceManager &Sources = Context.getSourceManager();
  const PresumedLoc Place =
      Sources.getPresumedLoc(Sources.getExpansionLoc(Kernel->getLocation()));
  if (!Place.isValid())
    return SourcePlace();
  return {Place.getFilename(), Place.getLine(), 0, Kernel->getNameAsString()};
}

/// Adds the parameters of \p Kernel to \p Facts; false where one has no layout.
static bool addParameters(const ASTContext &Context, const FunctionDecl *Kernel,
                          KernelFacts &Facts) {
  uint64_t Offset = 0;
  for (const ParmVarDecl *Declared : Kernel->parameters()) {
    const bool IsReference = Declared->getType()->isReferenceType();
    const QualType Type =
        IsReference
            ? Context.getPointerType(Declared->getType().getNonReferenceType())
            : Declared->getType();
    if (Declared->isInvalidDecl() || Type->isDependentType() ||
        Type->isIncompleteType())
      return false;
    if (const RecordDecl *Record = Type->getAsRecordDecl();
        Record && Record->isInvalidDecl())
      return false;
    const uint64_t Align =
        uint64_t(Context.getTypeAlignInChars(Type).getQuantity());
    Parameter P;
    P.Name = Declared->getNameAsString();
    P.OffsetBytes = Offset = llvm::alignTo(Offset, Align);
    P.SizeBytes = uint64_t(Context.getTypeSizeInChars(Type).getQuantity());
    P.IsPointer = Type->isPointerType();
    P.IsFloat = Type->isRealFloatingType();
    Offset += P.SizeBytes;
    Facts.Parameters.push_back(std::move(P));
  }
  return true;
}

std::vector<KernelFacts> gpuocc::collectKernels(ASTContext &Context) {
  KernelFinder Found;
  Found.TraverseDecl(Context.getTranslationUnitDecl());
  std::unique_ptr<MangleContext> Mangler(Context.createMangleContext());
  std::vector<KernelFacts> Kernels;
  for (const FunctionDecl *Kernel : Found.Kernels) {
    KernelFacts Facts;
    Facts.Name = mangledName(*Mangler, Kernel);
    Facts.Demangled = llvm::demangle(nameInSource(Facts.Name));
    Facts.View = MachineView::Mir;
    Facts.Place = placeOf(Context, Kernel);
    if (addParameters(Context, Kernel, Facts))
      Kernels.push_back(std::move(Facts));
  }
  return Kernels;
}
