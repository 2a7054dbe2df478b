//===- Sine.cpp - Sine, cosine and tangent to full precision --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The polynomials meet (sin(r) / r - 1) / r^2 and (cos(r) - 1) / r^2, taken as
// functions of r^2, in the Chebyshev nodes of 0 to (pi/4)^2; 4 coefficients in
// 32 bits, 7 in 64.
//
//===----------------------------------------------------------------------===//

#include "Sine.h"

namespace gpuocc::calibration {

/// x = $d; 0x4e000000 is the exponent of 2^29.
#define OPEN32                                                                 \
  "{ .reg .b32 x, k, r, s, b, p, c, q, t, n, i, m, h, l, lo, hi;"              \
  " .reg .b32 w0, w1, w2, w3, w4; .reg .b64 f; .reg .pred o, e;"
#define OWN_ARGUMENT32 " mov.b32 x, $d;"
#define HUGE_ARGUMENT32 " and.b32 x, $d, 0x807fffff; or.b32 x, x, 0x4e000000;"

/// r = x - q pi/2, with pi/2 in three parts.
#define REDUCE32                                                               \
  " mul.rn.f32 k, x, 0f3F22F983; cvt.rni.s32.f32 q, k;"                        \
  " cvt.rn.f32.s32 k, q; fma.rn.f32 r, k, 0fBFC90FDB, x;"                      \
  " fma.rn.f32 r, k, 0f333BBD2E, r; fma.rn.f32 r, k, 0f26F72CED, r;"           \
  " abs.f32 s, x; setp.lt.f32 o, s, 0f47CE4780; @o bra REDUCED;"

/// The mantissa m, of 32 bits, times 96 bits of 2/pi: those before have a
/// product that is a multiple of 4, those behind do not matter. The upper 64
/// bits of the product, f, are two of the quotient and the rest.
#define REDUCE_HUGE32                                                          \
  " shr.u32 n, x, 23; and.b32 n, n, 255; sub.s32 n, n, 128;"                   \
  " shl.b32 m, x, 8; or.b32 m, m, 0x80000000;"                                 \
  " shr.u32 i, n, 5; and.b32 n, n, 31;"                                        \
  " and.b32 t, i, 2; setp.ne.s32 o, t, 0;"                                     \
  " and.b32 t, i, 1; setp.ne.s32 e, t, 0;"                                     \
  " selp.b32 w0, 0x4E441529, 0, o;"                                            \
  " selp.b32 w1, 0xFC2757D1, 0xA2F9836E, o;"                                   \
  " selp.b32 w2, 0xF534DDC0, 0x4E441529, o;"                                   \
  " selp.b32 w3, 0xDB629599, 0xFC2757D1, o;"                                   \
  " selp.b32 w4, 0x3C439041, 0xF534DDC0, o;"                                   \
  " selp.b32 w0, w1, w0, e; selp.b32 w1, w2, w1, e;"                           \
  " selp.b32 w2, w3, w2, e; selp.b32 w3, w4, w3, e;"                           \
  " shf.l.wrap.b32 h, w1, w0, n; shf.l.wrap.b32 c, w2, w1, n;"                 \
  " shf.l.wrap.b32 l, w3, w2, n;"                                              \
  " mul.hi.u32 t, m, l; cvt.u64.u32 f, t; mad.wide.u32 f, m, c, f;"            \
  " mov.b64 {lo, hi}, f; mad.lo.u32 hi, m, h, hi; mov.b64 f, {lo, hi};"        \
  " add.u32 q, hi, 0x20000000; shr.u32 q, q, 30; shl.b64 f, f, 2;"             \
  " { .reg .b64 y; cvt.rn.f64.s64 y, f;"                                       \
  " mul.rn.f64 y, y, 0d3BF921FB54442D18; cvt.rn.f32.f64 r, y; }"               \
  " setp.lt.f32 o, x, 0f00000000; @o neg.f32 r, r; @o neg.s32 q, q;"           \
  " REDUCED:"

#define NEXT_QUADRANT " add.s32 q, q, 1;"

/// In odd quadrants the cosine of r, else its sine; negative in two of four.
#define POLYNOMIAL32                                                           \
  " and.b32 t, q, 1; setp.ne.s32 o, t, 0; mul.rn.f32 s, r, r;"                 \
  " selp.b32 b, 0x3F800000, r, o; selp.b32 p, 0x37CD373A, 0x3636DEC1, o;"      \
  " selp.b32 c, 0xBAB60703, 0xB95009D3, o; fma.rn.f32 p, p, s, c;"             \
  " selp.b32 c, 0x3D2AAAA6, 0x3C088887, o; fma.rn.f32 p, p, s, c;"             \
  " selp.b32 c, 0xBF000000, 0xBE2AAAAB, o; fma.rn.f32 p, p, s, c;"             \
  " mul.rn.f32 s, b, s; fma.rn.f32 x, s, p, b;"                                \
  " shl.b32 t, q, 30; and.b32 t, t, 0x80000000; xor.b32 $d, x, t; }"

/// Sine over cosine of r, or what they are a quadrant further.
#define TANGENT32                                                              \
  " mul.rn.f32 s, r, r; mov.b32 p, 0x3636DEC1;"                                \
  " fma.rn.f32 p, p, s, 0fB95009D3; fma.rn.f32 p, p, s, 0f3C088887;"           \
  " fma.rn.f32 p, p, s, 0fBE2AAAAB; mul.rn.f32 b, r, s;"                       \
  " fma.rn.f32 b, b, p, r; mov.b32 p, 0x37CD373A;"                             \
  " fma.rn.f32 p, p, s, 0fBAB60703; fma.rn.f32 p, p, s, 0f3D2AAAA6;"           \
  " fma.rn.f32 p, p, s, 0fBF000000; fma.rn.f32 c, s, p, 0f3F800000;"           \
  " and.b32 t, q, 1; setp.ne.s32 o, t, 0; neg.f32 p, c;"                       \
  " selp.b32 s, p, b, o; selp.b32 c, b, c, o; div.rn.f32 $d, s, c; }"

#define ALL_BUT_POLYNOMIAL32(ARGUMENT) OPEN32 ARGUMENT REDUCE32 REDUCE_HUGE32
#define WAVES32(ARGUMENT)                                                      \
  {ALL_BUT_POLYNOMIAL32(ARGUMENT) POLYNOMIAL32,                                \
   ALL_BUT_POLYNOMIAL32(ARGUMENT) NEXT_QUADRANT POLYNOMIAL32,                  \
   ALL_BUT_POLYNOMIAL32(ARGUMENT) TANGENT32}

const char *sine32(Wave W, Argument A) {
  static constexpr const char *Texts[][3] = {WAVES32(OWN_ARGUMENT32),
                                             WAVES32(HUGE_ARGUMENT32)};
  return Texts[A == Argument::Huge][unsigned(W)];
}

const char *const TwoOverPi =
    ".const .align 8 .b64 two_over_pi[20] = {"
    " 0x0000000000000000, 0x0000000000000000, 0xA2F9836E4E441529,"
    " 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,"
    " 0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E,"
    " 0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4,"
    " 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F,"
    " 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B,"
    " 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08};\n";

/// x = $d; 0x46300000 is the exponent of 2^100.
#define OPEN64                                                                 \
  "{ .reg .b64 x, k, r, s, b, p, c, m, f, g, w0, w1, w2, w3, at;"              \
  " .reg .b32 q, t, n, i, lo, hi; .reg .pred o;"
#define OWN_ARGUMENT64 " mov.b64 x, $d;"
#define HUGE_ARGUMENT64                                                        \
  " mov.b64 {lo, hi}, $d; and.b32 hi, hi, 0x800fffff;"                         \
  " or.b32 hi, hi, 0x46300000; mov.b64 x, {lo, hi};"

#define REDUCE64                                                               \
  " mul.rn.f64 k, x, 0d3FE45F306DC9C883; cvt.rni.s32.f64 q, k;"                \
  " cvt.rn.f64.s32 k, q; fma.rn.f64 r, k, 0dBFF921FB54442D18, x;"              \
  " fma.rn.f64 r, k, 0dBC91A62633145C07, r;"                                   \
  " fma.rn.f64 r, k, 0d391F1976B7ED8FBC, r;"                                   \
  " abs.f64 s, x; setp.lt.f64 o, s, 0d40F9C8F000000000; @o bra REDUCED;"

/// The mantissa m, of 64 bits, times 192 bits of 2/pi that begin with the first
/// whose product is no multiple of 4. The upper 128 bits of what is left of the
/// product, f and g, are two of the quotient and the rest.
#define REDUCE_HUGE64                                                          \
  " shr.u64 m, x, 52; cvt.u32.u64 n, m; and.b32 n, n, 2047;"                   \
  " sub.s32 n, n, 960; shl.b64 m, x, 11;"                                      \
  " or.b64 m, m, 0x8000000000000000;"                                          \
  " shr.u32 i, n, 6; and.b32 n, n, 63; mov.u64 at, two_over_pi;"               \
  " mul.wide.u32 k, i, 8; add.u64 at, at, k; sub.s32 i, 64, n;"                \
  " ld.const.b64 w0, [at]; ld.const.b64 w1, [at+8];"                           \
  " ld.const.b64 w2, [at+16]; ld.const.b64 w3, [at+24];"                       \
  " shl.b64 w0, w0, n; shr.u64 k, w1, i; or.b64 w0, w0, k;"                    \
  " shl.b64 w1, w1, n; shr.u64 k, w2, i; or.b64 w1, w1, k;"                    \
  " shl.b64 w2, w2, n; shr.u64 k, w3, i; or.b64 w2, w2, k;"                    \
  " mul.lo.u64 f, m, w0; mul.hi.u64 k, m, w1; add.u64 f, f, k;"                \
  " mul.lo.u64 g, m, w1; mul.hi.u64 k, m, w2;"                                 \
  " add.cc.u64 g, g, k; addc.u64 f, f, 0;"                                     \
  " add.u64 k, f, 0x2000000000000000; shr.u64 k, k, 62;"                       \
  " cvt.u32.u64 q, k; shl.b64 f, f, 2; shr.u64 k, g, 62;"                      \
  " or.b64 f, f, k; shl.b64 g, g, 2;"                                          \
  " cvt.rn.f64.s64 r, f; cvt.rn.f64.u64 k, g;"                                 \
  " fma.rn.f64 r, k, 0d3BF0000000000000, r;"                                   \
  " mul.rn.f64 r, r, 0d3BF921FB54442D18;"                                      \
  " setp.lt.f64 o, x, 0d0000000000000000;"                                     \
  " @o neg.f64 r, r; @o neg.s32 q, q; REDUCED:"

#define POLYNOMIAL64                                                           \
  " and.b32 t, q, 1; setp.ne.s32 o, t, 0; mul.rn.f64 s, r, r;"                 \
  " selp.b64 b, 0x3FF0000000000000, r, o;"                                     \
  " selp.b64 p, 0xBDA8FF95E45E81EF, 0xBD6AB1764E7B2047, o;"                    \
  " selp.b64 c, 0x3E21EEA7E5D75E21, 0x3DE61217E4EF55F8, o;"                    \
  " fma.rn.f64 p, p, s, c;"                                                    \
  " selp.b64 c, 0xBE927E4F8E3A64B7, 0xBE5AE645411D76A9, o;"                    \
  " fma.rn.f64 p, p, s, c;"                                                    \
  " selp.b64 c, 0x3EFA01A019DE00EF, 0x3EC71DE3A54600CA, o;"                    \
  " fma.rn.f64 p, p, s, c;"                                                    \
  " selp.b64 c, 0xBF56C16C16C15D70, 0xBF2A01A01A019933, o;"                    \
  " fma.rn.f64 p, p, s, c;"                                                    \
  " selp.b64 c, 0x3FA5555555555551, 0x3F81111111111110, o;"                    \
  " fma.rn.f64 p, p, s, c;"                                                    \
  " selp.b64 c, 0xBFE0000000000000, 0xBFC5555555555555, o;"                    \
  " fma.rn.f64 p, p, s, c; mul.rn.f64 s, b, s; fma.rn.f64 p, s, p, b;"         \
  " mov.b64 {lo, hi}, p; shl.b32 t, q, 30; and.b32 t, t, 0x80000000;"          \
  " xor.b32 hi, hi, t; mov.b64 $d, {lo, hi}; }"

#define TANGENT64                                                              \
  " mul.rn.f64 s, r, r; mov.b64 p, 0xBD6AB1764E7B2047;"                        \
  " fma.rn.f64 p, p, s, 0d3DE61217E4EF55F8;"                                   \
  " fma.rn.f64 p, p, s, 0dBE5AE645411D76A9;"                                   \
  " fma.rn.f64 p, p, s, 0d3EC71DE3A54600CA;"                                   \
  " fma.rn.f64 p, p, s, 0dBF2A01A01A019933;"                                   \
  " fma.rn.f64 p, p, s, 0d3F81111111111110;"                                   \
  " fma.rn.f64 p, p, s, 0dBFC5555555555555; mul.rn.f64 b, r, s;"               \
  " fma.rn.f64 b, b, p, r; mov.b64 p, 0xBDA8FF95E45E81EF;"                     \
  " fma.rn.f64 p, p, s, 0d3E21EEA7E5D75E21;"                                   \
  " fma.rn.f64 p, p, s, 0dBE927E4F8E3A64B7;"                                   \
  " fma.rn.f64 p, p, s, 0d3EFA01A019DE00EF;"                                   \
  " fma.rn.f64 p, p, s, 0dBF56C16C16C15D70;"                                   \
  " fma.rn.f64 p, p, s, 0d3FA5555555555551;"                                   \
  " fma.rn.f64 p, p, s, 0dBFE0000000000000;"                                   \
  " fma.rn.f64 c, s, p, 0d3FF0000000000000;"                                   \
  " and.b32 t, q, 1; setp.ne.s32 o, t, 0; neg.f64 p, c;"                       \
  " selp.b64 s, p, b, o; selp.b64 c, b, c, o; div.rn.f64 $d, s, c; }"

#define ALL_BUT_POLYNOMIAL64(ARGUMENT) OPEN64 ARGUMENT REDUCE64 REDUCE_HUGE64
#define WAVES64(ARGUMENT)                                                      \
  {ALL_BUT_POLYNOMIAL64(ARGUMENT) POLYNOMIAL64,                                \
   ALL_BUT_POLYNOMIAL64(ARGUMENT) NEXT_QUADRANT POLYNOMIAL64,                  \
   ALL_BUT_POLYNOMIAL64(ARGUMENT) TANGENT64}

const char *sine64(Wave W, Argument A) {
  static constexpr const char *Texts[][3] = {WAVES64(OWN_ARGUMENT64),
                                             WAVES64(HUGE_ARGUMENT64)};
  return Texts[A == Argument::Huge][unsigned(W)];
}

} // namespace gpuocc::calibration
