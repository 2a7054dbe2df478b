//===- Runtime.cpp - Launches, blocks, barriers, branches, copies ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Arithmetic.h"
#include "kernels/Control.h"
#include "kernels/Memory.h"
#include <chrono>

using namespace llvm;

namespace gpuocc::calibration {

using HostClock = std::chrono::steady_clock;

static double nsSince(HostClock::time_point Start) {
  return std::chrono::duration<double, std::nano>(HostClock::now() - Start)
      .count();
}

namespace {
/// Two events and the time between them.
class Stopwatch {
public:
  explicit Stopwatch(Session &S) : S(S) {
    S.G.driver().EventCreate(&Begin, 0);
    S.G.driver().EventCreate(&End, 0);
  }
  ~Stopwatch() {
    S.G.driver().EventDestroy(Begin);
    S.G.driver().EventDestroy(End);
  }
  /// Nanoseconds between the events around what \p Work enqueues.
  Expected<double> measure(function_ref<Error()> Work) {
    const Driver &Cuda = S.G.driver();
    if (Error E =
            check(Cuda, Cuda.EventRecord(Begin, S.G.stream()), "cuEventRecord"))
      return std::move(E);
    if (Error E = Work())
      return std::move(E);
    if (Error E =
            check(Cuda, Cuda.EventRecord(End, S.G.stream()), "cuEventRecord"))
      return std::move(E);
    if (Error E = check(Cuda, Cuda.EventSynchronize(End), "cuEventSynchronize"))
      return std::move(E);
    float Ms = 0;
    if (Error E = check(Cuda, Cuda.EventElapsedTime(&Ms, Begin, End),
                        "cuEventElapsedTime"))
      return std::move(E);
    return Ms * 1e6;
  }

private:
  Session &S;
  CuEvent Begin = nullptr, End = nullptr;
};
} // namespace

static double clockGhz(Session &S) {
  Summary Clock = summarize(S.ClockSamples);
  return Clock.Samples ? Clock.Median : S.G.facts().ClockKHz / 1e6;
}

static Error measureLaunches(Session &S, CuFunction Empty, CuFunction Busy) {
  Launch L;
  L.Function = Empty;
  // Keeps the GPU busy for about 3 ms while the host fills the stream, so that
  // what follows is not paced by the host.
  Launch Spin;
  Spin.Function = Busy;
  Spin.Iterations = 48000;
  Stopwatch Watch(S);
  auto Behind = [&](unsigned Launches) -> Expected<double> {
    if (Error E = S.G.start(Spin))
      return std::move(E);
    return Watch.measure([&]() -> Error {
      for (unsigned I = 0; I < Launches; ++I)
        if (Error E = S.G.start(L))
          return E;
      return Error::success();
    });
  };
  std::vector<double> One, Gap, Host;
  for (unsigned R = 0; R < S.repeats(); ++R) {
    static constexpr unsigned Row = 200;
    Expected<double> None = Behind(0);
    if (!None)
      return None.takeError();
    Expected<double> Single = Behind(1);
    if (!Single)
      return Single.takeError();
    Expected<double> Many = Behind(Row + 1);
    if (!Many)
      return Many.takeError();
    One.push_back(*Single - *None);
    Gap.push_back((*Many - *Single) / Row);
    HostClock::time_point Start = HostClock::now();
    if (Error E = S.G.start(L))
      return E;
    if (Error E = S.G.synchronize())
      return E;
    Host.push_back(nsSince(Start));
  }
  S.Db.set("runtime", "launch_overhead_ns",
           measured(summarize(One), Take::Mean, "ns",
                    "events around an empty kernel less events around nothing, "
                    "behind a busy GPU"));
  S.Db.set(
      "runtime", "launch_gap_ns",
      measured(summarize(Gap), Take::Minimum, "ns",
               "200 empty kernels in a row behind a busy GPU, per kernel"));
  S.Db.set("runtime", "launch_and_wait_ns",
           measured(summarize(Host), Take::Minimum, "ns",
                    "launch of an empty kernel and wait, host clock"));
  return Error::success();
}

/// Launches blocks of \p Threads threads, no more than \p Resident on an SM.
static Launch residentBlocks(Session &S, CuFunction F, unsigned Threads,
                             unsigned Resident) {
  Launch L;
  L.Function = F;
  L.Threads = Threads;
  // 1 KiB is reserved for each block.
  unsigned Shared = S.G.facts().SharedBytesPerSm / (Resident + 1) + 1;
  L.SharedBytes = std::min(std::max(Shared, 1025u) - 1024,
                           S.G.facts().SharedBytesPerBlock - 1024);
  return L;
}

/// Cycles of an SM for one of the many empty blocks of \p L: 4000 blocks on
/// each SM less 2000.
static Expected<double> cyclesPerBlock(Session &S, Stopwatch &Watch, Launch L) {
  static constexpr unsigned PerSm = 2000;
  double Ns[2];
  for (unsigned Long : {0u, 1u}) {
    L.Blocks = S.sms() * (PerSm << Long);
    Expected<double> Now = Watch.measure([&] { return S.G.start(L); });
    if (!Now)
      return Now.takeError();
    Ns[Long] = *Now;
  }
  return (Ns[1] - Ns[0]) * clockGhz(S) / PerSm;
}

static constexpr unsigned BlockThreads[] = {32, 64, 128, 256, 512, 1024};

/// Time between the starts of warps of a block. A block that is alone on its SM
/// is followed by the next one when it has ended, so each of its warps adds to
/// the time from start to start. (Where blocks overlap, an SM takes one every
/// 157 cycles whatever its size, and only those of 32 warps take longer.)
static Error measureWarpStarts(Session &S, CuFunction Empty, Stopwatch &Watch) {
  std::vector<double> Slopes;
  for (unsigned R = 0; R < S.repeats(); ++R) {
    std::vector<std::pair<double, double>> Points;
    for (unsigned Threads : BlockThreads) {
      Expected<double> Cycles =
          cyclesPerBlock(S, Watch, residentBlocks(S, Empty, Threads, 1));
      if (!Cycles)
        return Cycles.takeError();
      Points.push_back({Threads / 32.0, *Cycles});
    }
    if (std::optional<Line> Fit = fitLine(Points))
      Slopes.push_back(std::max(0.0, Fit->Slope));
  }
  S.Db.set("runtime", "warp_launch_cycles",
           measured(summarize(Slopes), Take::Mean, "cycle",
                    "empty blocks, one resident per SM: slope of start to "
                    "start over 1 to 32 warps"));
  return Error::success();
}

/// Time of many empty blocks over block size and resident blocks per SM.
static Error measureBlocks(Session &S, CuFunction Empty, CuFunction Stamped) {
  for (CuFunction F : {Empty, Stamped})
    if (Error E = allowShared(S, F, S.G.facts().SharedBytesPerBlock - 1024))
      return E;
  Stopwatch Watch(S);
  Table Blocks;
  Blocks.Columns = {"threads", "resident_blocks", "cycles_per_block_sm"};
  Blocks.Units = {"count", "count", "cycle"};
  Blocks.Source = "grids of empty blocks, events, 4000 against 2000 blocks per "
                  "SM";
  for (unsigned Threads : BlockThreads)
    for (unsigned Resident : {1u, 2u, 4u, 8u, 16u, 32u}) {
      if (Resident * Threads > S.G.facts().ThreadsPerSm ||
          Resident > S.G.facts().BlocksPerSm)
        continue;
      Launch L = residentBlocks(S, Empty, Threads, Resident);
      std::vector<double> Samples;
      for (unsigned R = 0; R < S.curveRepeats() * 2; ++R) {
        Expected<double> Cycles = cyclesPerBlock(S, Watch, L);
        if (!Cycles)
          return Cycles.takeError();
        Samples.push_back(*Cycles);
      }
      Summary Cycles = summarize(Samples);
      Blocks.Rows.push_back({double(Threads), double(Resident), Cycles.Median});
      if (Threads == 32 && Resident == 32)
        S.Db.set("runtime", "block_launch_cycles_per_block_sm",
                 measured(Cycles, Take::Mean, "cycle",
                          "empty blocks of one warp, 32 resident"));
      if (Threads == 256 && Resident == 1)
        S.Db.set("runtime", "block_replacement_cycles",
                 measured(Cycles, Take::Mean, "cycle",
                          "empty blocks of 8 warps, one resident per SM: start "
                          "to start of the next (Volkov 2016, 3.7)"));
    }
  S.Db.setTable("empty_blocks", Blocks.toJson());
  if (Error E = measureWarpStarts(S, Empty, Watch))
    return E;

  // From a block's last instruction to the first of its successor.
  Table Gaps;
  Gaps.Columns = {"threads", "resident_blocks", "gap", "start_skew"};
  Gaps.Units = {"count", "count", "cycle", "cycle"};
  Gaps.Source = "clock stamps at the first and last instruction of blocks of "
                "3200 dependent additions; median over blocks";
  for (unsigned Threads : {32u, 128u, 256u, 512u, 1024u})
    for (unsigned Resident : {1u, 2u, 4u, 8u}) {
      if (Resident * Threads > S.G.facts().ThreadsPerSm)
        continue;
      Launch L = residentBlocks(S, Stamped, Threads, Resident);
      L.Iterations = 100;
      L.Blocks = S.sms() * Resident * 6;
      Expected<ArrayRef<WarpRecord>> Records = S.G.run(L);
      if (!Records)
        return Records.takeError();
      BlockGaps G = blockGaps(*Records, Threads / 32, Resident);
      Gaps.Rows.push_back({double(Threads), double(Resident),
                           summarize(G.Gaps).Median,
                           summarize(G.Skews).Median});
    }
  S.Db.setTable("block_gaps", Gaps.toJson());
  return Error::success();
}

/// Barriers of as many blocks as fit: the rate at which an SM takes warps.
static Error measureBarrierRates(Session &S, CuFunction F, unsigned Unroll) {
  static constexpr unsigned MostBlocks = 32, MostWarps = 64;
  Table Rates;
  Rates.Columns = {"warps_per_block", "blocks", "warps_per_cycle"};
  Rates.Units = {"warp", "block/SM", "warp_inst/cycle/SM"};
  Rates.Source = "bar.sync in a row, an SM full of blocks, all SMs";
  for (unsigned Warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
    unsigned Blocks = std::min(MostBlocks, MostWarps / Warps);
    Launch L;
    L.Function = F;
    L.Threads = Warps * 32;
    L.Blocks = Blocks * S.sms();
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Sm, 30e3);
    if (!Samples)
      return Samples.takeError();
    Summary Rate = summarize(rates(*Samples, Unroll * Blocks * Warps));
    Rates.Rows.push_back({double(Warps), double(Blocks), Rate.Mean});
    if (Warps == 8)
      S.Db.setInstruction("barrier", "throughput_per_cycle_sm",
                          measured(Rate, Take::Mean, "warp_inst/cycle/SM",
                                   "bar.sync in a row, 8 blocks of 8 warps an "
                                   "SM, all SMs"));
  }
  S.Db.setTable("barrier_rates", Rates.toJson());
  return Error::success();
}

