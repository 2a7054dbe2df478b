//===- Runtime.cpp - Launches, blocks and the driver ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Tools.h"
#include "kernels/Arithmetic.h"
#include "kernels/Control.h"
#include "stats/Plausible.h"

using namespace llvm;

namespace gpuocc::calibration {

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
  /// Nanoseconds between the events around what \p Work enqueues; more than 0
  /// unless \p MayBeZero, as around nothing.
  Expected<double> measure(function_ref<Error()> Work, bool MayBeZero = false) {
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
    const double Ns = double(Ms) * 1e6;
    if (std::optional<std::string> Why = whyNoDuration(Ns, MayBeZero))
      return createStringError("%s", Why->c_str());
    return Ns;
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
    return Watch.measure(
        [&]() -> Error {
          for (unsigned I = 0; I < Launches; ++I)
            if (Error E = S.G.start(L))
              return E;
          return Error::success();
        },
        /*MayBeZero=*/Launches == 0);
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
  if (Error E = S.unlessAbsent(measureBranches(S)))
    return E;
  S.OnProgress(0.7);
  if (Error E = measureFirstBlocks(S))
    return E;
  if (Error E = measurePinnedCopies(S))
    return E;
  return measureCompiler(S);
}

} // namespace gpuocc::calibration
