//===- Absent.cpp - What an architecture lacks ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Absent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <climits>

using namespace llvm;

namespace gpuocc::calibration {

namespace {
/// Instructions, special registers and directives that not all have.
struct PtxNeed {
  const char *Pattern; ///< Of its name with modifiers; '*' is any text.
  unsigned First;      ///< Architecture.
  unsigned Last = UINT_MAX;
};
} // namespace

// All rows that match a name hold for it.
// Source: PTX ISA 9.0, "Target ISA Notes" of each instruction.
static constexpr PtxNeed PtxNeeds[] = {
    // Arithmetic.
    {"*.bf16*", 80},
    {"add.*bf16*", 90},
    {"sub.*bf16*", 90},
    {"mul.*bf16*", 90},
    {"setp.*bf16*", 90},
    {"min.f16*", 80},
    {"max.f16*", 80},
    {"tanh.approx.*", 75},
    {"tanh.approx.bf16*", 90},
    {"ex2.approx.*f16*", 75},
    {"cvt.*.f16x2.f32", 80},
    {"cvt.*e4m3x2*", 89},
    {"cvt.*e5m2x2*", 89},
    {"redux.sync.*", 80},
    // Matrices.
    {"ldmatrix.*", 75},
    {"stmatrix.*", 90},
    {"mma.*.m16n8k8.*", 75},
    {"mma.*.m16n8k4.*", 80},
    {"mma.*.m16n8k16.*", 80},
    {"mma.*.m16n8k32.*", 80},
    {"mma.*.m16n8k256.*", 80},
    {"mma.*.f64.*", 80},
    {"mma.*.tf32.*", 80},
    {"wgmma.*", 90, 90},
    // Memory.
    {"*.L2::cache_hint*", 80},
    {"createpolicy.*", 80},
    {"cp.async.*", 80},
    {"cp.async.bulk.*", 90},
    {"mbarrier.*", 80},
    {"mbarrier.try_wait*", 90},
    {"mbarrier.*expect_tx*", 90},
    {"fence.proxy.async*", 90},
    {"fence.mbarrier_init*", 90},
    // Assembles for sm_120, without UBLKCP and UTMALDG.
    {"*multicast::cluster*", 90, 110},
    // Clusters.
    {"*shared::cluster*", 90},
    {"barrier.cluster.*", 90},
    {"mapa.*", 90},
    {"%cluster_*", 90},
    {".explicitcluster", 90},
    {".reqnctapercluster", 90},
};

/// \p Name fits \p Pattern, in which '*' stands for any text.
static bool fits(StringRef Name, StringRef Pattern) {
  auto [Head, Tail] = Pattern.split('*');
  if (Head.size() == Pattern.size())
    return Name == Pattern;
  if (!Name.consume_front(Head))
    return false;
  for (size_t At = 0; At <= Name.size(); ++At)
    if (fits(Name.drop_front(At), Tail))
      return true;
  return false;
}

static std::string needs(StringRef Name, unsigned First, unsigned Last) {
  std::string Text = (Name + " needs sm_" + Twine(First)).str();
  if (First == Last)
    Text += " and no other";
  else if (Last != UINT_MAX)
    Text += " to sm_" + utostr(Last);
  return Text;
}

std::optional<std::string> whyAbsent(StringRef Text, const PtxTarget &Target) {
  static constexpr StringRef Ends = " \t\r\n;,|(){}[]";
  StringSet<> Seen;
  const PtxNeed *Missing = nullptr;
  StringRef Of;
  while (!Text.empty()) {
    StringRef Word = Text.take_front(Text.find_first_of(Ends));
    Text = Text.drop_front(std::min(Text.size(), Word.size() + 1));
    // Instructions and directives, and registers that are special.
    bool MayNeed = Word.contains('.') || Word.starts_with("%cluster");
    if (!MayNeed || !Seen.insert(Word).second)
      continue;
    // The one that needs most, and of these the first.
    for (const PtxNeed &Need : PtxNeeds) {
      bool Has =
          Need.First <= Target.Architecture && Target.Architecture <= Need.Last;
      if (!Has && (!Missing || Need.First > Missing->First) &&
          fits(Word, Need.Pattern)) {
        Missing = &Need;
        Of = Word;
      }
    }
  }
  if (!Missing)
    return std::nullopt;
  return needs(Of, Missing->First, Missing->Last);
}

namespace {
/// A class whose kernel assembles everywhere, but has the instruction that it
/// is to time on some architectures only: elsewhere the assembler makes others
/// of it, or moves it out of the loop.
struct ClassNeed {
  const char *Key, *Opcode;
  unsigned First;
  unsigned Last = UINT_MAX;
};
} // namespace

// Source: opcodes of the machine code that ptxas 13.0 makes for sm_75 to
// sm_121, by their encodings; sm_70 and sm_72 taken as sm_75.
static constexpr ClassNeed ClassNeeds[] = {
    {"int.dpx", "VIMNMX3", 90, 103},
    {"int.dpx_addmax", "VIADDMNMX", 90, 103},
    {"int.add_immediate", "VIADD", 90, 110},
    {"int.absdiff", "VABSDIFF", 70, 110},
    {"predicate.logic", "PLOP3", 80},
    {"match.all", "MATCH.ALL", 80},
    {"shared_atomic_count", "ATOMS.POPC.INC", 80},
    {"s2r", "S2R of each step", 90},
    {"mma.b1.m16n8k256", "BMMA", 80, 90},
    // Uniform values are added in the uniform datapath, or so it seems.
    {"no_exits8", "FADD of uniform values", 70, 110},
    {"branches_none", "FADD of uniform values", 70, 110},
    {"uniform.int", "ULOP3", 75},
    {"s2ur", "S2UR", 75},
    {"uldc", "ULDC", 75},
};

std::optional<std::string> whyEmulated(StringRef Key, unsigned Architecture) {
  for (const ClassNeed &Need : ClassNeeds)
    if (Key == Need.Key &&
        (Architecture < Need.First || Architecture > Need.Last))
      return needs(Need.Opcode, Need.First, Need.Last);
  return std::nullopt;
}

namespace {
/// An opcode that has another name on the architectures from First to Last.
struct OpcodeChange {
  StringRef Hopper, Other;
  unsigned First, Last;
};
} // namespace

// Source: nvdisasm 13.0 of the machine code that ptxas 13.0 makes for sm_75 to
// sm_121; sm_70 and sm_72 taken as sm_75. Other names before sm_90 (IMNMX, I2F)
// stand in the claims beside those of sm_90.
static constexpr OpcodeChange OpcodeChanges[] = {
    {"DMMA.8x8x4", "DMMA.884", 70, 89},
    {"F2FP.BF16.F32.PACK_AB", "F2FP.BF16.PACK_AB", 70, 88},
    {"TLD.LZ", "TLD.SCR.LZ", 70, 89},
    {"REDG.E.ADD.STRONG.GPU", "RED.E.ADD.STRONG.GPU", 70, 89},
    {"REDG.E.ADD.64.STRONG.GPU", "RED.E.ADD.64.STRONG.GPU", 70, 89},
    {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", "RED.E.ADD.F32.FTZ.RN.STRONG.GPU", 70,
     89},
    {"REDG.E.ADD.F64.RN.STRONG.GPU", "RED.E.ADD.F64.RN.STRONG.GPU", 70, 89},
    {"REDG.E.ADD.F16x2.RN.STRONG.GPU", "RED.E.ADD.F16x2.RN.STRONG.GPU", 70, 89},
    {"REDG.E.MAX.S32.STRONG.GPU", "RED.E.MAX.S32.STRONG.GPU", 70, 89},
    {"REDG.E.XOR.STRONG.GPU", "RED.E.XOR.STRONG.GPU", 70, 89},
    {"LDS", "LDS.U", 70, 75},
    {"LDS.64", "LDS.U.64", 70, 75},
    {"LDS.128", "LDS.U.128", 70, 75},
    {"LDG.E.STRONG.SM", "LDG.E.STRONG.CTA", 70, 75},
    {"LDG.E.64.STRONG.SM", "LDG.E.64.STRONG.CTA", 70, 75},
    {"LDG.E.128.STRONG.SM", "LDG.E.128.STRONG.CTA", 70, 75},
    {"STG.E", "STG.E.SYS", 70, 75},
    {"STG.E.128", "STG.E.128.SYS", 70, 75},
    {"LD.E", "LD.E.SYS", 70, 75},
    {"LD.E.64", "LD.E.64.SYS", 70, 75},
    {"ST.E", "ST.E.SYS", 70, 75},
    {"BAR.SYNC.DEFER_BLOCKING", "BAR.SYNC", 70, 75},
    {"HFMA2.MMA", "HFMA2", 100, UINT_MAX},
    {"HFMA2.MMA.BF16_V2", "HFMA2.BF16_V2", 100, UINT_MAX},
    {"REDUX.MIN.S32", "CREDUX.MIN.S32", 100, 103},
    {"ULDC", "LDCU", 100, UINT_MAX},
    {"VIMNMX", "VIMNMX.S32", 120, UINT_MAX},
};

std::string opcodesOn(unsigned Architecture, StringRef Opcodes) {
  SmallVector<StringRef> Names;
  for (StringRef Name : split(Opcodes, '|')) {
    for (const OpcodeChange &C : OpcodeChanges)
      if (Name == C.Hopper && C.First <= Architecture && Architecture <= C.Last)
        Name = C.Other;
    if (!is_contained(Names, Name))
      Names.push_back(Name);
  }
  return join(Names, "|");
}

char AbsentKernel::ID = 0;

void AbsentKernel::log(raw_ostream &OS) const { OS << Why; }

} // namespace gpuocc::calibration
