//===- TexturesTest.cpp - Reading textures and surfaces -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Textures.h"
#include "KernelRun.h"
#include "llvm/ADT/bit.h"
#include <cstring>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// Two rows of three floats.
struct Small {
  float Data[6] = {0, 1, 2, 10, 11, 12};
  TextureObject T;
  Small() {
    T.Data = reinterpret_cast<char *>(Data);
    T.Width = 3;
    T.Height = 2;
    T.RowBytes = 12;
    T.ChannelBits[0] = 32;
    T.ChannelKind = 2;
  }
  float at(float X, float Y) const {
    uint32_t Out[4];
    readTexture(T, {2, false, false}, /*AsFloat=*/true, {X, Y, 0}, {0, 0, 0},
                Out);
    return bit_cast<float>(Out[0]);
  }
};

} // namespace

TEST(Textures, NearestElementsAreClamped) {
  const Small S;
  EXPECT_EQ(S.at(1.2f, 0.9f), 1);
  EXPECT_EQ(S.at(2.9f, 1.0f), 12);
  EXPECT_EQ(S.at(-5, 0), 0);
  EXPECT_EQ(S.at(7, 9), 12);
}

TEST(Textures, LinearFilteringWeighsNeighbors) {
  Small S;
  S.T.IsLinear = true;
  // The middle of an element is its own value.
  EXPECT_EQ(S.at(0.5f, 0.5f), 0);
  EXPECT_EQ(S.at(1, 0.5f), 0.5f);
  EXPECT_EQ(S.at(1, 1), 5.5f);
  // Weights are 256ths.
  EXPECT_EQ(S.at(0.5f + 1.0f / 1024, 0.5f), 0);
}

TEST(Textures, NormalizedCoordinatesWrapAndMirror) {
  Small S;
  S.T.HasNormalizedCoordinates = true;
  S.T.AddressMode[0] = 0;
  EXPECT_EQ(S.at(1.0f + 0.5f / 3, 0), 0);
  EXPECT_EQ(S.at(-0.5f / 3, 0), 2);
  S.T.AddressMode[0] = 2;
  EXPECT_EQ(S.at(-0.5f / 3, 0), 0);
  EXPECT_EQ(S.at(1.0f + 1.5f / 3, 0), 1);
}

TEST(Textures, TheBorderIsReadOutside) {
  Small S;
  S.T.AddressMode[0] = S.T.AddressMode[1] = 3;
  S.T.Border[0] = -7;
  EXPECT_EQ(S.at(-0.5f, 0), -7);
  EXPECT_EQ(S.at(0, 0), 0);
}

TEST(Textures, WholeNumbersAreReadFromZeroOrMinusOneToOne) {
  const uint8_t Data[] = {255, 0, 51, 128};
  TextureObject T;
  T.Data = reinterpret_cast<char *>(const_cast<uint8_t *>(Data));
  for (int &Bits : T.ChannelBits)
    Bits = 8;
  T.ChannelKind = 1;
  T.RowBytes = 4;
  T.ReadsNormalized = true;
  uint32_t Out[4];
  readTexture(T, {1, false, true}, true, {0, 0, 0}, {0, 0, 0}, Out);
  EXPECT_EQ(bit_cast<float>(Out[0]), 1);
  EXPECT_EQ(bit_cast<float>(Out[2]), 0.2f);
  T.ChannelKind = 0;
  readTexture(T, {1, false, true}, true, {0, 0, 0}, {0, 0, 0}, Out);
  EXPECT_EQ(bit_cast<float>(Out[3]), -1);
  T.ReadsNormalized = false;
  readTexture(T, {1, false, true}, false, {0, 0, 0}, {0, 0, 0}, Out);
  EXPECT_EQ(int32_t(Out[0]), -1);
}

TEST(Textures, KernelsReadAndWriteThem) {
  KernelRun K(R"(
define ptx_kernel void @k(i64 %texture, i64 %surface, ptr %out) {
  %r = call { float, float, float, float } asm "tex.2d.v4.f32.f32\09{$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,f,f"(i64 %texture, float 1.5, float 1.5)
  %v = extractvalue { float, float, float, float } %r, 0
  store float %v, ptr %out
  call void asm sideeffect "sust.b.2d.b32.trap [$0, {$1, $2}], {$3};", "l,r,r,r"(i64 %surface, i32 8, i32 1, i32 1092616192)
  %s = call i32 asm sideeffect "suld.b.2d.b32.trap {$0}, [$1, {$2, $3}];", "=r,l,r,r"(i64 %surface, i32 4, i32 0)
  %next = getelementptr i32, ptr %out, i32 1
  store i32 %s, ptr %next
  ret void
}
)");
  Small S;
  uint32_t Out[2] = {};
  const auto Number = uint64_t(reinterpret_cast<uintptr_t>(&S.T));
  EXPECT_EQ(K.launch("k", {}, {}, Number, Number, &Out[0]), "");
  EXPECT_EQ(bit_cast<float>(Out[0]), 11);
  EXPECT_EQ(bit_cast<float>(Out[1]), 1);
  // 1092616192 are the bits of 10.
  EXPECT_EQ(S.Data[5], 10);
  EXPECT_EQ(surfaceElement(S.T, 12, 0, 0, 4), nullptr);
  EXPECT_EQ(surfaceElement(S.T, 0, 2, 0, 4), nullptr);
}
