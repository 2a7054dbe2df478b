//===- RuntimeArrays.cpp - CUDA arrays, textures and surfaces -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An array is device memory in rows. Names and types are those of CUDA's
/// runtime.
///
//===----------------------------------------------------------------------===//

#include "DeviceArray.h"
#include "DeviceMemory.h"
#include "HostLog.h"
#include "RuntimeErrors.h"
#include "Streams.h"
#include "gpuocc/Execute/TextureObject.h"
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

using namespace gpuocc::recorder;

namespace {

/// The arrays of the program, by their handles.
struct ArrayTable {
  std::mutex Lock;
  std::map<const void *, DeviceArray> Arrays;
};

ArrayTable &arrayTable() {
  // Never destroyed: programs free arrays while they end.
  static ArrayTable &Table = *new ArrayTable;
  return Table;
}

/// Makes an array of \p Size elements; extents of 0 are those it lacks.
int makeArray(void **Array, const ChannelFormat *Format, Size3D Size) {
  DeviceArray Made;
  Made.Format = *Format;
  Made.Size = Size;
  Made.ElementBytes =
      size_t(Format->X + Format->Y + Format->Z + Format->W + 7) / 8;
  const size_t Rows =
      std::max(Size.Height, size_t(1)) * std::max(Size.Depth, size_t(1));
  *Array = deviceMemory().allocate(Made.rowBytes() * Rows);
  if (!*Array)
    return noteError(OutOfMemory);
  std::lock_guard<std::mutex> Guard(arrayTable().Lock);
  arrayTable().Arrays[*Array] = Made;
  return 0;
}

/// Copies \p Height rows of \p Width bytes between memory and the place
/// (\p X bytes, \p Y rows) of an array.
void copyRows(void *To, size_t ToPitch, const void *From, size_t FromPitch,
              size_t Width, size_t Height, bool Waits) {
  hostLog().copy(To, From, Width * Height, Waits);
  for (size_t Row = 0; Row != Height; ++Row)
    deviceMemory().copy(static_cast<char *>(To) + Row * ToPitch,
                        static_cast<const char *>(From) + Row * FromPitch,
                        Width);
}

char *placeIn(const void *Array, const DeviceArray &A, size_t X, size_t Y) {
  return static_cast<char *>(const_cast<void *>(Array)) + Y * A.rowBytes() + X;
}

/// cudaResourceDesc.
struct Resource {
  int Kind;
  union {
    struct {
      const void *Handle;
    } Array;
    struct {
      void *Data;
      ChannelFormat Format;
      size_t Bytes;
    } Linear;
    struct {
      void *Data;
      ChannelFormat Format;
      size_t Width, Height, Pitch;
    } Pitch2D;
  };
};
enum ResourceKind { FromArray = 0, FromLinear = 2, FromPitch2D = 3 };

/// The start of cudaTextureDesc.
struct TextureDescription {
  int AddressMode[3];
  int Filter, Read, IsSrgb;
  float Border[4];
  int HasNormalizedCoordinates;
};

void setFormat(gpuocc::TextureObject &T, const ChannelFormat &F) {
  const int Bits[4] = {F.X, F.Y, F.Z, F.W};
  std::copy_n(Bits, 4, T.ChannelBits);
  T.ChannelKind = F.Kind;
}

/// The object of \p From, whose number is its address; it stays for good, as
/// kernels may hold it.
gpuocc::TextureObject *newObject(const Resource &From) {
  auto *T = new gpuocc::TextureObject;
  DeviceArray Array;
  if (From.Kind == FromArray && findArray(From.Array.Handle, Array)) {
    setFormat(*T, Array.Format);
    T->Data = static_cast<char *>(const_cast<void *>(From.Array.Handle));
    T->Width = Array.Size.Width;
    T->Height = std::max(Array.Size.Height, size_t(1));
    T->Depth = std::max(Array.Size.Depth, size_t(1));
    T->RowBytes = Array.rowBytes();
  } else if (From.Kind == FromLinear) {
    setFormat(*T, From.Linear.Format);
    T->Data = static_cast<char *>(From.Linear.Data);
    T->Width = From.Linear.Bytes / std::max(T->elementBytes(), uint64_t(1));
    T->RowBytes = From.Linear.Bytes;
  } else if (From.Kind == FromPitch2D) {
    setFormat(*T, From.Pitch2D.Format);
    T->Data = static_cast<char *>(From.Pitch2D.Data);
    T->Width = From.Pitch2D.Width;
    T->Height = From.Pitch2D.Height;
    T->RowBytes = From.Pitch2D.Pitch;
  }
  return T;
}

} // namespace

bool gpuocc::recorder::findArray(const void *Handle, DeviceArray &Array) {
  std::lock_guard<std::mutex> Guard(arrayTable().Lock);
  auto Found = arrayTable().Arrays.find(Handle);
  if (Found == arrayTable().Arrays.end())
    return false;
  Array = Found->second;
  return true;
}

