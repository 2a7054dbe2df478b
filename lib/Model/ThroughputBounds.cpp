//===- ThroughputBounds.cpp - The worksheet of one launch -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThroughputBounds.h"
#include "AtomicCost.h"
#include "WarpTraffic.h"
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

/// Cycles of a pipe made of nested parts, such as the FMA pipe, whose heavy
/// half alone executes integer multiplies while both halves execute FFMA: the
/// tightest of the demands on each part and on the whole.
static double nestedPipeCycles(ArrayRef<ClassCount> Mix, Resource Pipe,
                               Numbers &N) {
  double Worst = 0;
  for (const ClassCount &Part : Mix) {
    if (N.pipe(Part.Class) != Pipe)
      continue;
    double PartCycles = N.pipeCycles(Part.Class), Demand = 0;
    for (const ClassCount &C : Mix)
      if (N.pipe(C.Class) == Pipe && N.pipeCycles(C.Class) >= PartCycles)
        Demand += C.PerWarp * PartCycles;
    Worst = std::max(Worst, Demand);
  }
  return Worst;
}

static void addInstructions(ArrayRef<ClassCount> Mix, Numbers &N,
                            Worksheet &Sheet) {
  double IssueCycles =
      1 /
      (N.schedulers() * N.device().get(Quantity::IssuePerScheduler).valueOr(1));
  double FmaSum = 0;
  for (const ClassCount &C : Mix)
    if (N.pipe(C.Class) == Resource::Fma)
      FmaSum += C.PerWarp * N.pipeCycles(C.Class);
  double FmaScale =
      FmaSum > 0 ? nestedPipeCycles(Mix, Resource::Fma, N) / FmaSum : 1;
  for (const ClassCount &C : Mix) {
    std::string Key = instClassKey(C.Class).str();
    Sheet.use(Resource::Issue, Key, C.PerWarp,
              N.issueSlots(C.Class) * IssueCycles);
    Resource Pipe = N.pipe(C.Class);
    if (Pipe == Resource::Issue)
      continue;
    double Scale = Pipe == Resource::Fma ? FmaScale : 1;
    Sheet.use(Pipe, Key, C.PerWarp, N.pipeCycles(C.Class) * Scale);
  }
}

/// Instructions that \p Op of an access executes per warp.
static double executions(const KernelFacts &Facts,
                         const ExecutionProfile &Profile, uint32_t Op) {
  double Count = 0;
  for (const Emission &E : Facts.Operations[Op].Emits)
    Count = std::max<double>(Count, E.Count);
  return Count * Profile.Blocks[Facts.Operations[Op].Block].ExecutionsPerWarp;
}

namespace {
/// Cycles per warp of the two sides of L2, and of atomics that wait for each
/// other there.
struct L2Sides {
  double Read = 0, Write = 0, OneByOne = 0;
};

/// Lone sectors that DRAM reads or writes per cycle and SM.
struct LoneSectorRates {
  Known<double> Loads, Stores;
};
} // namespace

/// Pages of DRAM are open for what comes in order, and seldom the right ones
/// for what loaded indices ask for.
///
/// A sector that came to L2 with its neighbour's fetch costs what the two take
/// beyond the one.
///
/// What a store leaves out of a sector is read from DRAM before the sector can
/// be written: the rates of stores were measured so, 4 bytes of each sector.
/// Where the sector is written whole or loaded as well, only the write is left.
static LoneSectorRates loneSectorRates(const AccessProfile &P,
                                       const DeviceModel &D) {
  auto Rate = [&](Quantity Strided, Quantity Random) {
    Known<double> Any = D.get(Random), Ordered = D.get(Strided);
    return P.IsInOrder && Ordered ? Ordered : Any;
  };
  LoneSectorRates Rates = {Rate(Quantity::DramStridedSectorsPerCycle,
                                Quantity::DramRandomSectorsPerCycle),
                           Rate(Quantity::DramStridedWriteSectorsPerCycle,
                                Quantity::DramRandomWriteSectorsPerCycle)};
  if (Known<double> Paired = D.get(Quantity::DramPairedSectorsPerCycle),
      Lone = D.get(Quantity::DramStridedSectorsPerCycle);
      Paired && Lone && Rates.Loads) {
    const double Along = std::max(0.0, 2 / *Paired - 1 / *Lone);
    const double F = P.VisitsFetchedAlongFraction;
    Rates.Loads = 1 / ((1 - F) / *Rates.Loads + F * Along);
  }
  bool IsWhole = P.SectorsPerRequest <= P.IdealSectorsPerRequest;
  double Held = IsWhole ? 1 : std::clamp(P.LoadedFraction, 0.0, 1.0);
  if (Rates.Loads && Rates.Stores && *Rates.Loads > *Rates.Stores)
    Rates.Stores = 1 / (1 / *Rates.Stores - Held / *Rates.Loads);
  return Rates;
}

