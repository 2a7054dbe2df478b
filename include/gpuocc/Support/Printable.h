//===- Printable.h - Text from elsewhere, for a terminal -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_PRINTABLE_H
#define GPUOCC_SUPPORT_PRINTABLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// \p Text so that a terminal shows it and does nothing else: control
/// characters and bytes that are not UTF-8 become `\xNN`, other characters that
/// are not printed (bidirectional overrides, zero-width and private ones)
/// `\u{NNNN}`. All else stays. The result is valid UTF-8 in one line.
///
/// Views apply it to each name and message that may quote a source file, a
/// module, a configuration or a command line.
std::string printable(llvm::StringRef Text);

/// The same for text of several lines, such as what a compiler said: line ends
/// and tabs stay.
std::string printableLines(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_PRINTABLE_H
