//===- OutputName.cpp - Names of report and facts files -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputName.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc;
using namespace llvm;

/// Tells sources of one name in several folders from each other.
static std::string hashOfPath(StringRef SourceFile) {
  SmallString<256> Path(SourceFile);
  // A path that cannot be made absolute is as good a name.
  (void)sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return utohexstr(uint32_t(xxh3_64bits(StringRef(Path))), /*LowerCase=*/true,
                   /*Width=*/8);
}

static Expected<std::string> replace(char Letter, const CompiledUnit &Unit) {
  switch (Letter) {
  case 's':
    return sys::path::stem(Unit.SourceFile).str();
  case 'h':
    return hashOfPath(Unit.SourceFile);
  case 'a':
    return Unit.Architecture.str();
  case '%':
    return std::string("%");
  }
  return createStringError("in the name of a file % is followed by s (source), "
                           "h (hash of its path), a (architecture) or %");
}

Expected<std::string> gpuocc::outputName(StringRef Pattern, StringRef Kind,
                                         const CompiledUnit &Unit) {
  std::string Whole = Pattern.str();
  if (Pattern.ends_with("/") || sys::fs::is_directory(Pattern))
    Whole = (Pattern.rtrim('/') + "/%s-%h.%a." + Kind + ".json").str();
  std::string Name;
  for (size_t I = 0; I != Whole.size(); ++I) {
    if (Whole[I] != '%') {
      Name += Whole[I];
      continue;
    }
    ++I;
    Expected<std::string> Part = replace(I < Whole.size() ? Whole[I] : 0, Unit);
    if (!Part)
      return createStringError("'" + Pattern +
                               "': " + toString(Part.takeError()));
    Name += *Part;
    if (I == Whole.size())
      break;
  }
  return Name;
}

std::string gpuocc::deviceRecordName(StringRef Record, StringRef Triple,
                                     StringRef Architecture) {
  const std::string Mark = ("-" + Architecture).str();
  if (sys::path::filename(Record).contains(Mark))
    return "";
  size_t Extension = sys::path::filename(Record).rfind(".opt.");
  if (Extension == StringRef::npos)
    Extension = sys::path::stem(Record).size();
  Extension += Record.size() - sys::path::filename(Record).size();
  return (Record.take_front(Extension) + "-cuda-" + Triple + Mark +
          Record.drop_front(Extension))
      .str();
}
