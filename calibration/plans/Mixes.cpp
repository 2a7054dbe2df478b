//===- Mixes.cpp - One slow instruction and alpha additions ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grids of arithmetic intensity and occupancy that models are judged by.
// Source: Volkov 2016, chapters 4 and 5. Raw results only; no numbers of the
// database come from here.
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace gpuocc::calibration {

namespace {
/// What one grid alternates with additions.
enum class GridKind { DramLoad, Mufu, Shared, SharedTwoWay, Random };
struct Grid {
  const char *Name;
  GridKind Kind;
  double AloneCycles; ///< One instruction of one warp alone, about.
  double BlockCycles; ///< What a block takes alone, about.
  const char *Mix;    ///< The instruction in words.
};
} // namespace

static constexpr Grid Grids[] = {
    {"alpha-dram", GridKind::DramLoad, 700, 40e3,
     "ld.global.cg of 4 bytes a lane, coalesced, from DRAM; one LOP3 between"},
    {"alpha-mufu", GridKind::Mufu, 18, 40e3, "rsqrt.approx"},
    {"alpha-shared", GridKind::Shared, 28, 40e3,
     "ld.shared of 4 bytes, no conflict; one LOP3 between"},
    {"alpha-shared-2way", GridKind::SharedTwoWay, 30, 40e3,
     "ld.shared of 4 bytes, every bank serves two rows; one LOP3 between"},
    {"alpha-random", GridKind::Random, 1300, 40e3,
     "ld.global.cg of 8 bytes a lane, each lane from a random sector of 1 GiB; "
     "one LOP3 between"},
};

/// 0, 1 and the whole numbers nearest to the powers of sqrt 2 up to 512.
static std::vector<unsigned> alphas() {
  std::set<unsigned> Values = {0};
  for (unsigned Half = 0; Half <= 18; ++Half)
    Values.insert(unsigned(std::lround(std::exp2(Half / 2.0))));
  return std::vector<unsigned>(Values.begin(), Values.end());
}

static Expected<CuDevicePtr> fillPointers(Session &S, uint64_t Sectors) {
  Expected<CuDevicePtr> Buffer = S.noise(Sectors * 32);
  if (!Buffer)
    return Buffer.takeError();
  Expected<Module> M = S.G.load(moduleHeader(S.G.target()) + pointersEntry());
  if (!M)
    return M.takeError();
  Expected<CuFunction> F = M->function("pointers");
  if (!F)
    return F.takeError();
  Launch L;
  L.Function = *F;
  L.Blocks = S.sms() * 2;
  L.Threads = 1024;
  L.X = *Buffer;
  L.Y = Sectors;
  if (Error E = S.G.start(L))
    return std::move(E);
  if (Error E = S.G.synchronize())
    return std::move(E);
  return *Buffer;
}

static Error measureGrid(Session &S, const Grid &G, CuDevicePtr Buffer,
                         double From, double Share) {
  static constexpr uint64_t Sectors = uint64_t(1) << 25;
  // Random loads meet other banks of DRAM each time: where few warps wait for
  // them, one time is up to 14 % apart from another, in two groups between
  // which a median jumps.
  const bool Varies = G.Kind == GridKind::Random;
  const unsigned Samples = Varies ? 60 : 3;
  Table T;
  T.Columns = {"ilp", "alpha", "warps", "per_cycle_sm", "latency", "spread"};
  T.Units = {"count",
             "additions per instruction",
             "warp",
             "instructions (without the additions)/cycle/SM",
             "cycles per step of a warp, all its chains",
             "ratio"};
  T.Source = std::string("steps of one ") + G.Mix +
             " and alpha dependent add.f32 in each of ilp chains; all SMs, "
             "blocks of 4 warps; " +
             (G.Kind == GridKind::Random
                  ? "all blocks at once, time of 2 N steps less that of N; "
                  : "a new block for each that ends, time of 16 waves of "
                    "blocks less that of 8; ") +
             (Varies ? "mean" : "median") + " and relative range of " +
             std::to_string(Samples);
  std::vector<unsigned> Alphas = alphas();
  std::optional<BeforeEachLaunch> Flush;
  // What a launch leaves in L2 the next one would find there.
  if (G.Kind == GridKind::DramLoad || G.Kind == GridKind::Random)
    Flush.emplace(S, [&] { return S.flushL2(); });
  // Blocks that all start and end together would show in what order a
  // scheduler picks its warps (the oldest first) and not its throughput: the
  // first four warps of a scheduler run at full speed, the rest after them.
  // With blocks that follow one another the occupancy stays (Volkov 2016, 5.9).
  static constexpr unsigned Waves = 8;
  double Done = 0, All = 3.0 * Alphas.size();
  uint64_t NextStart = 0;
  for (unsigned Ilp : {1u, 2u, 4u})
    for (unsigned Alpha : Alphas) {
      unsigned Unroll = std::clamp(640 / ((Alpha + 2) * Ilp), 1u, 16u);
      TimedKernel K;
      switch (G.Kind) {
      case GridKind::DramLoad:
        K = loadAddMix(4, Alpha, Ilp, "cg", Unroll);
        break;
      case GridKind::Mufu:
        K = mix(MixKind::Mufu, Alpha, Ilp, Unroll);
        break;
      case GridKind::Shared:
      case GridKind::SharedTwoWay:
        K = mix(MixKind::Shared, Alpha, Ilp, Unroll);
        break;
      case GridKind::Random:
        K = mix(MixKind::Pointer, Alpha, Ilp, Unroll);
        break;
      }
      Expected<CuFunction> F = S.entry(K);
      if (!F)
        return F.takeError();
      if (Error E = allowShared(S, *F, 160 * 1024))
        return E;
      // A block takes about 40 thousand cycles alone, so that the change of
      // blocks is about 1 %.
      double Alone = G.AloneCycles + 4.0 * Alpha;
      uint64_t Steps = uint64_t(G.BlockCycles / Alone) + 1;
      Steps = (Steps + Unroll - 1) / Unroll * Unroll;
      for (unsigned Blocks = 1; Blocks <= 16; ++Blocks) {
        Launch L = S.fillSchedulers(*F, Blocks);
        L.X = Buffer;
        L.Z = 0;
        L.Iterations = Steps;
        if (G.Kind == GridKind::DramLoad)
          L.Y = (Steps + 8) * Ilp * 128;
        if (G.Kind == GridKind::Random)
          L.Y = Sectors / 2 - 1;
        if (G.Kind == GridKind::Shared || G.Kind == GridKind::SharedTwoWay)
          if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
                return G.Kind == GridKind::Shared ? Lane * 4 : Lane * 8;
              }))
            return E;
        // Random loads are bound by memory at any alpha, and shared memory that
        // limits the blocks would take L1, which such loads need: there all
        // blocks start together, and the steps are doubled.
        bool Waved = G.Kind != GridKind::Random;
        if (!Waved)
          L.SharedBytes = 0;
        unsigned PerWave = L.Blocks;
        std::vector<double> Rate, Latency;
        for (unsigned R = 0; R < Samples; ++R) {
          WarpTimes Times[2];
          for (unsigned Long : {0u, 1u}) {
            L.Blocks = Waved ? PerWave * (Waves << Long) : PerWave;
            L.Iterations = Waved ? Steps : Steps << Long;
            // Reading other data does not empty L2 of it all: 15 MB or so of a
            // launch's sectors are still there in the next. Chains that begin
            // elsewhere each time never meet them.
            if (!Waved)
              L.X = Buffer + 32 * (NextStart++ % (Sectors / 2));
            Expected<WarpTimes> Now = S.time(L);
            if (!Now)
              return Now.takeError();
            Times[Long] = *Now;
          }
          double Cycles = Times[1].SmCycles - Times[0].SmCycles;
          Rate.push_back(double(Waved ? Waves : 1) * Steps * Ilp * Blocks * 4 /
                         Cycles);
          Latency.push_back(
              Waved ? Times[1].WarpCycles / Steps
                    : (Times[1].WarpCycles - Times[0].WarpCycles) / Steps);
        }
        Summary Rates = summarize(Rate);
        double Range =
            (*percentile(Rate, 1) - *percentile(Rate, 0)) / Rates.Median;
        Summary Latencies = summarize(Latency);
        T.Rows.push_back({double(Ilp), double(Alpha), Blocks * 4.0,
                          Varies ? Rates.Mean : Rates.Median,
                          Varies ? Latencies.Mean : Latencies.Median, Range});
      }
      S.OnProgress(From + Share * ++Done / All);
    }
  S.Raw[G.Name] = std::move(T);
  return Error::success();
}

Error measureMixes(Session &S) {
  static constexpr uint64_t StreamBytes = uint64_t(9) << 29;
  double From = 0, Share = 1.0 / std::size(Grids);
  for (const Grid &G : Grids) {
    Expected<CuDevicePtr> Buffer = G.Kind == GridKind::Random
                                       ? fillPointers(S, uint64_t(1) << 25)
                                       : S.noise(StreamBytes);
    if (!Buffer)
      return Buffer.takeError();
    if (Error E = measureGrid(S, G, *Buffer, From, Share))
      return E;
    S.releaseKernels();
    From += Share;
  }
  return Error::success();
}

} // namespace gpuocc::calibration
