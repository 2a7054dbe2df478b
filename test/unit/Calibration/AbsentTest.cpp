//===- AbsentTest.cpp - What an architecture lacks
//-------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Absent.h"
#include "driver/StandIn.h"
#include "kernels/Architectures.h"
#include "kernels/Arithmetic.h"
#include "plans/Microkernels.h"
#include "plans/Session.h"
#include "stats/Encodings.h"
#include <gtest/gtest.h>

using namespace gpuocc::calibration;
using namespace llvm;

TEST(Architectures, AreSortedAndNameTheVersionOfPtx) {
  for (size_t I = 1; I < architectures().size(); ++I)
    EXPECT_LT(architectures()[I - 1].Architecture,
              architectures()[I].Architecture);
  EXPECT_EQ(ptxVersion(70), "8.0");
  EXPECT_EQ(ptxVersion(90), "8.0");
  EXPECT_EQ(ptxVersion(100), "8.6");
  EXPECT_EQ(ptxVersion(121), "8.8");
  // Newer than the table.
  EXPECT_EQ(ptxVersion(200), ptxVersion(121));
  for (const ArchitectureFacts &F : architectures())
    EXPECT_LE(cudaReleaseOf(F.PtxVersion), 13000u) << F.Architecture;
  EXPECT_EQ(findArchitecture(61), nullptr);
}

TEST(Absent, NamesTheInstructionAndWhatItNeeds) {
  const char *Redux = "  redux.sync.add.s32 %d0, %d0, -1;\n";
  EXPECT_EQ(whyAbsent(Redux, {75, false}), "redux.sync.add.s32 needs sm_80");
  EXPECT_FALSE(whyAbsent(Redux, {80, false}));
  EXPECT_EQ(whyAbsent("wgmma.fence.sync.aligned;", {100, true}),
            "wgmma.fence.sync.aligned needs sm_90 and no other");
  EXPECT_FALSE(whyAbsent("", {70, false}));
}

TEST(Absent, TellsShapesAndTypesApart) {
  auto Mma = [](const char *Shape, const char *Types) {
    return std::string("mma.sync.aligned.") + Shape + ".row.col." + Types +
           " {%a}, {%b}, {%c}, {%d};";
  };
  EXPECT_FALSE(whyAbsent(Mma("m16n8k8", "f32.f16.f16.f32"), {75, false}));
  EXPECT_TRUE(whyAbsent(Mma("m16n8k8", "f32.tf32.tf32.f32"), {75, false}));
  EXPECT_TRUE(whyAbsent(Mma("m16n8k8", "f32.bf16.bf16.f32"), {75, false}));
  EXPECT_TRUE(whyAbsent(Mma("m16n8k16", "f32.f16.f16.f32"), {75, false}));
  EXPECT_TRUE(whyAbsent(Mma("m8n8k4", "f64.f64.f64.f64"), {75, false}));
  EXPECT_FALSE(whyAbsent(Mma("m8n8k4", "f64.f64.f64.f64"), {80, false}));
  // Multiplication of pairs came later than the fused one.
  EXPECT_FALSE(whyAbsent("fma.rn.bf16x2 %a, %b, %c, %d;", {80, false}));
  EXPECT_TRUE(whyAbsent("mul.rn.bf16x2 %a, %b, %c;", {89, false}));
  EXPECT_FALSE(whyAbsent("min.f32 %a, %b, %c;", {70, false}));
}

TEST(Absent, SeesDirectivesSpecialRegistersAndPredicatedInstructions) {
  EXPECT_TRUE(whyAbsent(".explicitcluster\n", {89, false}));
  EXPECT_TRUE(whyAbsent("mov.u32 %r, %cluster_ctarank;", {89, false}));
  EXPECT_TRUE(whyAbsent("@%p cp.async.commit_group;", {75, false}));
}

TEST(Absent, KnowsClassesThatOnlyPtxHas) {
  EXPECT_EQ(whyEmulated("int.dpx", 120), "VIMNMX3 needs sm_90 to sm_103");
  EXPECT_FALSE(whyEmulated("int.dpx", 90));
  EXPECT_EQ(whyEmulated("predicate.logic", 75), "PLOP3 needs sm_80");
  EXPECT_FALSE(whyEmulated("fp32.add", 70));
}

