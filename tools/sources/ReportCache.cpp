//===- ReportCache.cpp - Reports of earlier runs --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportCache.h"
#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/ParseJSON.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc;
using namespace llvm;

std::string ReportCache::defaultFolder() {
  SmallString<128> Path;
  if (!sys::path::cache_directory(Path))
    return "";
  sys::path::append(Path, "gpu-occupancy");
  return Path.str().str();
}

std::string ReportCache::pathOf(StringRef Key) const {
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Key));
  SmallString<128> Path(Folder);
  sys::path::append(Path, utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
                              utohexstr(Hash.low64, true, 16) + ".json");
  return Path.str().str();
}

/// Stands for the hash of a file that does not exist.
static constexpr uint64_t AbsentFile = 1;

uint64_t ReportCache::hashOfFile(StringRef Path) {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (auto Found = Hashes.find(Path); Found != Hashes.end())
      return Found->second;
  }
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  const bool IsAbsent =
      !Buffer && Buffer.getError() == errc::no_such_file_or_directory;
  uint64_t Hash = Buffer     ? xxh3_64bits((*Buffer)->getBuffer())
                  : IsAbsent ? AbsentFile
                             : 0;
  std::lock_guard<std::mutex> Lock(Mutex);
  Hashes[Path] = Hash;
  return Hash;
}

/// JSON numbers do not hold 64 bits everywhere.
static std::string hashText(uint64_t Hash) {
  return utohexstr(Hash, /*LowerCase=*/true, 16);
}

std::optional<KeptReport>
ReportCache::find(StringRef Key, function_ref<std::string(StringRef)> PathFor) {
  if (Folder.empty())
    return std::nullopt;
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInput(pathOf(Key));
  if (!Buffer) {
    consumeError(Buffer.takeError());
    return std::nullopt;
  }
  const std::optional<StringRef> Body = unsealed((*Buffer)->getBuffer());
  if (!Body)
    return std::nullopt;
  // The first line describes the entry; the report follows as it is, so that
  // it is parsed once.
  auto [Header, Json] = Body->split('\n');
  Expected<json::Value> Entry = parseJSON(Header);
  if (!Entry) {
    consumeError(Entry.takeError());
    return std::nullopt;
  }
  const json::Object *O = Entry->getAsObject();
  const json::Object *Files = O ? O->getObject("dependencies") : nullptr;
  // The whole key guards against two that have one hash.
  if (!Files || O->getString("key") != json::fixUTF8(Key))
    return std::nullopt;
  KeptReport Kept{Json.str(), O->getString("messages").value_or("").str(), {}};
  for (const auto &[Path, Hash] : *Files) {
    std::string Now = PathFor(Path);
    if (Hash.getAsString() != hashText(hashOfFile(Now)))
      return std::nullopt;
    Kept.Dependencies.push_back(std::move(Now));
  }
  return Kept;
}

void ReportCache::store(StringRef Key, const KeptReport &Report) {
  if (Folder.empty() || sys::fs::create_directories(Folder))
    return;
  json::Object Files;
  for (const std::string &Path : Report.Dependencies) {
    uint64_t Hash = hashOfFile(Path);
    // What cannot be read cannot be seen to change either.
    if (Hash == 0)
      return;
    Files[json::fixUTF8(Path)] = hashText(Hash);
  }
  json::Value Entry = json::Object{{"key", json::fixUTF8(Key)},
                                   {"messages", json::fixUTF8(Report.Messages)},
                                   {"dependencies", std::move(Files)}};
  const std::string Path = pathOf(Key);
  // What stands there and is no file would be written to, not replaced.
  if (sys::fs::exists(Path) && !sys::fs::is_regular_file(Path))
    return;
  consumeError(
      writeOutput(Path, sealed(formatv("{0}\n{1}", Entry, Report.Json).str())));
}

std::vector<std::string> gpuocc::parseDependencies(StringRef Text) {
  std::vector<std::string> Files;
  // The names of targets end at the first colon in front of a blank.
  size_t Colon = Text.find(": ");
  if (Colon == StringRef::npos)
    return Files;
  std::string Word;
  auto EndWord = [&] {
    if (!Word.empty())
      Files.push_back(std::move(Word));
    Word.clear();
  };
  Text = Text.drop_front(Colon + 2);
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    bool HasNext = I + 1 != Text.size();
    if (C == '\\' && HasNext && (Text[I + 1] == '\n' || Text[I + 1] == '\r'))
      continue;
    // Make's escapes of blanks, '#' and '$'.
    if ((C == '\\' && HasNext && (Text[I + 1] == ' ' || Text[I + 1] == '#')) ||
        (C == '$' && HasNext && Text[I + 1] == '$')) {
      Word += Text[++I];
      continue;
    }
    if (isSpace(C))
      EndWord();
    else
      Word += C;
  }
  EndWord();
  return Files;
}