static Error measureBarriers(Session &S) {
  static constexpr unsigned Unroll = 64;
  Expected<CuFunction> F = S.entry(barriers(Unroll));
  if (!F)
    return F.takeError();
  Table Costs;
  Costs.Columns = {"warps", "cycles"};
  Costs.Units = {"warp", "cycle"};
  Costs.Source = "bar.sync in a row, one block";
  std::vector<std::pair<double, double>> Points;
  for (unsigned Warps : {1u, 2u, 4u, 6u, 8u, 12u, 16u, 20u, 24u, 28u, 32u}) {
    Launch L;
    L.Function = *F;
    L.Threads = Warps * 32;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Cycles = summarize(perUnit(*Samples, Unroll));
    Costs.Rows.push_back({double(Warps), Cycles.Minimum});
    Points.push_back({Warps, Cycles.Minimum});
    if (Warps != 1)
      continue;
    S.Db.setInstruction("barrier", "pipe", "barrier");
    S.Db.setInstruction("barrier", "latency_cycles",
                        measured(Cycles, Take::Minimum, "cycle",
                                 "bar.sync in a row, block of one warp"));
    S.Db.setInstruction("barrier", "issue_cycles",
                        measured(Cycles, Take::Minimum, "cycle",
                                 "bar.sync in a row, block of one warp"));
  }
  S.Db.setTable("barriers", Costs.toJson());
  if (std::optional<Line> Fit = fitLine(Points)) {
    S.Db.set("runtime", "barrier_base_cycles",
             derived(Fit->Intercept, "cycle",
                     "cycles per bar.sync over 1 to 32 warps, intercept"));
    S.Db.set("runtime", "barrier_per_warp_cycles",
             derived(Fit->Slope, "cycle",
                     "cycles per bar.sync over 1 to 32 warps, slope"));
  }
  return measureBarrierRates(S, *F, Unroll);
}