TEST(Claims, AreThoseOfTheArchitecture) {
  EXPECT_EQ(opcodesOn(90, "HFMA2|HFMA2.MMA"), "HFMA2|HFMA2.MMA");
  EXPECT_EQ(opcodesOn(100, "HFMA2|HFMA2.MMA"), "HFMA2");
  EXPECT_EQ(opcodesOn(100, "ULDC"), "LDCU");
  EXPECT_EQ(opcodesOn(75, "ULDC"), "ULDC");
  EXPECT_EQ(opcodesOn(75, "FFMA|LDS"), "FFMA|LDS.U");
  EXPECT_EQ(opcodesOn(89, "REDG.E.XOR.STRONG.GPU"), "RED.E.XOR.STRONG.GPU");
  EXPECT_EQ(opcodesOn(90, "REDG.E.XOR.STRONG.GPU"), "REDG.E.XOR.STRONG.GPU");
}

TEST(Claims, AreKnownByNumber) {
  EXPECT_EQ(encodingsOf("FADD"), std::set<unsigned>{0x21});
  EXPECT_EQ(encodingsOf("FSETP.LT.XOR|FSETP.GT.XOR"), std::set<unsigned>{0xb});
  // The same name with a number of its own.
  EXPECT_EQ(encodingsOf("HFMA2.BF16_V2"), std::set<unsigned>{0x31});
  EXPECT_EQ(encodingsOf("HFMA2.MMA.BF16_V2"), std::set<unsigned>{0x35});
  EXPECT_TRUE(encodingsOf("FADD|NOSUCH").empty());
  for (const ArithmeticSpec &Spec : arithmeticSpecs())
    EXPECT_FALSE(encodingsOf(Spec.Opcode).empty()) << Spec.Key;
}

TEST(Absent, LeavesOutNumbersAndFailsNoGroup) {
  // Turing: half the warps of an SM, a quarter of the shared memory.
  Driver StandIn = standInDriver(75);
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(StandIn, 0);
  ASSERT_TRUE(bool(G)) << toString(G.takeError());
  RunOptions Options;
  Options.Repeats = 2;
  Options.Quick = true;
  Database Db;
  Session S(**G, Db, Options);
  for (const Plan &P : plans())
    if (P.ByDefault)
      if (Error E = S.unlessAbsent(P.Run(S)))
        ADD_FAILURE() << P.Name << ": " << toString(std::move(E));
  S.recordAbsent();
  EXPECT_TRUE(Db.instructionValue("fp32.fma", "latency_cycles"));
  EXPECT_TRUE(Db.instructionValue("ldmatrix", "issue_cycles"));
  EXPECT_TRUE(Db.value("memory", "constant_l1_latency_cycles"));
  EXPECT_FALSE(Db.instructionValue("redux", "issue_cycles"));
  EXPECT_FALSE(Db.instructionValue("wgmma", "issue_cycles"));
  // The chain's other class is absent, so the sum says nothing.
  EXPECT_TRUE(Db.instructionValue("cvt.f32_f16", "issue_cycles"));
  EXPECT_FALSE(Db.instructionValue("cvt.f32_f16", "latency_cycles"));
  EXPECT_EQ(S.Absent.at("redux"), "redux.sync.add.s32 needs sm_80");
  const json::Object *Table =
      Db.file().getObject("tables")->getObject("absent");
  ASSERT_TRUE(Table);
  EXPECT_EQ(Table->getArray("rows")->size(), S.Absent.size());
  // Written twice, each is there once.
  S.recordAbsent();
  EXPECT_EQ(Db.file()
                .getObject("tables")
                ->getObject("absent")
                ->getArray("rows")
                ->size(),
            S.Absent.size());
}

TEST(Absent, IsAlsoWhatDoesNotFitSharedMemory) {
  Expected<MicrokernelSet> Set = allMicrokernels(120);
  ASSERT_TRUE(bool(Set)) << toString(Set.takeError());
  EXPECT_EQ(Set->Absent["bulk_stream_bytes16384_8"],
            "needs 131072 bytes of shared memory, a block has 101376");
}
