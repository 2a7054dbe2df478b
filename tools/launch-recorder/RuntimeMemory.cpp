//===- RuntimeMemory.cpp - Memory of the device ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Allocations, copies and fills. Names and types are those of CUDA's runtime.
///
//===----------------------------------------------------------------------===//

#include "Copy3D.h"
#include "DeviceArray.h"
#include "DeviceMemory.h"
#include "DeviceNumbers.h"
#include "HostLog.h"
#include "KernelExecutor.h"
#include "ManagedMemory.h"
#include "RepeatedLaunches.h"
#include "RuntimeErrors.h"
#include "Streams.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace gpuocc::recorder;

namespace {

/// Bytes that rows of pitched memory are multiples of.
constexpr size_t PitchBytes = 512;

void copyRows(void *To, size_t ToPitch, const void *From, size_t FromPitch,
              size_t Width, size_t Height, bool Waits) {
  hostLog().copy(To, From, Width * Height, Waits);
  for (size_t Row = 0; Row != Height; ++Row)
    deviceMemory().copy(static_cast<char *>(To) + Row * ToPitch,
                        static_cast<const char *>(From) + Row * FromPitch,
                        Width);
}

} // namespace

extern "C" {

int cudaMalloc(void **Pointer, size_t Bytes) {
  *Pointer = deviceMemory().allocate(Bytes);
  return *Pointer ? 0 : noteError(OutOfMemory);
}
int cudaMallocManaged(void **Pointer, size_t Bytes, unsigned) {
  *Pointer = deviceMemory().allocate(Bytes, /*HostWrites=*/true);
  if (*Pointer)
    managedMemory().add(*Pointer, Bytes);
  return *Pointer ? 0 : noteError(OutOfMemory);
}
int cudaMallocAsync(void **Pointer, size_t Bytes, void *) {
  return cudaMalloc(Pointer, Bytes);
}
int cudaMallocFromPoolAsync(void **Pointer, size_t Bytes, void *, void *) {
  return cudaMalloc(Pointer, Bytes);
}
// Allocations of all pools come from one place.
int cudaDeviceGetDefaultMemPool(void **Pool, int) {
  static char Default;
  *Pool = &Default;
  return 0;
}
int cudaDeviceGetMemPool(void **Pool, int Device) {
  return cudaDeviceGetDefaultMemPool(Pool, Device);
}
int cudaMemPoolCreate(void **Pool, const void *) {
  return cudaDeviceGetDefaultMemPool(Pool, 0);
}
int cudaMallocHost(void **Pointer, size_t Bytes) {
  *Pointer = deviceMemory().allocate(Bytes, /*HostWrites=*/true);
  if (!*Pointer)
    return noteError(OutOfMemory);
  hostLog().pin(*Pointer, Bytes);
  return 0;
}
int cudaHostAlloc(void **Pointer, size_t Bytes, unsigned) {
  return cudaMallocHost(Pointer, Bytes);
}
int cudaHostRegister(void *Pointer, size_t Bytes, unsigned) {
  hostLog().pin(Pointer, Bytes);
  return 0;
}
int cudaHostUnregister(void *Pointer) {
  hostLog().unpin(Pointer);
  return 0;
}
int cudaMallocPitch(void **Pointer, size_t *Pitch, size_t Width,
                    size_t Height) {
  *Pitch = (Width + PitchBytes - 1) / PitchBytes * PitchBytes;
  return cudaMalloc(Pointer, *Pitch * Height);
}
int cudaMalloc3D(PitchedPointer *Pitched, Size3D Size) {
  Pitched->Width = Size.Width;
  Pitched->Height = Size.Height;
  return cudaMallocPitch(&Pitched->Pointer, &Pitched->Pitch, Size.Width,
                         Size.Height * Size.Depth);
}
int cudaFree(void *Pointer) {
  managedMemory().remove(Pointer);
  deviceMemory().release(Pointer);
  return 0;
}
int cudaFreeAsync(void *Pointer, void *) { return cudaFree(Pointer); }
int cudaFreeHost(void *Pointer) {
  hostLog().unpin(Pointer);
  return cudaFree(Pointer);
}

// The place is the number of a device or, for CUDA 13, a kind and a number; the
// only device is 0 in the one and of kind 1 in the other form.
int cudaMemPrefetchAsync(const void *Pointer, size_t Bytes, int Place) {
  managedMemory().move(Pointer, Bytes, Place == 0 || Place == 1);
  return 0;
}
// NOLINTNEXTLINE(readability-identifier-naming): CUDA's versions end in _v2.
int cudaMemPrefetchAsync_v2(const void *Pointer, size_t Bytes, int Place) {
  return cudaMemPrefetchAsync(Pointer, Bytes, Place);
}

int cudaHostGetDevicePointer(void **Device, void *Host, unsigned) {
  *Device = Host;
  return 0;
}
int cudaMemGetInfo(size_t *Free, size_t *Total) {
  *Free = *Total = size_t(gpuoccDeviceNumber("memory_bytes"));
  return 0;
}

int cudaMemset(void *Pointer, int Value, size_t Bytes) {
  if (Bytes != 0 && !Pointer)
    return noteError(InvalidValue);
  deviceMemory().fill(Pointer, Value, Bytes);
  managedMemory().move(Pointer, Bytes, /*ToDevice=*/true);
  return 0;
}
int cudaMemsetAsync(void *Pointer, int Value, size_t Bytes, void *Stream) {
  submit(Stream, [=] { cudaMemset(Pointer, Value, Bytes); });
  return 0;
}
int cudaMemset2D(void *Pointer, size_t Pitch, int Value, size_t Width,
                 size_t Height) {
  for (size_t Row = 0; Row != Height; ++Row)
    deviceMemory().fill(static_cast<char *>(Pointer) + Row * Pitch, Value,
                        Width);
  return 0;
}
int cudaMemset2DAsync(void *Pointer, size_t Pitch, int Value, size_t Width,
                      size_t Height, void *Stream) {
  submit(Stream, [=] { cudaMemset2D(Pointer, Pitch, Value, Width, Height); });
  return 0;
}
int cudaMemset3D(PitchedPointer To, int Value, Size3D Size) {
  for (size_t Z = 0; Z != Size.Depth; ++Z)
    cudaMemset2D(static_cast<char *>(To.Pointer) + Z * To.Height * To.Pitch,
                 To.Pitch, Value, Size.Width, Size.Height);
  return 0;
}
int cudaMemset3DAsync(PitchedPointer To, int Value, Size3D Size, void *Stream) {
  submit(Stream, [=] { cudaMemset3D(To, Value, Size); });
  return 0;
}

int cudaMemcpy(void *To, const void *From, size_t Bytes, int) {
  if (Bytes != 0 && (!To || !From))
    return noteError(InvalidValue);
  copyRows(To, Bytes, From, Bytes, Bytes, 1, /*Waits=*/true);
  return kernelExecutor().failure();
}
int cudaMemcpyAsync(void *To, const void *From, size_t Bytes, int,
                    void *Stream) {
  if (Bytes != 0 && (!To || !From))
    return noteError(InvalidValue);
  submit(Stream,
         [=] { copyRows(To, Bytes, From, Bytes, Bytes, 1, /*Waits=*/false); });
  return 0;
}
int cudaMemcpyPeer(void *To, int, const void *From, int, size_t Bytes) {
  return cudaMemcpy(To, From, Bytes, 0);
}
int cudaMemcpyPeerAsync(void *To, int, const void *From, int, size_t Bytes,
                        void *Stream) {
  return cudaMemcpyAsync(To, From, Bytes, 0, Stream);
}
int cudaMemcpy2D(void *To, size_t ToPitch, const void *From, size_t FromPitch,
                 size_t Width, size_t Height, int) {
  copyRows(To, ToPitch, From, FromPitch, Width, Height, /*Waits=*/true);
  return 0;
}
int cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From,
                      size_t FromPitch, size_t Width, size_t Height, int,
                      void *Stream) {
  submit(Stream, [=] {
    copyRows(To, ToPitch, From, FromPitch, Width, Height, /*Waits=*/false);
  });
  return 0;
}
int cudaMemcpy3D(const Copy3D *Copy) {
  PitchedPointer To = Copy->To, From = Copy->From;
  Size3D Size = Copy->Size;
  Position ToPosition = Copy->ToPosition, FromPosition = Copy->FromPosition;
  DeviceArray Array;
  // Where an array takes part, widths and columns count its elements.
  for (auto [Handle, Pitched] :
       {std::pair<void *, PitchedPointer *>{Copy->ToArray, &To},
        {Copy->FromArray, &From}})
    if (Handle && findArray(Handle, Array))
      *Pitched = {Handle, Array.rowBytes(), Array.rowBytes(),
                  std::max(Array.Size.Height, size_t(1))};
  if (Copy->ToArray || Copy->FromArray) {
    Size.Width *= Array.ElementBytes;
    if (Copy->ToArray)
      ToPosition.X *= Array.ElementBytes;
    if (Copy->FromArray)
      FromPosition.X *= Array.ElementBytes;
  }
  for (size_t Z = 0; Z != Size.Depth; ++Z)
    copyRows(static_cast<char *>(To.Pointer) +
                 ((ToPosition.Z + Z) * To.Height + ToPosition.Y) * To.Pitch +
                 ToPosition.X,
             To.Pitch,
             static_cast<const char *>(From.Pointer) +
                 ((FromPosition.Z + Z) * From.Height + FromPosition.Y) *
                     From.Pitch +
                 FromPosition.X,
             From.Pitch, Size.Width, Size.Height, /*Waits=*/true);
  return 0;
}
int cudaMemcpy3DAsync(const Copy3D *Copy, void *Stream) {
  submit(Stream, [Kept = *Copy] { cudaMemcpy3D(&Kept); });
  return 0;
}

