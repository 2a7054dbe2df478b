//===- AccessSheet.cpp - What accesses cost each resource -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/AccessSheet.h"
#include "Bounds/AtomicCost.h"
#include "Numbers/ConstantMisses.h"
#include "Numbers/Numbers.h"
#include "Numbers/OperationLatency.h"
#include "Numbers/WarpTraffic.h"
#include "gpuocc/Support/InstClasses.h"
#include <algorithm>

using namespace gpuocc;

namespace {

/// Lone sectors that a level of memory serves per cycle and SM.
struct LoneSectorRate {
  /// Nothing: they take the time of the bytes alone.
  std::optional<double> PerCycle;
  /// What says so, and what is taken where the device lacks it.
  Quantity Said;
  llvm::StringRef Otherwise = "the rate of whole lines";
};

/// Of DRAM.
struct LoneSectorRates {
  LoneSectorRate Loads, Stores;
};

/// How much more of L2 an SM gets whose neighbours idle.
///
/// Lines that it reads come as much faster as they do for one SM that was
/// measured alone. What is written leaves the SM sector by sector, and lone
/// parts of sectors as fast as those that lie in lines with others while all
/// SMs store (0.50 a cycle measured up to 16 SMs, 0.30 with all; 0.46 is
/// taken).
///
/// Heuristic: lone sectors that are read come no faster. Alone an SM of an H200
/// gets 1.0 of them a cycle, and 0.61 among all (one-sm-sectors.csv of the
/// calibration's results); but 16 SMs that read and write fields of records
/// get 0.57 each, and with more the correlations of PolyBench are 1.4 times too
/// fast, for a reason that is not known.
struct SharesOfOneSm {
  double Reads = 1, Writes = 1;
  Quantity LoneWrites = Quantity::L2RandomWriteSectorsPerCycle;
};

/// The requests that one access of a warp makes of L2 and DRAM.
class CachedRequests {
public:
  CachedRequests(const MemoryAccess &A, const AccessProfile &P,
                 UseLabel::Access Label, Numbers &N, Worksheet &Sheet)
      : A(A), P(P), Label(Label), N(N), Sheet(Sheet),
        SectorBytes(N.sectorBytes()), LineBytes(N.get(Quantity::L1LineBytes)),
        Traffic(accessTraffic(A, P, SectorBytes)) {}

  void addL1();
  void addL2(const AtomicCycles &Atomic, L2Sides &Sides);
  void addDram();

  const AccessTraffic &traffic() const { return Traffic; }

private:
  /// Bytes that one visit to a line of L2 or DRAM takes.
  double bytesPerL2Visit() const;
  double bytesPerDramVisit() const;
  double cycles(double Bytes, double Rate, double BytesPerVisit,
                const LoneSectorRate &Lone) const;
  LoneSectorRate rateOf(Quantity Q) const { return {N.device().get(Q), Q}; }
  double l2WriteCycles(double ReadRate, const SharesOfOneSm &Of) const;
  double linesWrittenInPart() const;
  double l2FillCycles(double Rate) const;
  void addL2OfOneSm(double ReadRate, double Atomic, L2Sides &Sides) const;
  double dramWriteCycles(double ReadRate, const LoneSectorRate &Lone);

  const MemoryAccess &A;
  const AccessProfile &P;
  UseLabel::Access Label;
  Numbers &N;
  Worksheet &Sheet;
  double SectorBytes, LineBytes;
  AccessTraffic Traffic;
};

} // namespace

double gpuocc::timesAlone(Quantity OneSm, Quantity AllSms,
                          const FlatDevice &D) {
  std::optional<double> One = D.get(OneSm), All = D.get(AllSms);
  return One && All && *All > 0 ? std::max(1.0, *One / *All) : 1;
}

static SharesOfOneSm sharesOfOneSm(Numbers &N) {
  const FlatDevice &D = N.device();
  SharesOfOneSm Shares;
  Shares.Reads = timesAlone(Quantity::L2ReadBytesPerCycleOneSm,
                            Quantity::L2ReadBytesPerCycle, D);
  constexpr double ManySectors = 32;
  const double Leaving = N.storeCycles(ManySectors) / ManySectors;
  if (std::optional<double> Taken = D.get(Quantity::L2WriteBytesPerCycle))
    Shares.Writes =
        std::clamp(N.sectorBytes() / Leaving / *Taken, 1.0, Shares.Reads);
  if (D.get(Quantity::L2PartialWriteSectorsPerCycle))
    Shares.LoneWrites = Quantity::L2PartialWriteSectorsPerCycle;
  return Shares;
}

