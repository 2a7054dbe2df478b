//===- RuntimeDriver.cpp - Functions of the driver ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What programs call of the driver, by linking with it or through
/// cudaGetDriverEntryPoint. Most is what the runtime has under another name.
///
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "DeviceNumbers.h"
#include "KernelTable.h"
#include "LaunchConfig.h"
#include "LaunchLog.h"
#include "RuntimeErrors.h"
#include "gpuocc/Kernel/RecordedTensorMap.h"
#include <cstring>
#include <string>

using namespace gpuocc::recorder;
using gpuocc::RecordedTensorMap;

namespace {

/// cudaDriverEntryPointSymbolNotFound.
constexpr int SymbolNotFound = 1;

/// CUlaunchConfig: as cudaLaunchConfig_t, but for the size of SharedBytes.
struct DriverLaunchConfig {
  Extent Grid, Block;
  unsigned SharedBytes;
  void *Stream;
  const LaunchAttribute *Attributes;
  unsigned NumAttributes;
};

/// The CUfunction_attribute that cuFuncGetAttribute answers, up to where
/// FunctionAttributes has them in the same order.
enum FunctionAttribute {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  NumRegs = 4
};

void *context() {
  static char Context;
  return &Context;
}

} // namespace

extern "C" {

int cudaDeviceGetAttribute(int *Value, int Attribute, int Device);
int cudaDriverGetVersion(int *Version);
int cudaDeviceSynchronize();
int cudaMalloc(void **Pointer, size_t Bytes);
int cudaMallocManaged(void **Pointer, size_t Bytes, unsigned Flags);
int cudaMallocHost(void **Pointer, size_t Bytes);
int cudaFree(void *Pointer);
int cudaFreeHost(void *Pointer);
int cudaMemGetInfo(size_t *Free, size_t *Total);
int cudaMemcpy(void *To, const void *From, size_t Bytes, int Kind);
int cudaMemcpyAsync(void *To, const void *From, size_t Bytes, int Kind,
                    void *Stream);
int cudaMemset(void *Pointer, int Value, size_t Bytes);
int cudaMemsetAsync(void *Pointer, int Value, size_t Bytes, void *Stream);
int cudaStreamCreate(void **Stream);
int cudaStreamCreateWithFlags(void **Stream, unsigned Flags);
int cudaStreamSynchronize(void *Stream);
int cudaEventSynchronize(void *Event);
int cudaStreamWaitEvent(void *Stream, void *Event, unsigned Flags);
int cudaEventRecord(void *Event, void *Stream);
int cudaEventElapsedTime(float *Milliseconds, void *Start, void *End);
int cudaFuncSetAttribute(const void *Stub, int Attribute, int Value);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, const void *Stub,
                                                  int BlockSize,
                                                  size_t SharedBytes);
int cuMemGetAllocationGranularity(size_t *Bytes, const void *Properties,
                                  int Option);
int cuMemAddressReserve(void **Pointer, size_t Bytes, size_t Alignment,
                        void *Wanted, unsigned long long Flags);
int cuMemAddressFree(void *Pointer, size_t Bytes);
int cuMemCreate(void **Handle, size_t Bytes, const void *Properties,
                unsigned long long Flags);
int cuMemRelease(void *Handle);
int cuMemMap(void *Pointer, size_t Bytes, size_t Offset, const void *Handle,
             unsigned long long Flags);
int cuMemUnmap(void *Pointer, size_t Bytes);
int cuMemSetAccess(void *Pointer, size_t Bytes, const void *Descriptors,
                   size_t Count);
int cuMemGetAccess(unsigned long long *Flags, const void *Place, void *Pointer);

