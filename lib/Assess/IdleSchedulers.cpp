//===- IdleSchedulers.cpp - Warps that do not divide among schedulers -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"

using namespace gpuocc;
using namespace llvm;

/// Warps per cycle with \p Warps resident, off the curve; 0 when it ends
/// before.
static double throughputAt(const Prediction &P, unsigned Warps) {
  return Warps - 1 < P.Curve.size() ? P.Curve[Warps - 1].WarpsPerCycle : 0;
}

/// Volkov 2016, section 5.8: of 17 warps on 4 schedulers one has 5 and the
/// others 4, and the run ends when the fullest is done.
void gpuocc::findIdleSchedulers(const Case &C, Findings &Out) {
  unsigned Schedulers = C.Limits.SubpartitionsPerSm.value_or(1);
  unsigned Warps = C.Predicted.WarpsPerSm;
  if (Warps == 0 || Warps % Schedulers == 0)
    return;
  unsigned Fullest = (Warps + Schedulers - 1) / Schedulers;
  FindingWriter W(RuleId::IdleSchedulers, kernelLocation(C.Facts));
  W << named("WarpsPerSm", Twine(Warps))
    << " resident warps do not divide among "
    << named("Schedulers", Twine(Schedulers)) << " schedulers: one has "
    << named("Fullest", Twine(Fullest)) << " while another has "
    << Twine(Warps / Schedulers)
    << "; choose a block size that is a multiple of "
    << named("Multiple", Twine(32 * Schedulers)) << " threads";
  Price P;
  P.BoundAfter = C.Predicted.Diagnosed.Unit;
  double Now = throughputAt(C.Predicted, Warps);
  if (double Even = throughputAt(C.Predicted, Fullest * Schedulers);
      Now > 0 && Even > 0)
    P.Gain = Even / Now;
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}
