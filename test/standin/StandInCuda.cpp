//===- StandInCuda.cpp - libcuda.so.1 for tests ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stand-in for a driver as a library, so that the calibration tool can be
// tested as a whole on machines without a GPU. Variables of the environment:
//
//   GPUOCC_FAIL_KERNEL    a kernel whose launch ends in an error, as that of a
//                         kernel that touches no memory of its own: nothing
//                         works after it
//   GPUOCC_STANDIN_ARCH   the architecture, such as 75 (90)
//   GPUOCC_STANDIN_NAME   the name of the GPU
//   GPUOCC_STANDIN_INIT   what cuInit returns (0)
//   GPUOCC_STANDIN_COUNT  how many GPUs there are (1)
//   GPUOCC_STANDIN_CUDA   the release of the driver (13000)
//   GPUOCC_STANDIN_CLOCK  what is wrong with the clocks:
//     moves      the clock of each launch is another one
//     backwards  warps end before they start
//     stopped    warps end at the clock at which they start
//     random     warps take any time that fits into 48 bits
//     erratic    warps take 80 to 111 cycles an iteration
//     far        warps end years after they start
//     timeless   the global timer stands still
//   GPUOCC_STANDIN_EVENTS what events say of the time between them: nan, inf,
//                         zero, negative
//   GPUOCC_STANDIN_HANG   a kernel that does not end
//
//===----------------------------------------------------------------------===//

#include "driver/StandIn.h"
#include "kernels/Ptx.h"
#include <cstdlib>
#include <cstring>
#include <limits>
#include <unistd.h>
#include <utility>

using namespace gpuocc::calibration;

/// The number in variable \p Name of the environment.
static int fromEnvironment(const char *Name, int Default) {
  const char *Text = std::getenv(Name);
  return Text ? std::atoi(Text) : Default;
}

/// One that is too old for a stand-in is that of sm_70 with another number.
static int architecture() { return fromEnvironment("GPUOCC_STANDIN_ARCH", 90); }

static const Driver &standIn() {
  static const Driver Table =
      standInDriver(architecture() < 70 ? 70 : architecture());
  return Table;
}

/// CUDA_ERROR_ILLEGAL_ADDRESS, once the named kernel was launched.
static constexpr CuResult IllegalAddress = 700;
static bool Broken = false;
static CuFunction Named = nullptr;
/// The same for one that does not end.
static bool Hangs = false;
static CuFunction Endless = nullptr;

