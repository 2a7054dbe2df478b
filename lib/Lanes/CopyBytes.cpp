//===- CopyBytes.cpp - Bytes of copies that code computes -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lanes/CopyBytes.h"
#include "Analysis/RecordedMemory.h"
#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/WarpWalker.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <vector>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Sums the bytes of the copies that a walk sees, by access.
class CopyBytesSum final : public WalkObserver {
public:
  explicit CopyBytesSum(size_t NumAccesses) : Copies(NumAccesses) {}

  void onAccess(const AccessEvent &E) override {
    if (!E.Bytes || !E.Active)
      return;
    Sum &Of = Copies[E.Access];
    Of.IsUnknown |= isDrawn(E.Bytes->taint());
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane) {
      if (!(E.Active >> Lane & 1))
        continue;
      // The size is a number of 32 bits (PTX ISA, cp.async.bulk).
      const auto Bytes = uint32_t(E.Bytes->lane(Lane));
      Of.IsUnknown |= Bytes > MostBytes;
      Of.Bytes += E.Weight * double(Bytes);
      Of.Copies += E.Weight;
    }
  }

  /// Mean bytes of a copy by \p Access; nothing where they are unknown.
  std::optional<unsigned> mean(uint32_t Access) const {
    const Sum &Of = Copies[Access];
    if (Of.IsUnknown || Of.Copies <= 0)
      return std::nullopt;
    return unsigned(std::lround(Of.Bytes / Of.Copies));
  }

private:
  /// One end of a copy lies in shared memory, of which no block has that much:
  /// what a guessed argument makes larger is no size.
  static constexpr uint32_t MostBytes = 256 << 10;

  struct Sum {
    double Bytes = 0, Copies = 0;
    bool IsUnknown = false;
  };
  std::vector<Sum> Copies;
};

} // namespace

void gpuocc::takeCopyBytes(const Launch &L, const LanesOptions &Options,
                           KernelFacts &Facts) {
  if (none_of(Facts.Accesses,
              [](const MemoryAccess &A) { return A.BytesOperand != NoIndex; }))
    return;
  const Slice S = sliceKernel(
      Facts,
      findRecordedArrays(Facts, L, Options.Used, Options.seenIn(L) != nullptr),
      Options.Used);
  LaunchInputs Inputs(Facts, L, Options, S);
  CopyBytesSum Seen(Facts.Accesses.size());
  WalkLimits Limits;
  Limits.MaxSteps = Options.MaxSteps;
  WarpWalker Walker(Facts, S, Inputs, Limits);
  const Dim3 Grid = Inputs.grid();
  std::vector<Dim3> Blocks = {{0, 0, 0}};
  if (Grid.count() > 2)
    Blocks.push_back({Grid.X / 2, Grid.Y / 2, Grid.Z / 2});
  for (const Dim3 &Block : Blocks)
    for (unsigned Warp = 0; Warp != Inputs.warpsPerBlock(); ++Warp)
      Walker.walk(Block, Warp, 1, Seen);
  for (auto [I, A] : enumerate(Facts.Accesses)) {
    if (A.BytesOperand == NoIndex)
      continue;
    if (const std::optional<unsigned> Bytes = Seen.mean(uint32_t(I))) {
      A.BytesPerLane = *Bytes;
      A.WidthAssumed = false;
    }
  }
}
