//===- KnownFacts.h - Facts of an earlier text ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_KNOWNFACTS_H
#define GPUOCC_TOOLS_SOURCES_KNOWNFACTS_H

#include "gpuocc/Kernel/JSON.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// The fingerprint of the device code that the facts in the file \p Facts were
/// made of by \p Command; empty where it is not known, or was another command.
std::string fingerprintOfFacts(llvm::StringRef Facts,
                               llvm::ArrayRef<std::string> Command);

/// Notes the fingerprint in \p Made, which \p Command made, for those who read
/// the file \p Facts.
llvm::Error noteFingerprint(llvm::StringRef Facts,
                            llvm::ArrayRef<std::string> Command,
                            const FactsFile &Made);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_KNOWNFACTS_H
