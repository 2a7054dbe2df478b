//===- ThroughputBounds.cpp - The worksheet of one launch -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/ThroughputBounds.h"
#include "Bounds/AccessSheet.h"
#include "Bounds/AtomicCost.h"
#include "Bounds/ExchangedLines.h"
#include "Bounds/HotLines.h"
#include "Bounds/OperandReads.h"
#include "Bounds/SwapContention.h"
#include "Numbers/PipeKinds.h"
#include "Numbers/QueuedCalls.h"
#include "gpuocc/Model/WarpWork.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

std::vector<ClassCount>
gpuocc::instructionMix(const KernelFacts &Facts,
                       const ExecutionProfile &Profile) {
  PerInstClass<double> Counts = {};
  for (const Operation &Op : Facts.Operations) {
    double Executions = Profile.Blocks[Op.Block].ExecutionsPerWarp;
    for (const Emission &E : Op.Emits)
      Counts[size_t(E.Class)] += E.Count * Executions;
  }
  std::vector<ClassCount> Mix;
  for (size_t I = 0; I != NumInstClasses; ++I)
    if (Counts[I] > 0)
      Mix.push_back({InstClass(I), Counts[I]});
  llvm::sort(Mix, [](const ClassCount &A, const ClassCount &B) {
    return A.PerWarp != B.PerWarp ? A.PerWarp > B.PerWarp : A.Class < B.Class;
  });
  return Mix;
}

/// Cycles of the FMA pipe for \p Mix. Where integer multiply-adds take longer
/// than FFMA they execute on one half of the pipe (fmaheavy), one behind the
/// other, while FFMA goes to whichever half has time. Products of 64 bits keep
/// both halves.
///
/// Source: sm__pipe_fmaheavy_cycles_active of Nsight Compute; 8.52 M IMAD.HI
/// and 6.75 M IMAD of a Philox generator keep it busy for 48.8 M cycles of a
/// scheduler, 4 and 2 cycles each make 48.6 M (H200, 2026-11-23). One IMAD.HI
/// beside one, two and three FFMA takes 4.6, 5.8 and 7.0 cycles of a scheduler,
/// one IMAD 2.2, 3.3 and 4.4 (H200, 2026-11-30).
static double fmaPipeCycles(ArrayRef<ClassCount> Mix, Numbers &N) {
  const double OfFma = N.pipeCycles(InstClass::FFma);
  const double Halves = std::max(1.0, N.pipeCycles(InstClass::IMad) / OfFma);
  constexpr double Longer = 1.5;
  double OnEither = 0, OnHeavyHalf = 0, OnBoth = 0;
  for (const ClassCount &C : Mix) {
    if (N.pipe(C.Class) != Resource::Fma)
      continue;
    const double Cycles = N.pipeCycles(C.Class);
    double &Of = Cycles <= Longer * OfFma   ? OnEither
                 : N.aluCycles(C.Class) > 0 ? OnBoth
                                            : OnHeavyHalf;
    Of += C.PerWarp * Cycles;
  }
  return OnBoth + std::max(OnHeavyHalf, OnEither + OnHeavyHalf / Halves);
}

/// Wavefronts of shared memory that a warp's part of a product of a warp group
/// reads: 32 bytes of each of the 64 rows and of each column, once for the four
/// warps (H200: m64nNk16 takes 16 + N/4 cycles where that is more than its N/2
/// on the tensor cores; table wgmma_shapes).
///
/// Assumes that both matrices lie in shared memory; the first may be registers.
static double wavefrontsOfProduct(unsigned Columns, const DeviceModel &Device) {
  constexpr double Rows = 64, BytesOfRow = 32, Warps = 4;
  return (Rows + Columns) * BytesOfRow / Warps / sharedTransactionBytes(Device);
}