static void addAccess(const MemoryAccess &A, const AccessProfile &P,
                      double Executions, const std::string &What, Numbers &N,
                      Worksheet &Sheet, L2Sides &Sides, Prediction &Out) {
  double Requests = P.RequestsPerWarp;
  // With a predicate that is false in all lanes an instruction asks for
  // nothing, and still takes its turn at the data stage: an H200 counts one
  // wavefront for it.
  double Idle = std::max(0.0, Executions - Requests);
  if (Idle > 0 && (A.Space == MemorySpace::Shared || isCached(A.Space)))
    Sheet.use(A.Space == MemorySpace::Shared ? Resource::Shared : Resource::L1,
              What + " (predicated off)", Idle, 1);
  if (A.Space == MemorySpace::Shared) {
    double Each = N.get(Quantity::SharedWavefront, 1, "32 banks of 4 bytes");
    // The lanes of an atomic at one bank take turns, whether their words are
    // the same or not: 32 lanes on a word take 32 cycles of an H200.
    double Turns = isAtomic(A.Kind) ? P.TurnsPerRequest : 0;
    Sheet.use(Resource::Shared, What, Requests,
              std::max({1.0, P.WavefrontsPerRequest, Turns}) * Each);
    return;
  }
  if (A.Space == MemorySpace::Constant || A.Space == MemorySpace::Param) {
    // Each further address of a request goes through the pipe like the first:
    // the time that a warp alone waits for it (ConstantReplay) is longer, and
    // hides the turns of other warps.
    double Replays = std::max(0.0, P.DistinctAddressesPerRequest - 1);
    Sheet.use(Resource::Adu, What + " (replays)", Requests * Replays,
              N.pipeCycles(InstClass::Ldc));
    return;
  }
  double Sector = N.get(Quantity::L1SectorBytes, 32, "sm_70");
  AccessTraffic T = accessTraffic(A, P, Sector);
  double TagCycles =
      P.LinesPerRequest / N.get(Quantity::L1TagLinesPerCycle, 4, "one request");
  double DataCycles = P.WavefrontsPerRequest *
                      N.get(Quantity::L1Wavefront, 1, "one wavefront a cycle");
  Sheet.use(Resource::L1, What, Requests, std::max(TagCycles, DataCycles));
  if (A.Kind == AccessKind::Store)
    Sheet.use(Resource::Lsu, What + " (further sectors on their way out)",
              Requests, N.storeCycles(P.SectorsPerRequest) - N.storeCycles(0));

  double ReadRate = N.get(Quantity::L2ReadBytesPerCycle, 32, "sm_70");
  double WriteRate =
      N.device().get(Quantity::L2WriteBytesPerCycle).valueOr(ReadRate);
  // A visit to a line that takes few of its sectors costs as much as a lone
  // sector does; whole lines stream. L2 is visited by each request, DRAM once
  // for requests that follow each other.
  double LineBytes = N.device().get(Quantity::L1LineBytes).valueOr(4 * Sector);
  double Lines = std::max(1.0, P.LinesPerRequest);
  double Bytes = std::max(1.0, P.SectorsPerRequest) * Sector;
  auto Cycles = [&](double Moved, double Rate, double BytesPerVisit,
                    const Known<double> &LoneSectors) {
    double Stream = Moved / Rate;
    if (!LoneSectors || BytesPerVisit >= LineBytes || BytesPerVisit <= 0)
      return Stream;
    return std::max(Stream, Moved / BytesPerVisit / *LoneSectors);
  };
  double PerL2Visit = Bytes / Lines;
  double PerDramVisit = (T.L2ReadBytes + T.L2WriteBytes) /
                        (Lines * std::min(1.0, P.LineVisitFraction));
  double L2Read = Cycles(T.L2ReadBytes, ReadRate, PerL2Visit,
                         N.device().get(Quantity::L2RandomSectorsPerCycle));
  double L2Write =
      Cycles(T.L2WriteBytes, WriteRate, PerL2Visit,
             N.device().get(Quantity::L2RandomWriteSectorsPerCycle));
  // Sectors that arrive with parts left out take longer: half a sector as long
  // as an eighth. Heuristic: from three quarters on they count as whole.
  const double Stored = P.ActiveLanes * A.BytesPerLane;
  const double Arriving =
      P.SectorsPerRequest * Sector * (1 - P.MergedStoreFraction);
  if (Known<double> Partial =
          N.device().get(Quantity::L2PartialWriteSectorsPerCycle);
      Partial && A.Kind == AccessKind::Store && Stored < 0.75 * Arriving)
    L2Write = std::max(L2Write, T.L2WriteBytes / Sector / *Partial);
  Sheet.use(Resource::L2, What + " (read)", Requests, L2Read);
  Sheet.use(Resource::L2, What + " (write)", Requests, L2Write);
  Sides.Read += Requests * L2Read;
  Sides.Write += Requests * L2Write;
  if (Known<double> FillRate = N.device().get(Quantity::L2FillBytesPerCycle))
    Sheet.use(Resource::L2, What + " (fill from DRAM)", Requests,
              T.DramReadBytes / *FillRate);
  // The measured rates of atomics hold what their data takes.
  if (isAtomic(A.Kind)) {
    const AtomicCycles Atomic = atomicCycles(A, P, N.device());
    if (double More = Atomic.Busy - L2Read - L2Write; More > 0)
      Sheet.use(Resource::L2, What + " (lanes in turn)", Requests, More);
    Sides.OneByOne += Requests * Atomic.OneByOne;
  }

  // L2 holds a written line until it is evicted: what other requests write to
  // it meanwhile leaves with it.
  double PerWriteBack = P.WrittenLineBytes.valueOr(PerDramVisit);
  if (P.WrittenLineBytes && PerWriteBack > LineBytes / 2)
    PerWriteBack = LineBytes;
  // A line that was loaded to be written leaves in the pieces that requests
  // made of it, whichever of them brought the sectors to L2.
  const double InPlace = std::clamp(P.LoadedFraction, 0.0, 1.0);
  const double PerPiece =
      std::min(PerWriteBack, PerL2Visit / std::min(1.0, P.LineVisitFraction));
  LoneSectorRates Lone = loneSectorRates(P, N.device());
  double DramRead = N.get(Quantity::DramReadBytesPerCycle, 10, "sm_70");
  Known<double> DramWrite = N.device().get(Quantity::DramWriteBytesPerCycle);
  Sheet.use(Resource::Dram, What + " (read)", Requests,
            Cycles(T.DramReadBytes, DramRead, PerDramVisit, Lone.Loads));
  Sheet.use(Resource::Dram, What + " (write)", Requests,
            (1 - InPlace) * Cycles(T.DramWriteBytes,
                                   DramWrite.valueOr(DramRead), PerWriteBack,
                                   Lone.Stores) +
                InPlace * Cycles(T.DramWriteBytes, DramWrite.valueOr(DramRead),
                                 PerPiece, Lone.Stores));
  Out.L2BytesPerWarp += Requests * (T.L2ReadBytes + T.L2WriteBytes);
  Out.DramReadBytesPerWarp += Requests * T.DramReadBytes;
  Out.DramWriteBytesPerWarp += Requests * T.DramWriteBytes;
}

