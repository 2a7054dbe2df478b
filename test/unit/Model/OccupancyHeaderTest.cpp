//===- OccupancyHeaderTest.cpp - Equal to the CUDA toolkit ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares occupancy() with cuda_occupancy.h where a toolkit is installed,
/// and with results recorded in test/golden everywhere: of that header in
/// occupancy.csv, of a driver in occupancy-h200.csv. To record the header's
/// anew, with a toolkit:
///
///   export GPUOCC_RECORD_OCCUPANCY=test/golden/occupancy.csv
///   build/bin/ModelTests --gtest_also_run_disabled_tests
///                        --gtest_filter='*Record'
///
//===----------------------------------------------------------------------===//

#include "OccupancyCases.h"
#include "gpuocc/Support/Architecture.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <gtest/gtest.h>

#ifdef GPUOCC_CUDA_OCCUPANCY_HEADER
#include <cuda_occupancy.h>
#endif

using namespace gpuocc;
using namespace llvm;

/// The rows of the recorded results \p Name, without the first, which names
/// the columns.
static std::vector<std::string> goldenRows(StringRef Name) {
  std::string Path = (GPUOCC_SOURCE_DIR "/test/golden/" + Name).str();
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  EXPECT_TRUE(bool(Buffer)) << Path;
  if (!Buffer)
    return {};
  SmallVector<StringRef> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', /*MaxSplit=*/-1,
                               /*KeepEmpty=*/false);
  return std::vector<std::string>(Lines.begin() + 1, Lines.end());
}

static uint64_t parseNumber(StringRef Field) {
  uint64_t Value = 0;
  EXPECT_FALSE(Field.getAsInteger(10, Value)) << Field.str();
  return Value;
}

/// The fields from threads to carve-out, which both recordings begin with.
static BlockResources parseBlock(ArrayRef<StringRef> Fields) {
  BlockResources Block;
  Block.Threads = parseNumber(Fields[0]);
  Block.RegistersPerThread = parseNumber(Fields[1]);
  Block.StaticSharedBytes = parseNumber(Fields[2]);
  Block.DynamicSharedBytes = parseNumber(Fields[3]);
  Block.Barriers = parseNumber(Fields[4]);
  if (!Fields[5].empty())
    Block.CarveoutPercent = parseNumber(Fields[5]);
  return Block;
}

TEST(OccupancyGolden, EqualsTheRecordedResultsOfTheHeader) {
  std::vector<std::string> Rows = goldenRows("occupancy.csv");
  EXPECT_GE(Rows.size(), 2000u);
  for (const std::string &Row : Rows) {
    SmallVector<StringRef> Fields;
    StringRef(Row).split(Fields, ',');
    ASSERT_EQ(Fields.size(), 14u) << Row;
    const ArchLimits &Limits = cantFail(archLimits(Fields[0]));
    BlockResources Block = parseBlock(ArrayRef(Fields).drop_front());
    Block.OptIn = Fields[7] == "1" ? SharedOptIn::Yes : SharedOptIn::No;
    EXPECT_EQ(inputFields(Limits, Block) + "," +
                  resultFields(occupancy(Limits, Block)),
              Row);
  }
}

// cuOccupancyMaxActiveBlocksPerMultiprocessor on an NVIDIA H200, driver
// 580.159.04, recorded by test/record/RecordOccupancy.cpp on 2026-11-21.
TEST(OccupancyGolden, EqualsTheDriverOfAnH200) {
  std::vector<std::string> Rows = goldenRows("occupancy-h200.csv");
  EXPECT_EQ(Rows.size(), 10000u);
  const ArchLimits &Limits = cantFail(archLimits("sm_90"));
  for (const std::string &Row : Rows) {
    SmallVector<StringRef> Fields;
    StringRef(Row).split(Fields, ',');
    ASSERT_EQ(Fields.size(), 7u) << Row;
    BlockResources Block = parseBlock(Fields);
    EXPECT_EQ(occupancy(Limits, Block).BlocksPerSm, parseNumber(Fields[6]))
        << Row;
  }
}

#ifdef GPUOCC_CUDA_OCCUPANCY_HEADER

/// Of the architectures that the header of CUDA 13 still knows.
static std::vector<const ArchLimits *> completeArchs() {
  std::vector<const ArchLimits *> Complete;
  for (const ArchLimits &Limits : allArchLimits())
    if (Limits.missingForOccupancy().empty() &&
        architectureNumber(Limits.Name) >= 50)
      Complete.push_back(&Limits);
  return Complete;
}

static cudaOccDeviceProp properties(const ArchLimits &Limits) {
  unsigned Version = 0;
  EXPECT_FALSE(StringRef(Limits.Name).drop_front(3).getAsInteger(10, Version));
  cudaOccDeviceProp P;
  P.computeMajor = Version / 10;
  P.computeMinor = Version % 10;
  P.maxThreadsPerBlock = *Limits.MaxThreadsPerBlock;
  P.maxThreadsPerMultiprocessor = *Limits.MaxThreadsPerSm;
  P.regsPerBlock = *Limits.RegistersPerBlock;
  P.regsPerMultiprocessor = *Limits.RegistersPerSm;
  P.warpSize = 32;
  P.sharedMemPerBlock = *Limits.SharedBytesPerBlock;
  P.sharedMemPerMultiprocessor = *Limits.SharedBytesPerSm;
  P.numSms = 1;
  P.sharedMemPerBlockOptin = *Limits.SharedBytesPerBlockOptin;
  P.reservedSharedMemPerBlock = *Limits.ReservedSharedBytesPerBlock;
  return P;
}

