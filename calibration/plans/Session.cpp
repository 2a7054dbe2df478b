//===- Session.cpp - What a plan measures with ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "kernels/Memory.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

Expected<CuFunction> Session::entry(const TimedKernel &K) {
  Expected<Module> M = G.load(moduleHeader(G.target()) + timedKernel(K));
  if (!M)
    return joinErrors(createStringError("in kernel '%s'", K.Name.c_str()),
                      M.takeError());
  Expected<CuFunction> F = M->function(K.Name);
  if (F)
    Modules.push_back(std::move(*M));
  return F;
}

Expected<CuFunction> Session::scatter() {
  if (!ScatterKernel) {
    Expected<Module> M = G.load(moduleHeader(G.target()) + scatterEntry());
    if (!M)
      return M.takeError();
    Expected<CuFunction> F = M->function("scatter");
    if (!F)
      return F.takeError();
    Modules.push_back(std::move(*M));
    ScatterKernel = *F;
  }
  return ScatterKernel;
}

Expected<CuDevicePtr> Session::zeros(size_t Bytes) {
  if (!Zeros || Zeros->bytes() < Bytes) {
    Zeros.reset();
    Expected<DeviceBuffer> Buffer = G.allocate(Bytes);
    if (!Buffer)
      return Buffer.takeError();
    Zeros = std::make_unique<DeviceBuffer>(std::move(*Buffer));
  }
  if (Error E = G.fill(Zeros->address(), 0, Zeros->bytes()))
    return std::move(E);
  return Zeros->address();
}

Error Session::flushL2() {
  uint64_t Bytes = NextPowerOf2(G.facts().L2Bytes * 3);
  if (!FlushKernel) {
    Expected<CuFunction> F = entry(stream(StreamKind::Read, 16, 4, "cg"));
    if (!F)
      return F.takeError();
    Expected<DeviceBuffer> Buffer = G.allocate(Bytes);
    if (!Buffer)
      return Buffer.takeError();
    Flush = std::make_unique<DeviceBuffer>(std::move(*Buffer));
    if (Error E = G.fill(Flush->address(), 0, Bytes))
      return E;
    FlushKernel = *F;
  }
  Launch L;
  L.Function = FlushKernel;
  L.Blocks = sms();
  L.Threads = 1024;
  L.X = Flush->address();
  L.Y = Bytes;
  L.Iterations = Bytes / (uint64_t(L.Blocks) * L.Threads * 64) + 1;
  return G.start(L);
}

Expected<WarpTimes> Session::time(const Launch &L) {
  if (Before)
    if (Error E = Before())
      return std::move(E);
  Expected<ArrayRef<WarpRecord>> Records = G.run(L);
  if (!Records)
    return Records.takeError();
  WarpTimes T = reduceWarps(*Records);
  if (T.Ns >= 20e3)
    ClockSamples.push_back(T.CyclesPerNs);
  return T;
}

static double pick(const WarpTimes &T, Clock C) {
  switch (C) {
  case Clock::Warp:
    return T.WarpCycles;
  case Clock::Sm:
    return T.SmCycles;
  case Clock::SmMax:
    return T.SmCyclesMax;
  }
  return 0;
}

Expected<std::vector<double>> Session::perIteration(Launch L, uint64_t N,
                                                    unsigned Repeats, Clock C) {
  std::vector<double> Samples;
  for (unsigned R = 0; R < Repeats; ++R) {
    L.Iterations = N;
    Expected<WarpTimes> Short = time(L);
    if (!Short)
      return Short.takeError();
    L.Iterations = 2 * N;
    Expected<WarpTimes> Long = time(L);
    if (!Long)
      return Long.takeError();
    Samples.push_back((pick(*Long, C) - pick(*Short, C)) / N);
  }
  return Samples;
}

Expected<std::vector<double>> Session::perIteration(Launch L, unsigned Repeats,
                                                    Clock C,
                                                    double TargetCycles) {
  Expected<std::vector<double>> First = perIteration(L, 2, 1, C);
  if (!First)
    return First.takeError();
  double Cycles = std::max((*First)[0], 1.0);
  uint64_t N = std::clamp<double>(std::ceil(TargetCycles / Cycles), 2, 1 << 16);
  return perIteration(L, N, Repeats, C);
}

Launch Session::fillSms(CuFunction F, unsigned Warps, unsigned Sms) {
  Launch L;
  L.Function = F;
  unsigned BlocksPerSm = Warps > 32 ? 2 : 1;
  L.Blocks = Sms * BlocksPerSm;
  L.Threads = (Warps / BlocksPerSm) * 32;
  // Just over what lets one more block fit.
  if (Sms > 1)
    L.SharedBytes = G.facts().SharedBytesPerSm / (BlocksPerSm + 1) + 1;
  return L;
}

Error allowShared(Session &S, CuFunction F, unsigned Bytes) {
  return check(S.G.driver(),
               S.G.driver().FuncSetAttribute(
                   F, int(FunctionAttribute::MaxDynamicSharedBytes), Bytes),
               "cuFuncSetAttribute");
}

Error setCarveout(Session &S, CuFunction F, unsigned Percent) {
  return check(S.G.driver(),
               S.G.driver().FuncSetAttribute(
                   F, int(FunctionAttribute::SharedCarveoutPercent), Percent),
               "cuFuncSetAttribute");
}

ArrayRef<Plan> plans() {
  static const Plan Table[] = {
      {"chip", "what the driver states, and the clock", 0.2, measureChip},
      {"instructions", "latency, issue and throughput of each class", 20,
       measureInstructions},
      {"dependences", "latency between classes", 1, measureDependences},
      {"shared", "shared memory and its bank conflicts", 2, measureShared},
      {"l1", "L1 hits, strides and lines", 2, measureL1},
      {"latencies", "L2 and DRAM latency, sizes, TLB reach", 6,
       measureLatencies},
      {"bandwidth", "L2 and DRAM streams and random sectors", 3,
       measureBandwidth},
      {"constant", "constant and local memory, asynchronous copies", 1,
       measureConstant},
      {"atomics", "atomics by contention", 1, measureAtomics},
      {"contention", "latency against throughput", 2, measureContention},
      {"runtime", "launches, blocks, barriers, branches, copies", 3,
       measureRuntime},
  };
  return Table;
}

} // namespace gpuocc::calibration
