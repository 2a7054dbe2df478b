//===- AssessTest.cpp - Tests of findings, their order and prices ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assess/Assess.h"
#include "PricingBudget.h"
#include "Rules.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Support/InstClasses.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpuocc;
using namespace llvm;

namespace {

/// p[threadIdx.x * Stride] = x: one store, lanes \p StrideBytes apart.
KernelFacts storeWithStride(int64_t StrideBytes) {
  KernelFacts F;
  F.Name = F.Demangled = "store";
  F.Architecture = "sm_90";
  F.Place = {"k.cu", 3, 0, "store"};
  F.Parameters.resize(1);
  F.Parameters[0] = {"p", 0, 8, 256, true, false};
  F.Resources.RegistersPerThread = 16;
  F.Resources.IsEstimate = false;
  F.Locations.edit().resize(1);
  F.Locations.edit()[0].Places = {{"k.cu", 5, 9, "store"}};
  Operation Tid, Base, Address, Store, Exit;
  Tid.What = Semantics::SReg;
  Tid.SReg = SpecialReg::TidX;
  Tid.Emits = {{InstClass::S2R, 1, 1}};
  Base.What = Semantics::Param;
  Base.Bits = 64;
  Address.What = Semantics::MadWideU;
  Address.Bits = 64;
  Address.Emits = {{InstClass::IMadWide, 1, 1}};
  Address.Operands = {Operand::value(0), Operand::immediate(StrideBytes),
                      Operand::value(1)};
  Store.Emits = {{InstClass::StGlobal, 1, 1}};
  Store.NumResults = 0;
  Store.Access = 0;
  Store.Operands = {Operand::value(2)};
  Exit.Emits = {{InstClass::Exit, 1, 1}};
  Exit.NumResults = 0;
  F.Operations = {Tid, Base, Address, Store, Exit};
  for (Operation &O : F.Operations) {
    O.Block = 0;
    O.Location = 0;
  }
  F.Blocks.resize(1);
  F.Blocks[0].NumOps = uint32_t(F.Operations.size());
  MemoryAccess Access;
  Access.Op = 3;
  Access.Space = MemorySpace::Global;
  Access.Kind = AccessKind::Store;
  Access.Base = Operand::value(2);
  F.Accesses = {Access};
  return F;
}

Launch launchOf(uint64_t Threads) {
  Launch L;
  L.Block = {{Threads, 1, 1}, "test"};
  L.Grid = Sourced<Dim3>{{1u << 16, 1, 1}, "test"};
  L.DynamicSharedBytes = {0, "test"};
  return L;
}

const DeviceModel &h200() {
  static DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  return Device;
}

KernelReport assessed(int64_t StrideBytes, const AssessOptions &Options = {}) {
  KernelFacts F = storeWithStride(StrideBytes);
  cantFail(verifyFacts(F));
  return cantFail(assess(F, launchOf(256), h200(), Options));
}

const Finding *find(const KernelReport &R, RuleId Rule) {
  for (const Finding &F : R.Findings)
    if (F.Rule == Rule)
      return &F;
  return nullptr;
}

TEST(Assess, LanesApartAreFoundAndPriced) {
  KernelReport R = assessed(128);
  const Finding *F = find(R, RuleId::UncoalescedAccess);
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Location.innermost().Line, 5u);
  EXPECT_THAT(F->text(),
              testing::HasSubstr("touches 32 sectors of 32 B where 4 hold its "
                                 "data (lanes are 128 B (32 elements) apart)"));
  ASSERT_TRUE(bool(F->Gain));
  EXPECT_GT(*F->Gain, 1.2);
  EXPECT_TRUE(F->BoundAfter);
}

