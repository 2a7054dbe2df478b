//===- NearestKey.cpp - The valid word closest to a typo ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::nearestKey(StringRef Word, ArrayRef<StringRef> Valid) {
  StringRef Nearest;
  unsigned Best = std::numeric_limits<unsigned>::max();
  for (StringRef Candidate : Valid) {
    unsigned Distance = Word.edit_distance_insensitive(Candidate);
    bool Continues = Candidate.starts_with_insensitive(Word) &&
                     !Nearest.starts_with_insensitive(Word);
    if (Distance < Best || (Distance == Best && Continues)) {
      Best = Distance;
      Nearest = Candidate;
    }
  }
  return Nearest;
}

std::optional<StringRef> gpuocc::nearKey(StringRef Word,
                                         ArrayRef<StringRef> Valid) {
  constexpr size_t LeastBeginning = 4;
  const StringRef Nearest = nearestKey(Word, Valid);
  if (!Nearest.empty() &&
      Word.edit_distance_insensitive(Nearest) <= (Word.size() + 2) / 3)
    return Nearest;
  if (Word.size() >= LeastBeginning)
    for (StringRef Candidate : Valid)
      if (Candidate.starts_with_insensitive(Word))
        return Candidate;
  return std::nullopt;
}

std::string gpuocc::didYouMean(StringRef Word, ArrayRef<StringRef> Valid) {
  constexpr size_t MostListed = 16;
  if (Valid.empty())
    return "";
  if (std::optional<StringRef> Near = nearKey(Word, Valid))
    return ("; did you mean '" + *Near + "'?").str();
  const SmallSetVector<StringRef, 16> Distinct(Valid.begin(), Valid.end());
  const ArrayRef<StringRef> Listed =
      Distinct.getArrayRef().take_front(MostListed);
  return "; known: " + join(Listed, ", ") +
         (Listed.size() < Distinct.size() ? ", ..." : "");
}
