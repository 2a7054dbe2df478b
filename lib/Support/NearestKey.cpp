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

std::string gpuocc::didYouMean(StringRef Word, ArrayRef<StringRef> Valid) {
  constexpr size_t MostListed = 16;
  const StringRef Nearest = nearestKey(Word, Valid);
  if (Nearest.empty())
    return "";
  if (Word.edit_distance_insensitive(Nearest) <= (Word.size() + 2) / 3)
    return ("; did you mean '" + Nearest + "'?").str();
  const SmallSetVector<StringRef, 16> Distinct(Valid.begin(), Valid.end());
  const ArrayRef<StringRef> Listed =
      Distinct.getArrayRef().take_front(MostListed);
  return "; known: " + join(Listed, ", ") +
         (Listed.size() < Distinct.size() ? ", ..." : "");
}