TEST(Assess, AdviceOfTheAssemblerHasShortNames) {
  KernelFacts F = storeWithStride(4);
  F.Name = "_Z5storeI4TileILi64ELi128EEEvPT_";
  F.Demangled = "void store<Tile<64, Layout<Shape<1, 2>, Shape<3, 4>>>, "
                "Epilogue<Shape<1, 2>>>(Tile<64>*)";
  F.Resources.Advisories = {{"C7510", "serialized in '" + F.Name + "'", {}},
                            {"C7508", "ignored", {}}};
  const KernelReport R = cantFail(assess(F, launchOf(256), h200(), {}));
  std::vector<std::string> Texts;
  for (const Finding &Found : R.Findings)
    if (Found.Rule == RuleId::AssemblerAdvisory)
      Texts.push_back(Found.text());
  ASSERT_EQ(Texts.size(), 2u);
  EXPECT_THAT(Texts,
              testing::Not(testing::Contains(testing::HasSubstr("_Z5store"))));
  EXPECT_THAT(Texts, testing::Contains(
                         testing::HasSubstr("serialized in 'store<Tile<")));
  EXPECT_THAT(Texts, testing::Contains(testing::HasSubstr("ignored (C7508)")));
}

TEST(Assess, MissingNumbersAreNamedOnceAndWidenTheInterval) {
  DeviceModel Device = h200();
  for (Quantity Q : {Quantity::ColdStart, Quantity::L2WriteBytesPerCycle,
                     Quantity::DramFetchBytes})
    Device.Quantities.erase(Q);
  Device.Contention.clear();
  const KernelReport R = cantFail(
      assess(storeWithStride(4), launchOf(256), Device, AssessOptions()));
  EXPECT_THAT(R.Predicted.Borrowed,
              testing::ElementsAre("cold_start_cycles (none)",
                                   "contention.l2_read (none)",
                                   "dram_fetch_bytes (sm_90)",
                                   "l2_write_bytes_per_cycle_sm "
                                   "(l2_read_bytes_per_cycle_sm)"));
  EXPECT_THAT(R.Predicted.Interval->DependsOn,
              testing::Contains("numbers that are not known of nvidia-h200"));
  EXPECT_THAT(assessed(4).Predicted.Borrowed, testing::IsEmpty());
}

TEST(Assess, MissingNumbersWidenTheIntervalAsFarAsTheyShiftTheTime) {
  DeviceModel Device = h200();
  Device.Instructions[InstClass::IMadWide].LatencyCycles.reset();
  const KernelReport Whole = assessed(4);
  const KernelReport R = cantFail(
      assess(storeWithStride(4), launchOf(256), Device, AssessOptions()));
  EXPECT_THAT(R.Predicted.Borrowed,
              testing::ElementsAre(testing::StartsWith("int.mad_wide")));
  // One multiplication in a kernel that DRAM bounds.
  EXPECT_THAT(R.Predicted.Interval->DependsOn,
              testing::ElementsAre("the model"));
  EXPECT_EQ(R.Predicted.Interval->HighNs / R.Predicted.Time->Ns,
            Whole.Predicted.Interval->HighNs / Whole.Predicted.Time->Ns);
}

TEST(Assess, MissingRatesOfLoneSectorsAreNamedWhereThereAreSome) {
  DeviceModel Device = h200();
  Device.Quantities.erase(Quantity::L2RandomWriteSectorsPerCycle);
  auto BorrowedFor = [&](int64_t StrideBytes) {
    return cantFail(assess(storeWithStride(StrideBytes), launchOf(256), Device,
                           AssessOptions()))
        .Predicted.Borrowed;
  };
  EXPECT_THAT(BorrowedFor(4), testing::IsEmpty());
  EXPECT_THAT(BorrowedFor(256),
              testing::ElementsAre("l2_random_write_sectors_per_cycle_sm "
                                   "(the rate of whole lines)"));
}

TEST(Assess, WhatAMechanismTakesAwayIsNotMissing) {
  Mechanisms Used;
  for (Mechanism M : {Mechanism::ColdStart, Mechanism::MemoryContention,
                      Mechanism::LatencyVariance, Mechanism::BlockStarts})
    Used.leaveOut(M);
  Predictor Model(h200(), Used);
  const KernelReport R = cantFail(
      assess(storeWithStride(4), launchOf(256), Model, AssessOptions()));
  EXPECT_THAT(R.Predicted.Borrowed, testing::IsEmpty());
}

TEST(Assess, LanesSideBySideAreNot) {
  EXPECT_FALSE(find(assessed(4), RuleId::UncoalescedAccess));
}

