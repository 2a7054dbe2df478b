//===- Price.h - What mending a finding would bring ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// No advice without a price: the model runs again on values in which one
/// finding is mended, and the two predictions are compared.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_PRICE_H
#define GPUOCC_LIB_ASSESS_PRICE_H

#include "Message.h"
#include "Rules.h"
#include "gpuocc/WhatIf/Change.h"
#include <optional>

namespace gpuocc {

/// The predicted speed-up, and what bounds the kernel then.
struct Price {
  double Gain = 1;
  Resource BoundAfter = Resource::Latency;
  /// As PricedFinding::Fixed.
  std::shared_ptr<const KernelVariant> Fixed;
  /// As PricedFinding::EndsPlan.
  bool EndsPlan = false;
  /// Only if all warps go where the finding is.
  bool WhereTaken = false;
  /// Why the gain is not told, where arguments decide it that nobody gave.
  std::string Undecided = {};
};

/// A price of a change of \p C before its gain is known: all that the case
/// says of it.
Price priceOf(const Case &C);

/// How much faster \p Fixed is than what \p C predicts: the ratio of times
/// when both are known, otherwise of warp throughputs, where a warp then does
/// the work of \p WarpsInOne.
Price comparePredictions(const Case &C, const Prediction &Fixed,
                         double WarpsInOne = 1);

/// The kernel of \p C after \p What; nothing where it cannot be changed so.
std::optional<KernelVariant> changed(const Case &C, const Change &What);

/// As changed(), with the addresses of all accesses evaluated anew; nothing
/// also where that cannot be done, or the kernel cannot be launched any more.
std::optional<KernelVariant> changedAndWalked(const Case &C,
                                              const Change &What);

/// True if blocks of \p V fit on an SM of the device of \p C.
bool canBeLaunched(const Case &C, const KernelVariant &V);

/// How much faster \p Fixed is, a kernel from which plans may go on. As
/// comparePredictions.
Price priceVariant(const Case &C, KernelVariant Fixed, double WarpsInOne = 1);

/// The price of \p What. A change that cannot be made gains nothing.
Price price(const Case &C, const Change &What);

/// True if \p Together, the price of mending several places of \p Rule at once,
/// is too small for any of them to be shown: those that do not gain it together
/// do not gain it one by one.
bool isTooSmall(const Case &C, RuleId Rule, const Price &Together);

/// Completes \p W with ". Estimated gain: 2.9x (then bound by ...)", or with
/// ". Estimated gain if all warps go there: ...".
void addPrice(FindingWriter &W, const Price &P);

/// addPrice() of \p What, which is not predicted where its gain is not told.
void addPrice(FindingWriter &W, const Case &C, const Change &What);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_PRICE_H