/// Pages of DRAM are open for what comes in order, and seldom the right ones
/// for what loaded indices ask for.
///
/// A sector that came to L2 with its neighbour's fetch costs what the two take
/// beyond the one.
///
/// What a store leaves out of a sector is read from DRAM before the sector can
/// be written: the rates of stores were measured so, 4 bytes of each sector.
/// Where the sector is written whole or loaded as well, or its rest is counted
/// as read, only the write is left.
static LoneSectorRates loneSectorRates(const AccessProfile &P,
                                       const FlatDevice &D) {
  auto Rate = [&](Quantity Strided, Quantity Random) {
    LoneSectorRate Any = {D.get(Random), Random};
    if (!P.IsInOrder)
      return Any;
    if (std::optional<double> Ordered = D.get(Strided))
      return LoneSectorRate{Ordered, Strided};
    if (Any.PerCycle)
      Any.Otherwise = quantityInfo(Random).Key;
    Any.Said = Strided;
    return Any;
  };
  LoneSectorRates Rates = {Rate(Quantity::DramStridedSectorsPerCycle,
                                Quantity::DramRandomSectorsPerCycle),
                           Rate(Quantity::DramStridedWriteSectorsPerCycle,
                                Quantity::DramRandomWriteSectorsPerCycle)};
  std::optional<double> &Loads = Rates.Loads.PerCycle,
                        &Stores = Rates.Stores.PerCycle;
  if (std::optional<double> Paired = D.get(Quantity::DramPairedSectorsPerCycle),
      Lone = D.get(Quantity::DramStridedSectorsPerCycle);
      Paired && Lone && Loads) {
    const double Along = std::max(0.0, 2 / *Paired - 1 / *Lone);
    const double F = P.VisitsFetchedAlongFraction;
    Loads = 1 / ((1 - F) / *Loads + F * Along);
  }
  bool IsWhole =
      P.SectorsPerRequest <= P.IdealSectorsPerRequest || P.RestFetchedFraction;
  double Held = IsWhole ? 1 : std::clamp(P.LoadedFraction, 0.0, 1.0);
  if (Loads && Stores && *Loads > *Stores)
    Stores = 1 / (1 / *Stores - Held / *Loads);
  return Rates;
}

/// With a predicate that is false in all lanes an instruction asks for nothing,
/// and still takes its turn at the data stage: an H200 counts one wavefront for
/// it.
static void addPredicatedOff(const MemoryAccess &A, double Times,
                             UseLabel::Access Label, Worksheet &Sheet) {
  if (Times > 0 && (A.Space == MemorySpace::Shared || isCached(A.Space)))
    Sheet.use(A.Space == MemorySpace::Shared ? Resource::Shared : Resource::L1,
              {Label, " (predicated off)"}, Times, 1);
}

static void addShared(const MemoryAccess &A, const AccessProfile &P,
                      UseLabel::Access Label, Numbers &N, Worksheet &Sheet) {
  if (P.OtherBlocksSectorsPerRequest > 0)
    Sheet.use(Resource::Cluster, {Label, " (other blocks)"}, P.RequestsPerWarp,
              otherBlocksCycles(A, P, N));
  // The lanes of an atomic at one bank take turns, whether their words are the
  // same or not: 32 lanes on a word take 32 cycles of an H200.
  const double Turns = isAtomic(A.Kind) ? P.SerializedPasses : 0;
  Sheet.use(Resource::Shared, {Label, ""}, P.RequestsPerWarp,
            std::max({1.0, P.WavefrontsPerRequest, Turns}) *
                sharedTurnCycles(A, N));
}

/// Each further address of a request goes through the pipe like the first: the
/// time that a warp alone waits for it (ConstantReplay) is longer, and hides
/// the turns of other warps.
///
/// Assumes that no request has its turn while the pipe waits for a line that
/// the constant cache lacks.
static void addReplays(const MemoryAccess &A, const AccessProfile &P,
                       UseLabel::Access Label, Numbers &N, Worksheet &Sheet) {
  const double Replays = std::max(0.0, P.DistinctAddressesPerRequest - 1);
  Sheet.use(Resource::Adu, {Label, " (replays)"}, P.RequestsPerWarp * Replays,
            N.pipeCycles(InstClass::Ldc));
  Sheet.use(Resource::Adu, {Label, " (lines that the constant cache lacks)"},
            P.RequestsPerWarp, constantMisses(A, P, N.device()).cycles());
}

