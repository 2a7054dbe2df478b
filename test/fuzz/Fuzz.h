//===- Fuzz.h - What the fuzz targets share ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A target is a function that libFuzzer calls with the bytes of a file. It
/// reads them as the tools do and holds what was read to what the reader
/// promises; what does not hold ends the process.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_FUZZ_FUZZ_H
#define GPUOCC_TEST_FUZZ_FUZZ_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <cstdlib>

namespace gpuocc::fuzz {

/// The bytes of a file.
inline llvm::StringRef text(const uint8_t *Data, size_t Size) {
  return llvm::StringRef(reinterpret_cast<const char *>(Data), Size);
}

/// Ends the process unless \p Holds.
inline void require(bool Holds, const llvm::Twine &What) {
  if (Holds)
    return;
  llvm::errs() << "does not hold: " << What << '\n';
  std::abort();
}

/// Ends the process if \p E, which must not happen, is an error.
inline void mustSucceed(llvm::Error E, const llvm::Twine &What) {
  if (E)
    require(false, What + ": " + llvm::toString(std::move(E)));
}

/// Takes the error of \p Value, which must have a text. True if there is none.
template <typename T> bool isRead(llvm::Expected<T> &Value) {
  if (Value)
    return true;
  require(!llvm::toString(Value.takeError()).empty(), "errors have a text");
  return false;
}

} // namespace gpuocc::fuzz

#endif // GPUOCC_TEST_FUZZ_FUZZ_H
