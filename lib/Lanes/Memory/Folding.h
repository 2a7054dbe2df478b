//===- Folding.h - Lane addresses to sectors and wavefronts ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pure functions from the addresses of one request to what the memory system
/// does with it. The sizes of a MemoryGeometry are powers of two.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_MEMORY_FOLDING_H
#define GPUOCC_LIB_LANES_MEMORY_FOLDING_H

#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <bit>

namespace gpuocc {

/// The addresses of one request; only the lanes Active count.
struct RequestAddresses {
  std::array<uint64_t, WarpLanes> Address = {};
  LaneMask Active = 0;
  unsigned BytesPerLane = 4;
  bool IsAtomic = false, IsStore = false;
  /// The lanes of an atomic try again until each had its turn on its word.
  bool IsRetried = false;
};

/// What one request costs.
struct RequestCost {
  double Sectors = 0, IdealSectors = 0, Lines = 0;
  double Wavefronts = 0, IdealWavefronts = 0;
  double DistinctAddresses = 0, LanesPerAddress = 0;
  /// Of atomics: AccessProfile::SerializedPasses.
  double Turns = 0;
  /// AccessProfile::OtherBlocksSectorsPerRequest.
  double OtherBlocksSectors = 0;
  /// AccessProfile::OtherBlocksLinesPerRequest.
  double OtherBlocksLines = 0;
  bool operator==(const RequestCost &) const = default;
};

/// Calls \p Visit with the number of each aligned piece of \p PieceBytes, a
/// power of two, that the lanes \p Lanes touch, lane by lane.
template <typename Function>
void forEachPiece(const RequestAddresses &R, LaneMask Lanes,
                  unsigned PieceBytes, Function Visit) {
  const unsigned Shift = unsigned(std::countr_zero(std::max(1u, PieceBytes)));
  for (LaneMask Left = Lanes & R.Active; Left; Left &= Left - 1) {
    const uint64_t Address = R.Address[unsigned(std::countr_zero(Left))];
    const uint64_t Last = (Address + R.BytesPerLane - 1) >> Shift;
    for (uint64_t Piece = Address >> Shift; Piece <= Last; ++Piece)
      Visit(Piece);
  }
}

/// Fills \p Pieces with the numbers of the aligned pieces of \p PieceBytes, a
/// power of two, that the active lanes touch: each once, in order.
void collectPieces(const RequestAddresses &R, unsigned PieceBytes,
                   llvm::SmallVectorImpl<uint64_t> &Pieces);

/// Distinct aligned pieces of \p PieceBytes that the active lanes touch.
unsigned countPieces(const RequestAddresses &R, unsigned PieceBytes);

/// Passes through shared memory: 4-byte and narrower accesses are served
/// together, 8-byte ones by half-warps, 16-byte ones by quarter-warps; two
/// neighbouring parts are served together when in each aligned pair of lanes
/// (or of lane pairs) the active lanes agree on their address.
unsigned sharedWavefronts(const RequestAddresses &R, const MemoryGeometry &G);

/// Physical place of local-memory addresses: 4-byte words of the lanes of a
/// warp alternate. Wider accesses become several words per lane.
llvm::SmallVector<RequestAddresses, 4> localRequests(const RequestAddresses &R);

/// Everything about one request in \p Space (not Generic). \p SectorIds, if
/// given, receives the distinct sectors in ascending order.
RequestCost foldRequest(const RequestAddresses &R, MemorySpace Space,
                        const MemoryGeometry &G,
                        llvm::SmallVectorImpl<uint64_t> *SectorIds = nullptr);

/// The least and the most sectors and wavefronts of a request, or sums of them.
struct AddendEffect {
  double LeastSectors = 0, MostSectors = 0;
  double LeastWavefronts = 0, MostWavefronts = 0;
  /// Some figure of RequestCost changes with it.
  bool Matters = false;
};

/// What a common addend of all addresses, any multiple of 2^\p AlignLog2, can
/// make of \p R, which costs \p Cost without one.
AddendEffect addendEffect(const RequestAddresses &R, MemorySpace Space,
                          const RequestCost &Cost, unsigned AlignLog2,
                          const MemoryGeometry &G);

/// Remembers what the last requests cost: loops repeat the same few lane
/// patterns at places that differ by whole lines.
class FoldMemo {
public:
  struct Entry {
    RequestAddresses Request;
    MemorySpace Space = MemorySpace::Global;
    RequestCost Cost;
  };

  /// The cost of \p R.
  RequestCost fold(const RequestAddresses &R, MemorySpace Space,
                   const MemoryGeometry &G);

  /// addendEffect() of \p R, which costs \p Cost.
  AddendEffect addend(const RequestAddresses &R, MemorySpace Space,
                      const RequestCost &Cost, unsigned AlignLog2,
                      const MemoryGeometry &G);

private:
  struct AddendEntry {
    RequestAddresses Request;
    MemorySpace Space = MemorySpace::Global;
    unsigned AlignLog2 = 0;
    AddendEffect Effect;
  };

  static constexpr unsigned NumEntries = 16, NumAddendEntries = 4;
  llvm::SmallVector<Entry, 1> Entries;
  llvm::SmallVector<AddendEntry, 0> AddendEntries;
  unsigned Oldest = 0, OldestAddend = 0;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_FOLDING_H
