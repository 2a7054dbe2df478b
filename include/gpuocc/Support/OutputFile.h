//===- OutputFile.h - Files that commands write ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_OUTPUTFILE_H
#define GPUOCC_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// Fails where writeOutput() cannot succeed: the folder of \p Path is missing
/// or not writable, \p Path is a folder, a file that may not be written, or one
/// of \p Inputs. Changes nothing. Commands call it before their work, so that a
/// mistake in `-o` costs no time.
llvm::Error checkOutput(llvm::StringRef Path,
                        llvm::ArrayRef<llvm::StringRef> Inputs = {});

/// Writes what \p Write writes to \p Path; "-" is standard output.
///
/// A regular file is replaced as a whole or not at all: a temporary file beside
/// it is written, checked and renamed. A symbolic link stays and its target is
/// replaced; the permissions of the target are kept. A signal that ends the
/// process removes the temporary file. Devices, FIFOs and descriptors
/// (`/dev/stdout`) are written to directly.
///
/// Fails with the error of \p Write, or with one that names \p Path and what
/// the system said.
llvm::Error
writeOutput(llvm::StringRef Path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> Write);

/// Writes \p Text as writeOutput() does.
llvm::Error writeOutput(llvm::StringRef Path, llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_OUTPUTFILE_H
