//===- FakeDriverTest.cpp - A GPU that is not there --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Gpu.h"
#include "plans/Session.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace gpuocc::calibration;
using namespace llvm;

namespace {
/// A driver whose device memory is the host's. A launch writes one record for
/// each warp: 100 cycles a loop iteration on SM 0.
struct Fake {
  static inline int Devices, Allocations, Failing, Architecture;

  static Driver driver() {
    Devices = 1;
    Allocations = 0;
    Failing = 0;
    Architecture = 90;
    Driver D;
    D.Init = [](unsigned) { return Failing == 1 ? 100 : 0; };
    D.DriverGetVersion = [](int *Version) { return *Version = 13000, 0; };
    D.DeviceGetCount = [](int *Count) { return *Count = Devices, 0; };
    D.DeviceGet = [](CuDevice *Device, int) { return *Device = 0, 0; };
    D.DeviceGetName = [](char *Name, int Length, CuDevice) {
      std::strncpy(Name, "NVIDIA Fake", Length);
      return 0;
    };
    D.DeviceTotalMem = [](size_t *Bytes, CuDevice) {
      return *Bytes = size_t(1) << 30, 0;
    };
    D.DeviceGetAttribute = [](int *Value, int Attribute, CuDevice) {
      *Value = Attribute == int(DeviceAttribute::MajorVersion)
                   ? Architecture / 10
               : Attribute == int(DeviceAttribute::MinorVersion)     ? 0
               : Attribute == int(DeviceAttribute::SharedBytesPerSm) ? 233472
                                                                     : 132;
      return 0;
    };
    D.PrimaryCtxRetain = [](CuContext *, CuDevice) { return 0; };
    D.PrimaryCtxRelease = [](CuDevice) { return 0; };
    D.CtxSetCurrent = [](CuContext) { return 0; };
    D.StreamCreate = [](CuStream *, unsigned) { return 0; };
    D.StreamDestroy = [](CuStream) { return 0; };
    D.StreamSynchronize = [](CuStream) { return Failing == 2 ? 700 : 0; };
    D.MemAlloc = [](CuDevicePtr *Address, size_t Bytes) {
      ++Allocations;
      *Address = reinterpret_cast<CuDevicePtr>(std::malloc(Bytes));
      return 0;
    };
    D.MemFree = [](CuDevicePtr Address) {
      --Allocations;
      std::free(reinterpret_cast<void *>(Address));
      return 0;
    };
    D.MemHostAlloc = [](void **Address, size_t Bytes, unsigned) {
      ++Allocations;
      return *Address = std::malloc(Bytes), 0;
    };
    D.MemFreeHost = [](void *Address) {
      --Allocations;
      std::free(Address);
      return 0;
    };
    D.MemcpyDtoH = [](void *To, CuDevicePtr From, size_t Bytes) {
      std::memcpy(To, reinterpret_cast<void *>(From), Bytes);
      return 0;
    };
    D.LaunchKernel = [](CuFunction, unsigned Blocks, unsigned, unsigned,
                        unsigned Threads, unsigned, unsigned, unsigned,
                        CuStream, void **Arguments, void **) {
      auto *Records = *static_cast<WarpRecord **>(Arguments[0]);
      uint64_t Iterations = *static_cast<uint64_t *>(Arguments[2]);
      for (unsigned W = 0; W < Blocks * Threads / 32; ++W)
        Records[W] = {1000, 1030 + 100 * Iterations, 0, 50 * Iterations, 0, 0};
      return 0;
    };
    D.ModuleLoadDataEx = [](CuModule *, const void *, unsigned Options,
                            int *Keys, void **Values) {
      for (unsigned I = 0; I < Options; ++I)
        if (Keys[I] == 5)
          std::strcpy(static_cast<char *>(Values[I]),
                      "ptxas: line 3: unknown instruction\nmore");
      return 218;
    };
    D.GetErrorName = [](CuResult Result, const char **Name) {
      *Name = Result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
      return 0;
    };
    return D;
  }
};
} // namespace

TEST(FakeGpu, StatesItsFactsAndGivesEverythingBack) {
  Driver D = Fake::driver();
  {
    Expected<std::unique_ptr<Gpu>> G = Gpu::open(D, 0);
    ASSERT_TRUE(bool(G)) << toString(G.takeError());
    EXPECT_EQ((*G)->facts().Name, "NVIDIA Fake");
    EXPECT_EQ((*G)->facts().Architecture, 90u);
    EXPECT_EQ((*G)->facts().SmCount, 132u);
  }
  EXPECT_EQ(Fake::Allocations, 0);
}

TEST(FakeGpu, SaysWhenThereIsNone) {
  Driver D = Fake::driver();
  Fake::Devices = 0;
  EXPECT_EQ(toString(Gpu::open(D, 0).takeError()),
            "no GPU: the NVIDIA driver lists no device");
  Fake::Devices = 1;
  EXPECT_EQ(toString(Gpu::open(D, 2).takeError()),
            "no GPU 2: the driver lists 1");
  Fake::Failing = 1;
  EXPECT_NE(toString(Gpu::open(D, 0).takeError()).find("cuInit failed"),
            std::string::npos);
}

