//===- PlansTest.cpp - All plans on a stand-in for a GPU -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/StandIn.h"
#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Support/InstClasses.h"
#include "plans/Microkernels.h"
#include "plans/Session.h"
#include "record/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <set>

using namespace gpuocc;
using namespace gpuocc::calibration;
using namespace llvm;

namespace {
/// What all plans write when no kernel runs: the form of a database.
class PlansOnStandIn : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    Driver StandIn = standInDriver();
    Expected<std::unique_ptr<Gpu>> G = Gpu::open(StandIn, 0);
    ASSERT_TRUE(bool(G)) << toString(G.takeError());
    RunOptions Options;
    Options.Repeats = 2;
    Db = new Database;
    Session S(**G, *Db, Options);
    for (const Plan &P : plans())
      if (P.ByDefault)
        if (Error E = P.Run(S))
          ADD_FAILURE() << P.Name << ": " << toString(std::move(E));
    Db->setTop("name", "stand-in");
    Db->setTop("display_name", "stand-in");
    Db->setTop("architecture", "sm_90");
    Db->setRecord("tool", "test");
  }
  static void TearDownTestSuite() { delete Db; }
  static inline Database *Db = nullptr;
};
} // namespace

TEST_F(PlansOnStandIn, WriteADatabaseWithoutProblems) {
  EXPECT_EQ(join(lintDatabase(Db->file()), "\n"), "");
}

TEST_F(PlansOnStandIn, TimeEveryInstructionClass) {
  std::string Missing;
  for (unsigned I = 0; I < NumInstClasses; ++I) {
    StringRef Key = instClassKey(InstClass(I));
    bool Timed = Db->instructionValue(Key, "issue_cycles") ||
                 Db->instructionValue(Key, "latency_cycles");
    if (!Timed && Key != "unknown")
      Missing += Key.str() + " ";
  }
  EXPECT_EQ(Missing, "");
}

TEST_F(PlansOnStandIn, DoNotStateIssueSlotsThatTheyDidNotSee) {
  // The stand-in's time does not depend on what a kernel does, so nothing is
  // seen to take more than a slot.
  for (const auto &Class : *Db->file().getObject("instructions"))
    EXPECT_FALSE(Db->instructionValue(Class.first, "issue_slots"))
        << StringRef(Class.first).str();
}

/// The texts that all plans load: the name of the first kernel and a hash.
static std::set<std::string> loadedTexts(const Driver &Cuda) {
  std::set<std::string> Texts;
  auto Add = [&](StringRef Ptx, int) {
    const StringRef Name =
        Ptx.split(".entry ").second.take_until([](char C) { return C == '('; });
    Texts.insert((Name + " " + utohexstr(xxh3_64bits(Ptx))).str());
  };
  if (Error E = visitLoadedTexts(Cuda, Add))
    ADD_FAILURE() << toString(std::move(E));
  return Texts;
}

TEST(Plans, LoadTheSameKernelsWhateverTheyMeasure) {
  // Else the machine code that is built in, and the checks of it, are of other
  // kernels than those that a GPU runs.
  Driver Steady = standInDriver(), Erratic = Steady;
  static uint64_t State;
  State = 1;
  Erratic.LaunchKernel = [](CuFunction, unsigned Blocks, unsigned, unsigned,
                            unsigned Threads, unsigned, unsigned, unsigned,
                            CuStream, void **Arguments, void **) {
    auto *Records = *static_cast<WarpRecord **>(Arguments[0]);
    State = State * 6364136223846793005u + 1442695040888963407u;
    uint64_t Each = 20 + (State >> 56);
    uint64_t Cycles = 30 + Each * *static_cast<uint64_t *>(Arguments[2]);
    size_t Warps = size_t(Blocks) * ((Threads + 31) / 32);
    if (Warps <= WarpRecordLimit)
      for (size_t W = 0; W < Warps; ++W)
        Records[W] = {1000, 1000 + Cycles, 0, Cycles / 2, W % 132, 0};
    return 0;
  };
  const std::set<std::string> Expected = loadedTexts(Steady),
                              Loaded = loadedTexts(Erratic);
  std::vector<std::string> Differ;
  std::set_symmetric_difference(Expected.begin(), Expected.end(),
                                Loaded.begin(), Loaded.end(),
                                std::back_inserter(Differ));
  EXPECT_EQ(join(Differ, "\n"), "");
}

namespace {
/// A line of kernel-checks.tsv.
struct RecordedCheck {
  std::string Hash, Verdict;
};
} // namespace

