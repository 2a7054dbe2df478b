//===- LikePtxas.h - What ptxas makes of a kernel ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The machine view has PTX's operations; ptxas makes SASS of them. Each step
/// below is one thing that ptxas 13.0 does for sm_90, seen in its SASS, and
/// otherwise for others as far as AssemblerRules say; none of them changes what
/// the operations compute. The distance that remains is tracked by the accuracy
/// bench.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSEMBLER_LIKEPTXAS_H
#define GPUOCC_LIB_ASSEMBLER_LIKEPTXAS_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Reads special registers as the architecture does.
void selectLikePtxas(KernelFacts &Facts);

/// Deletes loops that only count: nothing that they compute is used behind
/// them, and they touch no memory and wait for nobody.
void dropIdleLoopsLikePtxas(KernelFacts &Facts);

/// Leaves out masks of bits that loaded bytes and halves do not have.
void dropMasksLikePtxas(KernelFacts &Facts);

/// Leaves out what scales subnormal numbers where there are none, and additions
/// that take the product of an approximate quotient over.
void approximateLikePtxas(KernelFacts &Facts);

/// Merges operations into one instruction (IMAD.WIDE addressing, LEA,
/// three-input adds and logic) by emptying the emissions of what disappears.
void foldLikePtxas(KernelFacts &Facts);

/// Converts bytes and halves of registers to floats where they lie.
void convertPartsLikePtxas(KernelFacts &Facts);

/// Merges loads of neighbouring words of shared memory.
void widenLikePtxas(KernelFacts &Facts);

/// Computes only the lower halves of 64-bit values where only those are used.
void narrowLikePtxas(KernelFacts &Facts);

/// Computes what divisions need of their divisor once for all that share it,
/// and outside of loops that do not change it.
void shareDivisorsLikePtxas(KernelFacts &Facts);

/// Makes loops of the atomics that shared memory does not have (additions of
/// floating-point numbers, 64-bit integers): lanes load, compute and swap until
/// nobody came between.
void retryAtomicsLikePtxas(KernelFacts &Facts);

/// Is \p Op a jump without a condition?
bool isJump(const Operation &Op);

/// The last operation before \p L is entered; NoIndex where there is none.
uint32_t lastOpBefore(const KernelFacts &Facts, const gpuocc::Loop &L);

/// Predicates short sides of branches instead of jumping over them.
void predicateLikePtxas(KernelFacts &Facts);

/// Sets up and ends reconvergence (BSSY, BSYNC) around branches that may
/// diverge.
void convergeLikePtxas(KernelFacts &Facts);

/// Unrolls counted loops: their control and their address arithmetic is shared
/// by several iterations.
void unrollLikePtxas(KernelFacts &Facts);

/// Writes constants into registers that do not fit into the instructions that
/// read them.
void materializeConstantsLikePtxas(KernelFacts &Facts);

/// Moves loads of constant memory that are the same for all lanes, and integer
/// arithmetic on them, to the uniform datapath.
void useUniformDatapathLikePtxas(KernelFacts &Facts);

/// Predicates what a select chooses instead of choosing.
void chooseLikePtxas(KernelFacts &Facts);

/// Moves what products read to neighboring registers, and descriptors to
/// uniform ones.
void gatherTuplesLikePtxas(KernelFacts &Facts);

/// Puts loads that no lane does before asynchronous copies.
void guardCopiesLikePtxas(KernelFacts &Facts);

/// Gives a part of additions and moves to the FMA pipe.
void balanceLikePtxas(KernelFacts &Facts);

/// Combines the lanes of an atomic whose address is the same for all, so that
/// one lane acts for the warp, and finds those that shared memory combines.
void combineAtomicsLikePtxas(KernelFacts &Facts);

/// Adds what every kernel starts with.
void beginLikePtxas(KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSEMBLER_LIKEPTXAS_H
