//===- SuppressInSource.cpp - Take out what sources silence ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/SuppressInSource.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

const Suppressions &SourceSuppressions::of(StringRef File) {
  auto [Slot, IsNew] = Files.try_emplace(File);
  if (!IsNew || File.empty())
    return Slot->second;
  const auto Edited = Buffers.find(absolutePath(File));
  auto Buffer = MemoryBuffer::getFile(
      Edited == Buffers.end() ? File : StringRef(Edited->second),
      /*IsText=*/true);
  if (!Buffer)
    return Slot->second;
  Slot->second = Suppressions::parse((*Buffer)->getBuffer(), File);
  append_range(Notes, Slot->second.notes());
  return Slot->second;
}

bool SourceSuppressions::covers(const KernelFacts &Kernel, const Finding &F) {
  return of(Kernel.Place.File).coversKernel(Kernel.Place.Line, F.Rule) ||
         any_of(F.Location.Places, [&](const SourcePlace &Place) {
           return of(Place.File).covers(Place.Line, F.Rule);
         });
}

std::string SourceSuppressions::stateFor(const KernelFacts &Kernel) {
  std::set<std::string> Names = {Kernel.Place.File};
  for (const SourceLocation &Location : Kernel.Locations)
    for (const SourcePlace &Place : Location.Places)
      Names.insert(Place.File);
  std::string State;
  raw_string_ostream OS(State);
  for (const std::string &Name : Names) {
    OS << Name << '\n';
    of(Name).print(OS);
  }
  return State;
}

void SourceSuppressions::apply(KernelReport &R) {
  const size_t Before = R.Findings.size();
  erase_if(R.Findings, [&](const Finding &F) { return covers(R.Facts, F); });
  R.Suppressed += Before - R.Findings.size();
}
