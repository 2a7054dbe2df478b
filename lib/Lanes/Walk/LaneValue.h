//===- LaneValue.h - One value in the 32 lanes of a warp --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A value of the slice in each lane, and what it rests on.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_LANEVALUE_H
#define GPUOCC_LIB_LANES_WALK_LANEVALUE_H

#include "Analysis/RegisterBits.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include <array>
#include <bit>
#include <cstdint>

namespace gpuocc {

/// Lanes of a warp, one bit each.
using LaneMask = uint32_t;

constexpr LaneMask AllLanes = ~LaneMask(0);

inline unsigned numLanes(LaneMask M) { return unsigned(std::popcount(M)); }

/// A word for each lane.
using LaneArray = std::array<uint64_t, WarpLanes>;

/// A set of unknowns a value rests on that the code and the launch do not fix.
/// Low bits number the assumed inputs of LaunchInputs, high bits are below.
using TaintMask = uint64_t;

/// Read from memory.
constexpr TaintMask DataTaint = TaintMask(1) << 63;
/// Computed by an operation that is not evaluated (floating point, say).
constexpr TaintMask OpaqueTaint = TaintMask(1) << 62;
/// A trip count that nothing decides.
constexpr TaintMask TripTaint = TaintMask(1) << 61;
/// The effort limit cut a walk short.
constexpr TaintMask EffortTaint = TaintMask(1) << 60;
/// Computed by an approximate function of the hardware, whose last bits differ.
constexpr TaintMask ApproximateTaint = TaintMask(1) << 59;
/// Read where no walk has written (besides DataTaint).
constexpr TaintMask UnseenTaint = TaintMask(1) << 58;
/// True where made-up values stand in for what \p Taint is read or computed
/// from.
constexpr bool isDrawn(TaintMask Taint) {
  return Taint & (DataTaint | OpaqueTaint);
}
/// Assumed inputs that no longer have a bit of their own share this one.
constexpr unsigned LastInputBit = 57;

/// A value in 32 lanes, zero-extended to 64 bits. What it rests on is kept
/// apart: Base is what only a common addend of all lanes rests on (so that the
/// differences between lanes are exact), Shape what the differences rest on.
struct LaneValue {
  /// All lanes hold V[0]; the other elements are then not meaningful.
  bool Uniform = true;
  /// The unknown common addend is a multiple of 2^BaseAlignLog2.
  uint8_t BaseAlignLog2 = 0;
  TaintMask Base = 0;
  TaintMask Shape = 0;
  alignas(32) LaneArray V;

  LaneValue() { V[0] = 0; }
  explicit LaneValue(uint64_t Value) { V[0] = Value; }
  LaneValue(const LaneValue &O) { assign(O); }
  LaneValue &operator=(const LaneValue &O) {
    assign(O);
    return *this;
  }

  uint64_t lane(unsigned L) const { return Uniform ? V[0] : V[L]; }
  TaintMask taint() const { return Base | Shape; }

  /// Makes every element of V meaningful.
  void expand() {
    if (!Uniform)
      return;
    V.fill(V[0]);
    Uniform = false;
  }

  /// Same in all lanes whatever the unknowns are.
  bool isKnownUniform() const { return Uniform && Shape == 0; }

private:
  void assign(const LaneValue &O) {
    Uniform = O.Uniform;
    BaseAlignLog2 = O.BaseAlignLog2;
    Base = O.Base;
    Shape = O.Shape;
    if (Uniform)
      V[0] = O.V[0];
    else
      V = O.V;
  }
};

/// Overwrites the lanes \p Mask of \p Into with those of \p From. When all
/// \p Live lanes are written, what \p Into rested on is forgotten.
inline void blend(LaneValue &Into, const LaneValue &From, LaneMask Mask,
                  LaneMask Live) {
  if ((Mask & Live) == Live) {
    Into = From;
    return;
  }
  TaintMask Mixed = Into.Base | From.Base;
  bool SameBase = Into.Base == From.Base;
  if (!(Into.Uniform && From.Uniform && Into.V[0] == From.V[0])) {
    Into.expand();
    for (unsigned L = 0; L < WarpLanes; ++L)
      Into.V[L] = (Mask >> L) & 1 ? From.lane(L) : Into.V[L];
  }
  Into.Shape |= From.Shape;
  if (!SameBase && Mixed)
    Into.Shape |= Mixed;
  Into.BaseAlignLog2 = Into.BaseAlignLog2 < From.BaseAlignLog2
                           ? Into.BaseAlignLog2
                           : From.BaseAlignLog2;
  Into.Base = Mixed;
}

/// A number that looks random but depends on its input only.
inline uint64_t scramble(uint64_t X) {
  // Finalizer of SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable
  // pseudorandom number generators").
  X += 0x9E3779B97F4A7C15ull;
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9ull;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EBull;
  return X ^ (X >> 31);
}

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_LANEVALUE_H