static Error measureBranches(Session &S) {
  static constexpr unsigned Unroll = 6, Adds = 24;
  std::map<BranchShape, CuFunction> Functions;
  for (BranchShape Shape : {BranchShape::None, BranchShape::Skip,
                            BranchShape::UniformSkip, BranchShape::IfElse}) {
    Expected<CuFunction> F = S.entry(branches(Shape, Unroll, Adds));
    if (!F)
      return F.takeError();
    Functions[Shape] = *F;
  }
  auto Cycles = [&](BranchShape Shape, unsigned RunLength) -> Expected<double> {
    Launch L;
    L.Function = Functions[Shape];
    L.X = RunLength;
    L.Z = 0;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    return summarize(perUnit(*Samples, Unroll)).Minimum;
  };
  // A lane enters where its predicate is true: 64 all, 128 none, 16 half.
  Expected<double> Plain = Cycles(BranchShape::None, 1);
  Expected<double> UniformSkipped = Cycles(BranchShape::UniformSkip, 128);
  Expected<double> UniformEntered = Cycles(BranchShape::UniformSkip, 64);
  Expected<double> Skipped = Cycles(BranchShape::Skip, 128);
  Expected<double> Entered = Cycles(BranchShape::Skip, 64);
  Expected<double> Divergent = Cycles(BranchShape::Skip, 16);
  for (Expected<double> *E : {&Plain, &UniformSkipped, &UniformEntered,
                              &Skipped, &Entered, &Divergent})
    if (!*E)
      return E->takeError();
  // Loop control is what the additions alone take beyond their latency.
  double Addition =
      S.Db.instructionValue("fp32.add", "latency_cycles").value_or(4);
  double Loop = *Plain - Adds * Addition;
  auto Set = [&](const char *Key, double Value, const char *Source) {
    S.Db.set("runtime", Key, derived(std::max(0.0, Value), "cycle", Source));
  };
  double Taken = *UniformSkipped - Loop;
  Set("branch_taken_cycles", Taken,
      "branch over 24 additions on a uniform condition, taken, one warp");
  Set("branch_not_taken_cycles", *UniformEntered - *Plain,
      "branch over 24 additions on a uniform condition, not taken, less the "
      "additions, one warp");
  Set("branch_divergent_cycles", *Divergent - *Plain,
      "branch over 24 additions that half of the lanes take, with its "
      "convergence barrier, less the additions, one warp");
  double Converge = *Entered - *UniformEntered;
  S.Db.setInstruction("branch", "pipe", "cbu");
  S.Db.setInstruction(
      "branch", "latency_cycles",
      derived(Taken, "cycle", "uniform condition, taken, one warp"));
  S.Db.setInstruction(
      "branch", "issue_cycles",
      derived(Taken, "cycle", "uniform condition, taken, one warp"));
  static constexpr unsigned Warps = 32;
  Launch Full = S.fillSms(Functions[BranchShape::UniformSkip], Warps, S.sms());
  Full.SharedBytes = 0;
  Full.X = 128;
  Full.Z = 0;
  Expected<std::vector<double>> Busy =
      S.perIteration(Full, S.repeats(), Clock::Sm);
  if (!Busy)
    return Busy.takeError();
  S.Db.setInstruction("branch", "throughput_per_cycle_sm",
                      measured(summarize(rates(*Busy, Warps * (Unroll + 1))),
                               Take::Mean, "warp_inst/cycle/SM",
                               "6 branches that are taken and that of the "
                               "loop, all SMs, 32 warps"));
  Launch Converging = Full;
  Converging.Function = Functions[BranchShape::Skip];
  Expected<std::vector<double>> Both =
      S.perIteration(Converging, S.repeats(), Clock::Sm);
  if (!Both)
    return Both.takeError();
  S.Db.setInstruction("converge", "pipe", "cbu");
  double Longer = summarize(*Both).Mean - summarize(*Busy).Mean;
  if (Longer > 0)
    S.Db.setInstruction(
        "converge", "throughput_per_cycle_sm",
        derived(2.0 * Warps * Unroll / Longer, "warp_inst/cycle/SM",
                "BSSY and BSYNC: what 6 branches that are taken take longer "
                "with them, all SMs, 32 warps"));
  S.Db.setInstruction("converge", "latency_cycles",
                      derived(std::max(0.0, Converge) / 2, "cycle",
                              "half of what BSSY and BSYNC add to a branch "
                              "that no lane takes, one warp"));
  Table Costs;
  Costs.Columns = {"case", "cycles"};
  Costs.Units = {"0: additions alone, 1: uniform taken, 2: uniform not taken, "
                 "3: taken by all, 4: taken by none, 5: taken by half",
                 "cycle"};
  Costs.Source = "branch over 24 dependent additions, one warp, loop control "
                 "included";
  double Case = 0;
  for (double C : {*Plain, *UniformSkipped, *UniformEntered, *Skipped, *Entered,
                   *Divergent})
    Costs.Rows.push_back({Case++, C});
  S.Db.setTable("branches", Costs.toJson());

  Table Runs;
  Runs.Columns = {"run_length", "cycles"};
  Runs.Units = {"lanes with the same side", "cycle"};
  Runs.Source = "if/else with 24 additions a side (Lemeire et al., Fig. 5)";
  for (unsigned Run : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    Expected<double> C = Cycles(BranchShape::IfElse, Run);
    if (!C)
      return C.takeError();
    Runs.Rows.push_back({double(Run), *C});
  }
  S.Db.setTable("divergence_by_run_length", Runs.toJson());
  return Error::success();
}

