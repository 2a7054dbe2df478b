//===- CoverageTable.cpp - Times inside and outside intervals -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoverageTable.h"
#include "Statistics.h"
#include "gpuocc/Model/Interval.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static std::string classOf(const TimeInterval &I) {
  std::vector<std::string> Reasons;
  for (const std::string &Why : I.DependsOn)
    if (Why != "the model" && !StringRef(Why).starts_with("numbers "))
      Reasons.push_back(Why);
  return join(Reasons, ", ");
}

/// The middle of \p Widths, the larger of two: some may be infinite.
static double medianOf(std::vector<double> Widths) {
  llvm::sort(Widths);
  return Widths.empty() ? 1 : Widths[Widths.size() / 2];
}

bool IntervalCase::isHeldOut() const { return xxh3_64bits(Id) % 2; }

std::vector<CoverageClass> gpuocc::coverageOf(ArrayRef<IntervalCase> Cases) {
  struct Collected {
    CoverageClass Class;
    std::vector<double> Widths, Off;
  };
  std::map<std::string, Collected> Found;
  for (const IntervalCase &C : Cases) {
    const std::string Name = classOf(C.Predicted);
    auto &[Class, Widths, Off] = Found[Name];
    Class.DependsOn = Name;
    ++Class.NumCases;
    Class.NumInside += C.isInside();
    Widths.push_back(C.width());
    if (C.isHeldOut()) {
      ++Class.NumHeldOut;
      Class.NumHeldOutInside += C.isInside();
    } else {
      Off.push_back(timesOff(C.PredictedNs, C.MeasuredNs));
    }
    if (!C.isInside())
      (C.MeasuredNs < C.Predicted.LowNs ? Class.Faster : Class.Slower)
          .push_back(C.Id);
  }
  std::vector<CoverageClass> Classes;
  for (auto &[Name, Of] : Found) {
    Of.Class.MedianWidth = medianOf(std::move(Of.Widths));
    Of.Class.FourFifths = quantile(Of.Off, IntervalCoverage);
    Classes.push_back(std::move(Of.Class));
  }
  llvm::sort(Classes, [](const CoverageClass &A, const CoverageClass &B) {
    return std::tuple(B.NumCases, A.DependsOn) <
           std::tuple(A.NumCases, B.DependsOn);
  });
  return Classes;
}

void gpuocc::printCoverage(StringRef Title, ArrayRef<IntervalCase> Cases,
                           raw_ostream &OS) {
  if (Cases.empty())
    return;
  const auto NumInside =
      count_if(Cases, [](const IntervalCase &C) { return C.isInside(); });
  OS << Title << ", times inside their intervals: " << NumInside << " of "
     << Cases.size() << '\n';
  for (const CoverageClass &C : coverageOf(Cases)) {
    OS << formatv(
        "  {0,-60} {1,3} of {2,3}, median width {3}; held out {4} of {5}; "
        "others 80 % within {6}\n",
        C.DependsOn.empty() ? "the model alone" : C.DependsOn, C.NumInside,
        C.NumCases, formatNumber(C.MedianWidth), C.NumHeldOutInside,
        C.NumHeldOut, C.FourFifths ? formatNumber(*C.FourFifths) : "-");
    for (const auto &[Ids, Word] :
         {std::pair(&C.Faster, "faster"), std::pair(&C.Slower, "slower")})
      if (!Ids->empty())
        OS << "    " << Word << ": " << join(*Ids, ", ") << '\n';
  }
}

void gpuocc::writeCoverage(ArrayRef<IntervalCase> Cases, json::OStream &J) {
  for (const CoverageClass &C : coverageOf(Cases))
    J.object([&] {
      J.attribute("depends_on", C.DependsOn);
      J.attribute("cases", C.NumCases);
      J.attribute("inside", C.NumInside);
      J.attribute("held_out", C.NumHeldOut);
      J.attribute("held_out_inside", C.NumHeldOutInside);
      if (C.FourFifths)
        J.attribute("others_off_80", *C.FourFifths);
      // JSON has no infinity.
      J.attribute("median_width", std::isfinite(C.MedianWidth)
                                      ? json::Value(C.MedianWidth)
                                      : json::Value(nullptr));
    });
}
