//===- ArrayContents.cpp - What an array holds ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ArrayContents.h"
#include <algorithm>
#include <cstring>

using namespace gpuocc;
using namespace llvm;

/// The parts that \p File has, where it has parts.
static std::optional<ArrayParts> partsOf(StringRef File) {
  ArrayParts Parts;
  if (File.size() < sizeof(Parts))
    return std::nullopt;
  std::memcpy(&Parts, File.data(), sizeof(Parts));
  if (Parts.Mark != ArrayParts::Sign || Parts.PartBytes == 0 ||
      Parts.NumParts < 2 || Parts.ArrayBytes == 0 ||
      Parts.NumParts - 1 > (Parts.ArrayBytes - 1) / Parts.PartBytes)
    return std::nullopt;
  const uint64_t Last = Parts.NumParts - 1;
  if (File.size() !=
      Parts.beginInFile(Last) + Parts.end(Last) - Parts.begin(Last))
    return std::nullopt;
  return Parts;
}

ArrayContents::ArrayContents(std::unique_ptr<MemoryBuffer> TheFile)
    : File(std::move(TheFile)), Parts(partsOf(File->getBuffer())) {
  if (!Parts)
    return;
  // Pairs of numbers of four bytes that rise do so as one of eight.
  RisingBytes = rises<int32_t>()   ? sizeof(int32_t)
                : rises<int64_t>() ? sizeof(int64_t)
                                   : 0;
}

ArrayContents::ArrayContents(const RowStarts &Of) : Rows(Of) {}

/// Do the numbers of all parts rise, and not stay what they are?
template <typename Word> bool ArrayContents::rises() const {
  const char *At = File->getBufferStart() + sizeof(ArrayParts);
  const size_t Count =
      (File->getBufferSize() - sizeof(ArrayParts)) / sizeof(Word);
  Word First = 0, Before = 0;
  for (size_t I = 0; I != Count; ++I) {
    Word Now;
    std::memcpy(&Now, At + I * sizeof(Word), sizeof(Word));
    if (I == 0)
      First = Now;
    else if (Now < Before)
      return false;
    Before = Now;
  }
  return First < Before;
}

uint64_t ArrayContents::word(uint64_t InFile, unsigned Bytes) const {
  uint64_t Word = 0;
  for (unsigned Byte = Bytes; Byte-- != 0;)
    Word = Word << 8 | uint8_t(File->getBufferStart()[InFile + Byte]);
  return Word;
}

/// The last part that begins at or before \p Offset.
static uint64_t partBefore(const ArrayParts &Parts, uint64_t Offset) {
  uint64_t Low = 0, High = Parts.NumParts;
  while (High - Low > 1) {
    const uint64_t Middle = (Low + High) / 2;
    (Parts.begin(Middle) <= Offset ? Low : High) = Middle;
  }
  return Low;
}

bool ArrayContents::isBetweenParts(uint64_t Offset, unsigned Bytes) const {
  return Parts && Offset + Bytes > Parts->end(partBefore(*Parts, Offset));
}

uint64_t ArrayContents::risenWord(uint64_t Offset) const {
  const uint64_t Part = partBefore(*Parts, Offset);
  const uint64_t From = Parts->end(Part), To = Parts->begin(Part + 1);
  auto Number = [&](uint64_t InFile) {
    const uint64_t Bits = word(InFile, RisingBytes);
    return RisingBytes == 4 ? int64_t(int32_t(Bits)) : int64_t(Bits);
  };
  const int64_t Before = Number(Parts->beginInFile(Part) +
                                (From - Parts->begin(Part)) - RisingBytes);
  const int64_t After = Number(Parts->beginInFile(Part + 1));
  const double Way =
      double(Offset - From + RisingBytes) / double(To - From + RisingBytes);
  return uint64_t(Before) +
         uint64_t(Way * double(uint64_t(After) - uint64_t(Before)));
}

uint64_t ArrayContents::nearestPart(uint64_t Offset) const {
  const uint64_t Before = partBefore(*Parts, Offset), After = Before + 1;
  const bool IsNearer =
      After < Parts->NumParts &&
      Parts->begin(After) - Offset < Offset - Parts->begin(Before);
  return IsNearer ? After : Before;
}

std::optional<uint64_t> ArrayContents::read(uint64_t Offset,
                                            unsigned Bytes) const {
  if (Rows) {
    const uint64_t Row = Offset / Rows->BytesPerWord;
    if (Bytes != Rows->BytesPerWord || Offset % Bytes != 0 ||
        Row > Rows->NumRows)
      return std::nullopt;
    return uint64_t(double(Row) * Rows->elementsPerRow());
  }
  const uint64_t Size = Parts ? Parts->ArrayBytes : File->getBufferSize();
  if (Bytes == 0 || Bytes > 8 || Offset > Size || Size - Offset < Bytes)
    return std::nullopt;
  if (!Parts)
    return word(Offset, Bytes);
  if (!isBetweenParts(Offset, Bytes)) {
    const uint64_t Part = partBefore(*Parts, Offset);
    return word(Parts->beginInFile(Part) + Offset - Parts->begin(Part), Bytes);
  }
  if (RisingBytes != 0 && Offset % RisingBytes == 0) {
    if (Bytes <= RisingBytes)
      return risenWord(Offset) & (~uint64_t(0) >> (64 - 8 * Bytes));
    return *read(Offset, 4) | *read(Offset + 4, Bytes - 4) << 32;
  }
  uint64_t Part = nearestPart(Offset);
  const uint64_t Inside = Offset % Parts->PartBytes;
  // The last may be shorter.
  if (Parts->begin(Part) + Inside + Bytes > Parts->end(Part))
    Part -= Part + 1 == Parts->NumParts;
  return word(Parts->beginInFile(Part) +
                  std::min(Inside, Parts->PartBytes - Bytes),
              Bytes);
}