namespace {
/// Host memory that copies need not pin and that kernels can read; freed by its
/// destructor.
class MappedMemory {
public:
  static Expected<MappedMemory> allocate(const Driver &Cuda, size_t Bytes) {
    static constexpr unsigned Mapped = 2;
    MappedMemory M(Cuda);
    if (Error E = check(Cuda, Cuda.MemHostAlloc(&M.Host, Bytes, Mapped),
                        "cuMemHostAlloc"))
      return std::move(E);
    if (Error E =
            check(Cuda, Cuda.MemHostGetDevicePointer(&M.Device, M.Host, 0),
                  "cuMemHostGetDevicePointer"))
      return std::move(E);
    return std::move(M);
  }
  MappedMemory(MappedMemory &&Other)
      : Cuda(Other.Cuda), Host(std::exchange(Other.Host, nullptr)),
        Device(Other.Device) {}
  MappedMemory &operator=(MappedMemory &&) = delete;
  ~MappedMemory() {
    if (Host)
      Cuda.MemFreeHost(Host);
  }
  void *host() const { return Host; }
  CuDevicePtr device() const { return Device; }

private:
  explicit MappedMemory(const Driver &Cuda) : Cuda(Cuda) {}
  const Driver &Cuda;
  void *Host = nullptr;
  CuDevicePtr Device = 0;
};
} // namespace

