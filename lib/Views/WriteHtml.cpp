//===- WriteHtml.cpp - The report as a page -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackData.h"
#include "PageData.h"
#include "PageParts.h"
#include "gpuocc/Page/Page.h"
#include "gpuocc/Support/ParseJSON.h"
#include "gpuocc/Views/WriteJSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// What a page holds in more bytes is packed.
static constexpr size_t MostUnpacked = 1 << 20;

/// What the page does not show and is large.
static constexpr StringLiteral NotShown[] = {"occupancy_roofline",
                                             "dependency_chain", "accesses",
                                             "parallelism", "branches"};

/// Leaves out what the page does not show of \p Kernel.
static void leaveOutHidden(json::Object &Kernel) {
  for (StringRef Key : NotShown)
    Kernel.erase(Key);
  // Findings keep their places, which lanes are found by.
  if (json::Array *Findings = Kernel.getArray("findings"))
    for (json::Value &F : *Findings)
      if (F.getAsObject()->getString("kind") == StringRef("analysis"))
        (*F.getAsObject())["message"] = "";
}

/// \p Text, the JSON of a page, packed where it is large.
static Expected<std::string> packedText(std::string Text) {
  if (Text.size() <= MostUnpacked)
    return Text;
  Expected<json::Value> Data = parseJSON(Text);
  if (!Data)
    return Data.takeError();
  for (json::Value &Kernel : *Data->getAsObject()->getArray("kernels"))
    leaveOutHidden(*Kernel.getAsObject());
  return packData(*Data);
}

Error gpuocc::writeHtml(const Report &R, const ViewOptions &Options,
                        raw_ostream &OS) {
  std::string Public, Extra;
  raw_string_ostream PublicOS(Public), ExtraOS(Extra);
  // Indented, the numbers of a page are half as long again.
  if (Error E = writeJSON(R, {.IndentSpaces = 0}, PublicOS))
    return E;
  ExtraOS << pageData(R, Options);
  Expected<std::string> Packed = packedText(std::move(Public));
  if (!Packed)
    return Packed.takeError();
  Expected<std::string> PackedExtra = packedText(std::move(Extra));
  if (!PackedExtra)
    return PackedExtra.takeError();
  writePage(
      {"gpu-occupancy",
       reportBody().str(),
       reportScript(),
       {{"report", std::move(*Packed)}, {"page", std::move(*PackedExtra)}}},
      OS);
  return Error::success();
}
