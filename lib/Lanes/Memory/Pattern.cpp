//===- Pattern.cpp - A lane pattern in words ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Pattern.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

std::optional<int64_t> gpuocc::laneStride(const RequestAddresses &R) {
  std::optional<int64_t> Stride;
  for (unsigned L = 0; L + 1 < WarpLanes; ++L) {
    if (((R.Active >> L) & 3) != 3)
      continue;
    int64_t S = int64_t(R.Address[L + 1] - R.Address[L]);
    if (Stride && *Stride != S)
      return std::nullopt;
    Stride = S;
  }
  return Stride;
}

/// "lanes 0..31", or "16 lanes" when they are not in a row.
static std::string lanesText(LaneMask Active) {
  std::string Text;
  raw_string_ostream OS(Text);
  unsigned First = unsigned(std::countr_zero(Active));
  unsigned Last = WarpLanes - 1 - unsigned(std::countl_zero(Active));
  if (numLanes(Active) == 1)
    OS << "lane " << First;
  else if (Last - First + 1 == numLanes(Active))
    OS << "lanes " << First << ".." << Last;
  else
    OS << numLanes(Active) << " lanes";
  return Text;
}

/// The length of the rows when the lanes form rows of equal length with one
/// stride inside (thread blocks narrower than a warp); 0 otherwise.
static unsigned rowLength(const RequestAddresses &R, int64_t &Inside,
                          int64_t &Between) {
  if (R.Active != AllLanes)
    return 0;
  for (unsigned Row = 2; Row < WarpLanes; Row *= 2) {
    Inside = int64_t(R.Address[1] - R.Address[0]);
    Between = int64_t(R.Address[Row] - R.Address[0]);
    bool Fits = true;
    for (unsigned L = 0; L < WarpLanes && Fits; ++L)
      Fits = R.Address[L] == R.Address[0] + uint64_t(Inside) * (L % Row) +
                                 uint64_t(Between) * (L / Row);
    if (Fits)
      return Row;
  }
  return 0;
}

/// Where the lanes are: "128 B apart".
static std::string placementText(const RequestAddresses &R,
                                 const RequestCost &Cost) {
  std::string Text;
  raw_string_ostream OS(Text);
  int64_t Inside = 0, Between = 0;
  if (std::optional<int64_t> Stride = laneStride(R)) {
    OS << *Stride << " B apart";
  } else if (unsigned Row = rowLength(R, Inside, Between)) {
    OS << "rows of " << Row << " lanes " << Inside << " B apart, rows "
       << Between << " B apart";
  } else {
    OS << "at " << int64_t(Cost.DistinctAddresses)
       << " addresses without a common stride";
  }
  return Text;
}

static std::string plural(double N, StringRef Noun) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << int64_t(N) << ' ' << Noun << (int64_t(N) == 1 ? "" : "s");
  return Text;
}

std::string gpuocc::describePattern(const RequestAddresses &R,
                                    MemorySpace Space, const RequestCost &Cost,
                                    const MemoryGeometry &Geometry) {
  if (!R.Active)
    return "no lane active";
  std::string Lanes = lanesText(R.Active);
  if (numLanes(R.Active) == 1)
    return Lanes + " alone";
  if (Cost.DistinctAddresses == 1)
    return Lanes + " share one address";
  std::string Placement = placementText(R, Cost);
  if (Space == MemorySpace::Shared)
    return Lanes + " are " + Placement + " and take " +
           plural(Cost.Wavefronts, "wavefront");
  if (Space == MemorySpace::Constant || Space == MemorySpace::Param)
    return Lanes + " read " + plural(Cost.DistinctAddresses, "address") +
           " one after the other";
  return Lanes + " touch " + plural(Cost.Sectors, "sector") + ", " + Placement;
}
