//===- PlanView.cpp - Plans of changes in reports -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanView.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static json::Value number(double Value) {
  return std::isfinite(Value) ? json::Value(Value) : nullptr;
}

static json::Value stepJSON(const PlanStep &S) {
  const SourcePlace Place = placeToShow(S.Location);
  return json::Object{{"rule", S.Rule},
                      {"file", json::fixUTF8(Place.File)},
                      {"line", Place.Line},
                      {"column", Place.Column},
                      {"what", json::fixUTF8(S.What)},
                      {"time_ns", number(S.TimeNs)},
                      {"gain", number(S.Gain)},
                      {"bound_after", resourceKey(S.BoundAfter)}};
}

json::Value gpuocc::planJSON(const Known<Plan> &P, GainsBeside Others) {
  if (!P)
    return nullptr;
  json::Array Steps;
  for (const PlanStep &S : P->Steps)
    Steps.push_back(stepJSON(S));
  json::Value Ceiling = nullptr;
  if (P->Ceiling)
    Ceiling = json::Object{{"unit", resourceKey(P->Ceiling->Unit)},
                           {"time_ns", number(P->Ceiling->TimeNs)}};
  return json::Object{{"before_ns", number(P->BeforeNs)},
                      {"after_ns", number(P->afterNs())},
                      {"steps", std::move(Steps)},
                      {"undecided", Others == GainsBeside::Undecided},
                      {"ceiling", std::move(Ceiling)}};
}

/// Most of what L2 is asked for goes where loaded indices lead, which were
/// drawn as if they had no order.
static bool restsOnDrawnAddresses(const ExecutionProfile &Profile) {
  double Drawn = 0, All = 0;
  for (const AccessProfile &A : Profile.Accesses) {
    const double Sectors =
        A.RequestsPerWarp * A.SectorsPerRequest * (1 - A.L1HitFraction);
    All += Sectors;
    Drawn += A.DrawnAddresses ? Sectors : 0;
  }
  return Drawn > All / 2;
}

GainsBeside gpuocc::gainsBeside(const KernelReport &K) {
  // Where the time has no upper end, or rests on indices that nobody knows,
  // what was taken for these decides what pays.
  const bool IsOpen =
      (K.Predicted.Interval && std::isinf(K.Predicted.Interval->HighNs)) ||
      restsOnDrawnAddresses(K.Profile);
  GainsBeside Others = IsOpen ? GainsBeside::Undecided : GainsBeside::None;
  for (const Finding &F : K.Findings) {
    if (F.Remark != RemarkKind::Passed)
      continue;
    if (F.Gain)
      return GainsBeside::Some;
    if (F.Gain.reason() != Finding().Gain.reason())
      Others = GainsBeside::Undecided;
  }
  return Others;
}

static StringRef withoutSteps(GainsBeside Others) {
  switch (Others) {
  case GainsBeside::None:
    break;
  case GainsBeside::Some:
    return "what gains is no change that can be tried in turn with others";
  case GainsBeside::Undecided:
    return "what changes gain follows from what nobody gave";
  }
  return "no change pays";
}

std::string gpuocc::planText(const Plan &P, GainsBeside Others) {
  std::string Text = withoutSteps(Others).str();
  if (!P.Steps.empty())
    Text = "from " + formatTime(P.BeforeNs) + " to " + formatTime(P.afterNs()) +
           " in " + formatCount(double(P.Steps.size()), "step");
  // A plan that does better moves less than the ceiling counts.
  if (P.Ceiling && P.Ceiling->TimeNs <= P.afterNs())
    Text += "; " + formatTime(P.Ceiling->TimeNs) + " is what " +
            unitText(P.Ceiling->Unit).str() + " allows";
  return Text;
}

void gpuocc::writePlan(const Plan &P, GainsBeside Others, raw_ostream &OS) {
  OS << "  plan        " << planText(P, Others) << '\n';
  unsigned Number = 0;
  for (const PlanStep &S : P.Steps) {
    OS << "    " << ++Number << ". " << formatTime(S.TimeNs) << " ("
       << formatRatio(S.Gain) << ", then bound by " << unitText(S.BoundAfter)
       << "): ";
    if (std::string Place = formatPlace(placeToShow(S.Location));
        !Place.empty())
      OS << printable(Place) << ": ";
    OS << printable(S.What) << " [" << S.Rule << "]\n";
  }
}
