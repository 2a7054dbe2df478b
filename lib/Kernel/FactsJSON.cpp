//===- FactsJSON.cpp - Kernel facts to JSON and back ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsFields.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

static json::Value toJSON(const SourceLocations &Locations) {
  return encodeFields(Locations.all());
}

static bool fromJSON(const json::Value &J, SourceLocations &Locations,
                     json::Path P) {
  return decodeFields(J, Locations.edit(), P);
}

} // namespace gpuocc

json::Value gpuocc::toJSON(const KernelFacts &Facts) {
  return encodeFields(Facts);
}

void gpuocc::writeJSON(json::OStream &J, const KernelFacts &Facts) {
  writeFields(J, Facts);
}

bool gpuocc::fromJSON(const json::Value &J, KernelFacts &Facts, json::Path P) {
  return decodeFields(J, Facts, P);
}

void gpuocc::writeFactsFile(const FactsFile &File, raw_ostream &OS) {
  json::OStream J(OS);
  J.object([&] {
    J.attributeArray("kernels", [&] {
      for (const KernelFacts &Facts : File.Kernels)
        writeJSON(J, Facts);
    });
    if (!File.Launches.empty())
      J.attribute("launches", File.Launches);
    if (!File.Problem.empty())
      J.attribute("problem", json::fixUTF8(File.Problem));
    if (!File.MadeOf.empty())
      J.attribute("made_of", File.MadeOf);
    J.attribute("schema_version", FactsSchemaVersion);
    J.attribute("source", json::fixUTF8(File.SourceFile));
  });
  J.flush();
  OS << '\n';
}

static bool fromJSON(const json::Value &J, FactsFile &File, json::Path P) {
  json::ObjectMapper Map(J, P);
  if (!Map)
    return false;
  return Map.map("source", File.SourceFile) &&
         Map.map("kernels", File.Kernels) &&
         Map.mapOptional("launches", File.Launches) &&
         Map.mapOptional("problem", File.Problem) &&
         Map.mapOptional("made_of", File.MadeOf);
}

Expected<FactsFile> gpuocc::parseFactsFile(StringRef Text, StringRef FileName) {
  Expected<json::Value> Parsed = parseJSON(Text);
  if (!Parsed)
    return createFileError(FileName, Parsed.takeError());
  FactsFile File;
  json::Path::Root Root("facts");
  int64_t Version = 0;
  json::ObjectMapper Top(*Parsed, Root);
  if (!Top || !Top.map("schema_version", Version))
    return createFileError(FileName, Root.getError());
  if (Error E = checkVersion(FileFormat::Facts, Version))
    return createFileError(FileName, std::move(E));
  if (!::fromJSON(*Parsed, File, Root))
    return createFileError(FileName, Root.getError());
  for (const KernelFacts &Facts : File.Kernels)
    if (Error E = verifyFacts(Facts))
      return createFileError(FileName, std::move(E));
  return File;
}
