//===- LowerVectors.cpp - Vectors of MLIR to those of LLVM ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerVectors.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {
/// The patterns are those of ConvertVectorToLLVMPass.cpp of MLIR 22.
class LowerVectorsPass : public PassWrapper<LowerVectorsPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerVectorsPass)

  void runOnOperation() override {
    RewritePatternSet Patterns(&getContext());
    vector::populateVectorToVectorCanonicalizationPatterns(Patterns);
    vector::populateVectorBitCastLoweringPatterns(Patterns);
    vector::populateVectorBroadcastLoweringPatterns(Patterns);
    vector::populateVectorContractLoweringPatterns(
        Patterns, vector::VectorContractLowering::Dot);
    vector::populateVectorMaskOpLoweringPatterns(Patterns);
    vector::populateVectorMultiReductionLoweringPatterns(
        Patterns, vector::VectorMultiReductionLowering::InnerParallel);
    vector::populateVectorShapeCastLoweringPatterns(Patterns);
    vector::populateVectorInterleaveLoweringPatterns(Patterns);
    vector::populateVectorTransposeLoweringPatterns(
        Patterns, vector::VectorTransposeLowering::EltWise);
    // Those of more dimensions became loops.
    vector::populateVectorTransferLoweringPatterns(Patterns,
                                                   /*maxTransferRank=*/1);
    vector::populateVectorMaskMaterializationPatterns(
        Patterns, /*force32BitVectorIndices=*/false);
    vector::populateVectorInsertExtractStridedSliceTransforms(Patterns);
    vector::populateVectorStepLoweringPatterns(Patterns);
    vector::populateVectorRankReducingFMAPattern(Patterns);
    vector::populateVectorGatherLoweringPatterns(Patterns);
    // What is left is found when everything is converted.
    (void)applyPatternsGreedily(getOperation(), std::move(Patterns));
  }
};
} // namespace

std::unique_ptr<Pass> gpuocc::createLowerVectorsPass() {
  return std::make_unique<LowerVectorsPass>();
}