TEST(FakeGpu, RefusesAnArchitectureThatIsTooOld) {
  Driver D = Fake::driver();
  Fake::Architecture = 60;
  EXPECT_NE(toString(Gpu::open(D, 0).takeError()).find("sm_60"),
            std::string::npos);
}

TEST(FakeGpu, NamesTheErrorOfAKernel) {
  Driver D = Fake::driver();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(D, 0);
  ASSERT_TRUE(bool(G));
  Fake::Failing = 2;
  Launch L;
  EXPECT_EQ(toString((*G)->run(L).takeError()),
            "cuStreamSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
  std::string Message = toString((*G)->load("text").takeError());
  EXPECT_NE(Message.find("ptxas: line 3"), std::string::npos);
  EXPECT_EQ(Message.find("more"), std::string::npos);
}

TEST(FakeGpu, RefusesMoreRecordsThanItKeeps) {
  Driver D = Fake::driver();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(D, 0);
  ASSERT_TRUE(bool(G));
  Launch L;
  L.Blocks = 1u << 20;
  Expected<ArrayRef<WarpRecord>> Records = (*G)->run(L);
  EXPECT_FALSE(bool(Records));
  consumeError(Records.takeError());
}

TEST(FakeSession, TakesTheTimeOfTwoRunsApart) {
  Driver D = Fake::driver();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(D, 0);
  ASSERT_TRUE(bool(G));
  Database Db;
  Session S(**G, Db, {});
  Launch L;
  Expected<std::vector<double>> Cycles = S.perIteration(L, 8, 3, Clock::Warp);
  ASSERT_TRUE(bool(Cycles));
  // The 30 cycles beside the loop are gone.
  EXPECT_EQ(*Cycles, (std::vector<double>{100, 100, 100}));
}

TEST(FakeSession, FillsSmsSoThatNoFurtherBlockFits) {
  Driver D = Fake::driver();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(D, 0);
  ASSERT_TRUE(bool(G));
  Database Db;
  Session S(**G, Db, {});
  for (unsigned Blocks = 1; Blocks <= 16; ++Blocks) {
    Launch L = S.fillSchedulers(nullptr, Blocks);
    unsigned Each = (L.SharedBytes + 127) / 128 * 128 + 1024;
    EXPECT_LE(Each * Blocks, 233472u) << Blocks;
    EXPECT_GT(Each * (Blocks + 1), 233472u) << Blocks;
    EXPECT_EQ(L.Blocks, 132 * Blocks);
  }
}

TEST(FakeGpu, TakesCodeThatIsThereAndCompilesTheRest) {
  Driver D = Fake::driver();
  D.ModuleLoadDataEx = [](CuModule *Handle, const void *Image, unsigned, int *,
                          void **) {
    *Handle = nullptr;
    return StringRef(static_cast<const char *>(Image)) == "refused" ? 209 : 0;
  };
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(D, 0);
  ASSERT_TRUE(bool(G)) << toString(G.takeError());
  (*G)->useCode([](StringRef Ptx, int Optimization) -> StringRef {
    if (Optimization != 4)
      return "";
    return Ptx == "known" ? "code" : Ptx == "of another GPU" ? "refused" : "";
  });
  ASSERT_TRUE(bool((*G)->load("known")));
  EXPECT_EQ((*G)->codesTaken(), 1u);
  EXPECT_EQ((*G)->codesCompiled(), 0u);
  ASSERT_TRUE(bool((*G)->load("known", 0)));
  ASSERT_TRUE(bool((*G)->load("unknown")));
  ASSERT_TRUE(bool((*G)->load("of another GPU")));
  EXPECT_EQ((*G)->codesTaken(), 1u);
  EXPECT_EQ((*G)->codesCompiled(), 3u);
  // What is checked is what runs.
  Expected<std::vector<char>> Code = (*G)->compile("known");
  ASSERT_TRUE(bool(Code)) << toString(Code.takeError());
  EXPECT_EQ(StringRef(Code->data(), Code->size()), "code");
}

TEST(FakeSession, TakesCyclesOfRowsAndNotWhatLiesBetweenThem) {
  Driver D = Fake::driver();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(D, 0);
  ASSERT_TRUE(bool(G));
  Database Db;
  Session S(**G, Db, {});
  // What lies between is of whoever had the memory before: an address.
  constexpr uint64_t Old = 0x7f0238e00000;
  std::vector<uint64_t> Device = {500, 501, Old, Old, 510, 511, Old, Old};
  auto From = reinterpret_cast<CuDevicePtr>(Device.data());
  Expected<std::vector<uint64_t>> Cycles = S.cyclesAt(From, 2, 2, 4);
  ASSERT_TRUE(bool(Cycles)) << toString(Cycles.takeError());
  EXPECT_EQ(*Cycles, (std::vector<uint64_t>{500, 501, 510, 511}));
  Expected<std::vector<uint64_t>> All = S.cyclesAt(From, 4, 2, 4);
  EXPECT_FALSE(bool(All));
  consumeError(All.takeError());
}
