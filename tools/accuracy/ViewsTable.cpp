//===- ViewsTable.cpp - Machine views side by side ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewsTable.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {

struct BothViews {
  const KernelRow *Mir = nullptr, *Sass = nullptr;
};

} // namespace

static std::vector<BothViews> joined(ArrayRef<KernelRow> Mir,
                                     ArrayRef<KernelRow> Sass) {
  std::map<std::string, BothViews> ById;
  for (const KernelRow &Row : Mir)
    ById[Row.Case->Truth.Id].Mir = &Row;
  for (const KernelRow &Row : Sass)
    ById[Row.Case->Truth.Id].Sass = &Row;
  std::vector<BothViews> Both;
  for (const auto &[Id, Views] : ById)
    if (Views.Mir && Views.Sass)
      Both.push_back(Views);
  return Both;
}

static double distance(const Pair &P) {
  return P.ratio() > 0 ? std::fabs(std::log(P.ratio())) : HUGE_VAL;
}

void gpuocc::printViews(ArrayRef<KernelRow> Mir, ArrayRef<KernelRow> Sass,
                        raw_ostream &OS) {
  std::vector<BothViews> Both = joined(Mir, Sass);
  if (Both.empty())
    return;
  llvm::sort(Both, [](const BothViews &A, const BothViews &B) {
    double Left = distance(A.Sass->Instructions);
    double Right = distance(B.Sass->Instructions);
    if (Left != Right)
      return Left > Right;
    return A.Sass->Case->Truth.Id < B.Sass->Case->Truth.Id;
  });
  OS << formatv("\nboth views, predicted / measured:\n{0,-58} {1,10} {2,6} "
                "{3,6} {4,10} {5,6} {6,6}\n",
                "case", "inst/warp", "mir", "sass", "us", "mir", "sass");
  for (const BothViews &V : Both)
    OS << formatv("{0,-58} {1,10} {2,6} {3,6} {4,10} {5,6} {6,6}\n",
                  V.Mir->Case->Truth.Id,
                  formatNumber(V.Mir->Instructions.Measured),
                  formatNumber(V.Mir->Instructions.ratio()),
                  formatNumber(V.Sass->Instructions.ratio()),
                  formatNumber(V.Mir->TimeNs.Measured / 1000),
                  formatNumber(V.Mir->TimeNs.ratio()),
                  formatNumber(V.Sass->TimeNs.ratio()));
}

void gpuocc::printViewSummaries(StringRef Title, ArrayRef<KernelRow> Mir,
                                ArrayRef<KernelRow> Sass, raw_ostream &OS) {
  std::vector<KernelRow> Of[2];
  for (const BothViews &V : joined(Mir, Sass)) {
    Of[0].push_back(*V.Mir);
    Of[1].push_back(*V.Sass);
  }
  if (Of[0].empty())
    return;
  printSummary((Title + ", MIR view").str(), summarizeKernels(Of[0], 0), OS);
  printSummary((Title + ", SASS view").str(), summarizeKernels(Of[1], 0), OS);
}
