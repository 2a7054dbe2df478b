//===- GatherSources.cpp - The loads that feed an address -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/GatherSources.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Operations visited on the way to the loads; longer ways are not followed.
static constexpr unsigned MaxVisits = 256;

/// Accesses whose loaded values \p Address is computed from.
static SmallVector<uint32_t, 2> loadsBehind(const KernelFacts &Facts,
                                            const Operand &Address) {
  SmallVector<uint32_t, 2> Loads;
  SmallVector<uint32_t, 16> Seen, Work;
  auto Visit = [&](const Operand &O) {
    if (O.isValue() && O.Index < Facts.Operations.size() &&
        Seen.size() < MaxVisits &&
        std::find(Seen.begin(), Seen.end(), O.Index) == Seen.end()) {
      Seen.push_back(O.Index);
      Work.push_back(O.Index);
    }
  };
  Visit(Address);
  while (!Work.empty()) {
    const Operation &Op = Facts.Operations[Work.pop_back_val()];
    if (Op.Access < Facts.Accesses.size()) {
      Loads.push_back(Op.Access);
      continue;
    }
    for (const Operand &O : Op.Operands)
      Visit(O);
  }
  std::sort(Loads.begin(), Loads.end());
  return Loads;
}

bool gpuocc::isGathered(const KernelFacts &Facts, const MemoryAccess &Access) {
  return !loadsBehind(Facts, Access.Base).empty();
}

void gpuocc::describeGathers(const KernelFacts &Facts,
                             ExecutionProfile &Profile) {
  for (size_t I = 0; I < Facts.Accesses.size(); ++I) {
    AccessProfile &A = Profile.Accesses[I];
    if (A.Exact != Exactness::DataDependent)
      continue;
    raw_string_ostream OS(A.Reason);
    unsigned Named = 0;
    for (uint32_t Source : loadsBehind(Facts, Facts.Accesses[I].Base)) {
      const AccessProfile &P = Profile.Accesses[Source];
      const uint32_t Op = Facts.Accesses[Source].Op;
      if (Op >= Facts.Operations.size() || Named == 2)
        break;
      SourcePlace Place = Facts.placeOf(Facts.Operations[Op].Location);
      OS << (Named++ ? ", " : "; index loaded");
      if (Place.isValid())
        OS << " at " << sys::path::filename(Place.File) << ':' << Place.Line;
      if (P.SectorsPerRequest > 0)
        OS << format(" with %.3g sectors per request (ideal %.3g)",
                     P.SectorsPerRequest, P.IdealSectorsPerRequest);
      if (Facts.Accesses[Source].BytesPerLane <= 2)
        OS << ", " << (1u << (8 * Facts.Accesses[Source].BytesPerLane))
           << " values";
    }
  }
}
