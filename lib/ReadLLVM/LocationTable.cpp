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
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

/// A path of \p F that can be opened from here: clang splits the path of a
/// source into a directory, which need not be the current one, and the rest.
static std::string openablePath(const DIFile *F) {
  if (!F)
    return "";
  SmallString<128> Here, Path(F->getFilename());
  if (sys::path::is_absolute(Path) || F->getDirectory().empty() ||
      (!sys::fs::current_path(Here) && Here == F->getDirectory()))
    return Path.str().str();
  Path = F->getDirectory();
  sys::path::append(Path, F->getFilename());
  return Path.str().str();
}

const std::string &LocationTable::pathOf(const DIFile *F) {
  auto [It, Inserted] = Paths.try_emplace(F);
  if (Inserted)
    It->second = openablePath(F);
  return It->second;
}

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
    Result.Places.push_back({pathOf(L->getFile()), L->getLine(), L->getColumn(),
                             Sub ? Sub->getName().str() : std::string()});
  }
  Locations.push_back(std::move(Result));
  return It->second;
}

SourcePlace gpuocc::placeOfFunction(const Function &F) {
  const DISubprogram *Sub = F.getSubprogram();
  if (!Sub)
    return SourcePlace();
  return {openablePath(Sub->getFile()), Sub->getLine(), 0,
          Sub->getName().str()};
}