static void addInstructions(ArrayRef<ClassCount> Mix,
                            const PerInstClass<double> &IssuedTogether,
                            Numbers &N, Worksheet &Sheet) {
  double IssueCycles =
      1 / (N.schedulers() * N.getOrDefault(Quantity::IssuePerScheduler));
  double FmaSum = 0;
  for (const ClassCount &C : Mix)
    if (N.pipe(C.Class) == Resource::Fma)
      FmaSum += C.PerWarp * N.pipeCycles(C.Class);
  double FmaScale = FmaSum > 0 ? fmaPipeCycles(Mix, N) / FmaSum : 1;
  for (const ClassCount &C : Mix) {
    const StringRef Key = instClassKey(C.Class);
    Sheet.use(Resource::Issue, Key, C.PerWarp - IssuedTogether[size_t(C.Class)],
              N.issueSlots(C.Class) * IssueCycles);
    Resource Pipe = N.pipe(C.Class);
    if (Pipe == Resource::Issue)
      continue;
    double Scale = Pipe == Resource::Fma ? FmaScale : 1;
    Sheet.use(Pipe, Key, C.PerWarp, N.pipeCycles(C.Class) * Scale);
    if (const double Alu = N.aluCycles(C.Class); Alu > 0)
      Sheet.use(Resource::Alu, Key, C.PerWarp, Alu);
    if (const unsigned Columns = warpGroupColumns(C.Class))
      Sheet.use(Resource::Shared, Key, C.PerWarp,
                wavefrontsOfProduct(Columns, N.device().model()) *
                    N.get(Quantity::SharedWavefront));
  }
}

/// Reading and writing DRAM together costs the turn-around of its bus: bytes of
/// a balanced copy move at the copy rate, what one direction has more than the
/// other at that direction's rate. The turn-around is that of the measured
/// copy, whose reads went at the peak of the fit of the same run: with the rate
/// of the device, faster reads would make lone sectors, which have a rate of
/// their own, wait longer.
static void addTurnaround(Numbers &N, const Prediction &P, Worksheet &Sheet) {
  std::optional<double> Copy = N.device().get(Quantity::DramCopyBytesPerCycle);
  std::optional<double> Read = N.device().get(Quantity::DramReadBytesPerCycle);
  std::optional<double> Write =
      N.device().get(Quantity::DramWriteBytesPerCycle);
  if (const ContentionFit *Fit = N.device().model().contention("dram_read");
      Fit && Fit->Peak)
    Read = Fit->Peak->Value;
  if (!Copy || !Read)
    return;
  double Both = std::min(P.DramReadBytesPerWarp, P.DramWriteBytesPerWarp);
  double Apart = Both / *Read + Both / Write.value_or(*Read);
  double Extra = 2 * Both / *Copy - Apart;
  if (Extra > 0)
    Sheet.use(Resource::Dram, "turn-around between reads and writes", 1, Extra);
}

/// What loops of compare-and-swap try in vain, since warps of other blocks were
/// there before.
static void addContention(const KernelFacts &Facts, uint32_t Index,
                          const ExecutionProfile &Profile, double WarpsPerSm,
                          Numbers &N, Worksheet &Sheet, L2Sides &Sides) {
  const SwapContention C = swapContention(Facts, Index, Profile, WarpsPerSm, N);
  const AccessProfile &P = Profile.Accesses[Index];
  const double Again = P.RequestsPerWarp * (C.TimesRequests - 1);
  if (Again <= 0 && C.HandOverCycles <= 0)
    return;
  const AtomicCycles Atomic = atomicCycles(Facts, Profile, Index, N);
  Sheet.use(Resource::L2, "compare-and-swaps that others were faster than",
            Again, Atomic.Busy);
  Sides.OneByOne += std::max(Again * Atomic.OneByOne, C.HandOverCycles);
}

/// Calls into the runtime that the warps of all SMs make one by one.
static void addQueuedCalls(const KernelFacts &Facts,
                           const ExecutionProfile &Profile, Numbers &N,
                           Worksheet &Sheet) {
  for (const Operation &Op : Facts.Operations)
    if (!Op.Queued.empty()) {
      const BlockProfile &Block = Profile.Blocks[Op.Block];
      Sheet.use(Resource::L2, "calls of warps that wait for one another",
                Block.ExecutionsPerWarp,
                N.smCount() * queueCycles(Op, Block, N));
    }
}

/// The bus takes both directions at once, at the rates of copies of pinned
/// memory.
///
/// Source: H200 (host.csv): 256 MB are read in 5.24 ms (51 GB/s; copies 53) and
/// written in 5.11 ms (53; 55); sums of two arrays to a third of 4 MB each take
/// 172 us where it is in device memory and 188 us where it is not.
static void addHostMemory(const L2Sides &Sides, Numbers &N, Worksheet &Sheet) {
  auto Use = [&](llvm::StringRef What, double Bytes, Quantity Rate) {
    if (Bytes <= 0)
      return;
    if (const std::optional<double> Gbs = N.find(Rate, "none"))
      Sheet.use(Resource::Host, What, 1,
                std::max(0.0, Bytes * N.smCount() * N.clockGhz() / *Gbs -
                                  Sheet.cycles(Resource::Host)));
  };
  Use("reads of host memory", Sides.HostRead, Quantity::HostToDevicePinned);
  Use("writes beyond them", Sides.HostWritten, Quantity::DeviceToHostPinned);
}