TEST(Assess, MoreExcessIsMoreGain) {
  KernelReport Far = assessed(128), Near = assessed(16);
  const Finding *FarFinding = find(Far, RuleId::UncoalescedAccess);
  const Finding *NearFinding = find(Near, RuleId::UncoalescedAccess);
  ASSERT_TRUE(FarFinding && NearFinding);
  EXPECT_LT(*NearFinding->Gain, *FarFinding->Gain);
}

TEST(Assess, TheVerdictComesFirstThenByGain) {
  KernelReport R = assessed(128);
  ASSERT_FALSE(R.Findings.empty());
  EXPECT_EQ(R.Findings[0].Rule, RuleId::KernelVerdict);
  double Last = std::numeric_limits<double>::infinity();
  for (const Finding &F : ArrayRef(R.Findings).drop_front()) {
    EXPECT_LE(F.Gain.valueOr(0), Last);
    Last = F.Gain.valueOr(0);
  }
}

TEST(Assess, SmallGainsAndSuppressedRulesAreLeftOut) {
  AssessOptions Options;
  Options.MinimumGain = 1000;
  EXPECT_FALSE(find(assessed(128, Options), RuleId::UncoalescedAccess));
  Options.MinimumGain = 1.05;
  Options.Suppress = {"UncoalescedAccess"};
  KernelReport R = assessed(128, Options);
  EXPECT_FALSE(find(R, RuleId::UncoalescedAccess));
  EXPECT_TRUE(find(R, RuleId::KernelVerdict));
}

TEST(Assess, LaunchesThatCannotRunAreErrors) {
  Expected<KernelReport> R =
      assess(storeWithStride(4), launchOf(2048), h200(), {});
  ASSERT_FALSE(bool(R));
  EXPECT_THAT(
      toString(R.takeError()),
      testing::AllOf(testing::HasSubstr("'store' cannot run on nvidia-h200"),
                     testing::HasSubstr("2048")));
}

TEST(Assess, EstimatedRegistersAreAnAssumption) {
  KernelFacts F = storeWithStride(4);
  F.Resources.IsEstimate = true;
  KernelReport R = cantFail(assess(F, launchOf(256), h200(), {}));
  EXPECT_THAT(R.Profile.Assumptions,
              testing::Contains(
                  testing::Field(&Assumption::What, "registers per thread")));
}

TEST(Assess, SumsThatNoKernelTakesAreNotCredible) {
  auto Doubt = testing::Contains(testing::AllOf(
      testing::Field(&Assumption::What, "cycles of a warp"),
      testing::Field(&Assumption::Taken,
                     testing::HasSubstr("not credible: above 10^9"))));
  KernelFacts F = storeWithStride(4);
  F.Operations[2].Emits = {{InstClass::IMadWide, 900'000'000, 900'000'000}};
  KernelReport R = cantFail(assess(F, launchOf(256), h200(), {}));
  EXPECT_THAT(R.Profile.Assumptions, Doubt);
  F.Operations[2].Emits = {{InstClass::IMadWide, 9'000'000, 9'000'000}};
  R = cantFail(assess(F, launchOf(256), h200(), {}));
  EXPECT_THAT(R.Profile.Assumptions, testing::Not(Doubt));
}

/// The findings of \p Rule where \p Needed warps per SM reach 90 % of the
/// first bound.
std::string textWhereNeeded(RuleFunction Rule, double Needed) {
  KernelReport R = assessed(128);
  R.Predicted.Needed.P90 = Needed;
  const ArchLimits &Limits = cantFail(archLimits("sm_90"));
  Predictor Model(h200());
  AssessOptions Options;
  PricingBudget Budget(R.Facts.Operations.size());
  Case C{R.Facts, R.Facts, R.Launched, R.Profile, R.Predicted, h200(),
         Limits,  {},      Options,    Model,     Budget,      R.InParallel};
  Findings Found;
  Rule(C, Found);
  return Found.empty() ? "" : Found.front().text();
}

