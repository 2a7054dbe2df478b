//===- LaunchTest.cpp - Tests of launch options and their resolution ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;
using namespace llvm;

namespace {

LaunchSpec spec(StringRef Text) {
  Expected<LaunchSpec> S = parseLaunchSpec(Text);
  if (S)
    return *S;
  ADD_FAILURE() << toString(S.takeError());
  return LaunchSpec();
}

std::string specError(StringRef Text) {
  Expected<LaunchSpec> S = parseLaunchSpec(Text);
  return S ? "no error" : toString(S.takeError());
}

KernelFacts scale() {
  KernelFacts F;
  F.Name = "_ZN2ns5scaleIfEEvPfif";
  F.Demangled = "void ns::scale<float>(float*, int, float)";
  F.Parameters.resize(3);
  F.Parameters[0].Name = "data";
  F.Parameters[0].IsPointer = true;
  F.Parameters[1].Name = "n";
  F.Parameters[2].Name = "factor";
  return F;
}

ResolvedLaunches resolved(const KernelFacts &F, const Config &C = {},
                          ArrayRef<LaunchSpec> Options = {}) {
  Expected<ResolvedLaunches> R = resolveLaunches(F, C, Options);
  if (R)
    return *R;
  ADD_FAILURE() << toString(R.takeError());
  return ResolvedLaunches();
}

std::string resolveError(const KernelFacts &F, StringRef Option) {
  Expected<ResolvedLaunches> R = resolveLaunches(F, {}, spec(Option));
  return R ? "no error" : toString(R.takeError());
}

TEST(LaunchSpec, DocumentedForm) {
  LaunchSpec S = spec("k:grid=256x256,block=32x8,shared=0x10,n=8192,1=-3,"
                      "alpha=2.5,a.cu:34=4,cluster=2,carveout=7,"
                      "bins.bytes=0x400");
  EXPECT_EQ(S.Kernel, "k");
  EXPECT_EQ(S.Grid, (Dim3{256, 256, 1}));
  EXPECT_EQ(S.Block, (Dim3{32, 8, 1}));
  EXPECT_EQ(S.Cluster, (Dim3{2, 1, 1}));
  EXPECT_EQ(S.DynamicSharedBytes, 16u);
  EXPECT_EQ(S.CarveoutPercent, 7u);
  EXPECT_EQ(S.Arguments.at("n").Integer, 8192);
  EXPECT_EQ(S.Arguments.at("1").Integer, -3);
  EXPECT_EQ(S.Arguments.at("alpha").Real, 2.5);
  EXPECT_EQ(S.TripCounts.at("a.cu:34"), 4);
  EXPECT_EQ(S.ArrayBytes.at("bins"), 1024u);
}

TEST(LaunchSpec, IntegersThatDoNotFit) {
  auto Error = [](StringRef Text) {
    return toString(parseScalar(Text).takeError());
  };
  EXPECT_EQ(Error("18446744073709551615"), "");
  EXPECT_EQ(Error("-9223372036854775808"), "");
  EXPECT_EQ(Error("1e30"), "");
  for (const char *Text :
       {"18446744073709551616", "-9223372036854775809", "0x10000000000000000"})
    EXPECT_EQ(Error(Text),
              "'" + std::string(Text) + "' does not fit into 64 bits");
  EXPECT_EQ(toString(parseDim3("4294967296x1").takeError()),
            "'4294967296x1': no extent is above 4294967295");
  EXPECT_EQ(toString(parseDim3("99999999999999999999").takeError()),
            "'99999999999999999999': no extent is above 4294967295");
}

TEST(LaunchSpec, KernelsWithColonsAndExpressions) {
  EXPECT_EQ(spec("ns::scale<float>:grid=1").Kernel, "ns::scale<float>");
  EXPECT_EQ(spec("/a:b|c/:grid=1").Kernel, "/a:b|c/");
}

TEST(LaunchSpec, LeadingZerosAreDecimal) {
  EXPECT_EQ(spec("k:n=010").Arguments.at("n").Integer, 10);
}

TEST(LaunchSpec, ErrorsNameTheColumn) {
  EXPECT_EQ(specError("k:grid=2x"),
            "launch 'k:grid=2x', column 8: '2x' is not W, WxH or WxHxD with "
            "positive integers");
  EXPECT_EQ(specError("k"), "launch 'k', column 2: expected ':' and "
                            "'key=value' pairs after the kernel");
  EXPECT_EQ(specError("k:grid"),
            "launch 'k:grid', column 3: expected 'key=value'");
  EXPECT_EQ(specError("k:block=0"),
            "launch 'k:block=0', column 9: '0' is not W, WxH or WxHxD with "
            "positive integers");
  EXPECT_EQ(specError("k:n=5,n=6"),
            "launch 'k:n=5,n=6', column 7: 'n' is given twice");
  EXPECT_EQ(specError("k:a.bytes=4,a.bytes=8"),
            "launch 'k:a.bytes=4,a.bytes=8', column 13: 'a.bytes' is given "
            "twice");
  EXPECT_EQ(specError("k:n=many"),
            "launch 'k:n=many', column 5: 'many' is not a number");
  EXPECT_EQ(specError(":grid=1"),
            "launch ':grid=1', column 1: expected the name of a kernel");
  EXPECT_EQ(specError("k:shared=-4"),
            "launch 'k:shared=-4', column 10: '-4' is not a number of bytes");
  EXPECT_NE(specError("/(/:grid=1").find("regular expression"),
            std::string::npos);
}

TEST(ResolveLaunches, NamesThatMatch) {
  KernelFacts F = scale();
  for (StringRef Name : {"scale", "ns::scale", "ns::scale<float>",
                         "_ZN2ns5scaleIfEEvPfif", "/scal/", "/^ns::scale<.*>$/",
                         "void ns::scale<float>(float*, int, float)"}) {
    LaunchSpec S;
    S.Kernel = Name.str();
    EXPECT_TRUE(matchesKernel(S, F)) << Name.str();
  }
  for (StringRef Name : {"scal", "/^scal$/", "float", "ns"}) {
    LaunchSpec S;
    S.Kernel = Name.str();
    EXPECT_FALSE(matchesKernel(S, F)) << Name.str();
  }
}

TEST(ResolveLaunches, ArraysHaveTheSizesThatAreSaid) {
  const KernelFacts F = scale();
  ResolvedLaunches R = resolved(F, {}, spec("scale:block=64,data.bytes=4096"));
  ASSERT_EQ(R.Launches.size(), 1u);
  EXPECT_EQ(R.Launches[0].ArrayBytes.at(0).Value, 4096u);
  EXPECT_NE(resolveError(F, "scale:n.bytes=8").find("is no pointer"),
            std::string::npos);
}

TEST(ResolveLaunches, OptionsReplaceTheFile) {
  Config C;
  C.Launches = {spec("scale:block=64"), spec("scale:block=128")};
  EXPECT_EQ(resolved(scale(), C).Launches.size(), 2u);
  ResolvedLaunches R = resolved(scale(), C, {spec("scale:block=32,grid=7")});
  ASSERT_EQ(R.Launches.size(), 1u);
  EXPECT_EQ(R.Launches[0].Block.Value.X, 32u);
  EXPECT_EQ(R.Launches[0].Block.Source.text(), "--launch");
  EXPECT_EQ(R.Launches[0].Grid->Value.X, 7u);
  // A launch of another kernel changes nothing.
  EXPECT_EQ(resolved(scale(), C, {spec("other:block=32")}).Launches.size(), 2u);
}

TEST(ResolveLaunches, BlockFallsBackStepByStep) {
  KernelFacts F = scale();
  Launch L = resolved(F).Launches[0];
  EXPECT_EQ(L.Block.Value, (Dim3{256, 1, 1}));
  EXPECT_EQ(L.Block.Source.text(), "default");
  EXPECT_FALSE(bool(L.Grid));
  EXPECT_EQ(L.DynamicSharedBytes.Source.text(), "default");

  F.Bounds.MaxThreads = 96;
  EXPECT_EQ(resolved(F).Launches[0].Block.Value, (Dim3{96, 1, 1}));
  Config C;
  C.DefaultBlock = Sourced<Dim3>{{64, 1, 1}, ".gpu-occupancy:2"};
  EXPECT_EQ(resolved(F, C).Launches[0].Block.Source.text(), ".gpu-occupancy:2");
  C.DefaultBlock->Value.X = 128;
  EXPECT_EQ(resolved(F, C).Launches[0].Block.Source.text(), "launch bounds");
  F.Bounds.RequiredBlock = {16, 4, 0};
  EXPECT_EQ(resolved(F, C).Launches[0].Block.Value, (Dim3{16, 4, 1}));
}

TEST(ResolveLaunches, ArgumentsByNameAndPosition) {
  ResolvedLaunches R =
      resolved(scale(), {}, {spec("scale:n=5,2=0.5,dir/a.cu:9=3")});
  const Launch &L = R.Launches[0];
  EXPECT_EQ(L.Arguments.at(1).Value.Integer, 5);
  EXPECT_EQ(L.Arguments.at(2).Value.Real, 0.5);
  EXPECT_EQ(L.TripCounts.at("a.cu:9").Value, 3);
  EXPECT_TRUE(R.Notes.empty());

  KernelFacts Nameless = scale();
  for (Parameter &P : Nameless.Parameters)
    P.Name.clear();
  EXPECT_EQ(resolveError(Nameless, "scale:n=5,2=0.5"),
            "--launch: launch of 'scale': no parameter is named 'n': its "
            "parameters have no names; give their positions, from 0= to 2=");
}

TEST(ResolveLaunches, PositionsHaveThreeSpellings) {
  for (const char *Key : {"1", "#1", "arg1"}) {
    const Launch L =
        resolved(scale(), {}, {spec(("scale:" + Twine(Key) + "=7").str())})
            .Launches[0];
    EXPECT_EQ(L.Arguments.at(1).Value.Integer, 7) << Key;
  }
  // A parameter may be named so.
  KernelFacts F = scale();
  F.Parameters[2].Name = "arg1";
  EXPECT_EQ(
      resolved(F, {}, {spec("scale:arg1=7")}).Launches[0].Arguments.count(2),
      1u);
  for (const char *Key : {"#9", "arg9", "argument1", "#", "arg"})
    EXPECT_NE(resolveError(scale(), ("scale:" + Twine(Key) + "=7").str()),
              "no error")
        << Key;
}

TEST(ResolveLaunches, MembersByTheirOffset) {
  KernelFacts F = scale();
  F.Parameters[2].Name = "box";
  F.Parameters[2].OffsetBytes = 16;
  F.Parameters[2].SizeBytes = 24;
  const Launch L = resolved(F, {}, {spec("scale:box+4=7,2+8=0.5")}).Launches[0];
  EXPECT_EQ(L.Members.at(20).Value.Integer, 7);
  EXPECT_EQ(L.Members.at(24).Value.Real, 0.5);
  EXPECT_TRUE(L.Arguments.empty());
  for (const char *Key : {"box+24", "data+0", "none+0", "box+x"})
    EXPECT_NE(resolveError(F, (Twine("scale:") + Key + "=1").str())
                  .find("is no member of a parameter"),
              std::string::npos);
}

TEST(ResolveLaunches, StructsByTheirBytes) {
  KernelFacts F = scale();
  F.Parameters[2].Name = "box";
  F.Parameters[2].SizeBytes = 3;
  auto Resolve = [&](const char *Key, const char *Digits) {
    LaunchSpec Spec = spec("scale:grid=1");
    Spec.StructBytes[Key] = Digits;
    return resolveLaunches(F, Config(), Spec);
  };
  for (const char *Key : {"box", "2"}) {
    llvm::Expected<ResolvedLaunches> R = Resolve(Key, "01ff10");
    ASSERT_TRUE(bool(R)) << toString(R.takeError());
    EXPECT_EQ(R->Launches[0].StructBytes.at(2).Value, "01ff10");
  }
  EXPECT_NE(toString(Resolve("box", "01ff").takeError())
                .find("'box' has 3 bytes, not 2"),
            std::string::npos);
  for (const char *Key : {"data", "none", "9"})
    EXPECT_NE(toString(Resolve(Key, "01ff10").takeError())
                  .find("is no parameter that is a struct"),
              std::string::npos);
}

TEST(ResolveLaunches, MemoryByPointers) {
  KernelFacts F = scale();
  F.Parameters[2].Name = "box";
  F.Parameters[2].OffsetBytes = 16;
  F.Parameters[2].SizeBytes = 24;
  auto Resolve = [&](const char *Key) {
    LaunchSpec Spec = spec("scale:grid=1");
    Spec.Memory[Key] = "rows.bin";
    return resolveLaunches(F, Config(), Spec);
  };
  for (auto [Key, Offset] :
       {std::pair("data", 0u), {"0", 0u}, {"box+8", 24u}}) {
    llvm::Expected<ResolvedLaunches> R = Resolve(Key);
    ASSERT_TRUE(bool(R)) << toString(R.takeError());
    EXPECT_EQ(R->Launches[0].Memory.at(Offset).Value, "rows.bin");
  }
  for (const char *Key : {"n", "none", "box+20", "box+x"})
    EXPECT_NE(toString(Resolve(Key).takeError()).find("is no pointer"),
              std::string::npos);
}

TEST(ResolveLaunches, Contradictions) {
  KernelFacts F = scale();
  EXPECT_EQ(resolveError(F, "scale:nn=5"),
            "--launch: launch of 'scale': no parameter is named 'nn'; did you "
            "mean 'n'?");
  EXPECT_EQ(resolveError(F, "scale:7=5"),
            "--launch: launch of 'scale': argument 7: the kernel has 3 "
            "parameters, counted from 0");
  F.Bounds.MaxThreads = 128;
  EXPECT_EQ(resolveError(F, "scale:block=32x8"),
            "--launch: launch of 'scale': a block of 256 threads exceeds the "
            "launch bound of 128");
  F.Bounds.RequiredBlock = {64, 1, 1};
  EXPECT_EQ(resolveError(F, "scale:block=128"),
            "--launch: launch of 'scale': the kernel requires blocks of "
            "64x1x1");
}

TEST(ResolveLaunches, UnknownKernelsOfOptions) {
  EXPECT_EQ(toString(checkKernelsExist({spec("scael:grid=1")}, {scale()})),
            "launch of 'scael': no such kernel; did you mean 'scale'?");
  EXPECT_FALSE(
      errorToBool(checkKernelsExist({spec("scale:grid=1")}, {scale()})));
}

HostLaunch hostLaunch(const KernelFacts &F, HostExpr Grid, int64_t Block) {
  HostLaunch L;
  L.Kernel = F.Name;
  L.Place = {"dir/demo.cu", 12, 3, "main"};
  HostExpr One = HostExpr::number(1);
  L.Grid = {std::move(Grid), One, One};
  L.Block = {HostExpr::number(Block), One, One};
  L.Arguments[1] = HostExpr::variable("count");
  return L;
}

ResolvedLaunches resolved(const KernelFacts &F, ArrayRef<LaunchSpec> Options,
                          ArrayRef<HostLaunch> Host, const Config &C = {}) {
  Expected<ResolvedLaunches> R = resolveLaunches(F, C, Options, Host);
  if (R)
    return *R;
  ADD_FAILURE() << toString(R.takeError());
  return ResolvedLaunches();
}

TEST(HostLaunches, EqualOnesAreOne) {
  KernelFacts F = scale();
  HostLaunch A = hostLaunch(F, HostExpr::number(4), 64), B = A, C = A;
  B.Place.Line = 20;
  C.Block[0] = HostExpr::number(128);
  ResolvedLaunches R = resolved(F, {}, {A, B, C});
  ASSERT_EQ(R.Launches.size(), 2u);
  EXPECT_EQ(R.Launches[0].Block.Source.text(), "launch at demo.cu:12");
  EXPECT_EQ(R.Launches[0].Grid->Value, (Dim3{4, 1, 1}));
  EXPECT_EQ(R.Launches[1].Block.Value, (Dim3{128, 1, 1}));
}

TEST(HostLaunches, VariablesAreGivenByEitherName) {
  KernelFacts F = scale();
  HostLaunch Host = hostLaunch(F, HostExpr::variable("count"), 64);
  ResolvedLaunches Unknown = resolved(F, {}, Host);
  ASSERT_EQ(Unknown.Launches.size(), 1u);
  EXPECT_FALSE(bool(Unknown.Launches[0].Grid));
  ASSERT_EQ(Unknown.Launches[0].Notes.size(), 1u);
  EXPECT_EQ(Unknown.Launches[0].Notes[0].What,
            "grid count (launch at demo.cu:12)");
  for (StringRef Option : {"scale:n=7", "scale:1=7", "scale:count=7"}) {
    ResolvedLaunches R = resolved(F, spec(Option), Host);
    ASSERT_EQ(R.Launches.size(), 1u);
    ASSERT_TRUE(bool(R.Launches[0].Grid)) << Option.str();
    EXPECT_EQ(R.Launches[0].Grid->Value.X, 7u);
    EXPECT_EQ(R.Launches[0].Arguments.at(1).Value.Integer, 7);
    EXPECT_EQ(R.Launches[0].Block.Value.X, 64u);
  }
}

TEST(HostLaunches, AUsersWordIsLaidOverThoseThatAgree) {
  KernelFacts F = scale();
  HostLaunch Small = hostLaunch(F, HostExpr::number(4), 64);
  HostLaunch Large = hostLaunch(F, HostExpr::number(9), 128);
  ResolvedLaunches R = resolved(F, spec("scale:block=128"), {Small, Large});
  ASSERT_EQ(R.Launches.size(), 1u);
  EXPECT_EQ(R.Launches[0].Grid->Value.X, 9u);
  EXPECT_TRUE(R.Launches[0].Notes.empty());
  R = resolved(F, spec("scale:block=256"), {Small, Large});
  ASSERT_EQ(R.Launches.size(), 2u);
  ASSERT_EQ(R.Launches[0].Notes.size(), 1u);
  EXPECT_EQ(R.Launches[0].Notes[0].Why,
            "against 64x1x1 (launch at demo.cu:12)");
}

TEST(HostLaunches, ContradictionsAreInOrderOfPrecedence) {
  KernelFacts F = scale();
  Config File;
  File.Launches.push_back(spec("scale:block=32"));
  File.Launches.back().Source = ".gpu-occupancy:4";
  ResolvedLaunches R = resolved(F, spec("scale:block=256"),
                                hostLaunch(F, HostExpr::number(4), 64), File);
  ASSERT_EQ(R.Launches.size(), 1u);
  ASSERT_EQ(R.Launches[0].Notes.size(), 1u);
  EXPECT_EQ(R.Launches[0].Notes[0].Said, "256x1x1 (--launch)");
  EXPECT_EQ(R.Launches[0].Notes[0].Why,
            "against 32x1x1 (.gpu-occupancy:4), 64x1x1 (launch at demo.cu:12)");
}

TEST(HostLaunches, ContradictingTheKernelIsKept) {
  KernelFacts F = scale();
  F.Bounds.MaxThreads = 128;
  ResolvedLaunches R = resolved(F, {}, hostLaunch(F, HostExpr::number(4), 256));
  ASSERT_EQ(R.Launches.size(), 1u);
  EXPECT_EQ(R.Launches[0].Block.Value.X, 256u);
  EXPECT_EQ(R.Launches[0].Block.Source.text(), "launch at demo.cu:12");
}

TEST(HostLaunches, WhatHostCodeAllowsReachesTheLaunch) {
  KernelFacts F = scale();
  HostLaunch Host = hostLaunch(F, HostExpr::number(4), 256);
  Host.Allowed = {/*IsCooperative=*/true, /*MayRaiseShared=*/false,
                  /*MayRaiseCluster=*/true};
  ResolvedLaunches R = resolved(F, {}, Host);
  ASSERT_EQ(R.Launches.size(), 1u);
  EXPECT_EQ(R.Launches[0].Allowed, Host.Allowed);
}

TEST(LaunchSpec, DamagedTextsAreReadWithoutHarm) {
  const StringRef Sample = "scale:grid=64x2x1,block=256,shared=48,n=1e3,x=-0x7";
  std::mt19937 Random(1);
  const StringRef Bytes = ":=,x-+.e019 /\\\xff\"[]";
  for (unsigned I = 0; I != 20000; ++I) {
    std::string Text = Sample.str();
    for (unsigned Changes = 1 + Random() % 5; Changes != 0; --Changes)
      Text[Random() % Text.size()] = Bytes[Random() % Bytes.size()];
    Text.resize(Random() % 3 ? Text.size() : Random() % Text.size());
    Expected<LaunchSpec> Spec = parseLaunchSpec(Text);
    if (!Spec) {
      EXPECT_FALSE(toString(Spec.takeError()).empty()) << Text;
      continue;
    }
    if (Spec->Grid) {
      EXPECT_NE(Spec->Grid->X, 0u) << Text;
    }
  }
}

} // namespace
