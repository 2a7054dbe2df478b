//===- KeptRecords.cpp - Recorded launches kept from run to run -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptRecords.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// The record in the file \p Text named \p Path.
static Expected<HostRecord> parseRecord(StringRef Text, StringRef Path) {
  Expected<json::Value> Parsed = parseJSON(Text);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *O = Parsed->getAsObject();
  const std::optional<StringRef> Launches =
      O ? O->getString("launches") : std::nullopt;
  const json::Array *Notes = O ? O->getArray("notes") : nullptr;
  if (!Launches || !Notes)
    return createStringError("'" + Path +
                             "' is no record of launches; remove it");
  if (std::optional<StringRef> Problem = O->getString("error"))
    return createStringError(*Problem);
  HostRecord Record;
  if (Error E =
          parseRecordedLaunches(*Launches, Path).moveInto(Record.Launches))
    return std::move(E);
  for (const json::Value &Note : *Notes)
    if (std::optional<StringRef> Line = Note.getAsString())
      Record.Notes.push_back(Line->str());
  return Record;
}

/// Writes \p Record, or \p Problem where there is one, to the file \p Path.
static Error writeRecord(const HostRecord &Record, StringRef Problem,
                         StringRef Path) {
  json::Object O{{"launches", textOf(Record.Launches)},
                 {"notes", json::Array(Record.Notes)}};
  if (!Problem.empty())
    O["error"] = Problem;
  return writeOutput(Path, [&](raw_ostream &OS) {
    OS << json::Value(std::move(O)) << '\n';
    return Error::success();
  });
}

Expected<HostRecord>
KeptRecords::find(StringRef Key,
                  function_ref<Expected<HostRecord>(StringRef Memory)> Run) {
  if (Folder.empty()) {
    Expected<TemporaryFolder> Memory = TemporaryFolder::create("gpuocc-memory");
    if (!Memory)
      return Memory.takeError();
    return Run(Temporary.emplace_back(std::move(*Memory)).path());
  }
  const std::string Place =
      Folder + "/record-" +
      toHex(MD5::hash(arrayRefFromStringRef(Key)), /*LowerCase=*/true);
  const std::string Path = Place + ".json";
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> B = MemoryBuffer::getFile(Path))
    return parseRecord((*B)->getBuffer(), Path);
  if (std::error_code EC = sys::fs::create_directories(Place))
    return createStringError(EC, "cannot keep what arrays hold in '" + Place +
                                     "': " + EC.message());
  Expected<HostRecord> Record = Run(Place);
  const std::string Problem = Record ? "" : toString(Record.takeError());
  if (Error E =
          writeRecord(Problem.empty() ? *Record : HostRecord(), Problem, Path))
    return std::move(E);
  if (!Problem.empty())
    return createStringError(Problem);
  return Record;
}
