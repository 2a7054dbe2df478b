//===- Sine.cpp - Sine and cosine to full precision -----------------------===//
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

const char *sine32(Wave W, Argument A) {
  static constexpr const char *Text[2][2] = {
      {OPEN32 OWN_ARGUMENT32 REDUCE32 REDUCE_HUGE32 POLYNOMIAL32,
       OPEN32 HUGE_ARGUMENT32 REDUCE32 REDUCE_HUGE32 POLYNOMIAL32},
      {OPEN32 OWN_ARGUMENT32 REDUCE32 REDUCE_HUGE32 NEXT_QUADRANT POLYNOMIAL32,
       OPEN32 HUGE_ARGUMENT32 REDUCE32 REDUCE_HUGE32 NEXT_QUADRANT
           POLYNOMIAL32}};
  return Text[W == Wave::Cosine][A == Argument::Huge];
}

#define OPEN64                                                                 \
  "{ .reg .b64 k, r, s, b, p, c; .reg .b32 q, t, lo, hi; .reg .pred o;"
#define REDUCE64                                                               \
  " mul.rn.f64 k, $d, 0d3FE45F306DC9C883; cvt.rni.s32.f64 q, k;"               \
  " cvt.rn.f64.s32 k, q; fma.rn.f64 r, k, 0dBFF921FB54442D18, $d;"             \
  " fma.rn.f64 r, k, 0dBC91A62633145C07, r;"                                   \
  " fma.rn.f64 r, k, 0d391F1976B7ED8FBC, r;"
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

const char *sine64(Wave W) {
  return W == Wave::Sine ? OPEN64 REDUCE64 POLYNOMIAL64
                         : OPEN64 REDUCE64 NEXT_QUADRANT POLYNOMIAL64;
}

} // namespace gpuocc::calibration
