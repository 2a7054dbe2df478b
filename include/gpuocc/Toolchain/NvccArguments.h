//===- NvccArguments.h - nvcc's command line for clang ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Build systems write command lines for nvcc; clang spells what concerns the
/// compilation of device code otherwise, or needs no word for it.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_NVCCARGUMENTS_H
#define GPUOCC_TOOLCHAIN_NVCCARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// What a command line means for the compilation of device code.
struct TranslatedArguments {
  /// Options of clang, in the order of the command line.
  std::vector<std::string> Clang;
  /// Options of nvcc for its PTX, one word each with absolute paths: without
  /// architectures, outputs, other steps and what nvcc does not document.
  std::vector<std::string> Nvcc;
  /// Options that nvcc hands to ptxas, but for the register limit.
  std::vector<std::string> Ptxas;
  /// Architectures in the order of the command line, each once: "sm_90".
  std::vector<std::string> Architectures;
  /// From -maxrregcount.
  std::optional<unsigned> MaxRegisters;
  /// What is neither an option nor the value of one.
  std::vector<std::string> Inputs;
  /// Options that are in none of the above: those that nvcc does not document,
  /// and of a repository those that could do more than decide what code says.
  std::vector<std::string> Dropped;
};

/// What becomes of options that nvcc does not document.
enum class UnknownArguments : uint8_t {
  /// They are listed in Dropped.
  Drop,
  /// They go to clang as they are.
  Keep
};

/// Who wrote options.
struct OptionOrigin {
  /// A repository whose reader may not trust it (\see AllowedOptions.h), and
  /// not the user.
  bool IsRepository = false;
  /// Globs of host compilers that it may name beside those that are known.
  std::vector<std::string> QueryDrivers = {};
};

/// True when \p Arguments hold an option that nvcc has and clang has not.
bool isForNvcc(llvm::ArrayRef<std::string> Arguments);

/// Translates \p Arguments, without the compiler's name. Response files
/// (`-optf`, `--options-file`, `@FILE`) are read relative to \p Directory.
/// Fails when one cannot be read or includes itself.
///
/// Source of the options: "NVIDIA CUDA Compiler Driver", CUDA 13.0,
/// section 4.2, and `nvcc --help` of that release.
llvm::Expected<TranslatedArguments>
translateNvccArguments(llvm::ArrayRef<std::string> Arguments,
                       llvm::StringRef Directory, UnknownArguments Unknown,
                       const OptionOrigin &Origin = {});

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_NVCCARGUMENTS_H
