//===- Markdown.h - Text in tables of Markdown ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_MARKDOWN_H
#define GPUOCC_LIB_VIEWS_MARKDOWN_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// \p Text for a cell of a table: nothing in it is markup or HTML, control
/// characters are blanks, and it is valid UTF-8.
std::string markdownText(llvm::StringRef Text);

/// The same as code.
std::string markdownCode(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_MARKDOWN_H