/// Cycles of the texture units for a request. They take eight lanes a cycle of
/// fetches by the number of an element, and four of what is sampled, which
/// textures of two and three dimensions are.
///
/// Source: H200 (texture-rates.csv of 2026-11-29T0008), 32 warps of all SMs:
/// tex1Dfetch 4.4 cycles; tex1D, tex2D and tex3D of floats 8.4, however the
/// lanes lie, filtered or not; 12.4 or 16.4 of float4 or filtered in three
/// dimensions, which no code says.
static double textureCycles(const MemoryAccess &A, Numbers &N) {
  constexpr double TimesOfFetch = 2;
  return A.Space == MemorySpace::Texture && A.Rank > 1
             ? TimesOfFetch * N.pipeCycles(InstClass::Tex)
             : 0;
}

void CachedRequests::addL1() {
  // Between shared memory and L2 without a lookup.
  if (A.Bulk)
    return Sheet.use(Resource::Shared, {Label, " (lines of a bulk copy)"},
                     P.RequestsPerWarp,
                     P.WavefrontsPerRequest * N.get(Quantity::SharedWavefront));
  const double TagCycles =
      P.LinesPerRequest / N.get(Quantity::L1TagLinesPerCycle);
  const double DataCycles =
      P.WavefrontsPerRequest * N.get(Quantity::L1Wavefront);
  Sheet.use(Resource::L1, {Label, ""}, P.RequestsPerWarp,
            std::max({TagCycles, DataCycles, textureCycles(A, N)}));
  if (A.Kind == AccessKind::Store)
    Sheet.use(Resource::Lsu, {Label, " (further sectors on their way out)"},
              P.RequestsPerWarp,
              N.storeCycles(P.SectorsPerRequest) - N.storeCycles(0));
}

double CachedRequests::bytesPerL2Visit() const {
  return std::max(1.0, P.SectorsPerRequest) * SectorBytes /
         std::max(1.0, P.LinesPerRequest);
}

double CachedRequests::bytesPerDramVisit() const {
  return (Traffic.L2ReadBytes + Traffic.L2WriteBytes) /
         (std::max(1.0, P.LinesPerRequest) *
          std::min(1.0, P.LineVisitFraction));
}

/// A visit to a line that takes few of its sectors costs as much as a lone
/// sector does; whole lines stream. L2 is visited by each request, DRAM once
/// for requests that follow each other.
double CachedRequests::cycles(double Bytes, double Rate, double BytesPerVisit,
                              const LoneSectorRate &Lone) const {
  const double Stream = Bytes / Rate;
  if (Bytes <= 0 || BytesPerVisit >= LineBytes || BytesPerVisit <= 0)
    return Stream;
  // Names it where the device lacks it.
  (void)N.find(Lone.Said, Lone.Otherwise);
  if (!Lone.PerCycle)
    return Stream;
  return std::max(Stream, Bytes / BytesPerVisit / *Lone.PerCycle);
}

/// A line in which sectors arrive with parts left out takes longer, whether one
/// sector or four.
///
/// Source: an H200 whose SMs store 4 bytes a lane to L2 (write_strides and
/// unaligned_writes of the calibration): 1.76 cycles for a sector of a whole
/// line; 3.51, 5.29 and 8.9 for one, two and four parts of sectors of a line,
/// which is 1.75 for the line and 1.78 for each; 11.9 for 32 words that begin
/// within a sector, 12.3 by this, 7.4 for those that begin at another sector of
/// the line.
double CachedRequests::l2WriteCycles(double ReadRate,
                                     const SharesOfOneSm &Of) const {
  if (Traffic.L2WriteBytes <= 0)
    return 0;
  double OfAllSms = N.get(Quantity::L2WriteBytesPerCycle, ReadRate,
                          quantityInfo(Quantity::L2ReadBytesPerCycle).Key);
  if (A.Bulk && isAtomic(A.Kind))
    OfAllSms = N.get(Quantity::L2BulkReductionBytesPerCycle, OfAllSms,
                     quantityInfo(Quantity::L2WriteBytesPerCycle).Key);
  const double Rate = Of.Writes * OfAllSms;
  const double Cycles = cycles(Traffic.L2WriteBytes, Rate, bytesPerL2Visit(),
                               rateOf(Of.LoneWrites));
  const std::optional<double> Lone = N.device().get(Of.LoneWrites);
  if (!Lone || A.Kind != AccessKind::Store || A.Bulk)
    return Cycles;
  const double PerLine = std::max(0.0, 1 / *Lone - SectorBytes / OfAllSms);
  return std::max(Cycles,
                  Traffic.L2WriteBytes / Rate + linesWrittenInPart() * PerLine);
}

