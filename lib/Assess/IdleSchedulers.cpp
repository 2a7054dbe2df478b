//===- IdleSchedulers.cpp - Warps that do not divide among schedulers -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherBlocks.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Volkov 2016, section 5.8: of 17 warps on 4 schedulers one has 5 and the
/// others 4, and the run ends when the fullest is done.
void gpuocc::findIdleSchedulers(const Case &C, Findings &Out) {
  unsigned Schedulers =
      limitOrDefault(C.Limits, &ArchLimits::SubpartitionsPerSm);
  unsigned Warps = C.Predicted.WarpsPerSm;
  if (Warps == 0 || Warps % Schedulers == 0)
    return;
  unsigned Fullest = (Warps + Schedulers - 1) / Schedulers;
  FindingWriter W(RuleId::IdleSchedulers, kernelLocation(C.Facts));
  W << named("WarpsPerSm", Twine(Warps)) << " resident "
    << (Warps == 1 ? "warp does" : "warps do") << " not divide among "
    << named("Schedulers", Twine(Schedulers)) << " schedulers: one has "
    << named("Fullest", Twine(Fullest)) << " while another has "
    << Twine(Warps / Schedulers)
    << "; choose a block size that is a multiple of "
    << named("Multiple", Twine(32 * Schedulers)) << " threads";
  uint64_t Even = alignTo(C.Launched.threadsPerBlock(), 32 * Schedulers);
  std::optional<OtherBlocks> Other;
  if (adaptsToBlocks(C))
    Other = inBlocksOf(C, Even);
  if (Other)
    addPrice(W, Other->Gain);
  else
    W.finding().Remark = RemarkKind::Analysis;
  Out.push_back(std::move(W.finding()));
}
