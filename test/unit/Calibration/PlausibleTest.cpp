//===- PlausibleTest.cpp - Clocks that are wrong --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stats/Plausible.h"
#include "driver/StandIn.h"
#include "plans/Session.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace gpuocc::calibration;
using namespace llvm;
using testing::AnyOf;
using testing::HasSubstr;

static constexpr double Infinity = std::numeric_limits<double>::infinity();

/// A warp of 100 cycles in 50 ns.
static WarpRecord plainWarp() { return {1000, 1100, 5000, 5050, 0, 0}; }

static std::string whyOf(const WarpRecord &R) {
  return whyImplausible(ArrayRef(R)).value_or("");
}

TEST(PlausibleWarp, EndsAfterItStartsAndWithinAnHour) {
  EXPECT_EQ(whyOf(plainWarp()), "");
  WarpRecord R = plainWarp();
  R.EndClock = R.StartClock - 1;
  EXPECT_THAT(whyOf(R), HasSubstr("ended before it started, by the clock"));
  R.EndClock = R.StartClock;
  EXPECT_THAT(whyOf(R), HasSubstr("took no cycle"));
  R.EndClock = R.StartClock + 1;
  EXPECT_EQ(whyOf(R), "");
  R.EndClock = R.StartClock + MostCycles + 1;
  EXPECT_THAT(whyOf(R), HasSubstr("longer than an hour, by the clock"));
  R = plainWarp();
  R.EndTime = R.StartTime - 1;
  EXPECT_THAT(whyOf(R), HasSubstr("ended before it started, by the global"));
  R.EndTime = ~uint64_t(0);
  EXPECT_THAT(whyOf(R), HasSubstr("longer than an hour, by the global"));
  // The timer ticks every microsecond only.
  R.EndTime = R.StartTime;
  EXPECT_EQ(whyOf(R), "");
}

TEST(PlausibleWarp, IsNamedByItsPlace) {
  std::vector<WarpRecord> Records(3, plainWarp());
  Records[1].EndClock = 0;
  EXPECT_EQ(whyImplausible(Records).value_or(""),
            "warp 1 of 3 ended before it started, by the clock of its SM: "
            "clock 1000 to 0, timer 5000 to 5050");
}

TEST(PlausibleLaunch, HasAClockBetween10MHzAnd10GHz) {
  WarpTimes T;
  T.Ns = 200e3;
  T.CyclesPerNs = 1.8;
  EXPECT_FALSE(whyImplausible(T));
  T.CyclesPerNs = 0.009;
  EXPECT_THAT(whyImplausible(T).value_or(""), HasSubstr("0.0090 GHz"));
  T.CyclesPerNs = 11;
  EXPECT_TRUE(whyImplausible(T));
  // Of short launches the timer says nothing.
  T.Ns = 1000;
  EXPECT_FALSE(whyImplausible(T));
  T.Ns = 0;
  EXPECT_FALSE(whyImplausible(T));
  T.SmCyclesMax = 3e6;
  EXPECT_THAT(whyImplausible(T).value_or(""), HasSubstr("stood still"));
}

TEST(PlausibleNumber, IsFiniteAndInTheRangeOfItsUnit) {
  struct Case {
    double Value;
    const char *Unit;
    bool MayBe;
  };
  for (const Case &C :
       std::initializer_list<Case>{{4, "cycle", true},
                                   {0, "cycle", true},
                                   {-0.003, "cycle", true},
                                   {-4, "cycle", false},
                                   {1e9, "cycle", false},
                                   {std::nan(""), "cycle", false},
                                   {Infinity, "GB/s", false},
                                   {0, "GB/s", false},
                                   {4814, "GB/s", true},
                                   {0, "warp_inst/cycle/SM", false},
                                   {std::nan(""), "no such unit", false},
                                   {-1, "no such unit", false},
                                   {1e30, "no such unit", true}})
    EXPECT_EQ(!whyImplausible(C.Value, C.Unit), C.MayBe)
        << C.Value << ' ' << C.Unit;
}