extern "C" CuResult cuInit(unsigned P0) {
  int Result = fromEnvironment("GPUOCC_STANDIN_INIT", 0);
  return Result ? Result : standIn().Init(P0);
}
extern "C" CuResult cuDriverGetVersion(int *P0) {
  return *P0 = fromEnvironment("GPUOCC_STANDIN_CUDA", 13000), 0;
}
extern "C" CuResult cuDeviceGetCount(int *P0) {
  return *P0 = fromEnvironment("GPUOCC_STANDIN_COUNT", 1), 0;
}
extern "C" CuResult cuDeviceGet(CuDevice *P0, int P1) {
  return standIn().DeviceGet(P0, P1);
}
extern "C" CuResult cuDeviceGetName(char *P0, int P1, CuDevice P2) {
  if (const char *Name = std::getenv("GPUOCC_STANDIN_NAME"))
    return std::strncpy(P0, Name, P1), 0;
  return standIn().DeviceGetName(P0, P1, P2);
}
extern "C" CuResult cuDeviceGetAttribute(int *P0, int P1, CuDevice P2) {
  if (P1 == int(DeviceAttribute::MajorVersion))
    return *P0 = architecture() / 10, 0;
  if (P1 == int(DeviceAttribute::MinorVersion))
    return *P0 = architecture() % 10, 0;
  return standIn().DeviceGetAttribute(P0, P1, P2);
}
extern "C" CuResult cuDeviceGetPCIBusId(char *P0, int P1, CuDevice P2) {
  return standIn().DeviceGetPCIBusId(P0, P1, P2);
}
extern "C" CuResult cuFuncGetAttribute(int *P0, int P1, CuFunction P2) {
  return standIn().FuncGetAttribute(P0, P1, P2);
}
extern "C" CuResult cuDeviceTotalMem_v2(size_t *P0, CuDevice P1) {
  return standIn().DeviceTotalMem(P0, P1);
}
extern "C" CuResult cuDevicePrimaryCtxRetain(CuContext *P0, CuDevice P1) {
  return standIn().PrimaryCtxRetain(P0, P1);
}
extern "C" CuResult cuDevicePrimaryCtxRelease_v2(CuDevice P0) {
  return standIn().PrimaryCtxRelease(P0);
}
extern "C" CuResult cuCtxSetCurrent(CuContext P0) {
  return standIn().CtxSetCurrent(P0);
}
extern "C" CuResult cuModuleLoadDataEx(CuModule *P0, const void *P1,
                                       unsigned P2, int *P3, void **P4) {
  return standIn().ModuleLoadDataEx(P0, P1, P2, P3, P4);
}
extern "C" CuResult cuModuleUnload(CuModule P0) {
  return standIn().ModuleUnload(P0);
}
extern "C" CuResult cuModuleGetGlobal_v2(CuDevicePtr *P0, size_t *P1,
                                         CuModule P2, const char *P3) {
  return standIn().ModuleGetGlobal(P0, P1, P2, P3);
}
extern "C" CuResult cuLinkCreate_v2(unsigned P0, int *P1, void **P2,
                                    CuLinkState *P3) {
  return standIn().LinkCreate(P0, P1, P2, P3);
}
extern "C" CuResult cuLinkAddData_v2(CuLinkState P0, int P1, void *P2,
                                     size_t P3, const char *P4, unsigned P5,
                                     int *P6, void **P7) {
  return standIn().LinkAddData(P0, P1, P2, P3, P4, P5, P6, P7);
}
extern "C" CuResult cuLinkComplete(CuLinkState P0, void **P1, size_t *P2) {
  return standIn().LinkComplete(P0, P1, P2);
}
extern "C" CuResult cuLinkDestroy(CuLinkState P0) {
  return standIn().LinkDestroy(P0);
}
extern "C" CuResult cuFuncSetAttribute(CuFunction P0, int P1, int P2) {
  return standIn().FuncSetAttribute(P0, P1, P2);
}
extern "C" CuResult cuMemAlloc_v2(CuDevicePtr *P0, size_t P1) {
  return standIn().MemAlloc(P0, P1);
}
extern "C" CuResult cuMemFree_v2(CuDevicePtr P0) {
  return standIn().MemFree(P0);
}
extern "C" CuResult cuMemGetInfo_v2(size_t *P0, size_t *P1) {
  return standIn().MemGetInfo(P0, P1);
}
extern "C" CuResult cuMemHostAlloc(void **P0, size_t P1, unsigned P2) {
  return standIn().MemHostAlloc(P0, P1, P2);
}
extern "C" CuResult cuMemFreeHost(void *P0) {
  return standIn().MemFreeHost(P0);
}
extern "C" CuResult cuMemHostGetDevicePointer_v2(CuDevicePtr *P0, void *P1,
                                                 unsigned P2) {
  return standIn().MemHostGetDevicePointer(P0, P1, P2);
}
extern "C" CuResult cuMemcpyHtoD_v2(CuDevicePtr P0, const void *P1, size_t P2) {
  return standIn().MemcpyHtoD(P0, P1, P2);
}
extern "C" CuResult cuMemcpyDtoH_v2(void *P0, CuDevicePtr P1, size_t P2) {
  return standIn().MemcpyDtoH(P0, P1, P2);
}
extern "C" CuResult cuMemsetD32Async(CuDevicePtr P0, unsigned P1, size_t P2,
                                     CuStream P3) {
  return standIn().MemsetD32Async(P0, P1, P2, P3);
}
extern "C" CuResult cuStreamCreate(CuStream *P0, unsigned P1) {
  return standIn().StreamCreate(P0, P1);
}
extern "C" CuResult cuStreamDestroy_v2(CuStream P0) {
  return standIn().StreamDestroy(P0);
}
extern "C" CuResult cuEventCreate(CuEvent *P0, unsigned P1) {
  return standIn().EventCreate(P0, P1);
}
extern "C" CuResult cuEventDestroy_v2(CuEvent P0) {
  return standIn().EventDestroy(P0);
}
extern "C" CuResult cuEventRecord(CuEvent P0, CuStream P1) {
  return standIn().EventRecord(P0, P1);
}
extern "C" CuResult cuEventSynchronize(CuEvent P0) {
  return standIn().EventSynchronize(P0);
}
extern "C" CuResult cuEventElapsedTime(float *P0, CuEvent P1, CuEvent P2) {
  static constexpr struct {
    const char *Name;
    float Ms;
  } Faults[] = {{"nan", std::numeric_limits<float>::quiet_NaN()},
                {"inf", std::numeric_limits<float>::infinity()},
                {"zero", 0},
                {"negative", -1}};
  const char *Wrong = std::getenv("GPUOCC_STANDIN_EVENTS");
  for (const auto &Fault : Faults)
    if (Wrong && std::strcmp(Fault.Name, Wrong) == 0)
      return *P0 = Fault.Ms, 0;
  return standIn().EventElapsedTime(P0, P1, P2);
}
extern "C" CuResult cuTexObjectCreate(uint64_t *P0, const LinearTexture *P1,
                                      const TextureSettings *P2,
                                      const void *P3) {
  return standIn().TexObjectCreate(P0, P1, P2, P3);
}
extern "C" CuResult cuTexObjectDestroy(uint64_t P0) {
  return standIn().TexObjectDestroy(P0);
}
extern "C" CuResult cuTensorMapEncodeTiled(TensorMap *P0, int P1, unsigned P2,
                                           void *P3, const uint64_t *P4,
                                           const uint64_t *P5,
                                           const unsigned *P6,
                                           const unsigned *P7, int P8, int P9,
                                           int P10, int P11) {
  return standIn().TensorMapEncodeTiled(P0, P1, P2, P3, P4, P5, P6, P7, P8, P9,
                                        P10, P11);
}
extern "C" CuResult cuGetErrorName(CuResult P0, const char **P1) {
  return standIn().GetErrorName(P0, P1);
}

