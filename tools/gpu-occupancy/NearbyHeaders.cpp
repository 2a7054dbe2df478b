//===- NearbyHeaders.cpp - Headers that no option names -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NearbyHeaders.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

NearbyHeaders::NearbyHeaders(StringRef Root) : Scan(absolutePath(Root)) {
  Expected<std::vector<std::string>> Files =
      filesBelow(absolutePath(Root), /*Extension=*/"");
  if (!Files) {
    consumeError(Files.takeError());
    return;
  }
  for (std::string &Path : *Files)
    PathsByName[sys::path::filename(Path)].push_back(std::move(Path));
}

/// How many folders from the root on two absolute paths have in common.
static size_t numSharedFolders(StringRef A, StringRef B) {
  size_t Count = 0;
  for (auto I = sys::path::begin(A), J = sys::path::begin(B);
       I != sys::path::end(A) && J != sys::path::end(B) && *I == *J; ++I, ++J)
    ++Count;
  return Count;
}

std::string NearbyHeaders::nearest(StringRef Name, StringRef File) const {
  auto Found = PathsByName.find(sys::path::filename(Name));
  if (Found == PathsByName.end())
    return "";
  const std::string Tail = ("/" + Name).str();
  auto Rank = [&](StringRef Path) {
    return std::pair(numSharedFolders(Path, File), -Path.count('/'));
  };
  const std::string *Best = nullptr;
  for (const std::string &Path : Found->second)
    if (StringRef(Path).ends_with(Tail) && (!Best || Rank(Path) > Rank(*Best)))
      Best = &Path;
  return Best ? *Best : "";
}

std::vector<std::string>
NearbyHeaders::foldersFor(StringRef File, ArrayRef<std::string> Folders) {
  std::vector<std::string> Added, Open = {File.str()};
  std::set<std::string> Seen = {File.str()};
  // The file that a name means where it stands; empty: none is known.
  auto Resolve = [&](StringRef Name, StringRef Includer) -> std::string {
    std::vector<std::string> Places = {sys::path::parent_path(Includer).str()};
    append_range(Places, Folders);
    append_range(Places, Added);
    for (const std::string &Folder : Places)
      if (std::string Path = absolutePath(Name, Folder);
          sys::fs::is_regular_file(Path))
        return Path;
    // "../x.h" from a folder that is not known.
    while (Name.consume_front("../") || Name.consume_front("./"))
      ;
    std::string Path = nearest(Name, File);
    if (!Path.empty())
      Added.push_back(StringRef(Path).drop_back(Name.size() + 1).str());
    return Path;
  };
  for (size_t I = 0; I != Open.size(); ++I) {
    const std::string Includer = Open[I];
    for (const std::string &Name : Scan.namesIn(Includer)) {
      std::string Path = Resolve(Name, Includer);
      if (Path.empty() || !Seen.insert(Path).second)
        continue;
      Included.insert(Path);
      Open.push_back(std::move(Path));
    }
  }
  return Added;
}
