//===- AnnotateKernel.cpp - Predictions as attributes ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitFindings.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Support/InstClass.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace mlir;

/// In front of the names of attributes.
static constexpr llvm::StringLiteral Prefix = "gpu_occupancy.";
static constexpr double NsPerUs = 1000;

/// What \p R predicts, by names without the prefix.
static SmallVector<NamedAttribute> attributesOf(const KernelReport &R,
                                                Builder &B) {
  const Prediction &P = R.Predicted;
  SmallVector<NamedAttribute> All;
  auto Add = [&](StringRef Name, Attribute Value) {
    All.push_back(B.getNamedAttr(Name, Value));
  };
  if (P.Time)
    Add("time_us", B.getF64FloatAttr(P.Time->Ns / NsPerUs));
  if (P.Interval)
    Add("time_us_interval",
        B.getDenseF64ArrayAttr(
            {P.Interval->LowNs / NsPerUs, P.Interval->HighNs / NsPerUs}));
  Add("needed_warps", B.getF64FloatAttr(P.Needed.P90));
  Add("available_warps", B.getI64IntegerAttr(P.WarpsPerSm));
  Add("occupancy_limiter", B.getStringAttr(occupancyLimiterKey(P.Limiter)));
  Add("limiter", B.getStringAttr(resourceKey(P.Diagnosed.Unit)));
  Add("registers", B.getI64IntegerAttr(R.Facts.Resources.RegistersPerThread));
  Add("device", B.getStringAttr(R.Device));
  return All;
}

static double timeOf(const KernelReport &R) {
  return R.Predicted.Time ? R.Predicted.Time->Ns : 0;
}

void gpuocc::annotateKernel(mlir::Operation *Kernel,
                            const std::vector<const KernelReport *> &Launches) {
  if (Launches.empty())
    return;
  Builder B(Kernel->getContext());
  const KernelReport *Longest = *llvm::max_element(
      Launches, [](const KernelReport *A, const KernelReport *B) {
        return timeOf(*A) < timeOf(*B);
      });
  for (NamedAttribute A : attributesOf(*Longest, B))
    Kernel->setDiscardableAttr((Prefix + A.getName().strref()).str(),
                               A.getValue());
  if (Launches.size() < 2)
    return;
  SmallVector<Attribute> All;
  for (const KernelReport *R : Launches) {
    SmallVector<NamedAttribute> Each = attributesOf(*R, B);
    auto Extent = [&](const Dim3 &D) {
      return B.getDenseI64ArrayAttr({int64_t(D.X), int64_t(D.Y), int64_t(D.Z)});
    };
    if (R->Launched.Grid)
      Each.push_back(B.getNamedAttr("grid", Extent(R->Launched.Grid->Value)));
    Each.push_back(B.getNamedAttr("block", Extent(R->Launched.Block.Value)));
    All.push_back(B.getDictionaryAttr(Each));
  }
  Kernel->setDiscardableAttr((Prefix + "launches").str(), B.getArrayAttr(All));
}