// The device and its context.

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int *Version) { return cudaDriverGetVersion(Version); }
int cuDeviceGetCount(int *Count) {
  *Count = 1;
  return 0;
}
int cuDeviceGet(int *Device, int) {
  *Device = 0;
  return 0;
}
int cuDeviceGetName(char *Name, int Length, int) {
  if (Length > 0) {
    std::strncpy(Name, "gpu-occupancy", size_t(Length));
    Name[Length - 1] = 0;
  }
  return 0;
}
int cuDeviceGetAttribute(int *Value, int Attribute, int Device) {
  return cudaDeviceGetAttribute(Value, Attribute, Device);
}
// There is one device.
int cuDeviceCanAccessPeer(int *CanAccess, int, int) {
  *CanAccess = 0;
  return 0;
}
int cuDeviceTotalMem_v2(size_t *Bytes, int) {
  *Bytes = size_t(gpuoccDeviceNumber("memory_bytes"));
  return 0;
}
int cuDevicePrimaryCtxRetain(void **Context, int) {
  *Context = context();
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxCreate_v2(void **Context, unsigned, int) {
  *Context = context();
  return 0;
}
int cuCtxCreate_v4(void **Context, void *, unsigned, int) {
  *Context = context();
  return 0;
}
int cuCtxDestroy_v2(void *) { return 0; }
int cuCtxGetCurrent(void **Context) {
  *Context = context();
  return 0;
}
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxGetDevice(int *Device) {
  *Device = 0;
  return 0;
}
int cuCtxSynchronize() { return cudaDeviceSynchronize(); }
int cuGetErrorString(int Error, const char **Text) {
  *Text = Error == 0 ? "no error" : "error";
  return 0;
}
int cuGetErrorName(int Error, const char **Text) {
  *Text = Error == 0 ? "CUDA_SUCCESS" : "CUDA_ERROR_UNKNOWN";
  return 0;
}

// Memory.

int cuMemAlloc_v2(void **Pointer, size_t Bytes) {
  return cudaMalloc(Pointer, Bytes);
}
int cuMemAllocManaged(void **Pointer, size_t Bytes, unsigned Flags) {
  return cudaMallocManaged(Pointer, Bytes, Flags);
}
int cuMemAllocHost_v2(void **Pointer, size_t Bytes) {
  return cudaMallocHost(Pointer, Bytes);
}
int cuMemHostAlloc(void **Pointer, size_t Bytes, unsigned) {
  return cudaMallocHost(Pointer, Bytes);
}
int cuMemFree_v2(void *Pointer) { return cudaFree(Pointer); }
int cuMemFreeHost(void *Pointer) { return cudaFreeHost(Pointer); }
int cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  return cudaMemGetInfo(Free, Total);
}
int cuMemGetAddressRange_v2(void **Start, size_t *Bytes, const void *Pointer) {
  const DeviceMemory::Range Range = deviceMemory().rangeOf(Pointer);
  if (Range.Bytes == 0)
    return NotFound;
  // A program may ask for one of both.
  if (Start)
    *Start = Range.Start;
  if (Bytes)
    *Bytes = Range.Bytes;
  return Success;
}
int cuMemcpy(void *To, const void *From, size_t Bytes) {
  return cudaMemcpy(To, From, Bytes, 0);
}
int cuMemcpyHtoD_v2(void *To, const void *From, size_t Bytes) {
  return cudaMemcpy(To, From, Bytes, 0);
}
int cuMemcpyDtoH_v2(void *To, const void *From, size_t Bytes) {
  return cudaMemcpy(To, From, Bytes, 0);
}
int cuMemcpyDtoD_v2(void *To, const void *From, size_t Bytes) {
  return cudaMemcpy(To, From, Bytes, 0);
}
int cuMemcpyHtoDAsync_v2(void *To, const void *From, size_t Bytes,
                         void *Stream) {
  return cudaMemcpyAsync(To, From, Bytes, 0, Stream);
}
int cuMemcpyDtoHAsync_v2(void *To, const void *From, size_t Bytes,
                         void *Stream) {
  return cudaMemcpyAsync(To, From, Bytes, 0, Stream);
}
int cuMemcpyDtoDAsync_v2(void *To, const void *From, size_t Bytes,
                         void *Stream) {
  return cudaMemcpyAsync(To, From, Bytes, 0, Stream);
}
int cuMemsetD8_v2(void *Pointer, unsigned char Value, size_t Bytes) {
  return cudaMemset(Pointer, Value, Bytes);
}
int cuMemsetD8Async(void *Pointer, unsigned char Value, size_t Bytes,
                    void *Stream) {
  return cudaMemsetAsync(Pointer, Value, Bytes, Stream);
}
/// Writes the \p WordBytes bytes at \p Word \p Count times to device memory.
static int fill(void *Pointer, const void *Word, size_t WordBytes,
                size_t Count) {
  // Makes the contents known.
  if (const int Error = cudaMemset(Pointer, 0, Count * WordBytes))
    return Error;
  static constexpr char Zero[sizeof(unsigned)] = {};
  if (std::memcmp(Word, Zero, WordBytes) == 0)
    return 0;
  for (size_t I = 0; I != Count; ++I)
    std::memcpy(static_cast<char *>(Pointer) + I * WordBytes, Word, WordBytes);
  return 0;
}
int cuMemsetD16_v2(void *Pointer, unsigned short Value, size_t Count) {
  return fill(Pointer, &Value, sizeof(Value), Count);
}
int cuMemsetD16Async(void *Pointer, unsigned short Value, size_t Count,
                     void *) {
  return fill(Pointer, &Value, sizeof(Value), Count);
}
int cuMemsetD32_v2(void *Pointer, unsigned Value, size_t Count) {
  return fill(Pointer, &Value, sizeof(Value), Count);
}
int cuMemsetD32Async(void *Pointer, unsigned Value, size_t Count, void *) {
  return fill(Pointer, &Value, sizeof(Value), Count);
}

