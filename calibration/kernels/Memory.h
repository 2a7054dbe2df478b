//===- Memory.h - Microkernels of the memory system ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One function a question. The meaning of the parameters in, x, y and z is
/// stated with each; "lane table" is 32 64-bit words at %kin, the byte offset
/// each lane uses.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_MEMORY_H
#define GPUOCC_CALIBRATION_KERNELS_MEMORY_H

#include "Ptx.h"

namespace gpuocc::calibration {

/// Dependent loads from dynamic shared memory: in = lane table. Each lane's
/// word holds its own address. \p Bytes is 4, 8 or 16 a lane.
TimedKernel sharedChase(unsigned Bytes, unsigned Ilp, unsigned Unroll);

/// Dependent atomic adds of zero to shared memory: in = lane table, x = 0.
TimedKernel sharedAtomicChase(unsigned Ilp, unsigned Unroll);

/// Dependent 64-bit loads from global memory: x = buffer, in = lane table. Each
/// lane's word holds its own address. \p Cache is "ca" (L1) or "cg" (L2).
TimedKernel globalChase(const char *Cache, unsigned Unroll);

/// Dependent 32-bit atomic adds of zero: x = buffer, in = lane table, y = bytes
/// between the buffers of two warps, z = 0.
TimedKernel globalAtomicChase(unsigned Unroll);

/// Reductions without result to global memory: x = buffer, in = lane table,
/// y = bytes between the buffers of two warps.
TimedKernel globalReduction(unsigned Unroll);

/// Independent loads at immediate offsets: x = buffer, y = bytes between lanes,
/// z = 0. One iteration makes 16 loads \p OffsetStep bytes apart.
TimedKernel stridedLoads(unsigned Bytes, const char *Cache,
                         unsigned OffsetStep);

/// Walk along a ring of pointers: in[lane] = where each lane starts.
/// \p Space is "global" or "local"-like state space text with its cache
/// operator, such as "global.cg".
TimedKernel ringWalk(const char *Space, unsigned Unroll);

/// The same, with the latency of each load written to the 64-bit words at x.
TimedKernel ringWalkTimed(const char *Space);

/// Each thread stores the pairs (address, value) at x; y = number of pairs.
std::string scatterEntry();

/// Each thread fills 16 bytes at a time with hashed words, so that no part of
/// the memory system sees the same data twice: x = buffer, y = bytes.
std::string noiseEntry();

/// The first 8 bytes of each 32-byte sector point to another sector, by a
/// permutation that looks random: x = buffer, y = sectors (a power of two).
std::string pointersEntry();

/// What a streaming kernel does with each element.
enum class StreamKind { Read, Write, Copy, Triad };

/// Grid-stride streaming of 16 (or \p Bytes) bytes a lane: x = buffer, y =
/// bytes of each of its up to three parts, a power of two. One iteration makes
/// \p Ilp accesses of each kind a thread. Loads are of the first part, those of
/// a triad of the second as well; stores go to the part behind what is loaded,
/// without loads to the second.
/// Lanes are \p BytesApart bytes apart; 0: side by side.
TimedKernel stream(StreamKind Kind, unsigned Bytes, unsigned Ilp,
                   const char *Cache, unsigned BytesApart = 0);

/// As stream() of 16-byte reads in L2, but of blocks whose numbers leave the
/// same remainder over z all read the same lines at about the same time.
TimedKernel sharedStream(unsigned Ilp);

/// Loads of 4 bytes from random sectors: x = buffer, y = sectors - 1 (a power
/// of two less 1). Every lane has its own sequence.
TimedKernel randomLoads(unsigned Ilp, const char *Cache);

/// \p Ilp independent stores of 4 bytes to random sectors a loop iteration: as
/// randomLoads().
TimedKernel randomStores(unsigned Ilp);

/// Each warp loads one random line with all its lanes, one at a time, between
/// two clocks: x = buffer, y = lines - 1 (a power of two less 1), z = for each
/// warp the sum of the latencies and the sum of their squares (64 bits each).
TimedKernel lineLatencies();

/// Loads of which loadedLatencies() keeps one.
inline constexpr unsigned LoadsPerSample = 8;
/// Samples that it can keep a block.
inline constexpr unsigned SamplesPerBlock = 512;

/// Each warp reads rows of 256 bytes in a row, one load at a time, between two
/// clocks; the first warp of each block keeps the latency of one load in
/// LoadsPerSample in shared memory until it ends: x = buffer, y = bytes between
/// the sections of two warps, z = where SamplesPerBlock words of 64 bits of
/// each block go.
///
/// Source: Volkov 2016, section 6.6.
TimedKernel loadedLatencies();

/// How a kernel says how often it reads.
enum class ReadLoop {
  Unrolled, ///< No loop.
  Constant, ///< A loop of a number that the compiler knows.
  Dynamic,  ///< A loop of a number that only the launch knows.
};

/// Each thread reads \p Loads words of 4 bytes that lie as many words apart as
/// the launch has threads, and adds them: x = buffer, y = Loads. Iterations
/// has to be 1.
///
/// Source: Lemeire, Cornelis and Segers 2016, section VI.A and Fig. 6.
TimedKernel readLoop(ReadLoop Form, unsigned Loads);

/// What computes the address of each load from the word that the load before
/// returned.
enum class AddressProducer {
  None,    ///< The word is the address.
  Add,     ///< IADD3; this and the next two with loads from shared memory.
  Mad,     ///< IMAD
  Logic,   ///< LOP3
  MadWide, ///< IMAD.WIDE, with loads of 4 bytes that hit L1: x = buffer of
           ///< zeros.
};

/// \p Unroll dependent loads and what computes their addresses: in = lane
/// table of zeros, z = 0.
TimedKernel addressChain(AddressProducer Producer, unsigned Unroll);

/// \p Unroll dependent loads of 4 bytes that hit L1, by each lane of its own
/// word: x = buffer of zeros, in = lane table.
TimedKernel wordChase(unsigned Unroll);

/// One warp issues \p Loads independent loads and reads the clock before every
/// second one; x = buffer, y = where the 64-bit clocks go.
TimedKernel issueLoads(unsigned Loads, unsigned BytesApart);

/// Dependent loads from constant memory: in = lane table, y = a mask of the
/// warp's number, which starts so many times 64 bytes later. The module
/// variable `constants` (64 KiB) holds byte offsets.
TimedKernel constantChase();

/// Dependent loads from local memory, a word that holds its own offset.
TimedKernel localChase(unsigned Unroll);

/// Dependent fetches from a one-dimensional texture of 32-bit indices: x = its
/// handle. A word holds its own index.
TimedKernel textureChase(unsigned Unroll);

/// A matrix product of a warp group, m64nNkK.
struct WarpGroupShape {
  unsigned N, K;
  const char *Types;     ///< Of sums and inputs, as in PTX: "f32.f16.f16".
  const char *Modifiers; ///< Immediate operands that the types ask for.
  const char *Opcode;    ///< What it is in machine code.
};

/// Products of a warp group with both inputs in shared memory: \p InRow of
/// them, then a wait. Needs the 'a' target.
TimedKernel warpGroupMma(const WarpGroupShape &Shape, unsigned InRow);

/// Dependent asynchronous copies to shared memory of \p Bytes a lane, each
/// waited for: x = buffer.
TimedKernel asyncCopy(unsigned Bytes, unsigned Unroll);

/// One dependent load of \p Bytes a lane and \p Adds dependent additions of
/// zero, unrolled. x = buffer, y = bytes between the sections of two warps,
/// z = 0. \p Ilp chains read neighbouring rows.
///
/// Volkov 2016, section 5.1, with one difference: in place of a pointer that is
/// loaded, the address takes in the loaded word through one logic instruction
/// that masks it to zero, so that any footprint and any data need no set-up.
/// Every warp reads its own contiguous section.
TimedKernel loadAddMix(unsigned Bytes, unsigned Adds, unsigned Ilp,
                       const char *Cache, unsigned UnrolledLoads);

/// What alternates with additions in mix().
enum class MixKind {
  Mufu,    ///< Reciprocal square root of 1.
  Shared,  ///< Load from shared memory, in = lane table.
  Pointer, ///< 8-byte load per lane along pointersEntry()'s pointers, x =
           ///< buffer, y = sectors - 1.
};

/// As loadAddMix with another instruction in place of the load; z = 0.
TimedKernel mix(MixKind Kind, unsigned Adds, unsigned Ilp, unsigned Unroll);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_MEMORY_H