/// Lines of a request in which sectors arrive with parts left out.
///
/// Assumes that half of such a sector is left out where more than that is
/// stored: a row of words that begins within a sector ends within another.
double CachedRequests::linesWrittenInPart() const {
  const double Sectors = P.SectorsPerRequest * (1 - P.MergedStoreFraction);
  const double LeftOut = Sectors - P.ActiveLanes * A.BytesPerLane / SectorBytes;
  return std::clamp(2 * LeftOut, 0.0, std::min(Sectors, P.LinesPerRequest));
}

/// Cycles of L2 for what comes from DRAM at \p Rate bytes a cycle.
///
/// The rest of a sector that stores did not fill takes as long as a line, and
/// so does the sector on its way to DRAM. Source: an H200, 2^18 threads that
/// each write 128 words in a row, and blocks that write every 96th word
/// (part-sectors.csv of 2026-11-30T1605): with these, stores of 4 bytes take
/// 0.77 and 0.80 of the measured time, 0.71 and 0.69 without.
double CachedRequests::l2FillCycles(double Rate) const {
  if (Traffic.DramReadBytes <= 0)
    return 0;
  const double Rests = P.SectorsPerRequest * SectorBytes *
                       P.RestFetchedFraction.valueOr(0) /
                       std::min(bytesPerL2Visit(), LineBytes);
  return std::max(Traffic.DramReadBytes, 2 * Rests * LineBytes) / Rate;
}

void CachedRequests::addL2OfOneSm(double ReadRate, double Atomic,
                                  L2Sides &Sides) const {
  const SharesOfOneSm Alone = sharesOfOneSm(N);
  const double Read =
      cycles(Traffic.L2ReadBytes, ReadRate * Alone.Reads, bytesPerL2Visit(),
             rateOf(Quantity::L2RandomSectorsPerCycle));
  const std::optional<double> Fill =
      N.device().get(Quantity::L2FillBytesPerCycle);
  const double Filled = Fill ? l2FillCycles(*Fill * Alone.Reads) : 0;
  Sides.OneSm +=
      P.RequestsPerWarp *
      (std::max(Read + l2WriteCycles(ReadRate, Alone), Atomic / Alone.Reads) +
       Filled);
}

/// Bytes per cycle and SM that \p P reads from L2. What an SM of a group waits
/// for, others of it need not ask L2 for: from two of them on the rate is the
/// measured one, and up to one there is nothing to merge.
///
/// Assumes that blocks that run together read a line at about the same time
/// and are spread evenly over the groups.
static double l2ReadRate(const AccessProfile &P, Numbers &N) {
  const double Apart = N.get(Quantity::L2ReadBytesPerCycle);
  const std::optional<double> Groups = N.device().get(Quantity::L2Coalescers);
  const std::optional<double> Merged =
      N.device().get(Quantity::L2MergedReadBytesPerCycle);
  if (!Groups || !Merged || !P.IsInOrder)
    return Apart;
  const double OfGroup = std::min(P.BlocksPerLine, N.smCount()) / *Groups;
  return Apart +
         std::clamp(OfGroup - 1, 0.0, 1.0) * std::max(0.0, *Merged - Apart);
}

void CachedRequests::addL2(const AtomicCycles &Atomic, L2Sides &Sides) {
  const double Requests = P.RequestsPerWarp;
  const double ReadRate = N.get(Quantity::L2ReadBytesPerCycle);
  const double Read =
      cycles(Traffic.L2ReadBytes, l2ReadRate(P, N), bytesPerL2Visit(),
             rateOf(Quantity::L2RandomSectorsPerCycle));
  const double Write = l2WriteCycles(ReadRate, SharesOfOneSm());
  Sheet.use(Resource::L2, {Label, " (read)"}, Requests, Read);
  Sheet.use(Resource::L2, {Label, " (write)"}, Requests, Write);
  Sides.Read += Requests * Read;
  Sides.Write += Requests * Write;
  if (std::optional<double> FillRate =
          N.device().get(Quantity::L2FillBytesPerCycle))
    Sheet.use(Resource::L2, {Label, " (fill from DRAM)"}, Requests,
              l2FillCycles(*FillRate));
  addL2OfOneSm(ReadRate, Atomic.BusyInAllSlices, Sides);
  if (A.Kind == AccessKind::Store && !A.Bulk)
    Sheet.use(Resource::L2, {Label, " (on one sector in turn)"}, Requests,
              storeTurnCycles(P, N));
  if (!isAtomic(A.Kind) || A.Bulk)
    return;
  // The measured rates of atomics hold what their data takes.
  if (double More = Atomic.Busy - Read - Write; More > 0)
    Sheet.use(Resource::L2, {Label, " (lanes in turn)"}, Requests, More);
  Sides.OneByOne += Requests * Atomic.OneByOne;
}