// Streams and events.

int cuStreamCreate(void **Stream, unsigned Flags) {
  return cudaStreamCreateWithFlags(Stream, Flags);
}
int cuStreamDestroy_v2(void *) { return 0; }
int cuStreamSynchronize(void *Stream) { return cudaStreamSynchronize(Stream); }
int cuStreamWaitEvent(void *Stream, void *Event, unsigned Flags) {
  return cudaStreamWaitEvent(Stream, Event, Flags);
}
int cuEventCreate(void **Event, unsigned) { return cudaStreamCreate(Event); }
int cuEventDestroy_v2(void *) { return 0; }
int cuEventRecord(void *Event, void *Stream) {
  return cudaEventRecord(Event, Stream);
}
int cuEventSynchronize(void *Event) { return cudaEventSynchronize(Event); }
int cuEventElapsedTime_v2(float *Milliseconds, void *Start, void *End) {
  return cudaEventElapsedTime(Milliseconds, Start, End);
}

// Kernels of modules, by name.

int cuModuleLoad(void **Module, const char *) {
  *Module = new char;
  return 0;
}
int cuModuleLoadData(void **Module, const void *) {
  return cuModuleLoad(Module, nullptr);
}
int cuModuleLoadDataEx(void **Module, const void *, unsigned, void *, void *) {
  return cuModuleLoad(Module, nullptr);
}
int cuModuleLoadFatBinary(void **Module, const void *) {
  return cuModuleLoad(Module, nullptr);
}
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(const void **Function, void *, const char *Name) {
  *Function = kernelTable().byName(Name);
  return 0;
}
int cuLibraryLoadData(void **Library, const void *, void *, void *, unsigned,
                      void *, void *, unsigned) {
  return cuModuleLoad(Library, nullptr);
}
int cuLibraryLoadFromFile(void **Library, const char *, void *, void *,
                          unsigned, void *, void *, unsigned) {
  return cuModuleLoad(Library, nullptr);
}
int cuLibraryGetKernel(const void **Kernel, void *Library, const char *Name) {
  return cuModuleGetFunction(Kernel, Library, Name);
}
int cuKernelGetFunction(const void **Function, const void *Kernel) {
  *Function = Kernel;
  return 0;
}
int cudaGetFuncBySymbol(const void **Function, const void *Stub) {
  *Function = Stub;
  return 0;
}
int cudaGetKernel(const void **Kernel, const void *Stub) {
  *Kernel = Stub;
  return 0;
}