TEST(PlausibleSpread, TakesThreeSamplesToTell) {
  EXPECT_FALSE(whyImplausibleSpread(100, "cycle", 5, 2));
  EXPECT_TRUE(whyImplausibleSpread(100, "cycle", 5, 3));
  EXPECT_FALSE(whyImplausibleSpread(100, "cycle", 0.2, 25));
  // Around 0 every spread is wide.
  EXPECT_FALSE(whyImplausibleSpread(0.01, "cycle", 50, 25));
  EXPECT_TRUE(whyImplausibleSpread(0.01, "GB/s", 50, 25));
}

TEST(PlausibleDuration, IsMoreThanNothing) {
  EXPECT_FALSE(whyNoDuration(1e6, false));
  for (double Wrong : {0.0, -1.0, std::nan(""), Infinity, 1e15})
    EXPECT_TRUE(whyNoDuration(Wrong, false)) << Wrong;
  EXPECT_FALSE(whyNoDuration(0, true));
  EXPECT_TRUE(whyNoDuration(-1, true));
}

TEST(PlausibleDatabase, KeepsNoNumberThatCannotBe) {
  Database Db;
  Summary S;
  S.Samples = 5;
  S.Mean = S.Minimum = std::nan("");
  Db.set("memory", "l2_hit_latency_cycles",
         measured(S, Take::Mean, "cycle", "test"));
  Db.setInstruction("fp32.add", "latency_cycles", derived(-4, "cycle", "test"));
  Db.set("memory", "l1_bytes", vendor(0, "byte", "test"));
  EXPECT_FALSE(Db.value("memory", "l2_hit_latency_cycles"));
  EXPECT_FALSE(Db.instructionValue("fp32.add", "latency_cycles"));
  EXPECT_EQ(Db.value("memory", "l1_bytes"), 0.0);
  EXPECT_EQ(toString(Db.takeProblems()),
            "memory.l2_hit_latency_cycles is not finite; and 1 more");
  EXPECT_EQ(toString(Db.takeProblems()), "");
}

namespace {
/// What a run of the plans in \p Names says with the launches of \p Faulty.
class OnStandIn : public testing::Test {
protected:
  std::string problems(const Driver &Cuda, ArrayRef<StringRef> Names) {
    Expected<std::unique_ptr<Gpu>> G = Gpu::open(Cuda, 0);
    if (!G)
      return toString(G.takeError());
    RunOptions Options;
    Options.Repeats = 5;
    Options.Quick = true;
    Database Db;
    Session S(**G, Db, Options);
    std::string Text;
    for (const Plan &P : plans())
      if (is_contained(Names, P.Name))
        Text += toString(runPlan(P, S));
    return Text;
  }
};
} // namespace

template <typename Function> static Driver withRecords(Function) {
  Driver Cuda = standInDriver();
  Cuda.LaunchKernel = [](CuFunction, unsigned Blocks, unsigned, unsigned,
                         unsigned Threads, unsigned, unsigned, unsigned,
                         CuStream, void **Arguments, void **) {
    auto *Records = *static_cast<WarpRecord **>(Arguments[0]);
    const uint64_t Cycles = 30 + 100 * *static_cast<uint64_t *>(Arguments[2]);
    const size_t Warps = size_t(Blocks) * ((Threads + 31) / 32);
    for (size_t W = 0; W < Warps && Warps <= WarpRecordLimit; ++W) {
      Records[W] = {1000, 1000 + Cycles, 0, Cycles / 2, W % 132, 0};
      Function()(Records[W]);
    }
    return 0;
  };
  return Cuda;
}

TEST_F(OnStandIn, PlainClocksPass) {
  EXPECT_EQ(problems(standInDriver(), {"chip", "control", "runtime"}), "");
}

TEST_F(OnStandIn, WarpsThatEndBeforeTheyStartAreRefused) {
  EXPECT_THAT(problems(withRecords([](WarpRecord &R) {
                         std::swap(R.StartClock, R.EndClock);
                       }),
                       {"control"}),
              HasSubstr("ended before it started"));
}