/// Walk over mapped host memory.
static Error measureHostLatency(Session &S) {
  static constexpr unsigned Steps = 1024, Apart = 8192 + 128;
  Expected<MappedMemory> Host =
      MappedMemory::allocate(S.G.driver(), Steps * Apart);
  if (!Host)
    return Host.takeError();
  CuDevicePtr Address = Host->device();
  for (unsigned I = 0; I < Steps; ++I)
    *reinterpret_cast<uint64_t *>(static_cast<char *>(Host->host()) +
                                  I * Apart) =
        Address + (I + 1) % Steps * Apart;
  Expected<CuFunction> F = S.entry(ringWalk("global.cg", 64));
  if (!F)
    return F.takeError();
  if (Error E = setLaneTable(S, [&](unsigned) { return Address; }))
    return E;
  Launch L;
  L.Function = *F;
  L.Iterations = Steps;
  std::vector<double> Ns;
  for (unsigned R = 0; R < S.repeats(); ++R) {
    Expected<WarpTimes> T = S.time(L);
    if (!T)
      return T.takeError();
    Ns.push_back(T->WarpCycles / T->CyclesPerNs / Steps);
  }
  S.Db.set("runtime", "host_latency_ns",
           measured(summarize(Ns), Take::Mean, "ns",
                    "walk over 1024 lines of mapped host memory, one warp"));
  return Error::success();
}

