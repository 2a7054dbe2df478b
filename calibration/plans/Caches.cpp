//===- Caches.cpp - Shared memory, L1, constant and local memory ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned SharedUnroll = 64;
static constexpr unsigned SharedBytes = 64 * 1024;

/// Byte offsets that put \p Ways lanes in bank 0, in different rows, and every
/// other lane in a row beyond those, \p Bytes from its neighbour.
static uint64_t conflictOffset(unsigned Lane, unsigned Ways, unsigned Bytes) {
  return Lane < Ways ? Lane * 128 : 32 * 128 + Lane * Bytes;
}

Error measureShared(Session &S) {
  Table Conflicts;
  Conflicts.Columns = {"bytes", "pattern", "ways_or_stride", "latency",
                       "cycles_per_load_sm"};
  Conflicts.Units = {"byte", "0: ways, 1: lane stride in words of the access",
                     "count", "cycle", "cycle"};
  Conflicts.Source = "dependent ld.shared; 32 warps with 4 chains per SM";
  std::vector<std::pair<double, double>> Latencies, Costs;
  double BestBytes = 0;
  Summary BestBandwidth;

  for (unsigned Bytes : {4u, 8u, 16u}) {
    Expected<CuFunction> One = S.entry(sharedChase(Bytes, 1, SharedUnroll));
    Expected<CuFunction> Four = S.entry(sharedChase(Bytes, 4, SharedUnroll));
    if (!One)
      return One.takeError();
    if (!Four)
      return Four.takeError();
    for (CuFunction F : {*One, *Four})
      if (Error E = allowShared(S, F, 160 * 1024))
        return E;
    for (unsigned Pattern : {0u, 1u}) {
      for (unsigned N = 1; N <= 32; ++N) {
        if ((S.Options.Quick || (Pattern == 0 && Bytes != 4)) &&
            !isPowerOf2_32(N))
          continue;
        if (Error E = setLaneTable(S, [&](unsigned Lane) {
              return Pattern == 0 ? conflictOffset(Lane, N, Bytes)
                                  : uint64_t(Lane) * N * Bytes;
            }))
          return E;
        bool Plain = N == 1 && Pattern == (Bytes == 4 ? 0 : 1);
        Launch L;
        L.Function = *One;
        L.SharedBytes = SharedBytes;
        Expected<std::vector<double>> Chain =
            S.perIteration(L, S.repeats(), Clock::Warp);
        if (!Chain)
          return Chain.takeError();
        Summary Latency = summarize(perUnit(*Chain, SharedUnroll));
        L = S.fillSms(*Four, 32, S.sms());
        Expected<std::vector<double>> Full = S.perIteration(
            L, Plain ? S.repeats() : S.curveRepeats(), Clock::Sm);
        if (!Full)
          return Full.takeError();
        Summary Cost = summarize(perUnit(*Full, SharedUnroll * 32));
        Conflicts.Rows.push_back({double(Bytes), double(Pattern), double(N),
                                  Latency.Minimum, Cost.Median});
        if (Pattern == 0 && Bytes == 4) {
          Latencies.push_back({N, Latency.Minimum});
          Costs.push_back({N, Cost.Median});
        }
        if (N == 1 && Bytes * 32 / Cost.Median > BestBytes) {
          BestBytes = Bytes * 32 / Cost.Median;
          BestBandwidth =
              summarize(rates(perUnit(*Full, SharedUnroll * 32), Bytes * 32));
        }
        if (!Plain)
          continue;
        std::string Bits = std::to_string(Bytes * 8);
        if (Bytes == 4) {
          S.Db.set("memory", "shared_latency_cycles",
                   measured(Latency, Take::Minimum, "cycle",
                            "dependent 32-bit ld.shared, address to address"));
          S.Db.setInstruction("ld.shared", "pipe", "lsu");
          S.Db.setInstruction("ld.shared", "latency_cycles",
                              measured(Latency, Take::Minimum, "cycle",
                                       "dependent chain, one warp"));
          Expected<CuFunction> Eight =
              S.entry(sharedChase(Bytes, 8, SharedUnroll));
          if (!Eight)
            return Eight.takeError();
          if (Error E = allowShared(S, *Eight, 160 * 1024))
            return E;
          Launch I;
          I.Function = *Eight;
          I.SharedBytes = SharedBytes;
          Expected<std::vector<double>> Issue =
              S.perIteration(I, S.repeats(), Clock::Warp);
          if (!Issue)
            return Issue.takeError();
          S.Db.setInstruction("ld.shared", "issue_cycles",
                              measured(summarize(perUnit(*Issue, SharedUnroll)),
                                       Take::Minimum, "cycle",
                                       "one warp, 8 independent chains"));
          S.Db.setInstruction(
              "ld.shared", "throughput_per_cycle_sm",
              measured(summarize(rates(*Full, SharedUnroll * 32)), Take::Mean,
                       "warp_inst/cycle/SM", "all SMs, 32 warps, 4 chains"));
        } else {
          S.Db.set("memory", "shared_latency_" + Bits + "_cycles",
                   measured(Latency, Take::Minimum, "cycle",
                            "dependent " + Bits + "-bit ld.shared"));
        }
      }
    }
    S.OnProgress(Bytes / 16.0);
  }
  S.Db.set("memory", "shared_bytes_per_cycle_sm",
           measured(BestBandwidth, Take::Mean, "byte/cycle/SM",
                    "conflict-free ld.shared, 32 warps, best of 4, 8, 16 bytes "
                    "a lane"));
  if (std::optional<Line> Fit = fitLine(Latencies))
    S.Db.set("memory", "shared_conflict_increment_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of latency over 1 to 32 conflict ways"));
  if (std::optional<Line> Fit = fitLine(Costs))
    S.Db.set("memory", "shared_wavefront_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of SM cycles per load over 1 to 32 conflict ways"));
  S.Db.setTable("shared_conflicts", Conflicts.toJson());
  return Error::success();
}