int cuLaunchKernel(const void *Function, unsigned GridX, unsigned GridY,
                   unsigned GridZ, unsigned BlockX, unsigned BlockY,
                   unsigned BlockZ, unsigned SharedBytes, void *Stream,
                   void **Arguments, void **) {
  return launchKernel(plainLaunch(Function, {GridX, GridY, GridZ},
                                  {BlockX, BlockY, BlockZ}, Arguments,
                                  SharedBytes, Stream));
}
int cuLaunchCooperativeKernel(const void *Function, unsigned GridX,
                              unsigned GridY, unsigned GridZ, unsigned BlockX,
                              unsigned BlockY, unsigned BlockZ,
                              unsigned SharedBytes, void *Stream,
                              void **Arguments) {
  LaunchRequest Request =
      plainLaunch(Function, {GridX, GridY, GridZ}, {BlockX, BlockY, BlockZ},
                  Arguments, SharedBytes, Stream);
  Request.IsCooperative = true;
  return launchKernel(Request);
}
int cuLaunchKernelEx(const DriverLaunchConfig *Config, const void *Function,
                     void **Arguments, void **) {
  const LaunchConfig Same = {Config->Grid,        Config->Block,
                             Config->SharedBytes, Config->Stream,
                             Config->Attributes,  Config->NumAttributes};
  return launchKernel(requestOf(Same, Function, Arguments));
}

int cuFuncSetAttribute(const void *Function, int Attribute, int Value) {
  return cudaFuncSetAttribute(Function, Attribute, Value);
}
int cuKernelSetAttribute(int Attribute, int Value, const void *Kernel, int) {
  return cudaFuncSetAttribute(Kernel, Attribute, Value);
}
int cuFuncSetCacheConfig(const void *, int) { return 0; }
int cuFuncGetAttribute(int *Value, int Attribute, const void *Function) {
  const ProgramKernel *K = kernelTable().find(Function);
  *Value = 0;
  if (!K || !K->Description)
    return K ? 0 : InvalidValue;
  const KernelDescription &D = *K->Description;
  switch (Attribute) {
  case MaxThreadsPerBlock:
    *Value = int(D.MaxThreads);
    break;
  case SharedSizeBytes:
    *Value = int(D.SharedBytes);
    break;
  case LocalSizeBytes:
    *Value = int(D.LocalBytes);
    break;
  case NumRegs:
    *Value = int(D.Registers);
    break;
  }
  return 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                const void *Function,
                                                int BlockSize,
                                                size_t SharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(Blocks, Function,
                                                       BlockSize, SharedBytes);
}

// Tensor maps.

static int encode(void *Map, int DataType, unsigned Rank, void *Address,
                  const uint64_t *Extents, const uint64_t *Strides,
                  const uint32_t *Box, const uint32_t *ElementStrides,
                  int Interleave, int Swizzle, int Promotion, int Fill) {
  RecordedTensorMap T;
  if (Rank == 0 || Rank > std::size(T.Extents))
    return noteError(InvalidValue);
  T.Address = uint64_t(uintptr_t(Address));
  T.Rank = uint8_t(Rank);
  for (unsigned I = 0; I != Rank; ++I) {
    T.Extents[I] = uint32_t(Extents[I]);
    T.Box[I] = Box ? uint16_t(Box[I]) : 0;
    T.ElementStrides[I] = ElementStrides ? uint8_t(ElementStrides[I]) : 1;
    if (I + 1 != Rank)
      T.Strides[I] = Strides[I];
  }
  T.DataType = uint8_t(DataType);
  T.Interleave = uint8_t(Interleave);
  T.Swizzle = uint8_t(Swizzle);
  T.Promotion = uint8_t(Promotion);
  T.Fill = uint8_t(Fill);
  T.IsIm2col = Box == nullptr;
  std::memcpy(Map, &T, sizeof(T));
  return 0;
}

