//===- Page.h - A self-contained HTML page ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all pages share: style, theme, Chart.js and the scripts of
/// lib/Page/html. A page brings a body, a script of its own and data, and loads
/// nothing.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_PAGE_PAGE_H
#define GPUOCC_PAGE_PAGE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// JSON that a script finds by the name of its element.
struct PageJSON {
  std::string Name;
  std::string JSON;
};

struct Page {
  std::string Title;
  /// Markup; what comes from elsewhere is escaped.
  std::string Body;
  /// JavaScript behind that of all pages, in one scope with it.
  llvm::StringRef Script;
  std::vector<PageJSON> Data;
};

/// \p Text as the content of an element or the value of an attribute.
std::string escapeHtml(llvm::StringRef Text);

void writePage(const Page &P, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_PAGE_PAGE_H