Error measureL1(Session &S) {
  static constexpr unsigned Unroll = 64;
  Expected<CuDevicePtr> Buffer = S.zeros(1 << 20);
  if (!Buffer)
    return Buffer.takeError();
  Expected<CuFunction> Chase = S.entry(globalChase("ca", Unroll));
  if (!Chase)
    return Chase.takeError();
  if (Error E = setCarveout(S, *Chase, 0))
    return E;

  Table Lines;
  Lines.Columns = {"lines", "sectors_per_line", "latency"};
  Lines.Units = {"count", "count", "cycle"};
  Lines.Source = "dependent 64-bit ld.global that hits L1";
  std::vector<std::pair<double, double>> ByLines;
  Launch L;
  L.Function = *Chase;
  L.X = *Buffer;
  for (unsigned N = 1; N <= 32; ++N) {
    for (unsigned Sectors : {1u, 4u}) {
      if (Sectors == 4 && N > 8)
        continue;
      if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
            return Lane % N * 128 + Lane / N % Sectors * 32;
          }))
        return E;
      Expected<std::vector<double>> Samples =
          S.perIteration(L, S.repeats(), Clock::Warp);
      if (!Samples)
        return Samples.takeError();
      Summary Latency = summarize(perUnit(*Samples, Unroll));
      Lines.Rows.push_back({double(N), double(Sectors), Latency.Minimum});
      if (Sectors == 1)
        ByLines.push_back({N, Latency.Minimum});
      if (N == 1 && Sectors == 1) {
        S.Db.set("memory", "l1_hit_latency_cycles",
                 measured(Latency, Take::Minimum, "cycle",
                          "dependent 64-bit ld.global, one sector, address to "
                          "address"));
        S.Db.setInstruction("ld.global", "pipe", "lsu");
        S.Db.setInstruction("ld.global", "latency_cycles",
                            measured(Latency, Take::Minimum, "cycle",
                                     "L1 hit, dependent chain, one warp"));
      }
    }
    S.OnProgress(N / 64.0);
  }
  S.Db.setTable("l1_lines", Lines.toJson());
  if (std::optional<Line> Fit = fitLine(ByLines))
    S.Db.set("memory", "l1_increment_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of L1 hit latency over 1 to 32 lines"));

  Table Strides;
  Strides.Columns = {"bytes", "stride", "cycles_per_load_sm"};
  Strides.Units = {"byte", "elements", "cycle"};
  Strides.Source = "L1-resident ld.global, 32 warps per SM, 16 in a row";
  double BestLines = 0;
  for (unsigned Bytes : {4u, 8u, 16u}) {
    unsigned MaxStride = Bytes == 16 ? 8 : 32;
    Expected<CuFunction> F =
        S.entry(stridedLoads(Bytes, "ca", Bytes * 32 * MaxStride));
    if (!F)
      return F.takeError();
    if (Error E = setCarveout(S, *F, 0))
      return E;
    for (unsigned Stride = 0; Stride <= MaxStride; ++Stride) {
      Launch L;
      L.Function = *F;
      L.Blocks = S.sms();
      L.Threads = 1024;
      L.X = *Buffer;
      L.Y = Stride * Bytes;
      L.Z = 0;
      bool Unit = Stride == 1;
      Expected<std::vector<double>> Samples =
          S.perIteration(L, Unit ? S.repeats() : S.curveRepeats(), Clock::Sm);
      if (!Samples)
        return Samples.takeError();
      std::vector<double> PerLoad = perUnit(*Samples, 16 * 32);
      Summary Cost = summarize(PerLoad);
      Strides.Rows.push_back({double(Bytes), double(Stride), Cost.Median});
      if (Bytes == 4)
        BestLines = std::max(BestLines, Stride / Cost.Median);
      if (!Unit)
        continue;
      if (Bytes == 16)
        S.Db.set("memory", "l1_bytes_per_cycle_sm",
                 measured(summarize(rates(PerLoad, 512)), Take::Mean,
                          "byte/cycle/SM", "unit stride, 16 bytes a lane"));
      if (Bytes == 4) {
        S.Db.set(
            "memory", "l1_wavefront_cycles",
            measured(Cost, Take::Mean, "cycle", "unit stride, 4 bytes a lane"));
        S.Db.setInstruction("ld.global", "throughput_per_cycle_sm",
                            measured(summarize(rates(PerLoad, 1)), Take::Mean,
                                     "warp_inst/cycle/SM",
                                     "L1 hits, unit stride, 32 warps"));
      }
    }
    S.OnProgress(0.5 + Bytes / 32.0);
  }
  S.Db.setTable("l1_strides", Strides.toJson());
  S.Db.set(
      "memory", "l1_tag_lines_per_cycle",
      derived(BestLines, "line/cycle/SM",
              "most lines per cycle over strides 1 to 32 of 4-byte loads"));
  S.Db.set(
      "memory", "l1_line_bytes",
      vendor(128, "byte", "CUDA C++ Programming Guide, compute 7.x to 9.0"));
  S.Db.set(
      "memory", "l1_sector_bytes",
      vendor(32, "byte", "CUDA C++ Programming Guide, compute 7.x to 9.0"));
  return Error::success();
}

