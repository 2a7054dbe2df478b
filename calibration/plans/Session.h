//===- Session.h - What a plan measures with -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The GPU, the database in the making, the options of the run, and the ways
/// of timing a kernel that plans share.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_SESSION_H
#define GPUOCC_CALIBRATION_PLANS_SESSION_H

#include "SassChecks.h"
#include "driver/Gpu.h"
#include "record/Database.h"
#include "stats/WarpTimes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <map>

namespace gpuocc::calibration {

struct RunOptions {
  unsigned Repeats = 25;
  bool Quick = false;
  std::string Disassembler; ///< Path of nvdisasm; empty: no SASS check.
  /// Check the code that is built in, too, not only what the driver compiles.
  bool DisassembleBuiltIn = false;
  /// No machine code is built in for this GPU: kernels take time to compile.
  bool DriverCompiles = false;
};

/// Which time of a launch is taken.
enum class Clock { Warp, Sm, SmMax };

class Session {
public:
  Session(Gpu &G, Database &Db, RunOptions Options)
      : G(G), Db(Db), Options(std::move(Options)),
        Checks(this->Options.Disassembler) {}

  Gpu &G;
  Database &Db;
  RunOptions Options;
  /// Called with the share of the running plan that is done, 0 to 1.
  std::function<void(double)> OnProgress = [](double) {};
  /// Raw tables for result files.
  std::map<std::string, Table> Raw;
  /// Of the launches of fillSms() and fillSchedulers() that were timed.
  OccupancyCheck Occupancy;

  unsigned sms() const { return G.facts().SmCount; }
  /// Repeats for numbers, and for the points of a curve.
  unsigned repeats() const { return Options.Repeats; }
  unsigned curveRepeats() const { return Options.Quick ? 2 : 5; }

  /// Cycles of one loop iteration, one sample a repeat: the time of 2 N
  /// iterations less that of N, over N. Start, end and cold caches cancel.
  llvm::Expected<std::vector<double>> perIteration(Launch L, uint64_t N,
                                                   unsigned Repeats, Clock C);
  /// As above with N chosen so that a launch takes about \p TargetCycles.
  llvm::Expected<std::vector<double>>
  perIteration(Launch L, unsigned Repeats, Clock C, double TargetCycles = 12e3);

  /// One launch, reduced. Fails where the clocks of the GPU cannot be right.
  llvm::Expected<WarpTimes> time(const Launch &L);

  /// Numbers of cycles that a kernel wrote to \p From: the first \p Count of
  /// each of \p Rows rows, which are \p Stride numbers apart. Fails where one
  /// is more than any access takes.
  llvm::Expected<std::vector<uint64_t>> cyclesAt(CuDevicePtr From, size_t Count,
                                                 size_t Rows, size_t Stride);

  /// Blocks and threads for \p Warps on each of \p Sms SMs, with the shared
  /// memory that keeps further blocks off an SM.
  Launch fillSms(CuFunction F, unsigned Warps, unsigned Sms);

  /// Loads module text with one entry \p K and returns its function; the
  /// module stays loaded while the session lives.
  llvm::Expected<CuFunction> entry(const TimedKernel &K,
                                   bool ArchitectureSpecific = false);

  /// Loads the module \p M. Its machine code is checked beside the measurements
  /// where there is a disassembler. An AbsentKernel, noted, where the GPU's
  /// architecture lacks an instruction of it.
  llvm::Expected<Module> load(const Microkernels &M);

  /// Whether the GPU's architecture has no kernel with the PTX \p Text, or none
  /// of class \p Key. If so, it is noted.
  bool lacks(llvm::StringRef Key, llvm::StringRef Text);

  /// Success where \p E tells of an AbsentKernel, which leaves numbers absent
  /// and is no failure; else \p E.
  static llvm::Error unlessAbsent(llvm::Error E);

  /// Classes and kernels that the GPU lacks, with the reason.
  std::map<std::string, std::string> Absent;
  /// Writes them into the table `absent`.
  void recordAbsent();

  /// An AbsentKernel, noted, where a block of \p Key with \p Bytes of dynamic
  /// shared memory is more than the GPU takes.
  llvm::Error needShared(llvm::StringRef Key, CuFunction F, unsigned Bytes);

  /// Whether an SM holds \p Warps.
  bool fits(unsigned Warps) const {
    return Warps * 32 <= G.facts().ThreadsPerSm;
  }

  /// Called with each module that load() is given and that the GPU has.
  std::function<void(const Microkernels &)> OnLoad = [](auto &) {};

  /// Writes the verdicts on the kernels loaded so far: with their instruction
  /// class, or into the table `kernel_checks`.
  void recordChecks();

  /// Cycles that one loop iteration costs a lone warp beyond its steps: the
  /// same chain unrolled 128 and 512 times. Measured once.
  llvm::Expected<double> loopCycles();