static std::optional<unsigned> bound(int Limit) {
  if (Limit == INT_MAX)
    return std::nullopt;
  return unsigned(Limit);
}

/// What the header says of \p Block, in our type.
static Occupancy headerOccupancy(const ArchLimits &Limits,
                                 const BlockResources &Block) {
  cudaOccDeviceProp P = properties(Limits);
  cudaOccFuncAttributes F;
  F.maxThreadsPerBlock = INT_MAX;
  F.numRegs = Block.RegistersPerThread;
  F.sharedSizeBytes = Block.StaticSharedBytes;
  F.shmemLimitConfig = Block.OptIn == SharedOptIn::Yes
                           ? FUNC_SHMEM_LIMIT_OPTIN
                           : FUNC_SHMEM_LIMIT_DEFAULT;
  F.maxDynamicSharedSizeBytes = Block.DynamicSharedBytes;
  F.numBlockBarriers = Block.Barriers;
  cudaOccDeviceState S;
  if (Block.CarveoutPercent)
    S.carveoutConfig = *Block.CarveoutPercent;

  cudaOccResult R = {};
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(
                &R, &P, &F, &S, Block.Threads, Block.DynamicSharedBytes),
            CUDA_OCC_SUCCESS)
      << inputFields(Limits, Block);
  Occupancy O;
  O.BlocksPerSm = R.activeBlocksPerMultiprocessor;
  O.BlockLimits = {bound(R.blockLimitWarps),    bound(R.blockLimitBlocks),
                   bound(R.blockLimitRegs),     bound(R.blockLimitSharedMem),
                   bound(R.blockLimitBarriers), std::nullopt};
  O.AllocatedRegistersPerBlock = R.allocatedRegistersPerBlock;
  O.AllocatedSharedBytesPerBlock = R.allocatedSharedMemPerBlock;
  // One bit each, in the header's order.
  for (auto [Bit, Limiter] :
       {std::pair(OCC_LIMIT_WARPS, OccupancyLimiter::Warps),
        std::pair(OCC_LIMIT_BLOCKS, OccupancyLimiter::Blocks),
        std::pair(OCC_LIMIT_REGISTERS, OccupancyLimiter::Registers),
        std::pair(OCC_LIMIT_SHARED_MEMORY, OccupancyLimiter::Shared),
        std::pair(OCC_LIMIT_BARRIERS, OccupancyLimiter::Barriers)})
    if (R.limitingFactors & Bit)
      O.Limiters.push_back(Limiter);
  return O;
}

/// The header names a limiter before it looks at barriers, and keeps it when
/// barriers then allow fewer blocks; ours names the barriers alone.
static bool sameLimiters(const Occupancy &Ours, const Occupancy &Header) {
  if (Ours.Limiters == Header.Limiters)
    return true;
  return Ours.Limiters == std::vector{OccupancyLimiter::Barriers} &&
         Header.Limiters.back() == OccupancyLimiter::Barriers;
}

TEST(OccupancyHeader, EqualOnAMillionRandomConfigurations) {
  constexpr unsigned PerArchitecture = 60000;
  unsigned Compared = 0, Mismatches = 0;
  for (const ArchLimits *Limits : completeArchs()) {
    std::mt19937_64 Random(1);
    for (unsigned I = 0; I != PerArchitecture; ++I) {
      BlockResources Block = randomBlock(*Limits, Random);
      Occupancy Ours = occupancy(*Limits, Block);
      Occupancy Header = headerOccupancy(*Limits, Block);
      bool Same = resultFields(Ours) == resultFields(Header) &&
                  sameLimiters(Ours, Header) &&
                  Ours.AllocatedRegistersPerBlock ==
                      Header.AllocatedRegistersPerBlock &&
                  Ours.AllocatedSharedBytesPerBlock ==
                      Header.AllocatedSharedBytesPerBlock;
      ++Compared;
      if (Same || ++Mismatches > 10)
        continue;
      ADD_FAILURE() << inputFields(*Limits, Block) << ": ours "
                    << resultFields(Ours) << ", header "
                    << resultFields(Header);
    }
  }
  EXPECT_EQ(Mismatches, 0u);
  EXPECT_GE(Compared, 1000000u);
  RecordProperty("compared", Compared);
  outs() << Compared << " configurations compared, " << Mismatches
         << " mismatches\n";
}

TEST(OccupancyHeader, DISABLED_Record) {
  const char *Path = std::getenv("GPUOCC_RECORD_OCCUPANCY");
  ASSERT_TRUE(Path) << "GPUOCC_RECORD_OCCUPANCY names the file to write";
  std::error_code Error;
  raw_fd_ostream OS(Path, Error);
  ASSERT_FALSE(Error) << Error.message();
  OS << "arch,threads,registers,static_shared,dynamic_shared,barriers,"
        "carveout_percent,opt_in,blocks_per_sm,limit_warps,limit_blocks,"
        "limit_registers,limit_shared,limit_barriers\n";
  for (const ArchLimits *Limits : completeArchs()) {
    std::mt19937_64 Random(2);
    for (unsigned I = 0; I != 100; ++I) {
      BlockResources Block = randomBlock(*Limits, Random);
      OS << inputFields(*Limits, Block) << ','
         << resultFields(headerOccupancy(*Limits, Block)) << '\n';
    }
  }
}

#else

TEST(OccupancyHeader, EqualOnAMillionRandomConfigurations) {
  GTEST_SKIP() << "no CUDA toolkit was found when CMake ran "
                  "(cuda_occupancy.h); the recorded results are compared";
}

#endif
