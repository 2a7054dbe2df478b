//===- FarReuse.h - What warps ask for again much later ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A warp that sweeps over its part of an array more than once finds again in
/// L2 what the warps that run with it have not driven out meanwhile.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_FARREUSE_H
#define GPUOCC_LIB_CACHES_FARREUSE_H

#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace gpuocc {

/// What a warp asks L2 for, and how much else it asks for before it asks for
/// the same again.
class FarReuse {
public:
  /// Walks warp \p Warp of \p Block.
  FarReuse(const WalkedLaunch &L, Dim3 Block, unsigned Warp);

  /// Bytes that \p Access asks for which the warp has not asked for before.
  double firstBytes(size_t Access) const { return OfAccess[Access].First; }

  /// Of all bytes that \p Access asks for, the share that is asked for again
  /// and lost, where \p Lost says how much is lost after so many other bytes.
  double shareLost(size_t Access,
                   llvm::function_ref<double(double Distance)> Lost) const;

private:
  struct Asked {
    struct Again {
      double Distance, Bytes;
    };
    double First = 0;
    std::vector<Again> Later;
  };
  /// What comes back at once, and so from L1, is left out.
  std::vector<Asked> OfAccess;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_FARREUSE_H
