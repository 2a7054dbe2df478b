//===- PublishedAccesses.h - What another tool reported ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Uncoalesced accesses as another tool reports them, beside ours. GPUDrano's
/// dynamic analysis (Alur, Devietti, Navarro Leija, Singhania, CAV 2017)
/// published the mean number of 128-byte lines per request of those accesses of
/// Rodinia that take more than one.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_PUBLISHEDACCESSES_H
#define GPUOCC_TOOLS_ACCURACY_PUBLISHEDACCESSES_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// One access that was reported.
struct PublishedAccess {
  /// The compiled file, as a path in the suite.
  std::string File;
  /// The function that contains the access, without spaces.
  std::string Function;
  unsigned Line = 0, Column = 0;
  /// 128-byte lines per request.
  double Lines = 0;
};

/// Ours at the same place: means over its instructions, weighted by requests.
struct OwnAccess {
  unsigned NumInstructions = 0;
  double Lines = 0, Sectors = 0, IdealSectors = 0;
  Exactness Exact = Exactness::Exact;

  /// Sectors are fetched that no lane asked for.
  bool isWasteful() const;
  /// More than one line a request.
  bool takesSeveralLines() const;
};

/// Reads lines "FILE FUNCTION LINE:COLUMN LINES-PER-REQUEST"; "#" begins a
/// comment.
llvm::Expected<std::vector<PublishedAccess>>
loadPublishedAccesses(llvm::StringRef Path);

/// The accesses of \p Reports, kernels of the file of \p Published, at its
/// place; at its line when none has its column.
OwnAccess ownAccess(const PublishedAccess &Published,
                    llvm::ArrayRef<KernelReport> Reports);

/// Both sides, file by file, and sums by folder.
struct PublishedRow {
  PublishedAccess Theirs;
  OwnAccess Ours;
};
void printPublished(llvm::ArrayRef<PublishedRow> Rows, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_PUBLISHEDACCESSES_H
