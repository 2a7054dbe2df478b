//===- IncludeScan.cpp - Which files a source may include -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IncludeScan.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

/// The name in the line \p Line if that is an #include of a quoted name.
static StringRef includedName(StringRef Line) {
  Line = Line.ltrim();
  if (!Line.consume_front("#"))
    return {};
  Line = Line.ltrim();
  if (!Line.consume_front("include"))
    return {};
  Line = Line.ltrim();
  if (Line.consume_front("\""))
    return Line.take_until([](char C) { return C == '"'; });
  if (Line.consume_front("<"))
    return Line.take_until([](char C) { return C == '>'; });
  return {};
}

const std::vector<std::string> &IncludeScan::namesIn(StringRef File) {
  auto [Slot, IsNew] = Names.try_emplace(File);
  if (!IsNew)
    return Slot->second;
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return Slot->second;
  for (line_iterator Line(**Buffer); !Line.is_at_eof(); ++Line)
    if (StringRef Name = includedName(*Line); !Name.empty())
      Slot->second.push_back(Name.str());
  return Slot->second;
}

std::set<std::string> IncludeScan::reach(StringRef File,
                                         ArrayRef<std::string> Folders) {
  std::set<std::string> Found = {File.str()};
  std::vector<std::string> Open = {File.str()};
  auto TryIn = [&](StringRef Folder, StringRef Name) {
    std::string Path = absolutePath(Name, Folder);
    if (StringRef(Path).starts_with(Root + "/") &&
        sys::fs::is_regular_file(Path) && Found.insert(Path).second)
      Open.push_back(Path);
  };
  while (!Open.empty()) {
    const std::string Current = std::move(Open.back());
    Open.pop_back();
    for (const std::string &Name : namesIn(Current)) {
      TryIn(sys::path::parent_path(Current), Name);
      for (const std::string &Folder : Folders)
        TryIn(Folder, Name);
    }
  }
  return Found;
}