/// Fetches of one texel of a texture of zeros over \p Buffer.
static Error measureTexture(Session &S, CuDevicePtr Buffer) {
  static constexpr unsigned Unroll = 64;
  Expected<CuFunction> F = S.entry(textureChase(Unroll));
  if (!F)
    return F.takeError();
  LinearTexture Texture;
  Texture.Address = Buffer;
  Texture.Bytes = 4096;
  TextureSettings Settings;
  uint64_t Handle = 0;
  if (Error E = check(
          S.G.driver(),
          S.G.driver().TexObjectCreate(&Handle, &Texture, &Settings, nullptr),
          "cuTexObjectCreate"))
    return E;
  Launch L;
  L.Function = *F;
  L.X = Handle;
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.repeats(), Clock::Warp);
  L = S.fillSms(*F, 32, S.sms());
  L.SharedBytes = 0;
  L.X = Handle;
  Expected<std::vector<double>> Full = std::vector<double>();
  if (Samples)
    Full = S.perIteration(L, S.repeats(), Clock::Sm);
  S.G.driver().TexObjectDestroy(Handle);
  if (!Samples)
    return Samples.takeError();
  if (!Full)
    return Full.takeError();
  Summary Latency = summarize(perUnit(*Samples, Unroll));
  S.Db.set("memory", "texture_latency_cycles",
           measured(Latency, Take::Minimum, "cycle",
                    "dependent tex.1d of one texel"));
  S.Db.setInstruction("tex", "pipe", "lsu");
  S.Db.setInstruction("tex", "latency_cycles",
                      measured(Latency, Take::Minimum, "cycle",
                               "dependent tex.1d of one texel"));
  S.Db.setInstruction("tex", "throughput_per_cycle_sm",
                      measured(summarize(rates(*Full, 32 * Unroll)), Take::Mean,
                               "warp_inst/cycle/SM",
                               "tex.1d of one texel, all SMs, 32 warps"));
  return Error::success();
}

