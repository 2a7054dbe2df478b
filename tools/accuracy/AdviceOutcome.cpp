//===- AdviceOutcome.cpp - Advice beside what it brought ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdviceOutcome.h"
#include "Statistics.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// How much slower than the fastest variant advice may be.
static constexpr double Tolerance = 1.05;

/// The number named \p Key in the message of \p F.
static std::optional<unsigned> numberIn(const Finding &F, StringRef Key) {
  for (const Evidence &E : F.Message) {
    unsigned Value = 0;
    if (E.Key == Key && !StringRef(E.Text).getAsInteger(10, Value))
      return Value;
  }
  return std::nullopt;
}

std::optional<AdvisedVariant> gpuocc::advisedVariant(const KernelReport &R) {
  for (const Finding &F : R.Findings) {
    // Without a gain the finding says why nothing pays.
    if (F.Rule != RuleId::LaunchBoundsAdvice || !F.Gain)
      continue;
    AdvisedVariant A;
    A.Way.Threads =
        numberIn(F, "Threads").value_or(unsigned(R.Launched.threadsPerBlock()));
    A.Way.Registers =
        numberIn(F, "Registers").value_or(R.Facts.Resources.RegistersPerThread);
    A.Gain = *F.Gain;
    return A;
  }
  return std::nullopt;
}

bool AdviceOutcome::helps() const {
  return !Advised || (Measured && *Measured > 1);
}

bool AdviceOutcome::isHit() const {
  return helps() && Measured && *Measured * Tolerance >= BestGain;
}

AdviceOutcome gpuocc::judgeAdvice(std::string Kernel,
                                  std::optional<AdvisedVariant> Advised,
                                  ArrayRef<MeasuredVariant> Ways) {
  AdviceOutcome O;
  O.Kernel = std::move(Kernel);
  const MeasuredVariant &Own = Ways.front();
  const MeasuredVariant &Best = *llvm::min_element(
      Ways, [](const auto &A, const auto &B) { return A.Ns < B.Ns; });
  O.Own = Own.Way;
  O.Best = Best.Way;
  O.BestGain = Own.Ns / Best.Ns;
  O.Advised = Advised;
  LaunchVariant Taken = Advised ? Advised->Way : Own.Way;
  for (const MeasuredVariant &Way : Ways)
    if (Way.Way == Taken)
      O.Measured = Own.Ns / Way.Ns;
  return O;
}

double gpuocc::hitPercent(ArrayRef<AdviceOutcome> Outcomes) {
  if (Outcomes.empty())
    return 0;
  auto Hits = count_if(Outcomes, [](const auto &O) { return O.isHit(); });
  return 100.0 * double(Hits) / double(Outcomes.size());
}

/// What \p Way changes of \p Own.
static std::string changeText(const LaunchVariant &Way,
                              const LaunchVariant &Own) {
  std::string Text;
  if (Way.Threads != Own.Threads)
    Text = formatv("blocks of {0}", Way.Threads);
  if (Way.Registers != Own.Registers)
    Text += formatv("{0}{1} registers", Text.empty() ? "" : ", ", Way.Registers)
                .str();
  return Text.empty() ? "leave" : Text;
}

void gpuocc::printAdvice(ArrayRef<AdviceOutcome> Outcomes, raw_ostream &OS) {
  OS << formatv("{0,-10} {1,12}  {2,-14} {3,9} {4,9} {5,6} {6,6}  {7,-14}\n",
                "kernel", "now", "advice", "predicted", "measured", "off",
                "best", "best variant");
  std::vector<double> Errors, Factors;
  size_t NumChanges = 0, NumHelping = 0, NumHits = 0;
  const AdviceOutcome *Worst = nullptr;
  auto Missed = [](const AdviceOutcome &O) {
    return O.BestGain / O.Measured.value_or(1);
  };
  for (const AdviceOutcome &O : Outcomes) {
    double Predicted = O.Advised ? O.Advised->Gain : 1;
    std::string Off;
    if (O.Measured && O.Advised) {
      Errors.push_back(std::fabs(Predicted / *O.Measured - 1));
      Factors.push_back(timesOff(Predicted, *O.Measured));
      Off = formatv("{0:f2}", Predicted / *O.Measured);
    }
    NumChanges += O.Advised.has_value();
    NumHelping += O.Advised && O.helps();
    NumHits += O.isHit();
    if (!Worst || Missed(O) > Missed(*Worst))
      Worst = &O;
    OS << formatv("{0,-10} {1,12}  {2,-14} {3,9:f2} {4,9} {5,6} {6,6:f2}  "
                  "{7,-14}{8}\n",
                  O.Kernel,
                  formatv("{0} x {1}", O.Own.Threads, O.Own.Registers).str(),
                  O.Advised ? changeText(O.Advised->Way, O.Own) : "leave",
                  Predicted, gainText(O.Measured), Off, O.BestGain,
                  changeText(O.Best, O.Own), O.isHit() ? "" : " miss");
  }
  OS << formatv("\n{0} kernels, {1} to be changed, {2} of them are faster "
                "then\n",
                Outcomes.size(), NumChanges, NumHelping);
  OS << formatv("hits (helps, and within {0:f0} % of the fastest variant): {1} "
                "of {2}, {3:f0} %\n",
                100 * (Tolerance - 1), NumHits, Outcomes.size(),
                hitPercent(Outcomes));
  if (!Errors.empty())
    OS << formatv("predicted gains: median error {0:f1} %, worst {1:f2}x\n",
                  100 * *quantile(Errors, 0.5), *quantile(Factors, 1));
  if (Worst)
    OS << formatv("worst miss: {0}, {1:f2}x slower than with {2}\n",
                  Worst->Kernel, Missed(*Worst),
                  changeText(Worst->Best, Worst->Own));
}

static json::Value variantJSON(const LaunchVariant &Way) {
  return json::Object{{"threads", Way.Threads}, {"registers", Way.Registers}};
}

void gpuocc::writeAdvice(ArrayRef<AdviceOutcome> Outcomes, json::OStream &J) {
  auto Optional = [](std::optional<double> Gain) -> json::Value {
    return Gain ? json::Value(*Gain) : nullptr;
  };
  J.object([&] {
    J.attributeArray("kernels", [&] {
      for (const AdviceOutcome &O : Outcomes)
        J.object([&] {
          J.attribute("kernel", O.Kernel);
          J.attribute("own", variantJSON(O.Own));
          J.attribute("advised", O.Advised ? variantJSON(O.Advised->Way)
                                           : json::Value(nullptr));
          J.attribute("predicted", O.Advised ? O.Advised->Gain : 1.0);
          J.attribute("measured", Optional(O.Measured));
          J.attribute("best", variantJSON(O.Best));
          J.attribute("best_gain", O.BestGain);
          J.attribute("helps", O.helps());
          J.attribute("hit", O.isHit());
        });
    });
    J.attributeObject("summary", [&] {
      J.attribute("kernels", int64_t(Outcomes.size()));
      J.attribute("hit_percent", hitPercent(Outcomes));
    });
  });
}