// A variable of the device is the host's variable of that name.
int cudaMemcpyToSymbol(const void *Symbol, const void *From, size_t Bytes,
                       size_t Offset, int) {
  hostLog().copyToDevice(From, Bytes);
  repeatedLaunches().noteVariable();
  std::memcpy(static_cast<char *>(const_cast<void *>(Symbol)) + Offset, From,
              Bytes);
  return 0;
}
int cudaMemcpyToSymbolAsync(const void *Symbol, const void *From, size_t Bytes,
                            size_t Offset, int Kind, void *Stream) {
  submit(Stream,
         [=] { cudaMemcpyToSymbol(Symbol, From, Bytes, Offset, Kind); });
  return 0;
}
int cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                         size_t Offset, int) {
  hostLog().copyToHost(To, Bytes);
  std::memcpy(To, static_cast<const char *>(Symbol) + Offset, Bytes);
  return 0;
}
int cudaMemcpyFromSymbolAsync(void *To, const void *Symbol, size_t Bytes,
                              size_t Offset, int Kind, void *Stream) {
  submit(Stream,
         [=] { cudaMemcpyFromSymbol(To, Symbol, Bytes, Offset, Kind); });
  return 0;
}
/// What a call that does nothing would have written is not known.
void gpuoccForget(void **Pointers, unsigned Count) {
  for (unsigned I = 0; I != Count; ++I)
    deviceMemory().setKnown(Pointers[I], false);
}
int cudaGetSymbolAddress(void **Pointer, const void *Symbol) {
  repeatedLaunches().noteVariableAddress();
  *Pointer = const_cast<void *>(Symbol);
  return 0;
}

} // extern "C"
