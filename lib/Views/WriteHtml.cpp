//===- WriteHtml.cpp - The report as a page -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageData.h"
#include "PageParts.h"
#include "gpuocc/Page/Page.h"
#include "gpuocc/Views/WriteJSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

Error gpuocc::writeHtml(const Report &R, const ViewOptions &Options,
                        raw_ostream &OS) {
  std::string Public, Extra;
  raw_string_ostream PublicOS(Public), ExtraOS(Extra);
  // Indented, the numbers of a page are half as long again.
  if (Error E = writeJSON(R, {.IndentSpaces = 0}, PublicOS))
    return E;
  ExtraOS << pageData(R, Options);
  writePage({"gpu-occupancy",
             reportBody().str(),
             reportScript(),
             {{"report", std::move(Public)}, {"page", std::move(Extra)}}},
            OS);
  return Error::success();
}
