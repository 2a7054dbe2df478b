//===- ReadInput.h - Files that others wrote --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_READINPUT_H
#define GPUOCC_SUPPORT_READINPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>

namespace gpuocc {

/// The largest text that is read as JSON, in bytes. Reports of whole projects
/// with facts are some 100 MB.
constexpr uint64_t MostJSONBytes = uint64_t(1) << 31;

/// The largest text that is read as YAML, in bytes.
constexpr uint64_t MostYAMLBytes = uint64_t(1) << 26;

/// What the file at \p Path holds. Fails for a folder, for more than
/// \p MostBytes bytes, and with what the system says; the error does not name
/// the file. A FIFO that nobody writes to is empty, and not waited for.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef Path, uint64_t MostBytes = MostJSONBytes);

/// The JSON in the file at \p Path, as parseJSON reads it; the error names the
/// file: "'file': what is wrong".
llvm::Expected<llvm::json::Value> readJSONFile(llvm::StringRef Path);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_READINPUT_H
