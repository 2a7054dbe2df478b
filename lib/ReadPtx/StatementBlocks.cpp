//===- StatementBlocks.cpp - A basic block for each PTX statement ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatementBlocks.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace gpuocc;
using namespace llvm;

StatementBlocks::StatementBlocks(LLVMContext &Context)
    : Kind(Context.getMDKindID("gpuocc.statement")),
      Marked(new UnreachableInst(Context)) {}

static bool passesParameters(const PtxStatement &S) {
  const StringRef Text = S.Text;
  return Text.starts_with("st.param") || Text.starts_with("ld.param") ||
         Text.split('.').first == "call";
}

void StatementBlocks::enter(const PtxStatement &S, IRBuilder<> &Builder) {
  if (S.K != PtxStatement::Kind::Instruction)
    return;
  const bool WasInCall = IsInCall;
  IsInCall = passesParameters(S);
  if (WasInCall && IsInCall)
    return;
  auto *Mark = cast<Instruction>(Marked.get());
  auto *Number = ConstantAsMetadata::get(Builder.getInt32(NumStatements++));
  Mark->setMetadata(Kind, MDNode::get(Builder.getContext(), Number));
  Builder.CollectMetadataToCopy(Mark, Kind);
}

void StatementBlocks::separate(Function &F) const {
  // Blocks that are split off come right behind and are walked next.
  for (BasicBlock &B : F) {
    const MDNode *Owner = nullptr;
    for (Instruction &I : B) {
      const MDNode *Of = I.getMetadata(Kind);
      const bool IsJump = isa<BranchInst>(I) && I.getNumSuccessors() == 1;
      if (!Of || IsJump || isa<PHINode>(I))
        continue;
      if (Owner && Of != Owner) {
        B.splitBasicBlock(&I);
        break;
      }
      Owner = Of;
    }
    for (Instruction &I : B)
      I.setMetadata(Kind, nullptr);
  }
}
