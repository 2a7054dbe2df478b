//===- JSON.h - Facts, launches and profiles as JSON -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// JSON forms of the values of this room. Reading back what was written gives
/// an equal value (text that is not UTF-8 is repaired when written). Fields
/// that hold their default are left out.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_JSON_H
#define GPUOCC_KERNEL_JSON_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/HostLaunch.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Support/FileFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// The version of the facts file that this code writes.
constexpr unsigned FactsSchemaVersion = currentVersion(FileFormat::Facts);

llvm::json::Value toJSON(const KernelFacts &Facts);
llvm::json::Value toJSON(const Launch &L);
llvm::json::Value toJSON(const ExecutionProfile &Profile);

/// Writes what `J.value(toJSON(Facts))` does, in a fraction of its time.
void writeJSON(llvm::json::OStream &J, const KernelFacts &Facts);
void writeJSON(llvm::json::OStream &J, const ExecutionProfile &Profile);

/// Each reads its value from \p J; on failure reports the first problem to
/// \p P and returns false.
bool fromJSON(const llvm::json::Value &J, KernelFacts &Facts,
              llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, Launch &L, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, ExecutionProfile &Profile,
              llvm::json::Path P);

/// The facts file of a module:
/// `{"schema_version": 2, "source": ..., "kernels": [...], "launches": [...],
/// "problem": ..., "made_of": ...}`.
struct FactsFile {
  /// The source file the module was compiled from, as the compiler named it.
  std::string SourceFile;
  std::vector<KernelFacts> Kernels;
  /// Launches in the host code of the same source.
  std::vector<HostLaunch> Launches;
  /// What could not be done, and so is missing here; empty when nothing is.
  std::string Problem;
  /// The fingerprint of the module, where one was asked for.
  std::string MadeOf;
  bool operator==(const FactsFile &) const = default;
};

/// Writes \p File as one line, one kernel after the other: as a whole the
/// document takes a hundred times its text in memory.
void writeFactsFile(const FactsFile &File, llvm::raw_ostream &OS);

/// Reads a facts file. Fails when \p Text is not JSON, is of another schema,
/// or holds facts whose parts do not fit together (\see verifyFacts); the error
/// names \p FileName and the place.
llvm::Expected<FactsFile> parseFactsFile(llvm::StringRef Text,
                                         llvm::StringRef FileName);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_JSON_H
