//===- Session.cpp - What a plan measures with ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "gpuocc/Support/InstClass.h"
#include "kernels/Absent.h"
#include "kernels/Arithmetic.h"
#include "kernels/Memory.h"
#include "stats/Plausible.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

Expected<CuFunction> Session::entry(const TimedKernel &K,
                                    bool ArchitectureSpecific) {
  PtxTarget Target = G.target();
  Target.ArchitectureSpecific = ArchitectureSpecific;
  Expected<Module> M =
      load({K.Name, {K.Name}, moduleHeader(Target) + timedKernel(K), K.Claim});
  if (!M)
    return joinErrors(createStringError("in kernel '%s'", K.Name.c_str()),
                      M.takeError());
  Expected<CuFunction> F = M->function(K.Name);
  if (F)
    Modules.push_back(std::move(*M));
  return F;
}

bool Session::lacks(StringRef Key, StringRef Text) {
  std::optional<std::string> Why = whyEmulated(Key, G.facts().Architecture);
  if (!Why)
    Why = whyAbsent(Text, G.target());
  if (Why)
    Absent[Key.str()] = std::move(*Why);
  return Why.has_value();
}

Error Session::unlessAbsent(Error E) {
  bool IsAbsent = false;
  Error Rest = handleErrors(std::move(E),
                            [&](const AbsentKernel &) { IsAbsent = true; });
  if (!IsAbsent)
    return Rest;
  // What is left says in which kernel.
  consumeError(std::move(Rest));
  return Error::success();
}

/// Rows of table \p Name that are there already.
static json::Array rowsOf(const Database &Db, StringRef Name) {
  if (const json::Object *Tables = Db.file().getObject("tables"))
    if (const json::Object *Old = Tables->getObject(Name))
      if (const json::Array *Rows = Old->getArray("rows"))
        return *Rows;
  return {};
}

void Session::recordAbsent() {
  if (Absent.empty())
    return;
  json::Array Rows = rowsOf(Db, "absent");
  for (const auto &[Key, Why] : Absent) {
    json::Value Row = json::Array{Key, Why};
    if (!is_contained(Rows, Row))
      Rows.push_back(std::move(Row));
  }
  Db.setTable("absent",
              json::Object{{"columns", json::Array{"kernel", "why"}},
                           {"units", json::Array{"", ""}},
                           {"rows", std::move(Rows)},
                           {"source", "what the architecture has, as tables of "
                                      "the tool state it"},
                           {"date", today()}});
}

static Expected<unsigned> staticSharedBytes(const Driver &Cuda, CuFunction F) {
  int Bytes = 0;
  if (Error E = check(Cuda,
                      Cuda.FuncGetAttribute(
                          &Bytes, int(FunctionAttribute::StaticSharedBytes), F),
                      "cuFuncGetAttribute"))
    return std::move(E);
  return Bytes;
}

Error Session::needShared(StringRef Key, CuFunction F, unsigned Bytes) {
  Expected<unsigned> Static = staticSharedBytes(G.driver(), F);
  if (!Static)
    return Static.takeError();
  unsigned Most = G.facts().SharedBytesPerBlock;
  if (*Static + Bytes <= Most)
    return Error::success();
  std::string Why = formatv("needs {0} bytes of shared memory, a block has {1}",
                            *Static + Bytes, Most);
  Absent[Key.str()] = Why;
  return make_error<AbsentKernel>(std::move(Why));
}

Expected<Module> Session::load(const Microkernels &Given) {
  if (lacks(Given.Key, Given.Ptx))
    return make_error<AbsentKernel>(Absent[Given.Key]);
  Microkernels M = Given;
  M.Claim.Opcodes = opcodesOn(G.facts().Architecture, M.Claim.Opcodes);
  for (SassClaim &Claim : M.EntryClaims)
    Claim.Opcodes = opcodesOn(G.facts().Architecture, Claim.Opcodes);
  OnLoad(M);
  Expected<Module> Loaded = G.load(M.Ptx);
  // What is built in is the same in each run. The driver gives no machine code
  // of what it loads, so the text is compiled once more.
  if (Loaded && Checks.enabled() &&
      (Options.DisassembleBuiltIn || G.codeOf(M.Ptx).empty()))
    Checks.start(M, [this, Ptx = M.Ptx] { return G.compile(Ptx); });
  return Loaded;
}

