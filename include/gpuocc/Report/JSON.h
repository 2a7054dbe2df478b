//===- JSON.h - Reports as JSON and back -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The whole of a report as JSON: what reads it back gets an equal report. The
/// short public form that people's tools read is a view (Views/WriteJSON.h),
/// which carries this one along under the key "data" when asked.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_JSON_H
#define GPUOCC_REPORT_JSON_H

#include "gpuocc/Report/Report.h"
#include "gpuocc/Support/FileFormat.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// The version of what is under "data", which this code writes as
/// "data_version".
constexpr unsigned ReportDataVersion = currentVersion(FileFormat::ReportData);

llvm::json::Value toJSON(const Prediction &P);
llvm::json::Value toJSON(const Rates &R);
llvm::json::Value toJSON(const Roofline &R);
llvm::json::Value toJSON(const OccupancyRoofline &R);
llvm::json::Value toJSON(const Parallelism &R);
llvm::json::Value toJSON(const Finding &F);
llvm::json::Value toJSON(const KernelReport &R);

/// Writes what `J.value(toJSON(R))` does, in a fraction of its time.
void writeJSON(llvm::json::OStream &J, const KernelReport &R);

/// Writes of each kernel what parseReport reads, and nothing else: the form in
/// which reports are kept.
void writeJSON(llvm::json::OStream &J, const Report &R);

/// Each reads its value from \p J; on failure reports the first problem to
/// \p P and returns false.
bool fromJSON(const llvm::json::Value &J, Prediction &Out, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, Rates &Out, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, Roofline &Out, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, OccupancyRoofline &Out,
              llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, Parallelism &Out, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, Finding &Out, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, KernelReport &Out,
              llvm::json::Path P);

/// Reads a report file, in this form or in the public form with "data", one
/// kernel after the other. Of other members no more than brackets is looked at.
/// Fails
/// when it is not JSON, of another schema, or written without "data"; the error
/// names \p FileName and the place.
llvm::Expected<Report> parseReport(llvm::StringRef Text,
                                   llvm::StringRef FileName);

} // namespace gpuocc

#endif // GPUOCC_REPORT_JSON_H