/// Takes from \p Counted what counters do not see of the data stage of shared
/// memory and L1: lines that come from L2 are written beside the requests of
/// the SM. Of a bulk copy they count nothing, of cp.async about a wavefront.
///
/// Source: Nsight Compute on an H200, wavefronts of shared memory per warp:
/// 8803 of 2056 ldmatrix.x4 and 520 cp.async of four wavefronts each (10304 in
/// all); 32.6 % of the cycles where wgmma reads 32.3 % and bulk copies write
/// two thirds as much.
static void dropFills(const KernelFacts &Facts, const ExecutionProfile &Profile,
                      Numbers &N, CountedCycles &Counted) {
  double OfBulk = 0, OfCopies = 0;
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const AccessProfile &P = Profile.Accesses[I];
    if (A.Bulk)
      OfBulk += P.RequestsPerWarp * P.WavefrontsPerRequest *
                N.get(Quantity::SharedWavefront);
    else if (A.Kind == AccessKind::AsyncCopy)
      OfCopies += P.RequestsPerWarp *
                  std::max(0.0, P.WavefrontsPerRequest - 1) *
                  N.get(Quantity::L1Wavefront);
  }
  double &Shared = Counted[size_t(Resource::Shared)],
         &L1 = Counted[size_t(Resource::L1)];
  // The larger of the two has both.
  const bool InShared = Shared >= L1;
  Shared = std::max(0.0, Shared - OfBulk - (InShared ? OfCopies : 0));
  L1 = std::max(0.0, L1 - OfCopies - (InShared ? 0 : OfBulk));
}

/// Takes from \p Counted the half of an atomic in shared memory of other blocks
/// of the cluster that counters do not see: the unit at its end performs it.
///
/// Source: Nsight Compute on an H200, histogramCluster of
/// test/golden/modern-kernels: in clusters of two and of eight the way from L1
/// to the SMs is busy for 58 and 42 % of the time, 2.1 and 2.0 cycles for each
/// such atomic, of which one follows the other in 4.2.
static void dropHalfOfAtomics(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, Numbers &N,
                              CountedCycles &Counted) {
  double Unseen = 0;
  for (size_t I = 0; I != Facts.Accesses.size(); ++I)
    if (isAtomic(Facts.Accesses[I].Kind))
      Unseen += Profile.Accesses[I].RequestsPerWarp *
                otherBlocksCycles(Facts.Accesses[I], Profile.Accesses[I], N) /
                2;
  double &Cluster = Counted[size_t(Resource::Cluster)];
  Cluster = std::max(0.0, Cluster - Unseen);
}

static CountedCycles countedCycles(const L2Sides &Sides, Numbers &N,
                                   const Prediction &P) {
  CountedCycles Counted = {};
  for (const Bound &B : P.Bounds)
    Counted[size_t(B.What)] = B.CyclesPerWarp;
  Counted[size_t(Resource::L2)] = std::max(Sides.Read, Sides.Write);
  // The pipe counts instructions, also where the data of a store takes longer
  // on its way out.
  Counted[size_t(Resource::Lsu)] = 0;
  for (const ClassCount &C : P.Mix)
    if (N.pipe(C.Class) == Resource::Lsu)
      Counted[size_t(Resource::Lsu)] +=
          C.PerWarp * N.pipeCycles(InstClass::LdShared);
  // Products of 64 bits are none of the ALU's instructions.
  for (const ClassCount &C : P.Mix)
    Counted[size_t(Resource::Alu)] -= C.PerWarp * N.aluCycles(C.Class);
  // What a product takes of the scheduler beyond its one issue is not counted.
  for (const ClassCount &C : P.Mix)
    if (defaultPipe(C.Class) == Resource::Tensor)
      Counted[size_t(Resource::Issue)] -=
          C.PerWarp * (N.issueSlots(C.Class) - 1) /
          (N.schedulers() * N.getOrDefault(Quantity::IssuePerScheduler));
  // Votes are counted by no pipe: an H200 sees 766 instructions of a warp in
  // the ALU pipe where the machine code of CUB's DeviceRadixSortOnesweepKernel
  // has 755 and 162 votes beside them.
  for (const ClassCount &C : P.Mix)
    if (C.Class == InstClass::Vote) {
      double &OfPipe = Counted[size_t(N.pipe(C.Class))];
      OfPipe = std::max(0.0, OfPipe - C.PerWarp * N.pipeCycles(C.Class));
    }
  Counted[size_t(Resource::Launch)] = Counted[size_t(Resource::Barrier)] = 0;
  if (std::optional<double> Peak =
          N.device().get(Quantity::MemoryBandwidthPeak))
    Counted[size_t(Resource::Dram)] =
        (P.DramReadBytesPerWarp + P.DramWriteBytesPerWarp) * N.smCount() *
        N.clockGhz() / *Peak;
  return Counted;
}

