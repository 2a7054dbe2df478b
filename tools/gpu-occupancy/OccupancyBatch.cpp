//===- OccupancyBatch.cpp - Occupancy of many blocks ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OccupancyBatch.h"
#include "gpuocc/Model/Occupancy.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace gpuocc;
using namespace llvm;

namespace {
/// One column of the input.
struct Column {
  StringLiteral Name;
  /// What an empty or missing field stands for; nothing when it must be there.
  std::optional<uint64_t> Default;
};
} // namespace

// After the architecture.
static constexpr Column Columns[] = {
    {"registers", std::nullopt},    {"block", std::nullopt},
    {"static_shared", uint64_t(0)}, {"dynamic_shared", uint64_t(0)},
    {"cluster", uint64_t(1)},
};
static constexpr size_t NumColumns = std::size(Columns);

static Expected<uint64_t> readField(ArrayRef<StringRef> Fields, size_t Index) {
  const Column &C = Columns[Index];
  // Field 0 is the architecture.
  StringRef Text = Index + 1 < Fields.size() ? Fields[Index + 1].trim() : "";
  if (Text.empty() && C.Default)
    return *C.Default;
  unsigned Number = 0;
  if (Text.empty() || Text.getAsInteger(10, Number))
    return createStringError("expected a number as " + C.Name + ", found '" +
                             Text + "'");
  return Number;
}

static Error answerLine(StringRef Line, raw_ostream &OS) {
  SmallVector<StringRef, 6> Fields;
  Line.split(Fields, ',');
  if (Fields.size() > NumColumns + 1)
    return createStringError(
        "expected arch,registers,block,static_shared,dynamic_shared,cluster, "
        "found " +
        Twine(Fields.size()) + " fields");
  Expected<const ArchLimits &> Limits = archLimits(Fields[0].trim());
  if (!Limits)
    return Limits.takeError();
  uint64_t Values[NumColumns];
  for (size_t I = 0; I != NumColumns; ++I) {
    Expected<uint64_t> Value = readField(Fields, I);
    if (!Value)
      return Value.takeError();
    Values[I] = *Value;
  }
  BlockResources Block;
  Block.RegistersPerThread = Values[0];
  Block.Threads = Values[1];
  Block.StaticSharedBytes = Values[2];
  Block.DynamicSharedBytes = Values[3];
  Block.ClusterBlocks = Values[4];
  if (Block.Threads == 0)
    return createStringError("a block has at least one thread");
  Occupancy O = occupancy(*Limits, Block);
  OS << O.BlocksPerSm << ',' << O.WarpsPerSm << ','
     << occupancyLimiterKey(O.limiter()) << '\n';
  return Error::success();
}

Error gpuocc::runOccupancyBatch(raw_ostream &OS) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Input = MemoryBuffer::getSTDIN();
  if (!Input)
    return createFileError("standard input", Input.getError());
  for (line_iterator Line(**Input); !Line.is_at_eof(); ++Line) {
    if (Line.line_number() == 1 && Line->starts_with("arch,")) {
      OS << "blocks_per_sm,warps_per_sm,limiter\n";
      continue;
    }
    if (Error E = answerLine(*Line, OS))
      return createStringError("standard input, line " +
                               Twine(Line.line_number()) + ": " +
                               toString(std::move(E)));
  }
  return Error::success();
}