/// What `gpu-occupancy-calibrate kernels` printed with ptxas and nvdisasm 13.0.
static StringMap<RecordedCheck> recordedChecks() {
  StringMap<RecordedCheck> Checks;
  auto Buffer = MemoryBuffer::getFile(
      GPUOCC_SOURCE_DIR "/test/unit/Calibration/data/kernel-checks.tsv");
  if (!Buffer)
    return Checks;
  for (StringRef Line : split((*Buffer)->getBuffer(), '\n')) {
    SmallVector<StringRef, 8> Cells;
    Line.split(Cells, '\t');
    if (Cells.size() == 7)
      Checks[Cells[0]] = {Cells[1].str(), Cells[6].str()};
  }
  return Checks;
}

TEST(Microkernels, AreTheOnesThatWereCheckedAndHoldWhatTheyClaim) {
  StringMap<RecordedCheck> Checks = recordedChecks();
  Expected<MicrokernelSet> All = allMicrokernels();
  ASSERT_TRUE(bool(All)) << toString(All.takeError());
  EXPECT_GT(All->Modules.size(), 250u);
  EXPECT_TRUE(All->Absent.empty());
  for (const Microkernels &M : All->Modules) {
    auto Recorded = Checks.find(M.Key);
    if (Recorded == Checks.end()) {
      ADD_FAILURE() << M.Key << ": no recorded check";
      continue;
    }
    EXPECT_EQ(Recorded->second.Hash,
              "0x" + utohexstr(xxh3_64bits(M.Ptx), true, 16))
        << M.Key
        << ": changed since its machine code was checked; write "
           "data/kernel-checks.tsv anew with gpu-occupancy-calibrate kernels";
    EXPECT_EQ(Recorded->second.Verdict, "as claimed") << M.Key;
    Checks.erase(Recorded);
  }
  for (const auto &Left : Checks)
    ADD_FAILURE() << Left.first().str() << ": recorded, but no such kernel";
}

TEST(Microkernels, ClaimSomething) {
  Expected<MicrokernelSet> All = allMicrokernels();
  ASSERT_TRUE(bool(All)) << toString(All.takeError());
  StringSet<> Stems;
  for (const Microkernels &M : All->Modules) {
    EXPECT_GT(M.Claim.Count, 0) << M.Key;
    EXPECT_FALSE(M.Claim.Opcodes.empty()) << M.Key;
    EXPECT_FALSE(M.Entries.empty()) << M.Key;
    EXPECT_TRUE(Stems.insert(fileStem(M.Key)).second) << M.Key;
  }
}

TEST(Judge, TakesTheWorstEntry) {
  const char *Sass = ".text.one:\n"
                     ".L_x_0:\n"
                     "        /*0100*/  FADD R1, R1, R3 ;\n"
                     "        /*0110*/  FADD R1, R1, R3 ;\n"
                     "        /*0120*/  @P0 BRA `(.L_x_0) ;\n"
                     "\n//----\n"
                     ".text.two:\n"
                     ".L_x_1:\n"
                     "        /*0100*/  FADD R1, R1, R3 ;\n"
                     "        /*0120*/  @P0 BRA `(.L_x_1) ;\n";
  Microkernels M{"fp32.add", {"one", "two"}, "", {"FADD", 2}};
  EXPECT_EQ(judge(M, Sass).Text, "another count");
  M.Entries = {"one"};
  EXPECT_EQ(judge(M, Sass).Text, "as claimed");
  M.Claim.WholeKernel = true;
  EXPECT_EQ(judge(M, Sass).Worst.Found, 2);
}

TEST(Judge, HoldsEachEntryToItsOwnClaim) {
  const char *Sass = ".text.one:\n"
                     ".L_x_0:\n"
                     "        /*0100*/  FADD R1, R1, R3 ;\n"
                     "        /*0120*/  @P0 BRA `(.L_x_0) ;\n"
                     "\n//----\n"
                     ".text.two:\n"
                     ".L_x_1:\n"
                     "        /*0100*/  FMUL R1, R1, R3 ;\n"
                     "        /*0120*/  @P0 BRA `(.L_x_1) ;\n";
  Microkernels M{"after fp32.add",
                 {"one", "two"},
                 "",
                 {"FADD", 1},
                 {{"FADD", 1}, {"FMUL", 1}}};
  EXPECT_EQ(judge(M, Sass).Text, "as claimed");
  M.EntryClaims[1] = {"FFMA", 1};
  SassVerdict V = judge(M, Sass);
  EXPECT_EQ(V.Text, "opcode not found");
  EXPECT_EQ(V.Claim.Opcodes, "FFMA");
}

TEST(Judge, LocalMemoryIsNoSpillWhereItIsClaimed) {
  const char *Sass = ".text.k:\n"
                     ".L_x_0:\n"
                     "        /*0100*/  LDL R1, [R1] ;\n"
                     "        /*0120*/  @P0 BRA `(.L_x_0) ;\n";
  EXPECT_EQ(judge({"ld.local", {"k"}, "", {"LDL|LDL.64", 1}}, Sass).Text,
            "as claimed");
  EXPECT_EQ(judge({"fp32.add", {"k"}, "", {"FADD", 1}}, Sass).Text, "spills");
}
