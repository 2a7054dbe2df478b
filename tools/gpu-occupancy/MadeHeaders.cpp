//===- MadeHeaders.cpp - Headers that a build makes -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeHeaders.h"
#include "Project.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::templateOfHeader(StringRef Name, StringRef Source) {
  const std::string Top = repositoryOf(Source);
  if (Top.empty())
    return "";
  Expected<std::vector<std::string>> Files = filesBelow(Top, ".in");
  if (!Files) {
    consumeError(Files.takeError());
    return "";
  }
  const std::string Wanted = (sys::path::filename(Name) + ".in").str();
  for (const std::string &File : *Files)
    if (sys::path::filename(File) == Wanted)
      return File.substr(Top.size() + 1);
  return "";
}
