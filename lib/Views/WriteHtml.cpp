//===- WriteHtml.cpp - The report as a page -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageData.h"
#include "PageParts.h"
#include "gpuocc/Views/WriteJSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Writes \p JSON as the content of a script element, which ends at the first
/// "</script": in JSON "<" stands in strings only, where it may be escaped.
static void writeData(StringRef Id, StringRef JSON, raw_ostream &OS) {
  OS << "<script type=\"application/json\" id=\"" << Id << "\">";
  while (!JSON.empty()) {
    auto [Piece, Rest] = JSON.split('<');
    OS << Piece;
    if (Piece.size() != JSON.size())
      OS << "\\u003c";
    JSON = Rest;
  }
  OS << "</script>\n";
}

Error gpuocc::writeHtml(const Report &R, const ViewOptions &Options,
                        raw_ostream &OS) {
  std::string Public, Extra;
  raw_string_ostream PublicOS(Public), ExtraOS(Extra);
  if (Error E = writeJSON(R, JSONOptions(), PublicOS))
    return E;
  ExtraOS << pageData(R, Options);

  OS << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>gpu-occupancy</title>\n<style>\n"
     << pageStyle() << "</style>\n</head>\n<body>\n"
     << pageBody();
  writeData("report", Public, OS);
  writeData("page", Extra, OS);
  if (!pageCharts().empty())
    OS << "<script>\n" << pageCharts() << "\n</script>\n";
  OS << "<script>\n(() => {\n'use strict';\n"
     << pageScript() << "})();\n</script>\n</body>\n</html>\n";
  return Error::success();
}