int cuTensorMapEncodeTiled(void *Map, int DataType, unsigned Rank,
                           void *Address, const uint64_t *Extents,
                           const uint64_t *Strides, const uint32_t *Box,
                           const uint32_t *ElementStrides, int Interleave,
                           int Swizzle, int Promotion, int Fill) {
  return encode(Map, DataType, Rank, Address, Extents, Strides, Box,
                ElementStrides, Interleave, Swizzle, Promotion, Fill);
}
int cuTensorMapEncodeIm2col(void *Map, int DataType, unsigned Rank,
                            void *Address, const uint64_t *Extents,
                            const uint64_t *Strides, const int *, const int *,
                            unsigned, unsigned, const uint32_t *ElementStrides,
                            int Interleave, int Swizzle, int Promotion,
                            int Fill) {
  return encode(Map, DataType, Rank, Address, Extents, Strides, nullptr,
                ElementStrides, Interleave, Swizzle, Promotion, Fill);
}
int cuTensorMapReplaceAddress(void *Map, void *Address) {
  static_cast<RecordedTensorMap *>(Map)->Address = uint64_t(uintptr_t(Address));
  return 0;
}

} // extern "C"

namespace {

struct EntryPoint {
  const char *Name;
  void *Function;
};

/// The functions above by the names that programs ask for, without versions.
#define GPUOCC_ENTRY(Name, Function) {Name, reinterpret_cast<void *>(&Function)}
const EntryPoint EntryPoints[] = {
    GPUOCC_ENTRY("cuInit", cuInit),
    GPUOCC_ENTRY("cuDriverGetVersion", cuDriverGetVersion),
    GPUOCC_ENTRY("cuDeviceGetCount", cuDeviceGetCount),
    GPUOCC_ENTRY("cuDeviceGet", cuDeviceGet),
    GPUOCC_ENTRY("cuDeviceGetName", cuDeviceGetName),
    GPUOCC_ENTRY("cuDeviceGetAttribute", cuDeviceGetAttribute),
    GPUOCC_ENTRY("cuDeviceCanAccessPeer", cuDeviceCanAccessPeer),
    GPUOCC_ENTRY("cuDeviceTotalMem", cuDeviceTotalMem_v2),
    GPUOCC_ENTRY("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain),
    GPUOCC_ENTRY("cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease_v2),
    GPUOCC_ENTRY("cuCtxGetCurrent", cuCtxGetCurrent),
    GPUOCC_ENTRY("cuCtxSetCurrent", cuCtxSetCurrent),
    GPUOCC_ENTRY("cuCtxGetDevice", cuCtxGetDevice),
    GPUOCC_ENTRY("cuCtxSynchronize", cuCtxSynchronize),
    GPUOCC_ENTRY("cuGetErrorString", cuGetErrorString),
    GPUOCC_ENTRY("cuGetErrorName", cuGetErrorName),
    GPUOCC_ENTRY("cuMemAlloc", cuMemAlloc_v2),
    GPUOCC_ENTRY("cuMemFree", cuMemFree_v2),
    GPUOCC_ENTRY("cuMemGetAddressRange", cuMemGetAddressRange_v2),
    GPUOCC_ENTRY("cuMemGetAllocationGranularity",
                 cuMemGetAllocationGranularity),
    GPUOCC_ENTRY("cuMemAddressReserve", cuMemAddressReserve),
    GPUOCC_ENTRY("cuMemAddressFree", cuMemAddressFree),
    GPUOCC_ENTRY("cuMemCreate", cuMemCreate),
    GPUOCC_ENTRY("cuMemRelease", cuMemRelease),
    GPUOCC_ENTRY("cuMemMap", cuMemMap),
    GPUOCC_ENTRY("cuMemUnmap", cuMemUnmap),
    GPUOCC_ENTRY("cuMemSetAccess", cuMemSetAccess),
    GPUOCC_ENTRY("cuMemGetAccess", cuMemGetAccess),
    GPUOCC_ENTRY("cuMemcpy", cuMemcpy),
    GPUOCC_ENTRY("cuMemcpyHtoD", cuMemcpyHtoD_v2),
    GPUOCC_ENTRY("cuMemcpyDtoH", cuMemcpyDtoH_v2),
    GPUOCC_ENTRY("cuMemcpyDtoD", cuMemcpyDtoD_v2),
    GPUOCC_ENTRY("cuMemcpyHtoDAsync", cuMemcpyHtoDAsync_v2),
    GPUOCC_ENTRY("cuMemcpyDtoHAsync", cuMemcpyDtoHAsync_v2),
    GPUOCC_ENTRY("cuMemcpyDtoDAsync", cuMemcpyDtoDAsync_v2),
    GPUOCC_ENTRY("cuMemsetD8", cuMemsetD8_v2),
    GPUOCC_ENTRY("cuMemsetD8Async", cuMemsetD8Async),
    GPUOCC_ENTRY("cuMemsetD16", cuMemsetD16_v2),
    GPUOCC_ENTRY("cuMemsetD16Async", cuMemsetD16Async),
    GPUOCC_ENTRY("cuMemsetD32", cuMemsetD32_v2),
    GPUOCC_ENTRY("cuMemsetD32Async", cuMemsetD32Async),
    GPUOCC_ENTRY("cuStreamSynchronize", cuStreamSynchronize),
    GPUOCC_ENTRY("cuStreamWaitEvent", cuStreamWaitEvent),
    GPUOCC_ENTRY("cuEventRecord", cuEventRecord),
    GPUOCC_ENTRY("cuModuleLoadData", cuModuleLoadData),
    GPUOCC_ENTRY("cuModuleLoadDataEx", cuModuleLoadDataEx),
    GPUOCC_ENTRY("cuModuleUnload", cuModuleUnload),
    GPUOCC_ENTRY("cuModuleGetFunction", cuModuleGetFunction),
    GPUOCC_ENTRY("cuLibraryLoadData", cuLibraryLoadData),
    GPUOCC_ENTRY("cuLibraryGetKernel", cuLibraryGetKernel),
    GPUOCC_ENTRY("cuKernelGetFunction", cuKernelGetFunction),
    GPUOCC_ENTRY("cuLaunchKernel", cuLaunchKernel),
    GPUOCC_ENTRY("cuLaunchKernelEx", cuLaunchKernelEx),
    GPUOCC_ENTRY("cuLaunchCooperativeKernel", cuLaunchCooperativeKernel),
    GPUOCC_ENTRY("cuFuncSetAttribute", cuFuncSetAttribute),
    GPUOCC_ENTRY("cuFuncGetAttribute", cuFuncGetAttribute),
    GPUOCC_ENTRY("cuKernelSetAttribute", cuKernelSetAttribute),
    GPUOCC_ENTRY("cuOccupancyMaxActiveBlocksPerMultiprocessor",
                 cuOccupancyMaxActiveBlocksPerMultiprocessor),
    GPUOCC_ENTRY("cuTensorMapEncodeTiled", cuTensorMapEncodeTiled),
    GPUOCC_ENTRY("cuTensorMapEncodeIm2col", cuTensorMapEncodeIm2col),
    GPUOCC_ENTRY("cuTensorMapReplaceAddress", cuTensorMapReplaceAddress),
};
#undef GPUOCC_ENTRY

void *findEntryPoint(const char *Name) {
  for (const EntryPoint &Entry : EntryPoints)
    if (std::strcmp(Entry.Name, Name) == 0)
      return Entry.Function;
  launchLog().note("the program asks the driver for '" + std::string(Name) +
                   "', which the recorder does not have: it is told that the "
                   "driver has not either");
  return nullptr;
}

} // namespace

extern "C" {

int cudaGetDriverEntryPointByVersion(const char *Name, void **Function,
                                     unsigned, unsigned long long,
                                     int *Status) {
  *Function = findEntryPoint(Name);
  if (Status)
    *Status = *Function ? 0 : SymbolNotFound;
  return 0;
}
int cudaGetDriverEntryPoint(const char *Name, void **Function,
                            unsigned long long Flags, int *Status) {
  return cudaGetDriverEntryPointByVersion(Name, Function, 0, Flags, Status);
}
int cuGetProcAddress_v2(const char *Name, void **Function, int,
                        unsigned long long, int *Status) {
  *Function = findEntryPoint(Name);
  if (Status)
    *Status = *Function ? 0 : SymbolNotFound;
  return *Function ? 0 : NotFound;
}

} // extern "C"