/// Reading and writing DRAM together costs the turn-around of its bus: bytes of
/// a balanced copy move at the copy rate, what one direction has more than the
/// other at that direction's rate.
static void addTurnaround(Numbers &N, const Prediction &P, Worksheet &Sheet) {
  Known<double> Copy = N.device().get(Quantity::DramCopyBytesPerCycle);
  Known<double> Read = N.device().get(Quantity::DramReadBytesPerCycle);
  Known<double> Write = N.device().get(Quantity::DramWriteBytesPerCycle);
  if (!Copy || !Read)
    return;
  double Both = std::min(P.DramReadBytesPerWarp, P.DramWriteBytesPerWarp);
  double Apart = Both / *Read + Both / Write.valueOr(*Read);
  double Extra = 2 * Both / *Copy - Apart;
  if (Extra > 0)
    Sheet.use(Resource::Dram, "turn-around between reads and writes", 1, Extra);
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
  Counted[size_t(Resource::Launch)] = Counted[size_t(Resource::Barrier)] = 0;
  if (Known<double> Peak = N.device().get(Quantity::MemoryBandwidthPeak))
    Counted[size_t(Resource::Dram)] =
        (P.DramReadBytesPerWarp + P.DramWriteBytesPerWarp) * N.smCount() *
        N.clockGhz() / *Peak;
  return Counted;
}

CountedCycles gpuocc::fillThroughputBounds(const KernelFacts &Facts,
                                           const ExecutionProfile &Profile,
                                           unsigned WarpsPerBlock, Numbers &N,
                                           Prediction &P) {
  Worksheet Sheet;
  L2Sides Sides;
  addInstructions(P.Mix, N, Sheet);
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    SourcePlace Place = Facts.placeOf(Facts.Operations[A.Op].Location);
    std::string What =
        (memorySpaceText(A.Space) + " " + accessKindText(A.Kind)).str();
    if (Place.isValid())
      What += " at line " + std::to_string(Place.Line);
    addAccess(A, Profile.Accesses[I], executions(Facts, Profile, A.Op), What, N,
              Sheet, Sides, P);
  }
  addTurnaround(N, P, Sheet);
  if (double More = Sides.OneByOne - Sheet.cycles(Resource::L2); More > 0)
    Sheet.use(Resource::L2, "atomics that wait for others on their words", 1,
              More);
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
  if (Known<double> Block = N.device().get(Quantity::BlockLaunch))
    Sheet.use(Resource::Launch, "start of a block", 1.0 / WarpsPerBlock,
              *Block);
  P.Bounds = Sheet.bounds();
  return countedCycles(Sides, N, P);
}

/// Units of which each scheduler has one. Those of LSU, ADU and CBU serve all.
static bool isOfScheduler(Resource R) {
  switch (R) {
  case Resource::Issue:
  case Resource::Fma:
  case Resource::Alu:
  case Resource::Fp16:
  case Resource::Fp64:
  case Resource::Xu:
  case Resource::Tensor:
  case Resource::Uniform:
    return true;
  default:
    return false;
  }
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