extern "C" CuResult cuModuleGetFunction(CuFunction *F, CuModule M,
                                        const char *Name) {
  CuResult Result = standIn().ModuleGetFunction(F, M, Name);
  const char *Failing = std::getenv("GPUOCC_FAIL_KERNEL");
  if (Failing && std::strcmp(Failing, Name) == 0)
    Named = *F;
  const char *Hanging = std::getenv("GPUOCC_STANDIN_HANG");
  if (Hanging && std::strcmp(Hanging, Name) == 0)
    Endless = *F;
  return Broken ? IllegalAddress : Result;
}

namespace {
/// A way in which the clocks are wrong.
struct ClockFault {
  const char *Name;
  /// Spoils the record of a warp of launch number \p Launch.
  void (*Spoil)(WarpRecord &R, uint64_t Launch);
};
} // namespace

/// A number for each launch that looks like none: the finalizer of splitmix64.
static uint64_t scrambled(uint64_t X) {
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

static constexpr ClockFault ClockFaults[] = {
    {"moves",
     [](WarpRecord &R, uint64_t Launch) {
       // 20 to 24 ns a cycle, so that all launches are long enough to tell it.
       R.EndTime = (R.EndClock - R.StartClock) * (20 + Launch % 5);
     }},
    {"backwards",
     [](WarpRecord &R, uint64_t) { std::swap(R.StartClock, R.EndClock); }},
    {"stopped", [](WarpRecord &R, uint64_t) { R.EndClock = R.StartClock; }},
    {"random",
     [](WarpRecord &R, uint64_t Launch) {
       R.EndClock = R.StartClock + (scrambled(Launch) >> 16);
     }},
    {"erratic",
     [](WarpRecord &R, uint64_t Launch) {
       const uint64_t Iterations = (R.EndClock - R.StartClock) / 100;
       R.EndClock =
           R.StartClock + 30 + Iterations * (80 + (scrambled(Launch) & 31));
     }},
    {"far", [](WarpRecord &R, uint64_t) { R.EndClock = ~uint64_t(0) - R.Sm; }},
    {"timeless", [](WarpRecord &R, uint64_t) { R.EndTime = R.StartTime; }},
};

extern "C" CuResult cuLaunchKernel(CuFunction F, unsigned BlocksX,
                                   unsigned BlocksY, unsigned BlocksZ,
                                   unsigned ThreadsX, unsigned ThreadsY,
                                   unsigned ThreadsZ, unsigned SharedBytes,
                                   CuStream Stream, void **Arguments,
                                   void **Extra) {
  Broken |= F == Named;
  Hangs |= F == Endless;
  CuResult Result =
      standIn().LaunchKernel(F, BlocksX, BlocksY, BlocksZ, ThreadsX, ThreadsY,
                             ThreadsZ, SharedBytes, Stream, Arguments, Extra);
  const size_t Warps = size_t(BlocksX) * ((ThreadsX + 31) / 32);
  const char *Wrong = std::getenv("GPUOCC_STANDIN_CLOCK");
  if (Result != 0 || !Wrong || Warps > WarpRecordLimit)
    return Result;
  static uint64_t Launches = 0;
  ++Launches;
  auto *Records = *static_cast<WarpRecord **>(Arguments[0]);
  for (const ClockFault &Fault : ClockFaults)
    if (std::strcmp(Fault.Name, Wrong) == 0)
      for (size_t W = 0; W < Warps; ++W)
        Fault.Spoil(Records[W], Launches);
  return Result;
}

extern "C" CuResult cuStreamSynchronize(CuStream) {
  while (Hangs)
    pause();
  return Broken ? IllegalAddress : 0;
}