double CachedRequests::dramWriteCycles(double ReadRate,
                                       const LoneSectorRate &Lone) {
  if (Traffic.DramWriteBytes <= 0)
    return 0;
  const double Rate = N.get(Quantity::DramWriteBytesPerCycle, ReadRate,
                            quantityInfo(Quantity::DramReadBytesPerCycle).Key);
  // L2 holds a written line until it is evicted: what other requests write to
  // it meanwhile leaves with it.
  double PerWriteBack = P.WrittenLineBytes.valueOr(bytesPerDramVisit());
  if (P.WrittenLineBytes && PerWriteBack > LineBytes / 2)
    PerWriteBack = LineBytes;
  // A line that was loaded to be written leaves in the pieces that requests
  // made of it, whichever of them brought the sectors to L2.
  const double InPlace = std::clamp(P.LoadedFraction, 0.0, 1.0);
  const double PerPiece = std::min(
      PerWriteBack, bytesPerL2Visit() / std::min(1.0, P.LineVisitFraction));
  const double Bytes = Traffic.DramWriteBytes;
  return (1 - InPlace) * cycles(Bytes, Rate, PerWriteBack, Lone) +
         InPlace * cycles(Bytes, Rate, PerPiece, Lone);
}

void CachedRequests::addDram() {
  const LoneSectorRates Lone = loneSectorRates(P, N.device());
  double ReadRate = N.get(Quantity::DramReadBytesPerCycle);
  if (A.Bulk && A.Kind == AccessKind::AsyncCopy)
    ReadRate = N.get(Quantity::BulkCopyDramBytesPerCycle, ReadRate,
                     quantityInfo(Quantity::DramReadBytesPerCycle).Key);
  Sheet.use(
      Resource::Dram, {Label, " (read)"}, P.RequestsPerWarp,
      cycles(Traffic.DramReadBytes, ReadRate, bytesPerDramVisit(), Lone.Loads));
  Sheet.use(Resource::Dram, {Label, " (write)"}, P.RequestsPerWarp,
            dramWriteCycles(ReadRate, Lone.Stores));
}

/// Instructions that \p Op of an access executes per warp.
static double executions(const KernelFacts &Facts,
                         const ExecutionProfile &Profile, uint32_t Op) {
  double Count = 0;
  for (const Emission &E : Facts.Operations[Op].Emits)
    Count = std::max<double>(Count, E.Count);
  return Count * Profile.Blocks[Facts.Operations[Op].Block].ExecutionsPerWarp;
}

static UseLabel::Access labelOf(const KernelFacts &Facts,
                                const MemoryAccess &A) {
  const uint32_t Location = Facts.Operations[A.Op].Location;
  const bool IsKnown =
      Location < Facts.Locations.size() && Facts.Locations[Location].isValid();
  return {A.Space, A.Kind,
          IsKnown ? Facts.Locations[Location].innermost().Line : 0};
}

void gpuocc::addAccess(const KernelFacts &Facts, uint32_t Index,
                       const ExecutionProfile &Profile, Numbers &N,
                       Worksheet &Sheet, L2Sides &Sides, Prediction &Out) {
  const MemoryAccess &A = Facts.Accesses[Index];
  const AccessProfile &P = Profile.Accesses[Index];
  const UseLabel::Access Label = labelOf(Facts, A);
  const double Requests = P.RequestsPerWarp;
  addPredicatedOff(A,
                   std::max(0.0, executions(Facts, Profile, A.Op) - Requests),
                   Label, Sheet);
  if (A.Space == MemorySpace::Shared)
    return addShared(A, P, Label, N, Sheet);
  if (A.Space == MemorySpace::Constant || A.Space == MemorySpace::Param)
    return addReplays(A, P, Label, N, Sheet);
  CachedRequests Cached(A, P, Label, N, Sheet);
  Cached.addL1();
  Cached.addL2(isAtomic(A.Kind) && !A.Bulk
                   ? atomicCycles(Facts, Profile, Index, N)
                   : AtomicCycles(),
               Sides);
  Cached.addDram();
  const AccessTraffic &T = Cached.traffic();
  Sides.HostRead += Requests * T.HostReadBytes;
  Sides.HostWritten += Requests * T.HostWriteBytes;
  Out.L2BytesPerWarp += Requests * (T.L2ReadBytes + T.L2WriteBytes);
  Out.DramReadBytesPerWarp += Requests * T.DramReadBytes;
  Out.DramWriteBytesPerWarp += Requests * T.DramWriteBytes;
}