Error measureConstant(Session &S) {
  TimedKernel Chase = constantChase();
  Expected<Module> M = S.load({Chase.Name,
                               {Chase.Name},
                               moduleHeader(S.G.target()) + timedKernel(Chase),
                               Chase.Claim});
  if (!M)
    return M.takeError();
  Expected<CuFunction> F = M->function("constant_chase");
  Expected<CuDevicePtr> Constants = M->variable("constants");
  if (!F)
    return F.takeError();
  if (!Constants)
    return Constants.takeError();

  Table Sizes;
  Sizes.Columns = {"footprint", "latency", "loads_per_cycle_sm"};
  Sizes.Units = {"byte", "cycle", "warp_inst/cycle/SM"};
  Sizes.Source = "dependent ld.const in steps of 64 bytes; one warp, and 32 "
                 "warps on all SMs";
  std::vector<double> Values;
  for (unsigned Bytes = 512; Bytes <= 65536;
       Bytes = Bytes < 4096 ? Bytes + 512 : Bytes * 2) {
    std::vector<uint32_t> Words(16384);
    for (unsigned At = 0; At < Bytes; At += 64)
      Words[At / 4] = (At + 64) % Bytes;
    if (Error E = S.G.upload(*Constants, Words.data(), 65536))
      return E;
    if (Error E = setLaneTable(S, [](unsigned) -> uint64_t { return 0; }))
      return E;
    Launch L;
    L.Function = *F;
    // A loop body is 64 loads; whole rounds of the footprint.
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 64, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Latency = summarize(perUnit(*Samples, 64));
    L = S.fillSms(*F, 32, S.sms());
    L.SharedBytes = 0;
    L.Y = PowerOf2Ceil(Bytes / 64 + 1) / 2 - 1;
    Expected<std::vector<double>> Full =
        S.perIteration(L, 16, S.curveRepeats(), Clock::Sm);
    if (!Full)
      return Full.takeError();
    Sizes.Rows.push_back(
        {double(Bytes), Latency.Median, 32 * 64 / summarize(*Full).Median});
    Values.push_back(Latency.Median);
    if (Bytes == 1024) {
      S.Db.set("memory", "constant_l1_latency_cycles",
               measured(Latency, Take::Minimum, "cycle",
                        "dependent ld.const, 1 KiB"));
      S.Db.setInstruction("ldc", "pipe", "adu");
      S.Db.setInstruction("ldc", "latency_cycles",
                          measured(Latency, Take::Minimum, "cycle",
                                   "dependent ld.const, 1 KiB"));
    }
    if (Bytes == 16384) {
      S.Db.set("memory", "constant_l15_latency_cycles",
               measured(Latency, Take::Minimum, "cycle",
                        "dependent ld.const, 16 KiB"));
    }
  }
  S.Db.setTable("constant_sizes", Sizes.toJson());
  if (std::optional<size_t> Step =
          changePoint(ArrayRef<double>(Values).take_front(8)))
    S.Db.set("chip", "constant_l1_bytes",
             derived(Sizes.Rows[*Step - 1][0], "byte",
                     "largest footprint before the latency step"));

  // Different addresses in one request: a word holds its own offset.
  std::vector<uint32_t> Self(16384);
  for (unsigned I = 0; I < Self.size(); ++I)
    Self[I] = I * 4;
  if (Error E = S.G.upload(*Constants, Self.data(), 65536))
    return E;
  std::vector<std::pair<double, double>> Points;
  for (unsigned Ways : {1u, 2u, 4u, 8u, 16u, 32u}) {
    if (Error E = setLaneTable(
            S, [&](unsigned Lane) -> uint64_t { return Lane % Ways * 4; }))
      return E;
    Launch L;
    L.Function = *F;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 16, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Points.push_back({Ways, summarize(perUnit(*Samples, 64)).Minimum});
  }
  if (std::optional<Line> Fit = fitLine(Points))
    S.Db.set("memory", "constant_replay_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of latency over 1 to 32 addresses of a request"));
  S.OnProgress(0.6);

  Expected<CuFunction> Local = S.entry(localChase(64));
  if (!Local)
    return Local.takeError();
  Launch L;
  L.Function = *Local;
  L.X = 0;
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.repeats(), Clock::Warp);
  if (!Samples)
    return Samples.takeError();
  Summary Latency = summarize(perUnit(*Samples, 64));
  S.Db.set("memory", "local_latency_cycles",
           measured(Latency, Take::Minimum, "cycle", "dependent ld.local"));
  S.Db.setInstruction("ld.local", "pipe", "lsu");
  S.Db.setInstruction("ld.local", "latency_cycles",
                      measured(Latency, Take::Minimum, "cycle",
                               "dependent ld.local that hits L1"));

  Expected<CuDevicePtr> Buffer = S.zeros(1 << 20);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureTexture(S, *Buffer))
    return E;
  for (unsigned Bytes : {4u, 16u}) {
    Expected<CuFunction> Copy = S.entry(asyncCopy(Bytes, 16));
    if (!Copy)
      return Copy.takeError();
    Launch C;
    C.Function = *Copy;
    C.X = *Buffer;
    // At many places: how far L2 is depends on the slice.
    std::vector<double> Samples;
    for (unsigned Place = 0; Place < S.repeats(); ++Place) {
      C.X = *Buffer + Place % 25 * 37 * 512;
      Expected<std::vector<double>> One = S.perIteration(C, 64, 1, Clock::Warp);
      if (!One)
        return One.takeError();
      Samples.push_back(One->front());
    }
    Summary Round = summarize(perUnit(Samples, 16));
    if (Bytes == 16) {
      S.Db.setInstruction("cp.async", "pipe", "lsu");
      S.Db.setInstruction("cp.async", "latency_cycles",
                          measured(Round, Take::Mean, "cycle",
                                   "copy of 16 bytes a lane from L2, commit "
                                   "and wait, one warp, over many places"));
    } else {
      S.Db.set("memory", "async_copy_l1_latency_cycles",
               measured(Round, Take::Minimum, "cycle",
                        "copy of 4 bytes a lane that hits L1, commit and "
                        "wait, one warp"));
    }
  }
  return Error::success();
}

