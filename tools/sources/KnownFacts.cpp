//===- KnownFacts.cpp - Facts of an earlier text --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownFacts.h"
#include "Shortcuts.h"
#include "gpuocc/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc;
using namespace llvm;

static std::string noteOf(StringRef Facts) { return (Facts + ".module").str(); }

/// Changes when \p Command makes other facts of the same code.
static std::string hashOf(ArrayRef<std::string> Command) {
  return utohexstr(xxh3_64bits(join(lastingOptions(Command), "\n")),
                   /*LowerCase=*/true, 16);
}

std::string gpuocc::fingerprintOfFacts(StringRef Facts,
                                       ArrayRef<std::string> Command) {
  auto Note = MemoryBuffer::getFile(noteOf(Facts));
  if (!Note)
    return "";
  const auto [Hash, Fingerprint] = (*Note)->getBuffer().split(' ');
  return Hash == hashOf(Command) ? Fingerprint.str() : "";
}

Error gpuocc::noteFingerprint(StringRef Facts, ArrayRef<std::string> Command,
                              const FactsFile &Made) {
  return writeOutput(noteOf(Facts), hashOf(Command) + " " + Made.MadeOf);
}
