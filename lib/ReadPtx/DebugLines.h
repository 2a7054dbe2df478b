//===- DebugLines.h - ".loc" to debug locations ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_DEBUGLINES_H
#define GPUOCC_LIB_READPTX_DEBUGLINES_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugLoc.h"

namespace gpuocc {

/// Debug information of a module that is being lifted.
class DebugLines {
public:
  DebugLines(const PtxModule &From, llvm::Module &To);

  /// Makes \p F the function that the locations that follow are in.
  void enter(const PtxFunction &From, llvm::Function &F);
  /// The location of line \p Index of the current function; none for -1.
  llvm::DebugLoc at(int Index);
  void finish();

private:
  llvm::DIFile *file(unsigned Index);
  llvm::DIFile *fileNamed(llvm::StringRef Path);
  llvm::DISubprogram *function(llvm::StringRef Name, llvm::DIFile *File,
                               unsigned Line);
  int callOf(size_t Index);
  int nearestLine(int Index) const;
  llvm::DILocation *inlinedAt(size_t Index);
  llvm::DILocation *inComment(llvm::StringRef Chain);
  llvm::StringRef stringAt(const PtxSourceLine &L);
  void readStrings();

  const PtxModule &From;
  llvm::Module &To;
  llvm::DIBuilder Builder;
  llvm::DICompileUnit *Unit = nullptr;
  llvm::DenseMap<unsigned, llvm::DIFile *> Files;
  llvm::StringMap<llvm::DIFile *> FilesByName;
  llvm::StringMap<llvm::DISubprogram *> Inlined;
  /// Text behind each label of a section with strings.
  llvm::StringMap<std::string> Strings;
  bool HasStrings = false;

  const PtxFunction *Current = nullptr;
  llvm::DISubprogram *Subprogram = nullptr;
  std::vector<std::optional<llvm::DebugLoc>> Known;
  /// For each line the one with the place that it is inlined at, or -1.
  std::vector<int> Calls;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_DEBUGLINES_H
