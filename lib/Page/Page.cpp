//===- Page.cpp - A self-contained HTML page ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Page/Page.h"
#include "SharedParts.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::escapeHtml(StringRef Text) {
  std::string Out;
  for (char C : Text)
    switch (C) {
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '&':
      Out += "&amp;";
      break;
    case '"':
      Out += "&quot;";
      break;
    default:
      Out += C;
    }
  return Out;
}

/// Writes \p JSON as the content of a script element, which ends at the first
/// "</script": in JSON "<" stands in strings only, where it may be escaped.
static void writeData(const PageJSON &Data, raw_ostream &OS) {
  OS << "<script type=\"application/json\" id=\"" << Data.Name << "\">";
  StringRef JSON = Data.JSON;
  while (!JSON.empty()) {
    auto [Piece, Rest] = JSON.split('<');
    OS << Piece;
    if (Piece.size() != JSON.size())
      OS << "\\u003c";
    JSON = Rest;
  }
  OS << "</script>\n";
}

void gpuocc::writePage(const Page &P, raw_ostream &OS) {
  OS << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>"
     << escapeHtml(P.Title) << "</title>\n<style>\n"
     << sharedStyle() << "</style>\n</head>\n<body>\n"
     << P.Body;
  for (const PageJSON &Data : P.Data)
    writeData(Data, OS);
  if (!chartLibrary().empty())
    OS << "<script>\n" << chartLibrary() << "\n</script>\n";
  OS << "<script>\n(() => {\n'use strict';\n"
     << sharedScript() << P.Script << "})();\n</script>\n</body>\n</html>\n";
}
