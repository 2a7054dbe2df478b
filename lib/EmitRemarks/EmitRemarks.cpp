//===- EmitRemarks.cpp - Reports as optimization remarks ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/EmitRemarks/EmitRemarks.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/Remarks/RemarkStreamer.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::wantsRemarks(LLVMContext &Context) {
  if (remarks::RemarkStreamer *Record = Context.getMainRemarkStreamer())
    if (Record->matchesFilter(RemarkPassName))
      return true;
  const DiagnosticHandler *Handler = Context.getDiagHandlerPtr();
  return Handler && Handler->isAnyRemarkEnabled(RemarkPassName);
}

/// True when \p Path is how the reader names \p File.
static bool isPathOf(StringRef Path, const DIFile &File) {
  if (!Path.ends_with(File.getFilename()))
    return false;
  StringRef Above = Path.drop_back(File.getFilename().size());
  return Above.empty() || Above.rtrim('/') == File.getDirectory().rtrim('/');
}

/// \p Place as a location in \p F. The metadata made for it hangs on nothing
/// that is emitted. Without debug information the host falls back to the
/// declaration of the kernel.
static DiagnosticLocation locate(const Function &F, const SourcePlace &Place) {
  DISubprogram *Sub = F.getSubprogram();
  if (!Sub)
    return DiagnosticLocation();
  if (!Place.isValid())
    return DiagnosticLocation(Sub);
  LLVMContext &Context = F.getContext();
  DIFile *Home = Sub->getFile();
  DIScope *Scope = Sub;
  if (!Home || !isPathOf(Place.File, *Home))
    Scope = DILexicalBlockFile::get(
        Context, Sub,
        DIFile::get(Context, Place.File, Home ? Home->getDirectory() : ""),
        /*Discriminator=*/0);
  return DiagnosticLocation(
      DebugLoc(DILocation::get(Context, Place.Line, Place.Column, Scope)));
}

namespace {

/// Gives remarks to the context of a module and to a further record.
class Emitter {
public:
  Emitter(Module &M, LLVMRemarkStreamer *Beside) : M(M), Beside(Beside) {}

  void emit(const KernelReport &K, unsigned MaxFindings) const {
    const Function *F = definition(K.Facts.Name);
    if (!F)
      return;
    Selection S = selectFindings(K, MaxFindings);
    if (S.Verdict)
      emit(*F, *S.Verdict);
    for (ArrayRef<const Finding *> Group :
         {ArrayRef(S.Costly), ArrayRef(S.Evidence), ArrayRef(S.Missed)})
      for (const Finding *What : Group)
        emit(*F, *What);
    if (S.LeftOut != 0)
      emit<OptimizationRemark>(*F, "MoreFindings", K.Facts.Place,
                               {{"", leftOutText(S)}});
    if (K.Suppressed != 0)
      emit<OptimizationRemarkAnalysis>(*F, "SuppressedFindings", K.Facts.Place,
                                       {{"", suppressedText(K.Suppressed)}});
  }

  void emitNotAnalyzed(StringRef Kernel, StringRef Text) const {
    const Function *F = Kernel.empty() ? firstKernel() : definition(Kernel);
    if (F)
      emit<OptimizationRemarkMissed>(*F, ruleName(RuleId::NotAnalyzed),
                                     SourcePlace(), {{"", Text.str()}});
  }

private:
  const Function *definition(StringRef Name) const {
    const Function *F = M.getFunction(Name);
    return F && !F->isDeclaration() ? F : nullptr;
  }

  const Function *firstKernel() const {
    for (const Function &F : M)
      if (!F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel)
        return &F;
    return nullptr;
  }

  template <typename RemarkT>
  void emit(const Function &F, StringRef Name, const SourcePlace &Place,
            ArrayRef<Evidence> Message) const {
    RemarkT Remark(RemarkPassName.data(), Name, locate(F, Place),
                   &F.getEntryBlock());
    bool InSentence = true;
    for (const Evidence &E : Message) {
      if (E.RecordOnly && InSentence)
        Remark << DiagnosticInfoOptimizationBase::setExtraArgs();
      InSentence = !E.RecordOnly;
      if (E.Key.empty())
        Remark << printable(E.Text);
      else
        Remark << DiagnosticInfoOptimizationBase::Argument(E.Key,
                                                           printable(E.Text));
    }
    M.getContext().diagnose(Remark);
    if (Beside)
      Beside->emit(Remark);
  }

  void emit(const Function &F, const Finding &What) const {
    SourcePlace Place = placeToShow(What.Location);
    StringRef Name = ruleName(What.Rule);
    switch (What.Remark) {
    case RemarkKind::Passed:
      return emit<OptimizationRemark>(F, Name, Place, What.Message);
    case RemarkKind::Analysis:
      return emit<OptimizationRemarkAnalysis>(F, Name, Place, What.Message);
    case RemarkKind::Missed:
      return emit<OptimizationRemarkMissed>(F, Name, Place, What.Message);
    }
  }

  Module &M;
  LLVMRemarkStreamer *Beside;
};

} // namespace

void gpuocc::emitRemarks(const Report &R, Module &M, unsigned MaxFindings,
                         LLVMRemarkStreamer *Beside) {
  for (const KernelReport &K : R.Refused)
    Emitter(M, Beside).emit(K, MaxFindings);
  for (const KernelReport &K : R.Kernels)
    Emitter(M, Beside).emit(K, MaxFindings);
}

void gpuocc::emitNotAnalyzed(Module &M, StringRef Kernel, StringRef Text,
                             LLVMRemarkStreamer *Beside) {
  Emitter(M, Beside).emitNotAnalyzed(Kernel, Text);
}
