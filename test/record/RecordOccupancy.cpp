//===- RecordOccupancy.cpp - Occupancy as the driver of a GPU states it ---===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Asks the CUDA driver for the occupancy of random launches of kernels with
/// many register counts, shared sizes and barriers, and writes one CSV row
/// each, as test/golden/occupancy-h200.csv holds them. Needs a GPU and its
/// driver, no toolkit:
///
///   c++ -std=c++20 RecordOccupancy.cpp -ldl -o record && ./record sm_90 10000
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <random>
#include <string>
#include <vector>

namespace {

// What is used of the driver interface (cuda.h of the toolkit).
using CuResult = int;
using CuDevice = int;
using CuHandle = void *;
enum FunctionAttribute {
  SharedSizeBytes = 1,
  NumRegs = 4,
  MaxDynamicSharedSizeBytes = 8,
  PreferredSharedMemoryCarveout = 9,
};

template <typename Function> Function *load(void *Library, const char *Name) {
  void *Symbol = dlsym(Library, Name);
  if (!Symbol) {
    std::fprintf(stderr, "error: libcuda has no %s\n", Name);
    std::exit(1);
  }
  return reinterpret_cast<Function *>(Symbol);
}

void check(CuResult Result, const char *What) {
  if (Result == 0)
    return;
  std::fprintf(stderr, "error: %s returned %d\n", What, Result);
  std::exit(1);
}

struct KernelShape {
  unsigned LiveValues, StaticBytes, Barriers;
};

/// Without a limit the compiler takes registers in steps of 8.
std::string limit(const KernelShape &Shape) {
  if (Shape.LiveValues % 2)
    return "";
  return ".maxnreg " + std::to_string(Shape.LiveValues + 14) + "\n";
}

/// A kernel that keeps LiveValues loaded values in registers over a barrier of
/// each of Barriers identifiers.
std::string kernelPtx(const KernelShape &Shape, const std::string &Name) {
  std::string Text = ".visible .entry " + Name + "(.param .u64 p)\n" +
                     limit(Shape) + "{\n.reg .b64 %a;\n.reg .f32 %f<" +
                     std::to_string(Shape.LiveValues + 1) + ">;\n";
  if (Shape.StaticBytes)
    Text += ".shared .align 4 .b8 s_" + Name + "[" +
            std::to_string(Shape.StaticBytes) + "];\n";
  Text += "ld.param.u64 %a, [p];\n";
  if (Shape.StaticBytes)
    Text += "st.shared.u32 [s_" + Name + "], 1;\n";
  for (unsigned I = 0; I != Shape.LiveValues; ++I)
    Text += "ld.volatile.global.f32 %f" + std::to_string(I) + ", [%a+" +
            std::to_string(4 * I) + "];\n";
  for (unsigned I = 0; I != Shape.Barriers; ++I)
    Text += "bar.sync " + std::to_string(I) + ";\n";
  for (unsigned I = 0; I != Shape.LiveValues; ++I)
    Text += "st.volatile.global.f32 [%a+" + std::to_string(4 * I) + "], %f" +
            std::to_string(I) + ";\n";
  return Text + "ret;\n}\n";
}

} // namespace

int main(int NumArguments, char **Arguments) {
  if (NumArguments != 3) {
    std::fprintf(stderr, "usage: record sm_90 ROWS\n");
    return 1;
  }
  std::string Arch = Arguments[1];
  int NumRows = std::atoi(Arguments[2]);

  void *Library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Library) {
    std::fprintf(stderr, "error: no libcuda.so.1: is there a driver?\n");
    return 1;
  }
  auto *Init = load<CuResult(unsigned)>(Library, "cuInit");
  auto *GetDevice = load<CuResult(CuDevice *, int)>(Library, "cuDeviceGet");
  auto *Retain =
      load<CuResult(CuHandle *, CuDevice)>(Library, "cuDevicePrimaryCtxRetain");
  auto *SetCurrent = load<CuResult(CuHandle)>(Library, "cuCtxSetCurrent");
  auto *LoadModule =
      load<CuResult(CuHandle *, const void *)>(Library, "cuModuleLoadData");
  auto *GetFunction = load<CuResult(CuHandle *, CuHandle, const char *)>(
      Library, "cuModuleGetFunction");
  auto *GetAttribute =
      load<CuResult(int *, int, CuHandle)>(Library, "cuFuncGetAttribute");
  auto *SetAttribute =
      load<CuResult(CuHandle, int, int)>(Library, "cuFuncSetAttribute");
  auto *ActiveBlocks = load<CuResult(int *, CuHandle, int, size_t)>(
      Library, "cuOccupancyMaxActiveBlocksPerMultiprocessor");

  check(Init(0), "cuInit");
  CuDevice Device;
  check(GetDevice(&Device, 0), "cuDeviceGet");
  CuHandle Context, Module;
  check(Retain(&Context, Device), "cuDevicePrimaryCtxRetain");
  check(SetCurrent(Context), "cuCtxSetCurrent");

  std::vector<KernelShape> Shapes;
  for (unsigned Live = 1; Live <= 225; Live += 7)
    for (unsigned Static : {0u, 1000u, 12800u, 48000u})
      Shapes.push_back({Live, Static, (Live + Static) % 3 ? 1 : Live % 17});
  std::string Ptx = ".version 7.8\n.target " + Arch + "\n.address_size 64\n";
  for (size_t I = 0; I != Shapes.size(); ++I)
    Ptx += kernelPtx(Shapes[I], "k" + std::to_string(I));
  check(LoadModule(&Module, Ptx.c_str()), "cuModuleLoadData");

  std::printf("threads,registers,static_shared,dynamic_shared,barriers,"
              "carveout_percent,blocks_per_sm\n");
  std::mt19937_64 Random(3);
  for (int Row = 0; Row != NumRows; ++Row) {
    size_t Index = Random() % Shapes.size();
    CuHandle Function;
    check(GetFunction(&Function, Module, ("k" + std::to_string(Index)).c_str()),
          "cuModuleGetFunction");
    int Registers, Static;
    check(GetAttribute(&Registers, NumRegs, Function), "cuFuncGetAttribute");
    check(GetAttribute(&Static, SharedSizeBytes, Function),
          "cuFuncGetAttribute");
    int Threads = Random() % 2 ? 32 * (1 + Random() % 32) : 1 + Random() % 1024;
    int Dynamic = Random() % 2 ? 0 : Random() % (Random() % 2 ? 30000 : 184000);
    int Carveout = Random() % 2 ? -1 : int(Random() % 101);
    check(SetAttribute(Function, MaxDynamicSharedSizeBytes, Dynamic),
          "cuFuncSetAttribute");
    check(SetAttribute(Function, PreferredSharedMemoryCarveout, Carveout),
          "cuFuncSetAttribute");
    int Blocks;
    check(ActiveBlocks(&Blocks, Function, Threads, Dynamic),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    std::printf("%d,%d,%d,%d,%u,%s,%d\n", Threads, Registers, Static, Dynamic,
                Shapes[Index].Barriers,
                Carveout < 0 ? "" : std::to_string(Carveout).c_str(), Blocks);
  }
  return 0;
}
