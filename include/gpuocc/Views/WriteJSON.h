//===- WriteJSON.h - The public JSON report --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEJSON_H
#define GPUOCC_VIEWS_WRITEJSON_H

#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

struct Report;

/// What a JSON report holds.
enum class JSONContents {
  /// What docs/report.schema.json describes.
  Public,
  /// Also the whole report under "data", so that parseReport can read it back.
  WithData,
  /// What parseReport reads, and nothing else.
  OnlyData,
  /// Of each kernel only what parseReportSummary reads.
  ToCompare,
};

struct JSONOptions {
  JSONContents Contents = JSONContents::Public;
  /// Spaces that each level is indented by; 0 writes one line.
  unsigned IndentSpaces = 2;
};

/// Writes \p R in the form of docs/report.schema.json, version 1.
llvm::Error writeJSON(const Report &R, const JSONOptions &Options,
                      llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEJSON_H
