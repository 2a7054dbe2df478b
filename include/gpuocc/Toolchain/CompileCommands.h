//===- CompileCommands.h - The compilation database of a build --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `compile_commands.json` as CMake, Ninja, Bear and others write it.
/// Source: "JSON Compilation Database Format Specification", clang.llvm.org.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_COMPILECOMMANDS_H
#define GPUOCC_TOOLCHAIN_COMPILECOMMANDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// How a build compiles one file.
struct CompileCommand {
  /// Absolute.
  std::string Directory;
  /// Absolute, without "." and "..".
  std::string File;
  /// Name of the compiler first.
  std::vector<std::string> Arguments;

  /// True when the compiler is nvcc, also behind a launcher such as ccache.
  bool isByNvcc() const;
  /// What follows the compiler's name, and that of a launcher in front of it.
  std::vector<std::string> options() const;

private:
  size_t compilerIndex() const;
};

/// Reads the database \p Text of the file \p FileName. Entries may have
/// "arguments" or "command"; relative directories start at the folder of
/// \p FileName. Fails with the name of the file and the entry.
llvm::Expected<std::vector<CompileCommand>>
parseCompileCommands(llvm::StringRef Text, llvm::StringRef FileName);

/// The same of the file `compile_commands.json` in \p Folder, or of \p Folder
/// itself where it is a file.
llvm::Expected<std::vector<CompileCommand>>
loadCompileCommands(llvm::StringRef Folder);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_COMPILECOMMANDS_H