/// GB/s of copies between \p Pinned, or pageable memory, and the device.
static Error measureCopy(Session &S, const char *Key, const char *Source,
                         bool ToDevice, size_t Bytes, void *Pinned) {
  static constexpr unsigned CopiesOfOne = 5;
  Expected<DeviceBuffer> Device = S.G.allocate(Bytes);
  if (!Device)
    return Device.takeError();
  std::vector<char> Pageable;
  std::vector<double> Rates;
  for (unsigned R = 0; R <= S.repeats(); ++R) {
    // Where the pages of pageable memory come to lie decides its rate.
    if (!Pinned && R % CopiesOfOne == 0)
      Pageable = std::vector<char>(Bytes, 1);
    void *Host = Pinned ? Pinned : Pageable.data();
    HostClock::time_point Start = HostClock::now();
    if (Error E = ToDevice ? S.G.upload(Device->address(), Host, Bytes)
                           : S.G.download(Host, Device->address(), Bytes))
      return E;
    Rates.push_back(Bytes / nsSince(Start));
  }
  Rates.erase(Rates.begin()); // The first one touches pages.
  S.Db.set("runtime", Key,
           measured(summarize(Rates), Take::Mean, "GB/s", Source));
  return Error::success();
}

static Error measurePageableCopies(Session &S) {
  static constexpr size_t Bytes = 32 << 20;
  if (Error E =
          measureCopy(S, "h2d_pageable_gbs", "cuMemcpyHtoD of 32 MiB, pageable",
                      true, Bytes, nullptr))
    return E;
  return measureCopy(S, "d2h_pageable_gbs", "cuMemcpyDtoH of 32 MiB, pageable",
                     false, Bytes, nullptr);
}

/// A kernel that reads \p Bytes of host memory at \p Address.
static Error measureMappedReads(Session &S, CuDevicePtr Address, size_t Bytes) {
  Expected<CuFunction> F = S.entry(stream(StreamKind::Read, 16, 4, "cg"));
  if (!F)
    return F.takeError();
  Launch L;
  L.Function = *F;
  L.Blocks = S.sms();
  L.Threads = 1024;
  L.X = Address;
  L.Y = Bytes;
  double PerIteration = double(L.Blocks) * L.Threads * 64;
  L.Iterations = uint64_t(Bytes / PerIteration);
  std::vector<double> Rates;
  for (unsigned R = 0; R < S.repeats(); ++R) {
    Expected<WarpTimes> T = S.time(L);
    if (!T)
      return T.takeError();
    Rates.push_back(PerIteration * L.Iterations / T->Ns);
  }
  S.Db.set("runtime", "mapped_read_gbs",
           measured(summarize(Rates), Take::Mean, "GB/s",
                    "kernel reads 128 MiB of mapped host memory"));
  return Error::success();
}

static Error measurePinnedCopies(Session &S) {
  static constexpr size_t Bytes = 128 << 20;
  Expected<MappedMemory> Host = MappedMemory::allocate(S.G.driver(), Bytes);
  if (!Host)
    return Host.takeError();
  if (Error E =
          measureCopy(S, "h2d_pinned_gbs", "cuMemcpyHtoD of 128 MiB, pinned",
                      true, Bytes, Host->host()))
    return E;
  if (Error E =
          measureCopy(S, "d2h_pinned_gbs", "cuMemcpyDtoH of 128 MiB, pinned",
                      false, Bytes, Host->host()))
    return E;
  return measureMappedReads(S, Host->device(), Bytes);
}

static Error measureCompiler(Session &S) {
  static constexpr unsigned Sizes[] = {256, 1024, 4096};
  Table T;
  T.Columns = {"instructions", "ns"};
  T.Units = {"count", "ns"};
  T.Source = "load of PTX with so many dependent additions, the driver's "
             "compiler included; median";
  std::vector<double> Slopes;
  std::map<unsigned, std::vector<double>> BySize;
  unsigned Repeats = std::min(10u, S.repeats());
  for (unsigned R = 0; R < Repeats; ++R) {
    std::map<unsigned, double> Ns;
    for (unsigned Size : Sizes) {
      ArithmeticSpec Spec = arithmeticSpecs().front();
      Spec.Unroll = Size;
      Spec.MaxIlp = 1;
      // The text differs in each run so that no cache of the driver answers.
      std::string Text =
          arithmeticModule(Spec, S.G.target()) + "// " +
          std::to_string(HostClock::now().time_since_epoch().count()) + "\n";
      Expected<Module> M = S.G.loadPtx(Text);
      if (!M)
        return M.takeError();
      Ns[Size] = S.G.lastLoadNs();
      BySize[Size].push_back(Ns[Size]);
    }
    Slopes.push_back(std::max(0.0, Ns[4096] - Ns[1024]) / 3072);
  }
  for (unsigned Size : Sizes)
    T.Rows.push_back({double(Size), summarize(BySize[Size]).Median});
  S.Db.setTable("compiler", T.toJson());
  S.Db.set("runtime", "jit_ns_per_instruction",
           measured(summarize(Slopes), Take::Mean, "ns",
                    "load of PTX with 4096 against 1024 additions"));
  return Error::success();
}

