//===- Encodings.cpp - Opcodes of machine code by name --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Encodings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuocc::calibration {

namespace {
struct Encoding {
  StringRef Name;
  unsigned Numbers[3]; ///< 0: none.
};
} // namespace

// Source: kernels for sm_90 whose opcodes and counts nvdisasm 13.0 confirmed:
// the numbers that their machine code holds as often. IMNMX, CREDUX, LDCU and
// the second R2UR: what stands in their place in kernels for other
// architectures, with the names that NVIDIA's instruction lists have there.
static constexpr Encoding Encodings[] = {
    {"ATOM", {0x18a}},
    {"ATOMG", {0x1a8, 0x1a9, 0x1a3}},
    {"ATOMS", {0x18c, 0x18d}},
    {"BAR", {0x11d}},
    {"BMMA", {0x3d}},
    {"BREV", {0x101}},
    {"BRX", {0x149}},
    {"CALL", {0x143, 0x144}},
    {"CREDUX", {0xcc}},
    {"CS2R", {0x5}},
    {"DADD", {0x29}},
    {"DEPBAR", {0x11a}},
    {"DFMA", {0x2b}},
    {"DMMA", {0x3f}},
    {"DMUL", {0x28}},
    {"DSETP", {0x2a}},
    {"EXIT", {0x14d}},
    {"F2F", {0x104, 0x110}},
    {"F2FP", {0x3e}},
    {"F2I", {0x105, 0x111}},
    {"FADD", {0x21}},
    {"FENCE", {0x1c6}},
    {"FFMA", {0x23}},
    {"FLO", {0x100}},
    {"FMNMX", {0x9}},
    {"FMUL", {0x20}},
    {"FRND", {0x107, 0x113}},
    {"FSETP", {0xb}},
    {"HADD2", {0x30}},
    {"HFMA2", {0x31}},
    {"HFMA2.MMA", {0x35}},
    {"HGMMA", {0x1f0}},
    {"HMMA", {0x3c}},
    {"HMNMX2", {0x40}},
    {"HMUL2", {0x32}},
    {"HSETP2", {0x34}},
    {"I2F", {0x106, 0x112}},
    {"I2FP", {0x45}},
    {"I2I", {0x38}},
    {"I2IP", {0x38}},
    {"IABS", {0x13}},
    {"IADD3", {0x10}},
    {"IDP", {0x26}},
    {"IGMMA", {0x1f1}},
    {"IMAD", {0x24, 0x25, 0x27}},
    {"IMMA", {0x37}},
    {"IMNMX", {0x17}},
    {"ISETP", {0xc}},
    {"LD", {0x180}},
    {"LDC", {0x182}},
    {"LDCU", {0x1ac}},
    {"LDG", {0x181}},
    {"LDGSTS", {0x1ae}},
    {"LDL", {0x183}},
    {"LDS", {0x184}},
    {"LDSM", {0x3b}},
    {"LEA", {0x11}},
    {"LOP3", {0x12}},
    {"MATCH", {0x1a1}},
    {"MEMBAR", {0x192}},
    {"MOV", {0x2}},
    {"MUFU", {0x108}},
    {"NOP", {0x118}},
    {"PLOP3", {0x1c}},
    {"POPC", {0x109}},
    {"PRMT", {0x16}},
    {"QGMMA", {0x1f3}},
    {"R2UR", {0xca, 0x1c2}},
    {"RED", {0x18e, 0x1a6}},
    {"REDG", {0x18e, 0x1a6}},
    {"REDUX", {0x1c4}},
    {"S2R", {0x119}},
    {"S2UR", {0x1c3}},
    {"SEL", {0x7}},
    {"SGXT", {0x1a}},
    {"SHF", {0x19}},
    {"SHFL", {0x189}},
    {"ST", {0x185}},
    {"STG", {0x186}},
    {"STL", {0x187}},
    {"STS", {0x188}},
    {"STSM", {0x44}},
    {"TLD", {0x166}},
    {"UBLKCP", {0x1ba}},
    {"UBLKRED", {0x1bb}},
    {"UCGABAR_ARV", {0x1c7}},
    {"UCGABAR_WAIT", {0x1c7}},
    {"ULDC", {0xbb}},
    {"ULOP3", {0x92}},
    {"UTMALDG", {0x1b4}},
    {"VABSDIFF", {0x14}},
    {"VIADD", {0x36}},
    {"VIADDMNMX", {0x46}},
    {"VIMNMX", {0x48}},
    {"VIMNMX3", {0xf}},
    {"VOTE", {0x6}},
    {"WARPSYNC", {0x148}},
};

std::set<unsigned> encodingsOf(StringRef Opcodes) {
  std::set<unsigned> Numbers;
  for (StringRef Name : split(Opcodes, '|')) {
    StringRef Base =
        Name.starts_with("HFMA2.MMA") ? "HFMA2.MMA" : Name.split('.').first;
    const Encoding *Found =
        find_if(Encodings, [&](const Encoding &E) { return E.Name == Base; });
    if (Found == std::end(Encodings))
      return {};
    for (unsigned Number : Found->Numbers)
      if (Number)
        Numbers.insert(Number);
  }
  return Numbers;
}

} // namespace gpuocc::calibration