TEST(NeededWarps, NoNumberIsSaidInWords) {
  const double None = std::numeric_limits<double>::infinity();
  EXPECT_THAT(textWhereNeeded(findKernelVerdict, None),
              testing::HasSubstr(": no number of warps reaches 90 % of "));
  EXPECT_THAT(textWhereNeeded(findNeededOccupancy, None),
              testing::HasSubstr("no number of warps reaches 90 % of the bound "
                                 "by "));
  EXPECT_THAT(textWhereNeeded(findKernelVerdict, 1),
              testing::HasSubstr(": needs 1 warp per SM for 90 % of "));
  EXPECT_THAT(textWhereNeeded(findKernelVerdict, 1.5),
              testing::HasSubstr(": needs 2 warps per SM for 90 % of "));
}

/// A long chain of dependent instructions: bound by latency while warps are
/// few. 200 registers let one block of 256 threads in.
KernelFacts chainWithRegisters() {
  KernelFacts F = storeWithStride(4);
  F.Operations[2].Emits = {{InstClass::IMadWide, 400, 400}};
  F.Resources.RegistersPerThread = 200;
  F.Resources.Source = "ptxas";
  return F;
}

ResourceUse limitedTo(unsigned Registers, uint64_t SpillBytes) {
  ResourceUse Use;
  Use.RegistersPerThread = Use.RegisterLimit = Registers;
  Use.IsEstimate = false;
  Use.Source = "ptxas";
  Use.SpillLoadBytes = Use.SpillStoreBytes = SpillBytes;
  return Use;
}

const Finding &advice(const KernelReport &R) {
  static const Finding None;
  const Finding *F = find(R, RuleId::LaunchBoundsAdvice);
  EXPECT_TRUE(F);
  return F ? *F : None;
}

AssessOptions advising() {
  AssessOptions Options;
  Options.AdviseLaunches = true;
  return Options;
}

TEST(LaunchBoundsAdvice, RecommendsWhatPays) {
  KernelFacts F = chainWithRegisters();
  F.LimitedResources = {limitedTo(128, 0), limitedTo(64, 0)};
  KernelReport R = cantFail(assess(F, launchOf(256), h200(), advising()));
  EXPECT_THAT(advice(R).text(),
              testing::HasSubstr("set __launch_bounds__(256, 2): 16 warps per "
                                 "SM are resident instead of 8, with 128 "
                                 "registers per thread instead of 200"));
  // Of limits that gain alike the least strict one.
  EXPECT_GT(advice(R).Gain.valueOr(0), 1.2);
}

TEST(LaunchBoundsAdvice, DoesNotRecommendSpills) {
  KernelFacts F = chainWithRegisters();
  F.LimitedResources = {limitedTo(128, 8), limitedTo(64, 64)};
  KernelReport R = cantFail(assess(F, launchOf(256), h200(), advising()));
  EXPECT_THAT(advice(R).text(),
              testing::HasSubstr("with 128 registers per thread 16 B are "
                                 "spilled"));
  EXPECT_FALSE(bool(advice(R).Gain));
}

TEST(LaunchBoundsAdvice, SaysWhenMoreWarpsAreUseless) {
  KernelFacts F = chainWithRegisters();
  F.Resources.RegistersPerThread = 48;
  F.LimitedResources = {limitedTo(32, 0)};
  KernelReport R = cantFail(assess(F, launchOf(256), h200(), advising()));
  EXPECT_THAT(advice(R).text(),
              testing::HasSubstr("so more occupancy is useless"));
}

TEST(LaunchBoundsAdvice, IsSilentUnasked) {
  KernelFacts F = chainWithRegisters();
  F.LimitedResources = {limitedTo(64, 0)};
  EXPECT_FALSE(find(cantFail(assess(F, launchOf(256), h200(), {})),
                    RuleId::LaunchBoundsAdvice));
}

TEST(PartialWarp, IsPricedByTheModel) {
  KernelReport R =
      cantFail(assess(chainWithRegisters(), launchOf(33), h200(), {}));
  const Finding *F = find(R, RuleId::PartialWarp);
  ASSERT_TRUE(F);
  EXPECT_GT(F->Gain.valueOr(0), 1.2);
  EXPECT_FALSE(
      find(cantFail(assess(chainWithRegisters(), launchOf(64), h200(), {})),
           RuleId::PartialWarp));
}

} // namespace
