//===- EmitFindings.cpp - Reports at operations of MLIR -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitFindings.h"
#include "gpuocc/EmitRemarks/EmitRemarks.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/Printable.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

using namespace gpuocc;
using namespace mlir;

std::string FindingEmitter::Told::text() const {
  std::string Text;
  for (const Evidence &E : Message)
    if (!E.RecordOnly)
      Text += printable(E.Text);
  return Text;
}

void FindingEmitter::add(const Finding &F, const KernelReport &R,
                         Location OfKernel) {
  const Location Loc = F.Rule == RuleId::KernelVerdict
                           ? OfKernel
                           : Locations.find(placeToShow(F.Location), OfKernel);
  All.push_back(
      {F.Remark, ruleName(F.Rule).str(), R.Facts.Name, F.Message, Loc});
}

void FindingEmitter::add(const KernelReport &R, mlir::Operation *Kernel) {
  const Location OfKernel = Kernel->getLoc();
  const Selection S = selectFindings(R, MaxFindings);
  if (S.Verdict)
    add(*S.Verdict, R, OfKernel);
  for (ArrayRef<const Finding *> Group :
       {ArrayRef(S.Costly), ArrayRef(S.Evidence), ArrayRef(S.Missed)})
    for (const Finding *F : Group)
      add(*F, R, OfKernel);
  if (S.LeftOut != 0)
    All.push_back({RemarkKind::Passed,
                   "MoreFindings",
                   R.Facts.Name,
                   {{"", leftOutText(S)}},
                   OfKernel});
}

void FindingEmitter::addNotAnalyzed(StringRef Kernel, std::string Text,
                                    Location Loc) {
  All.push_back({RemarkKind::Missed,
                 ruleName(RuleId::NotAnalyzed).str(),
                 Kernel.str(),
                 {{"", std::move(Text)}},
                 Loc});
}

bool FindingEmitter::toEngine(const Told &What) {
  const auto Options = remark::RemarkOpts::name(What.Name)
                           .category(RemarkPassName)
                           .function(What.Kernel);
  auto Write = [&](remark::detail::InFlightRemark Remark) {
    if (!Remark)
      return false;
    Remark << What.text();
    for (const Evidence &E : What.Message)
      if (!E.Key.empty())
        Remark << remark::metric(E.Key, printable(E.Text));
    return true;
  };
  switch (What.Kind) {
  case RemarkKind::Passed:
    return Write(remark::passed(What.Loc, Options));
  case RemarkKind::Analysis:
    return Write(remark::analysis(What.Loc, Options));
  case RemarkKind::Missed:
    return Write(remark::missed(What.Loc, Options));
  }
}

void FindingEmitter::tell() {
  if (Wanted == MlirRemarks::None)
    return;
  bool IsTold = false;
  for (const Told &What : All)
    IsTold |= toEngine(What);
  if (IsTold)
    return;
  for (const Told &What : All)
    if (What.Kind != RemarkKind::Analysis || Wanted == MlirRemarks::All)
      emitRemark(What.Loc) << What.text() << " [gpu-occupancy: " << What.Name
                           << "]";
}