static PerResource<double> oneSmCycles(const Worksheet &Sheet,
                                       const L2Sides &Sides, Numbers &N) {
  PerResource<double> OneSm = {};
  OneSm[size_t(Resource::Dram)] =
      Sheet.cycles(Resource::Dram) /
      timesAlone(Quantity::DramReadBytesPerCycleOneSm,
                 Quantity::DramReadBytesPerCycle, N.device());
  OneSm[size_t(Resource::L2)] = Sides.OneSm;
  return OneSm;
}

ThroughputCycles gpuocc::fillThroughputBounds(
    const KernelFacts &Facts, const ExecutionProfile &Profile,
    const PerInstClass<double> &IssuedTogether, unsigned WarpsPerBlock,
    double WarpsPerSm, Numbers &N, Prediction &P, PredictDetail Detail) {
  Worksheet Sheet;
  L2Sides Sides;
  addInstructions(P.Mix, IssuedTogether, N, Sheet);
  const OperandWaits Waits = operandWaits(Facts, Profile, N);
  for (auto [What, Cycles] : {std::pair(Resource::Fma, Waits.OfFma),
                              std::pair(Resource::Issue, Waits.OfIssue)})
    if (Cycles > 0)
      Sheet.use(What, "registers read from two banks", 1, Cycles);
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    addAccess(Facts, I, Profile, N, Sheet, Sides, P);
    addContention(Facts, I, Profile, WarpsPerSm, N, Sheet, Sides);
  }
  Sides.OneByOne +=
      hotLineCycles(Facts, Profile, N) +
      exchangedLineCycles(Facts, Profile,
                          std::max<double>(WarpsPerSm, WarpsPerBlock), N);
  addTurnaround(N, P, Sheet);
  addHostMemory(Sides, N, Sheet);
  if (double More = Sides.OneByOne - Sheet.cycles(Resource::L2); More > 0)
    Sheet.use(Resource::L2, "accesses that wait for others on their words", 1,
              More);
  addQueuedCalls(Facts, Profile, N, Sheet);
  // Shared memory and L1 share one data stage; the larger user names it.
  double Shared = Sheet.cycles(Resource::Shared);
  double L1 = Sheet.cycles(Resource::L1);
  if (Shared > 0 && L1 > 0) {
    if (Shared >= L1)
      Sheet.use(Resource::Shared, "global accesses through the same data stage",
                1, L1);
    else
      Sheet.use(Resource::L1, "shared accesses through the same data stage", 1,
                Shared);
  }
  if (std::optional<double> Block = N.device().get(Quantity::BlockLaunch))
    Sheet.use(Resource::Launch, "start of a block", 1.0 / WarpsPerBlock,
              *Block);
  P.Bounds = Sheet.bounds(Detail == PredictDetail::Full);
  CountedCycles Counted = countedCycles(Sides, N, P);
  Counted[size_t(Resource::Fma)] -= Waits.OfFma;
  Counted[size_t(Resource::Issue)] -= Waits.OfIssue;
  dropFills(Facts, Profile, N, Counted);
  dropHalfOfAtomics(Facts, Profile, N, Counted);
  return {Counted, oneSmCycles(Sheet, Sides, N)};
}

void gpuocc::addIdleSchedulers(double FullestScheduler, Prediction &P) {
  // Less is what the ends of grids and blocks make.
  constexpr double Noticeable = 1.02;
  if (FullestScheduler < Noticeable)
    return;
  for (Bound &B : P.Bounds) {
    if (!isOfScheduler(B.What))
      continue;
    double More = B.CyclesPerWarp * (FullestScheduler - 1);
    B.Terms.push_back({"more on the scheduler with most work", 1, More});
    B.CyclesPerWarp += More;
  }
  llvm::sort(P.Bounds, [](const Bound &A, const Bound &B) {
    return A.CyclesPerWarp != B.CyclesPerWarp
               ? A.CyclesPerWarp > B.CyclesPerWarp
               : A.What < B.What;
  });
}
