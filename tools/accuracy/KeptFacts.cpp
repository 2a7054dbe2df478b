//===- KeptFacts.cpp - Facts kept from run to run -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptFacts.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

Expected<KeptFacts> KeptFacts::create(StringRef Folder) {
  if (Folder.empty())
    return KeptFacts(Folder);
  std::error_code EC = sys::fs::create_directories(Folder);
  if (!EC && !sys::fs::is_directory(Folder))
    EC = std::make_error_code(std::errc::not_a_directory);
  if (EC)
    return createStringError(EC, "cannot keep facts in '" + Folder +
                                     "': " + EC.message());
  return KeptFacts(Folder);
}

Expected<FactsFile>
KeptFacts::find(StringRef Key, function_ref<Expected<FactsFile>()> Read) const {
  if (Folder.empty())
    return Read();
  std::string Name = Key.str() + ".facts.json";
  std::replace(Name.begin(), Name.end(), '/', '_');
  SmallString<256> Kept(Folder);
  sys::path::append(Kept, Name);
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> B = MemoryBuffer::getFile(Kept))
    return parseFactsFile((*B)->getBuffer(), Kept);
  Expected<FactsFile> Facts = Read();
  if (!Facts)
    return Facts;
  if (Error E = writeOutput(Kept, [&](raw_ostream &OS) {
        writeFactsFile(*Facts, OS);
        return Error::success();
      }))
    return std::move(E);
  return Facts;
}

std::string gpuocc::folderOfPtx(StringRef Folder) {
  return Folder.empty() ? "" : (Folder + "/ptx").str();
}
