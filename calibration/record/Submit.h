//===- Submit.h - What the owner of a GPU sends ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_RECORD_SUBMIT_H
#define GPUOCC_CALIBRATION_RECORD_SUBMIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuocc::calibration {

/// What of the result \p File the predictions read, and what a reviewer needs:
/// numbers, latencies from class to class, and from `record` the members that
/// cannot name a person or a machine. No curves, no other tables, no command.
///
/// Fails on what is no finished result of a whole run, and where a text holds
/// one of \p Private (as the name of the host), a path, an address of the web
/// or of a mailbox, or an identifier as GPUs have (UUID, PCI address); the
/// error names the place.
llvm::Expected<llvm::json::Object>
submission(const llvm::json::Object &File,
           llvm::ArrayRef<std::string> Private = {});

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_RECORD_SUBMIT_H
