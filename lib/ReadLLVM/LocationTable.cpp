//===- LocationTable.cpp - Debug locations, each once ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocationTable.h"
#include "gpuocc/Kernel/Operation.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace gpuocc;
using namespace llvm;

uint32_t LocationTable::indexOf(const DILocation *Loc) {
  // Line 0 marks code that belongs to no line; the call site may have one.
  while (Loc && Loc->getLine() == 0)
    Loc = Loc->getInlinedAt();
  if (!Loc)
    return NoIndex;
  auto [It, Inserted] = Indices.try_emplace(Loc, Locations.size());
  if (!Inserted)
    return It->second;
  SourceLocation Result;
  for (const DILocation *L = Loc; L; L = L->getInlinedAt()) {
    const DISubprogram *Sub = L->getScope()->getSubprogram();
    Result.Places.push_back({L->getFilename().str(), L->getLine(),
                             L->getColumn(),
                             Sub ? Sub->getName().str() : std::string()});
  }
  Locations.push_back(std::move(Result));
  return It->second;
}

SourcePlace gpuocc::placeOfFunction(const Function &F) {
  const DISubprogram *Sub = F.getSubprogram();
  if (!Sub)
    return SourcePlace();
  return {Sub->getFilename().str(), Sub->getLine(), 0, Sub->getName().str()};
}