Error measureAtomics(Session &S) {
  static constexpr unsigned Unroll = 32;
  Expected<CuFunction> Chase = S.entry(sharedAtomicChase(1, Unroll));
  Expected<CuFunction> Four = S.entry(sharedAtomicChase(4, Unroll));
  if (!Chase)
    return Chase.takeError();
  if (!Four)
    return Four.takeError();
  for (CuFunction F : {*Chase, *Four})
    if (Error E = allowShared(S, F, 160 * 1024))
      return E;
  Table Contention;
  Contention.Columns = {"space", "lanes_on_one_word", "latency",
                        "cycles_per_instruction_sm"};
  Contention.Units = {"0: shared, 1: global", "count", "cycle", "cycle"};
  Contention.Source = "atomic add of zero, one warp; 32 warps per SM";
  std::vector<std::pair<double, double>> Points;
  for (unsigned Lanes : {1u, 2u, 4u, 8u, 16u, 32u}) {
    if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
          return Lane < Lanes ? 0 : Lane * 4;
        }))
      return E;
    Launch L;
    L.Function = *Chase;
    L.SharedBytes = 4096;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Latency = summarize(perUnit(*Samples, Unroll));
    L = S.fillSms(*Four, 32, S.sms());
    Expected<std::vector<double>> Full =
        S.perIteration(L, S.curveRepeats(), Clock::Sm);
    if (!Full)
      return Full.takeError();
    std::vector<double> PerInstruction = perUnit(*Full, Unroll * 32);
    Contention.Rows.push_back(
        {0, double(Lanes), Latency.Minimum, summarize(PerInstruction).Median});
    Points.push_back({Lanes, Latency.Minimum});
    if (Lanes != 1)
      continue;
    S.Db.set("memory", "atomic_shared_latency_cycles",
             measured(Latency, Take::Minimum, "cycle",
                      "dependent atom.shared.add, one word a lane"));
    S.Db.setInstruction("atom.shared", "pipe", "lsu");
    S.Db.setInstruction(
        "atom.shared", "latency_cycles",
        measured(Latency, Take::Minimum, "cycle", "dependent atom.shared.add"));
    S.Db.setInstruction("atom.shared", "throughput_per_cycle_sm",
                        measured(summarize(rates(PerInstruction, 1)),
                                 Take::Mean, "warp_inst/cycle/SM",
                                 "all SMs, 32 warps, 4 chains"));
  }
  if (std::optional<Line> Fit = fitLine(Points))
    S.Db.set("memory", "atomic_shared_conflict_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of latency over 1 to 32 lanes on one word"));
  S.OnProgress(0.5);

  static constexpr unsigned GlobalUnroll = 16;
  // Lines of the warps, far enough apart to lie in all slices of L2 alike.
  static constexpr unsigned BytesApart = 33 * 128;
  Expected<CuDevicePtr> Buffer = S.zeros(96 << 20);
  if (!Buffer)
    return Buffer.takeError();
  Expected<CuFunction> Global = S.entry(globalAtomicChase(GlobalUnroll));
  Expected<CuFunction> Reduction = S.entry(globalReduction(GlobalUnroll));
  if (!Global)
    return Global.takeError();
  if (!Reduction)
    return Reduction.takeError();
  auto Offsets = [&](unsigned Lanes) {
    return setLaneTable(S, [&](unsigned Lane) -> uint64_t {
      return Lane < Lanes ? 0 : Lane * 4;
    });
  };
  // Which slices of L2 the words lie in depends on where the buffer is: one
  // sample at each of many places.
  auto OverPlaces = [&](Launch L, uint64_t N,
                        Clock C) -> Expected<std::vector<double>> {
    std::vector<double> Samples;
    for (unsigned Place = 0; Place < S.repeats(); ++Place) {
      // Pages, and lines within them.
      L.X = *Buffer + Place % 25 * ((2 << 20) + 4224);
      Expected<std::vector<double>> One = S.perIteration(L, N, 1, C);
      if (!One)
        return One;
      Samples.push_back(One->front());
    }
    return Samples;
  };
  for (unsigned Lanes : {1u, 2u, 4u, 8u, 16u, 32u}) {
    if (Error E = Offsets(Lanes))
      return E;
    Launch L;
    L.Function = *Global;
    L.X = *Buffer;
    L.Y = 128;
    L.Z = 0;
    Expected<std::vector<double>> Samples = OverPlaces(L, 8, Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Latency = summarize(perUnit(*Samples, GlobalUnroll));
    L = S.fillSms(*Global, 32, S.sms());
    L.SharedBytes = 0;
    L.X = *Buffer;
    L.Y = BytesApart;
    L.Z = 0;
    Expected<std::vector<double>> Full = OverPlaces(L, 12, Clock::SmMax);
    if (!Full)
      return Full.takeError();
    std::vector<double> PerInstruction = perUnit(*Full, GlobalUnroll * 32);
    Contention.Rows.push_back(
        {1, double(Lanes), Latency.Minimum, summarize(PerInstruction).Median});
    if (Lanes == 1) {
      S.Db.set("memory", "atomic_global_latency_cycles",
               measured(Latency, Take::Mean, "cycle",
                        "dependent 32-bit atom.global.add, one word a lane"));
      S.Db.setInstruction("atom.global", "pipe", "lsu");
      S.Db.setInstruction("atom.global", "latency_cycles",
                          measured(Latency, Take::Mean, "cycle",
                                   "dependent 32-bit atom.global.add"));
      S.Db.set("memory", "atomic_global_distinct_per_cycle_sm",
               measured(summarize(rates(PerInstruction, 32)), Take::Mean,
                        "op/cycle/SM",
                        "lane atomics on distinct words, all SMs, 32 warps"));
    }
  }
  // Reductions on distinct words.
  if (Error E = Offsets(1))
    return E;
  Launch L = S.fillSms(*Reduction, 32, S.sms());
  L.SharedBytes = 0;
  L.X = *Buffer;
  L.Y = BytesApart;
  L.Z = 0;
  Expected<std::vector<double>> Distinct = OverPlaces(L, 100, Clock::SmMax);
  if (!Distinct)
    return Distinct.takeError();
  S.Db.set("memory", "red_global_distinct_per_cycle_sm",
           measured(summarize(rates(*Distinct, GlobalUnroll * 32 * 32)),
                    Take::Mean, "op/cycle/SM",
                    "lane reductions on distinct words, all SMs, 32 warps"));
  S.Db.setTable("atomics", Contention.toJson());
  return Error::success();
}

} // namespace gpuocc::calibration