/// From the end of a kernel to the start of the next one on its stream, by the
/// global timer.
static Error measureKernelStart(Session &S, CuFunction Stamped) {
  Table T;
  T.Columns = {"blocks_per_sm", "ns"};
  T.Units = {"count", "ns"};
  T.Source = "last warp's end of a kernel to the first warp's start of the "
             "next, global timer, blocks of 8 warps; median";
  for (unsigned PerSm : {0u, 1u, 8u}) {
    Launch First;
    First.Function = Stamped;
    First.Blocks = PerSm ? PerSm * S.sms() : 1;
    First.Threads = PerSm ? 256 : 32;
    // About 70 us, so that the second launch is there when the first one ends.
    First.Iterations = 1000;
    size_t Warps = size_t(First.Blocks) * First.Threads / 32;
    Expected<DeviceBuffer> Out = S.G.allocate(Warps * sizeof(WarpRecord));
    if (!Out)
      return Out.takeError();
    Launch Second = First;
    First.Out = Out->address();
    std::vector<double> Ns;
    for (unsigned R = 0; R < S.repeats(); ++R) {
      if (Error E = S.G.start(First))
        return E;
      Expected<ArrayRef<WarpRecord>> Next = S.G.run(Second);
      if (!Next)
        return Next.takeError();
      std::vector<WarpRecord> Before(Warps);
      if (Error E = S.G.download(Before.data(), Out->address(),
                                 Warps * sizeof(WarpRecord)))
        return E;
      uint64_t End = 0, Start = ~uint64_t(0);
      for (const WarpRecord &W : Before)
        End = std::max(End, W.EndTime);
      for (const WarpRecord &W : *Next)
        Start = std::min(Start, W.StartTime);
      Ns.push_back(double(int64_t(Start) - int64_t(End)));
    }
    Summary Gap = summarize(Ns);
    T.Rows.push_back({double(PerSm), Gap.Median});
    if (PerSm == 1) {
      for (double &X : Ns)
        X = std::max(0.0, X) * clockGhz(S);
      S.Db.set("runtime", "kernel_start_cycles",
               measured(summarize(Ns), Take::Mean, "cycle",
                        "last end to first start of kernels of one block an "
                        "SM, global timer times the clock"));
    }
  }
  S.Db.setTable("kernel_to_kernel", T.toJson());
  return Error::success();
}

namespace {
/// What the launches are of: a kernel of no instruction, and one that writes
/// down when it starts and ends.
struct LaunchKernels {
  Module Code;
  CuFunction Empty, Stamped;
};
} // namespace

static Expected<LaunchKernels> loadLaunchKernels(Session &S) {
  Expected<Module> M =
      S.G.load(moduleHeader(S.G.target()) + emptyEntry() + stampedEntry());
  if (!M)
    return M.takeError();
  Expected<CuFunction> Empty = M->function("empty");
  Expected<CuFunction> Stamped = M->function("stamped");
  if (!Empty)
    return Empty.takeError();
  if (!Stamped)
    return Stamped.takeError();
  return LaunchKernels{std::move(*M), *Empty, *Stamped};
}

Error measureProcesses(Session &S) {
  // First, since its launches are long enough to tell the clock.
  if (Error E = measureL2Writes(S))
    return E;
  S.OnProgress(0.1);
  Expected<LaunchKernels> K = loadLaunchKernels(S);
  if (!K)
    return K.takeError();
  if (Error E = measureLaunches(S, K->Empty, K->Stamped))
    return E;
  if (Error E = measureKernelStart(S, K->Stamped))
    return E;
  if (Error E = measureHostLatency(S))
    return E;
  return measurePageableCopies(S);
}

Error measureRuntime(Session &S) {
  Expected<LaunchKernels> K = loadLaunchKernels(S);
  if (!K)
    return K.takeError();
  if (Error E = measureBlocks(S, K->Empty, K->Stamped))
    return E;
  S.OnProgress(0.5);
  if (Error E = measureBarriers(S))
    return E;
  if (Error E = measureBranches(S))
    return E;
  S.OnProgress(0.7);
  if (Error E = measurePinnedCopies(S))
    return E;
  return measureCompiler(S);
}

} // namespace gpuocc::calibration
