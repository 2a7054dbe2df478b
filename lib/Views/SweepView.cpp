//===- SweepView.cpp - Times over sizes in words and JSON -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepView.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// What of the launch is assumed.
static std::string assumedText(const KernelReport &K) {
  const SizeSweep &S = *K.OverSizes;
  std::string Text = join(S.Sizes, " and ");
  Text += S.Dimensions == 1 ? " = elements" : " = the side of a square of them";
  Text += ", blocks of " + formatDim(K.Launched.Block.Value);
  return Text + (S.Strides ? ", at most as many as the SMs hold at a time"
                           : ", as many as reach each element once");
}

/// "2^20"; other numbers as they are.
static std::string sizeText(uint64_t Elements) {
  return isPowerOf2_64(Elements) ? "2^" + utostr(Log2_64(Elements))
                                 : utostr(Elements);
}

std::string gpuocc::sweepText(const KernelReport &K) {
  std::vector<std::string> Texts;
  for (const SweepPoint &P : K.OverSizes->Points)
    Texts.push_back(sizeText(P.Elements) + ": " + formatTime(P.TimeNs) + " (" +
                    formatNumber(P.nsPerElement()) + " ns each)");
  return join(Texts, ", ") +
         "; a sweep over an assumed launch: " + assumedText(K);
}

static json::Value number(double Value) {
  return std::isfinite(Value) ? json::Value(Value) : nullptr;
}

json::Value gpuocc::sweepJSON(const KernelReport &K) {
  json::Array Points;
  for (const SweepPoint &P : K.OverSizes->Points)
    Points.push_back(
        json::Object{{"elements", P.Elements},
                     {"grid", json::Array{P.GridX, P.GridY, 1}},
                     {"time_ns", number(P.TimeNs)},
                     {"ns_per_element", number(P.nsPerElement())}});
  return json::Object{{"assumed", json::fixUTF8(assumedText(K))},
                      {"points", std::move(Points)}};
}