void Session::recordChecks() {
  std::vector<SassVerdict> Verdicts = Checks.finish();
  if (Verdicts.empty())
    return;
  json::Array Rows = rowsOf(Db, "kernel_checks");
  // Groups share kernels.
  auto Add = [&](json::Array Row) {
    json::Value New = std::move(Row);
    if (!is_contained(Rows, New))
      Rows.push_back(std::move(New));
  };
  for (const SassVerdict &V : Verdicts) {
    bool IsClass =
        parseInstClass(V.Key) && Db.instructionValue(V.Key, "issue_cycles");
    if (IsClass)
      Db.setInstruction(V.Key, "sass",
                        json::Object{{"opcode", V.Claim.Opcodes},
                                     {"expected", V.Claim.Count},
                                     {"found", V.Worst.Found},
                                     {"verdict", V.Text}});
    else
      Add(json::Array{V.Key, V.Claim.Opcodes, V.Claim.Count, V.Worst.Found,
                      V.Worst.Others, V.Text});
  }
  Db.setTable("kernel_checks",
              json::Object{
                  {"columns", json::Array{"kernel", "opcode", "expected",
                                          "found", "others", "verdict"}},
                  {"units", json::Array{"", "", "count", "count", "count", ""}},
                  {"rows", std::move(Rows)},
                  {"source", "machine code as the driver's compiler made it, "
                             "nvdisasm"},
                  {"date", today()}});
}

