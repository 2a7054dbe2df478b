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

struct JSONOptions {
  /// Also write the whole report under "data", so that parseReport can read it
  /// back.
  bool WithData = false;
  /// Of each kernel only what parseReportSummary reads; goes before WithData.
  bool OnlySummary = false;
  /// Spaces that each level is indented by; 0 writes one line.
  unsigned IndentSpaces = 2;
};

/// Writes \p R in the form of docs/report.schema.json, version 1.
llvm::Error writeJSON(const Report &R, const JSONOptions &Options,
                      llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEJSON_H
