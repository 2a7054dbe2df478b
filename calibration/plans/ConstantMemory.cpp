//===- ConstantMemory.cpp - Constants, locals, textures and copies --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Latency and rate over the size of what is read.
static Error measureConstantSizes(Session &S, CuFunction F,
                                  CuDevicePtr Constants) {
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
    if (Error E = S.G.upload(Constants, Words.data(), 65536))
      return E;
    if (Error E = setLaneTable(S, [](unsigned) -> uint64_t { return 0; }))
      return E;
    Launch L;
    L.Function = F;
    // A loop body is 64 loads; whole rounds of the footprint.
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 64, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Latency = summarize(perUnit(*Samples, 64));
    L = S.fillSms(F, 32, S.sms());
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
  return Error::success();
}

/// Different addresses in one request: a word holds its own offset.
static Error measureConstantReplays(Session &S, CuFunction F,
                                    CuDevicePtr Constants) {
  std::vector<uint32_t> Self(16384);
  for (unsigned I = 0; I < Self.size(); ++I)
    Self[I] = I * 4;
  if (Error E = S.G.upload(Constants, Self.data(), 65536))
    return E;
  std::vector<std::pair<double, double>> Points;
  for (unsigned Ways : {1u, 2u, 4u, 8u, 16u, 32u}) {
    if (Error E = setLaneTable(
            S, [&](unsigned Lane) -> uint64_t { return Lane % Ways * 4; }))
      return E;
    Launch L;
    L.Function = F;
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
  return Error::success();
}

static Error measureLocal(Session &S) {
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

/// Copies to shared memory from L2, and from L1.
static Error measureAsyncCopies(Session &S, CuDevicePtr Buffer) {
  for (unsigned Bytes : {4u, 16u}) {
    Expected<CuFunction> Copy = S.entry(asyncCopy(Bytes, 16));
    if (!Copy)
      return Copy.takeError();
    Launch C;
    C.Function = *Copy;
    C.X = Buffer;
    // At many places: how far L2 is depends on the slice.
    std::vector<double> Samples;
    for (unsigned Place = 0; Place < S.repeats(); ++Place) {
      C.X = Buffer + Place % 25 * 37 * 512;
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
  if (Error E = measureConstantSizes(S, *F, *Constants))
    return E;
  if (Error E = measureConstantReplays(S, *F, *Constants))
    return E;
  S.OnProgress(0.6);
  if (Error E = measureLocal(S))
    return E;
  Expected<CuDevicePtr> Buffer = S.zeros(1 << 20);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureTexture(S, *Buffer))
    return E;
  return measureAsyncCopies(S, *Buffer);
}

} // namespace gpuocc::calibration
