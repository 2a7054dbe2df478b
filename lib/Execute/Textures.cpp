//===- Textures.cpp - Reading textures and surfaces -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Textures.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// A channel: its bits, sign-extended where the format says so.
using Channels = std::array<double, 4>;

enum AddressModes { Wrap, Clamp, Mirror, Border };

} // namespace

/// The place \p I in \p Size elements; nothing where the border is read.
static std::optional<int64_t> place(int64_t I, int64_t Size, int Mode,
                                    bool IsNormalized) {
  if (I >= 0 && I < Size)
    return I;
  if (Mode == Border)
    return std::nullopt;
  // Other modes clamp where coordinates are not normalized.
  if (Mode == Wrap && IsNormalized)
    return (I % Size + Size) % Size;
  if (Mode == Mirror && IsNormalized) {
    const int64_t Period = (I % (2 * Size) + 2 * Size) % (2 * Size);
    return Period < Size ? Period : 2 * Size - 1 - Period;
  }
  return std::clamp<int64_t>(I, 0, Size - 1);
}

static double channelOf(const TextureObject &T, uint64_t Word, int Bits) {
  if (T.ChannelKind == 2) {
    if (Bits == 16)
      return APFloat(APFloat::IEEEhalf(), APInt(16, Word)).convertToDouble();
    return bit_cast<float>(uint32_t(Word));
  }
  const bool IsSigned = T.ChannelKind == 0;
  const int64_t V =
      IsSigned ? SignExtend64(Word, unsigned(Bits)) : int64_t(Word);
  if (!T.ReadsNormalized)
    return double(V);
  const double Most = double((uint64_t(1) << (Bits - (IsSigned ? 1 : 0))) - 1);
  return std::max(double(V) / Most, -1.0);
}

/// The \p Bits bits at \p At: 8, 16 or 32, each of which is one instruction.
static uint64_t wordAt(const char *At, int Bits) {
  auto Read = [&](auto Word) {
    std::memcpy(&Word, At, sizeof(Word));
    return uint64_t(Word);
  };
  return Bits == 8    ? Read(uint8_t())
         : Bits == 16 ? Read(uint16_t())
                      : Read(uint32_t());
}

/// The element at (\p X, \p Y, \p Z), or the border.
static Channels element(const TextureObject &T, int64_t X, int64_t Y,
                        int64_t Z) {
  const auto PX = place(X, int64_t(T.Width), T.AddressMode[0],
                        T.HasNormalizedCoordinates),
             PY = place(Y, int64_t(T.Height), T.AddressMode[1],
                        T.HasNormalizedCoordinates),
             PZ = place(Z, int64_t(T.Depth), T.AddressMode[2],
                        T.HasNormalizedCoordinates);
  Channels Out = {};
  if (!PX || !PY || !PZ) {
    std::copy_n(T.Border, 4, Out.begin());
    return Out;
  }
  const char *At = T.Data +
                   (uint64_t(*PZ) * T.Height + uint64_t(*PY)) * T.RowBytes +
                   uint64_t(*PX) * T.elementBytes();
  for (unsigned C = 0; C != 4; ++C)
    if (const int Bits = T.ChannelBits[C]) {
      Out[C] = channelOf(T, wordAt(At, Bits), Bits);
      At += Bits / 8;
    }
  return Out;
}

/// A coordinate between two elements: the lower one, and the weight of the
/// upper one in 256ths.
static std::pair<int64_t, double> between(double X) {
  const double Lower = std::floor(X - 0.5);
  return {int64_t(Lower), std::round((X - 0.5 - Lower) * 256) / 256};
}

static Channels filtered(const TextureObject &T, const TextureForm &Form,
                         const double (&At)[3]) {
  const auto [X, A] = between(At[0]);
  const auto [Y, B] =
      Form.Dimensions > 1 ? between(At[1]) : std::pair(int64_t(0), 0.0);
  const auto [Z, C] =
      Form.Dimensions > 2 ? between(At[2]) : std::pair(int64_t(At[2]), 0.0);
  Channels Sum = {};
  for (unsigned Corner = 0; Corner != 8; ++Corner) {
    const int64_t DX = Corner & 1, DY = Corner >> 1 & 1, DZ = Corner >> 2;
    const double Weight =
        (DX ? A : 1 - A) * (DY ? B : 1 - B) * (DZ ? C : 1 - C);
    if (Weight == 0)
      continue;
    const Channels E = element(T, X + DX, Y + DY, Z + DZ);
    for (unsigned I = 0; I != 4; ++I)
      Sum[I] += Weight * E[I];
  }
  return Sum;
}

void gpuocc::execute::readTexture(const TextureObject &T,
                                  const TextureForm &Form, bool AsFloat,
                                  const float (&At)[3],
                                  const int32_t (&Integer)[3], uint32_t *Out) {
  Channels Read;
  if (Form.IsInteger) {
    Read = element(T, Integer[0], Integer[1], Integer[2]);
  } else {
    const uint64_t Sizes[3] = {T.Width, T.Height, T.Depth};
    double Place[3];
    for (unsigned D = 0; D != 3; ++D)
      Place[D] = T.HasNormalizedCoordinates && D < Form.Dimensions
                     ? double(At[D]) * double(Sizes[D])
                     : double(At[D]);
    Read = T.IsLinear ? filtered(T, Form, Place)
                      : element(T, int64_t(std::floor(Place[0])),
                                int64_t(std::floor(Place[1])),
                                int64_t(std::floor(Place[2])));
  }
  for (unsigned C = 0; C != 4; ++C)
    Out[C] = AsFloat ? bit_cast<uint32_t>(float(Read[C]))
                     : uint32_t(int64_t(Read[C]));
}

char *gpuocc::execute::surfaceElement(const TextureObject &T, int32_t X,
                                      int32_t Y, int32_t Z, uint32_t Bytes) {
  if (X < 0 || Y < 0 || Z < 0 ||
      uint64_t(X) + Bytes > T.Width * T.elementBytes() ||
      uint64_t(Y) >= T.Height || uint64_t(Z) >= T.Depth)
    return nullptr;
  return T.Data + (uint64_t(Z) * T.Height + uint64_t(Y)) * T.RowBytes +
         uint64_t(X);
}