Expected<double> Session::loopCycles() {
  if (LoopCycles)
    return *LoopCycles;
  const ArithmeticSpec *Add = find_if(arithmeticSpecs(), [](auto &Spec) {
    return StringRef(Spec.Key) == "fp32.add";
  });
  ArithmeticSpec Short = *Add;
  Short.Unroll = 128;
  double Cycles[2];
  const ArithmeticSpec *Both[] = {&Short, Add};
  for (const ArithmeticSpec *Spec : Both) {
    Expected<Module> M = G.load(arithmeticModule(*Spec, G.target()));
    if (!M)
      return M.takeError();
    Expected<CuFunction> F = M->function(arithmeticKernelName(1));
    if (!F)
      return F.takeError();
    Expected<CuDevicePtr> In =
        G.input(arithmeticInput(Spec->Kind, Spec->Width));
    if (!In)
      return In.takeError();
    Launch L;
    L.Function = *F;
    Expected<std::vector<double>> Samples =
        perIteration(L, 16, repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Cycles[Spec == Add] = summarize(*Samples).Minimum;
  }
  double PerStep = (Cycles[1] - Cycles[0]) / (Add->Unroll - Short.Unroll);
  LoopCycles = std::max(0.0, Cycles[1] - PerStep * Add->Unroll);
  return *LoopCycles;
}

void Session::releaseKernels() {
  Modules.clear();
  FlushKernel = ScatterKernel = NoiseKernel = nullptr;
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

Expected<CuDevicePtr> Session::scratch(size_t Bytes) {
  if (Shared && Shared->bytes() >= Bytes)
    return Shared->address();
  Shared.reset();
  Expected<DeviceBuffer> Buffer = G.allocate(Bytes);
  if (!Buffer)
    return Buffer.takeError();
  Shared = std::make_unique<DeviceBuffer>(std::move(*Buffer));
  return Shared->address();
}

Expected<uint64_t> Session::halvedToFit(uint64_t Bytes, unsigned Parts) {
  size_t Free = 0, Total = 0;
  if (Error E = check(G.driver(), G.driver().MemGetInfo(&Free, &Total),
                      "cuMemGetInfo"))
    return std::move(E);
  static constexpr uint64_t FewestBytes = uint64_t(1) << 20;
  while (Bytes >= FewestBytes && Bytes * Parts > Free / 2)
    Bytes /= 2;
  if (Bytes < FewestBytes)
    return createStringError("%zu bytes of device memory are free: too few to "
                             "measure with",
                             Free);
  return Bytes;
}

Expected<CuDevicePtr> Session::zeros(size_t Bytes) {
  Expected<CuDevicePtr> At = scratch(Bytes);
  if (!At)
    return At;
  if (Error E = G.fill(*At, 0, Bytes))
    return std::move(E);
  return *At;
}

Expected<CuDevicePtr> Session::noise(size_t Bytes) {
  Expected<CuDevicePtr> At = scratch(Bytes);
  if (!At)
    return At;
  if (Error E = fillNoise(*At, Bytes))
    return std::move(E);
  return *At;
}

Error Session::fillNoise(CuDevicePtr At, size_t Bytes) {
  if (!NoiseKernel) {
    Expected<Module> M = G.load(moduleHeader(G.target()) + noiseEntry());
    if (!M)
      return M.takeError();
    Expected<CuFunction> F = M->function("noise");
    if (!F)
      return F.takeError();
    Modules.push_back(std::move(*M));
    NoiseKernel = *F;
  }
  Launch L;
  L.Function = NoiseKernel;
  L.Blocks = sms() * 2;
  L.Threads = 1024;
  L.X = At;
  L.Y = Bytes / 16;
  return G.start(L);
}

Error Session::flushL2() {
  uint64_t Bytes = NextPowerOf2(G.facts().L2Bytes * 3);
  if (!FlushKernel) {
    Expected<CuFunction> F = entry(stream(StreamKind::Read, 16, 4, "cg"));
    if (!F)
      return F.takeError();
    FlushKernel = *F;
  }
  if (!Flush) {
    Expected<DeviceBuffer> Buffer = G.allocate(Bytes);
    if (!Buffer)
      return Buffer.takeError();
    Flush = std::make_unique<DeviceBuffer>(std::move(*Buffer));
    if (Error E = fillNoise(Flush->address(), Bytes))
      return E;
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
  if (std::optional<std::string> Why = whyImplausible(T))
    return createStringError("%s", Why->c_str());
  Occupancy.add(L.WarpsPerSm, T);
  if (T.Ns >= 100e3)
    ClockSamples.push_back(T.CyclesPerNs);
  return T;
}

Expected<std::vector<uint64_t>>
Session::cyclesAt(CuDevicePtr From, size_t Count, size_t Rows, size_t Stride) {
  assert(Stride >= Count && "rows overlap");
  std::vector<uint64_t> Cycles(Rows * Stride);
  if (Error E =
          G.download(Cycles.data(), From, Cycles.size() * sizeof(uint64_t)))
    return std::move(E);
  for (size_t Row = 1; Row != Rows; ++Row)
    std::copy_n(Cycles.begin() + Row * Stride, Count,
                Cycles.begin() + Row * Count);
  Cycles.resize(Rows * Count);
  for (uint64_t C : Cycles)
    if (C > MostCycles)
      return createStringError("an access took %llu cycles, where up to %llu "
                               "are possible",
                               (unsigned long long)C,
                               (unsigned long long)MostCycles);
  return Cycles;
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
  // Too short for all warps to be there at the same time.
  Launch Probe = L;
  Probe.WarpsPerSm = 0;
  Expected<std::vector<double>> First = perIteration(Probe, 2, 1, C);
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
  L.WarpsPerSm = Warps / BlocksPerSm * BlocksPerSm;
  // Just over what lets one more block fit.
  if (Sms > 1)
    L.SharedBytes = G.facts().SharedBytesPerSm / (BlocksPerSm + 1) + 1;
  return L;
}

Launch Session::fillSchedulers(CuFunction F, unsigned BlocksOf4) {
  Launch L;
  L.Function = F;
  L.Blocks = sms() * BlocksOf4;
  L.Threads = 128;
  L.WarpsPerSm = 4 * BlocksOf4;
  // What lets no further block fit; 1 KiB of each block is reserved, and
  // shared memory is given in units of 128 bytes.
  unsigned Share = G.facts().SharedBytesPerSm / (BlocksOf4 + 1) / 128 * 128;
  L.SharedBytes = Share + 128 - 1024;
  return L;
}

Error allowShared(Session &S, CuFunction F, unsigned Bytes) {
  Expected<unsigned> Static = staticSharedBytes(S.G.driver(), F);
  if (!Static)
    return Static.takeError();
  Bytes = std::min(Bytes, S.G.facts().SharedBytesPerBlock - *Static);
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

/// Fails where three quarters of the numbers that came since \p Before do not
/// settle.
///
/// Heuristic: on an H100 and an H200 (calibration/results) the group with the
/// largest share is `runtime`, 12 of 19; of instructions it is 2 of 280. A test
/// with a clock that goes at random notices a change.
static Error checkSettled(const Database &Db, const json::Object &Before) {
  static constexpr unsigned FewestNumbers = 8;
  const SettledCount Count = countSettled(Db.file(), Before);
  if (Count.Measured < FewestNumbers ||
      4 * Count.Unstable <= 3 * Count.Measured)
    return Error::success();
  return createStringError(
      "%u of %u numbers do not settle: the same launch takes another time each "
      "time; another program uses the GPU, or its clocks are wrong",
      Count.Unstable, Count.Measured);
}

Error runPlan(const Plan &P, Session &S) {
  const json::Object Before = S.Db.file();
  Error Failure = P.Run(S);
  Error Problems = S.Db.takeProblems();
  if (Failure || Problems)
    return joinErrors(std::move(Failure), std::move(Problems));
  // Numbers that differ between processes never settle over them.
  return P.InProcesses ? Error::success() : checkSettled(S.Db, Before);
}

ArrayRef<Plan> plans() {
  static const Plan Table[] = {
      {"chip", "what the driver states, and the clock", 0.1, measureChip},
      {"instructions", "latency, issue and throughput of each class", 8.3,
       measureInstructions},
      {"dependences", "latency between classes", 0.1, measureDependences},
      {"wgmma", "matrix products of warp groups, where there are any", 0.1,
       measureWarpGroupMma},
      {"shared", "shared memory and its bank conflicts", 0.4, measureShared},
      {"l1", "L1 hits, strides and lines", 0.1, measureL1},
      {"latencies", "L2 and DRAM latency, parts of L2", 5.3, measureLatencies},
      {"processes", "launches, copies and L2 writes, in several processes", 5.7,
       measureProcesses, true, true},
      {"bandwidth", "L2 and DRAM streams and random sectors", 3,
       measureBandwidth},
      {"constant", "constant and local memory, asynchronous copies", 0.2,
       measureConstant},
      {"atomics", "atomics by contention", 0.2, measureAtomics},
      {"contended", "atomics of many warps on few words", 1.4,
       measureContended},
      {"contention", "latency against throughput", 2.2, measureContention},
      {"runtime", "launches, blocks, barriers, branches, copies", 2.3,
       measureRuntime},
      {"ptx", "every PTX arithmetic instruction, optimized and not", 0.8,
       measurePtxTable},
      {"issue", "stores, calls, moves and other classes without a chain", 0.8,
       measureIssue},
      {"control", "loops, exits, sides of branches", 0.1, measureControl},
      {"code", "the instruction cache", 0.1, measureCode},
      {"queues", "what schedulers issue ahead of pipes", 0.1, measureQueues},
      {"geometry", "size, line and sector of the caches", 0.4, measureGeometry},
      {"access", "strides, unaligned and random accesses, addresses", 1.7,
       measureAccess},
      {"pipes", "which classes share a pipe, issue slots", 0.2, measurePipes},
      {"cluster", "shared memory of other SMs and barriers of clusters", 0.1,
       measureCluster},
      {"bulk", "bulk copies to shared memory, where there are any", 0.1,
       measureBulk},
      {"tensor",
       "tiles of tensors to shared memory, multicast, where there are", 0.1,
       measureTensor},
      {"pairs", "latency from each class to each other", 0.8,
       measureClassPairs},
      {"ceilings", "the instruction roofline, from what was measured", 0.1,
       measureCeilings},
      {"mixes", "grids of intensity and occupancy for judging models", 20,
       measureMixes, false},
  };
  return Table;
}

} // namespace gpuocc::calibration