  /// Unloads what entry() loaded; functions it returned are no longer valid.
  void releaseKernels();

  /// The kernel that stores (address, value) pairs.
  llvm::Expected<CuFunction> scatter();

  /// Device memory of at least \p Bytes that plans share. It is kept to the
  /// end: after a large buffer is freed, the driver cleans its memory beside
  /// the next kernels, and DRAM was seen 15 % slower for a tenth of a second.
  llvm::Expected<CuDevicePtr> scratch(size_t Bytes);

  /// \p Bytes, halved until \p Parts buffers of that size take no more than
  /// half of the free device memory. Fails where little is left.
  llvm::Expected<uint64_t> halvedToFit(uint64_t Bytes, unsigned Parts = 1);

  /// The same, filled with zeros.
  llvm::Expected<CuDevicePtr> zeros(size_t Bytes);

  /// The same, filled with hashed words.
  llvm::Expected<CuDevicePtr> noise(size_t Bytes);

  /// \p BlocksOf4 blocks of 4 warps on each SM, one warp a scheduler, and no
  /// more: for any whole number of warps per scheduler.
  Launch fillSchedulers(CuFunction F, unsigned BlocksOf4);

  /// Reads four times the L2 size elsewhere, so that a later load misses.
  llvm::Error flushL2();
  /// Run before each launch of time(); set by a plan, by way of
  /// BeforeEachLaunch.
  std::function<llvm::Error()> Before;

  /// SM clock seen in launches of at least 100 us, cycles per ns.
  std::vector<double> ClockSamples;

private:
  std::vector<Module> Modules;
  SassChecks Checks;
  std::optional<double> LoopCycles;
  llvm::Error fillNoise(CuDevicePtr At, size_t Bytes);
  std::unique_ptr<DeviceBuffer> Shared, Flush;
  CuFunction FlushKernel = nullptr, ScatterKernel = nullptr,
             NoiseKernel = nullptr;
};

/// Runs \p Before ahead of every timed launch for as long as it lives.
class BeforeEachLaunch {
public:
  BeforeEachLaunch(Session &S, std::function<llvm::Error()> Before) : S(S) {
    S.Before = std::move(Before);
  }
  ~BeforeEachLaunch() { S.Before = nullptr; }

private:
  Session &S;
};

/// Lets launches of \p F use \p Bytes of dynamic shared memory, or as much as
/// the GPU has beside what \p F declares.
llvm::Error allowShared(Session &S, CuFunction F, unsigned Bytes);

/// Shares of shared memory and L1: 0 for all L1, 100 for all shared.
llvm::Error setCarveout(Session &S, CuFunction F, unsigned Percent);

/// A group of measurements.
struct Plan {
  const char *Name;
  const char *Title;
  double Seconds; ///< On an H100 with built-in code, for the bar.
  llvm::Error (*Run)(Session &);
  bool ByDefault = true; ///< False: only when named.
  /// True: what it measures is steady within a process and another in the
  /// next one, so it is measured in several; see record/Pool.h.
  bool InProcesses = false;
};
llvm::ArrayRef<Plan> plans();

/// Runs \p P in this process. Fails as the plan does, and where a number that
/// it measured can be none of a GPU, or most of them do not settle.
llvm::Error runPlan(const Plan &P, Session &S);

llvm::Error measureChip(Session &S);
llvm::Error measureInstructions(Session &S);
llvm::Error measureDependences(Session &S);
llvm::Error measureClassPairs(Session &S);
llvm::Error measureWarpGroupMma(Session &S);
llvm::Error measureShared(Session &S);
llvm::Error measureL1(Session &S);
llvm::Error measureLatencies(Session &S);
llvm::Error measureBandwidth(Session &S);
llvm::Error measureConstant(Session &S);
llvm::Error measureAtomics(Session &S);
llvm::Error measureContended(Session &S);
llvm::Error measureContention(Session &S);
llvm::Error measureIssue(Session &S);
llvm::Error measureControl(Session &S);
llvm::Error measureCode(Session &S);
llvm::Error measureQueues(Session &S);
llvm::Error measurePipes(Session &S);
llvm::Error measureGeometry(Session &S);
llvm::Error measureAccess(Session &S);
llvm::Error measureCluster(Session &S);
llvm::Error measureBulk(Session &S);
llvm::Error measureTensor(Session &S);
llvm::Error measureCeilings(Session &S);
llvm::Error measureRuntime(Session &S);
llvm::Error measureProcesses(Session &S);
/// The number l2_write_bytes_per_cycle_sm.
llvm::Error measureL2Writes(Session &S);
llvm::Error measurePtxTable(Session &S);
llvm::Error measureMixes(Session &S);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_SESSION_H