extern "C" {

int cudaMallocArray(void **Array, const ChannelFormat *Format, size_t Width,
                    size_t Height, unsigned) {
  return makeArray(Array, Format, {Width, Height, 0});
}
int cudaMalloc3DArray(void **Array, const ChannelFormat *Format, Size3D Size,
                      unsigned) {
  return makeArray(Array, Format, Size);
}
int cudaFreeArray(void *Array) {
  {
    std::lock_guard<std::mutex> Guard(arrayTable().Lock);
    arrayTable().Arrays.erase(Array);
  }
  deviceMemory().release(Array);
  return 0;
}
int cudaArrayGetInfo(ChannelFormat *Format, Size3D *Size, unsigned *Flags,
                     const void *Array) {
  DeviceArray A;
  if (!findArray(Array, A))
    return noteError(InvalidValue);
  if (Format)
    *Format = A.Format;
  if (Size)
    *Size = A.Size;
  if (Flags)
    *Flags = 0;
  return 0;
}
int cudaGetChannelDesc(ChannelFormat *Format, const void *Array) {
  return cudaArrayGetInfo(Format, nullptr, nullptr, Array);
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wreturn-type-c-linkage"
ChannelFormat cudaCreateChannelDesc(int X, int Y, int Z, int W, int Kind) {
  return {X, Y, Z, W, Kind};
}
#pragma GCC diagnostic pop

int cudaMemcpy2DToArray(void *Array, size_t X, size_t Y, const void *From,
                        size_t Pitch, size_t Width, size_t Height, int) {
  DeviceArray A;
  if (!findArray(Array, A))
    return noteError(InvalidValue);
  copyRows(placeIn(Array, A, X, Y), A.rowBytes(), From, Pitch, Width, Height,
           /*Waits=*/true);
  return 0;
}
int cudaMemcpy2DToArrayAsync(void *Array, size_t X, size_t Y, const void *From,
                             size_t Pitch, size_t Width, size_t Height,
                             int Kind, void *Stream) {
  submit(Stream, [=] {
    cudaMemcpy2DToArray(Array, X, Y, From, Pitch, Width, Height, Kind);
  });
  return 0;
}
int cudaMemcpy2DFromArray(void *To, size_t Pitch, const void *Array, size_t X,
                          size_t Y, size_t Width, size_t Height, int) {
  DeviceArray A;
  if (!findArray(Array, A))
    return noteError(InvalidValue);
  copyRows(To, Pitch, placeIn(Array, A, X, Y), A.rowBytes(), Width, Height,
           /*Waits=*/true);
  return 0;
}
int cudaMemcpy2DFromArrayAsync(void *To, size_t Pitch, const void *Array,
                               size_t X, size_t Y, size_t Width, size_t Height,
                               int Kind, void *Stream) {
  submit(Stream, [=] {
    cudaMemcpy2DFromArray(To, Pitch, Array, X, Y, Width, Height, Kind);
  });
  return 0;
}
int cudaMemcpy2DArrayToArray(void *To, size_t ToX, size_t ToY, const void *From,
                             size_t FromX, size_t FromY, size_t Width,
                             size_t Height, int) {
  DeviceArray A, B;
  if (!findArray(To, A) || !findArray(From, B))
    return noteError(InvalidValue);
  copyRows(placeIn(To, A, ToX, ToY), A.rowBytes(),
           placeIn(From, B, FromX, FromY), B.rowBytes(), Width, Height,
           /*Waits=*/false);
  return 0;
}
int cudaMemcpyToArray(void *Array, size_t X, size_t Y, const void *From,
                      size_t Bytes, int Kind) {
  return cudaMemcpy2DToArray(Array, X, Y, From, Bytes, Bytes, 1, Kind);
}
int cudaMemcpyFromArray(void *To, const void *Array, size_t X, size_t Y,
                        size_t Bytes, int Kind) {
  return cudaMemcpy2DFromArray(To, Bytes, Array, X, Y, Bytes, 1, Kind);
}

int cudaCreateTextureObject(unsigned long long *Object, const Resource *From,
                            const TextureDescription *How, const void *) {
  gpuocc::TextureObject *T = newObject(*From);
  std::copy_n(How->AddressMode, 3, T->AddressMode);
  std::copy_n(How->Border, 4, T->Border);
  T->IsLinear = How->Filter == 1;
  T->ReadsNormalized = How->Read == 1;
  T->HasNormalizedCoordinates = How->HasNormalizedCoordinates != 0;
  *Object = reinterpret_cast<uintptr_t>(T);
  return 0;
}
int cudaCreateSurfaceObject(unsigned long long *Object, const Resource *From) {
  *Object = reinterpret_cast<uintptr_t>(newObject(*From));
  return 0;
}
int cudaDestroyTextureObject(unsigned long long) { return 0; }
int cudaDestroySurfaceObject(unsigned long long) { return 0; }

} // extern "C"