TEST_F(OnStandIn, ClocksThatStandStillAreRefused) {
  EXPECT_THAT(
      problems(withRecords([](WarpRecord &R) { R.EndClock = R.StartClock; }),
               {"control"}),
      HasSubstr("took no cycle"));
}

TEST_F(OnStandIn, ClocksThatGoAtRandomAreRefused) {
  static uint64_t State;
  State = 1;
  EXPECT_THAT(problems(withRecords([](WarpRecord &R) {
                         // All warps of a launch once to four times as
                         // long: 2 to 8 GHz.
                         if (R.Sm == 0)
                           State = State * 6364136223846793005u + 1;
                         R.EndClock +=
                             (R.EndClock - R.StartClock) * (State >> 62);
                       }),
                       {"shared"}),
              AnyOf(HasSubstr("do not settle"), HasSubstr("too far apart"),
                    HasSubstr("are possible")));
}

TEST_F(OnStandIn, EventsWithoutATimeAreRefused) {
  Driver Cuda = standInDriver();
  Cuda.EventElapsedTime = [](float *Ms, CuEvent, CuEvent) {
    return *Ms = std::numeric_limits<float>::quiet_NaN(), 0;
  };
  EXPECT_THAT(problems(Cuda, {"runtime"}), HasSubstr("between two events"));
  Cuda.EventElapsedTime = [](float *Ms, CuEvent, CuEvent) {
    return *Ms = 0, 0;
  };
  EXPECT_THAT(problems(Cuda, {"runtime"}), HasSubstr("between two events"));
}

TEST_F(OnStandIn, GpusOfNothingAreRefused) {
  Driver Cuda = standInDriver();
  Cuda.DeviceTotalMem = [](size_t *Bytes, CuDevice) { return *Bytes = 0, 0; };
  EXPECT_THAT(problems(Cuda, {}), HasSubstr("states 0 bytes of memory"));
  Cuda = standInDriver();
  Cuda.DeviceGetAttribute = [](int *Value, int Attribute, CuDevice) {
    return *Value = Attribute == int(DeviceAttribute::MajorVersion) ? 9 : 0, 0;
  };
  EXPECT_THAT(problems(Cuda, {}), HasSubstr("states 0 SMs"));
  Cuda = standInDriver();
  Cuda.MemGetInfo = [](size_t *Free, size_t *Total) {
    return *Free = *Total = 0, 0;
  };
  EXPECT_THAT(problems(Cuda, {"latencies"}),
              HasSubstr("0 bytes of device memory are free"));
}

TEST_F(OnStandIn, NothingBeginsAfterTheLimit) {
  const Driver Cuda = standInDriver();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(Cuda, 0);
  ASSERT_TRUE(bool(G)) << toString(G.takeError());
  (*G)->setDeadline(std::chrono::steady_clock::now(), "over");
  EXPECT_EQ(toString((*G)->start({})), "over");
  EXPECT_EQ(toString((*G)->load("").takeError()), "over");
  (*G)->clearDeadline();
  EXPECT_EQ(toString((*G)->load("").takeError()), "");
}

TEST(Recorded, NumbersOfGpusArePlausible) {
  for (const char *Run : {"nvidia-h200/2026-11-23T0636/first-run.json",
                          "nvidia-h100/2026-11-23T0639/second-run.json"}) {
    Expected<json::Object> File = readObject(
        std::string(GPUOCC_SOURCE_DIR "/calibration/results/") + Run);
    ASSERT_TRUE(bool(File)) << toString(File.takeError());
    EXPECT_THAT(lintDatabase(*File), testing::IsEmpty()) << Run;
    // Put in one by one they raise no problem either.
    Database Db;
    for (StringRef Section : {"chip", "memory", "runtime"})
      for (const auto &[Key, Value] : *File->getObject(Section))
        Db.set(Section, Key, Value);
    for (const auto &[Class, Entry] : *File->getObject("instructions"))
      for (const auto &[Key, Value] : *Entry.getAsObject())
        Db.setInstruction(Class, Key, Value);
    EXPECT_EQ(toString(Db.takeProblems()), "") << Run;
  }
}
