//===- ProcessTree.cpp - A process and what it started --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProcessTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <dirent.h>
#include <fcntl.h>
#include <set>
#include <string>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

std::optional<ProcessEntry> gpuocc::parseProcessEntry(StringRef Stat) {
  // Source: proc(5). The name, in parentheses, may hold anything.
  constexpr size_t State = 0, ParentId = 1, Resident = 21;
  ProcessEntry Entry;
  if (Stat.take_until([](char C) { return C == ' '; })
          .getAsInteger(10, Entry.Id))
    return std::nullopt;
  const size_t Name = Stat.rfind(')');
  if (Name == StringRef::npos)
    return std::nullopt;
  SmallVector<StringRef, 64> Fields;
  SplitString(Stat.drop_front(Name + 1), Fields);
  if (Fields.size() <= Resident ||
      Fields[ParentId].getAsInteger(10, Entry.Parent) ||
      Fields[Resident].getAsInteger(10, Entry.ResidentPages))
    return std::nullopt;
  Entry.HasEnded = Fields[State] == "Z" || Fields[State] == "X";
  return Entry;
}

std::vector<ProcessEntry>
gpuocc::processesBelow(pid_t Root, std::vector<ProcessEntry> All) {
  std::set<pid_t> Known = {Root};
  std::vector<ProcessEntry> Below;
  // A process is listed before its parent where numbers began anew.
  for (bool Grows = true; Grows;) {
    Grows = false;
    erase_if(All, [&](const ProcessEntry &Entry) {
      if (!Known.count(Entry.Parent))
        return false;
      Known.insert(Entry.Id);
      Below.push_back(Entry);
      return Grows = true;
    });
  }
  return Below;
}

/// The start of the file \p Path; empty where it cannot be read.
static StringRef readStart(const std::string &Path, char (&Buffer)[2048]) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return "";
  const ssize_t Count = read(File, Buffer, sizeof(Buffer));
  close(File);
  return StringRef(Buffer, Count > 0 ? size_t(Count) : 0);
}

std::vector<ProcessEntry> gpuocc::processesBelowThis() {
  std::vector<ProcessEntry> All;
  DIR *Folder = opendir("/proc");
  if (!Folder)
    return All;
  char Buffer[2048];
  while (const dirent *Entry = readdir(Folder))
    if (isDigit(Entry->d_name[0]))
      if (std::optional<ProcessEntry> Process = parseProcessEntry(readStart(
              std::string("/proc/") + Entry->d_name + "/stat", Buffer)))
        All.push_back(*Process);
  closedir(Folder);
  return processesBelow(getpid(), std::move(All));
}
