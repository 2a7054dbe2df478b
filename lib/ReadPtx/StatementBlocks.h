//===- StatementBlocks.h - A basic block for each PTX statement -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_STATEMENTBLOCKS_H
#define GPUOCC_LIB_READPTX_STATEMENTBLOCKS_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Value.h"

namespace gpuocc {

/// Gives the code of each PTX statement a basic block of its own. LLVM selects
/// instructions block by block: a block that holds one statement becomes that
/// instruction again, where a longer one would be combined a second time.
/// ReadOptions::IsFinalCode joins the blocks behind instruction selection.
class StatementBlocks {
public:
  explicit StatementBlocks(llvm::LLVMContext &Context);

  /// Marks what \p Builder adds from now on as code of \p S. A call and the
  /// moves of its parameters are one statement: PTX passes them in memory that
  /// exists in between only.
  void enter(const PtxStatement &S, llvm::IRBuilder<> &Builder);

  /// Splits the blocks of \p F between statements, and removes the marks.
  void separate(llvm::Function &F) const;

private:
  unsigned Kind;
  /// An instruction that the builder copies the mark of.
  llvm::unique_value Marked;
  unsigned NumStatements = 0;
  bool IsInCall = false;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_STATEMENTBLOCKS_H
