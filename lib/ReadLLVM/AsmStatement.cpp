//===- AsmStatement.cpp - Statements of inline assembly -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmStatement.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringRef Space = " \t\n\r", SpaceAndBraces = " \t\n\r{}";

/// The word that \p Rest begins with, which is then what follows it.
static StringRef takeWord(StringRef &Rest) {
  const StringRef Word = Rest.substr(0, Rest.find_first_of(Space));
  Rest = Rest.drop_front(Word.size()).ltrim(Space);
  return Word;
}

AsmStatement gpuocc::parseAsmStatement(StringRef Statement) {
  StringRef Rest = Statement.trim(SpaceAndBraces);
  while (Rest.consume_front("//"))
    Rest = Rest.split('\n').second.ltrim(SpaceAndBraces);
  // "label: instruction"; "::" is a part of mnemonics, and "${:uid}" of labels
  // that each use of the statement has for itself.
  const size_t Number = Rest.find("${:uid}");
  const size_t Colon = Rest.find(
      ':', Number < Rest.find_first_of(Space) ? Rest.find('}', Number) : 0);
  if (Colon != StringRef::npos && !Rest.substr(Colon).starts_with("::") &&
      Colon < Rest.find_first_of(Space))
    Rest = Rest.drop_front(Colon + 1).ltrim(SpaceAndBraces);
  AsmStatement S;
  if (Rest.starts_with("@"))
    S.Guard = takeWord(Rest);
  if (Rest.starts_with("."))
    return S;
  S.Mnemonic = takeWord(Rest);
  S.Operands = Rest;
  return S;
}

SmallVector<StringRef, 12> gpuocc::mnemonicWords(StringRef Mnemonic) {
  SmallVector<StringRef, 12> Words;
  Mnemonic.split(Words, '.', -1, /*KeepEmpty=*/false);
  return Words;
}

SpecialReg gpuocc::registerOfAsm(StringRef Text) {
  static constexpr std::pair<StringRef, SpecialReg> Registers[] = {
      {"%laneid", SpecialReg::LaneId},
      {"%lanemask_eq", SpecialReg::LaneMaskEq},
      {"%lanemask_lt", SpecialReg::LaneMaskLt},
      {"%lanemask_le", SpecialReg::LaneMaskLe},
      {"%lanemask_gt", SpecialReg::LaneMaskGt},
      {"%lanemask_ge", SpecialReg::LaneMaskGe},
      {"%warpid", SpecialReg::WarpId},
      {"%dynamic_smem_size", SpecialReg::DynamicSharedBytes},
      {"%cluster_nctarank", SpecialReg::ClusterNCtaRank},
      {"%cluster_ctarank", SpecialReg::ClusterCtaRank},
      {"%nclusterid.z", SpecialReg::NClusterIdZ},
      {"%nclusterid.y", SpecialReg::NClusterIdY},
      {"%nclusterid.x", SpecialReg::NClusterIdX},
      {"%clusterid.z", SpecialReg::ClusterIdZ},
      {"%clusterid.y", SpecialReg::ClusterIdY},
      {"%clusterid.x", SpecialReg::ClusterIdX},
      {"%cluster_nctaid.z", SpecialReg::ClusterNCtaIdZ},
      {"%cluster_nctaid.y", SpecialReg::ClusterNCtaIdY},
      {"%cluster_nctaid.x", SpecialReg::ClusterNCtaIdX},
      {"%cluster_ctaid.z", SpecialReg::ClusterCtaIdZ},
      {"%cluster_ctaid.y", SpecialReg::ClusterCtaIdY},
      {"%cluster_ctaid.x", SpecialReg::ClusterCtaIdX}};
  for (auto [Name, Register] : Registers)
    if (Text.contains(Name))
      return Register;
  return SpecialReg::None;
}

bool gpuocc::readsSpecialRegister(StringRef Statement) {
  static constexpr StringRef Others[] = {
      "%tid",   "%ctaid", "%nwarpid",     "%smid",       "%nsmid",  "%gridid",
      "%clock", "%pm",    "%globaltimer", "%total_smem", "%cluster"};
  return registerOfAsm(Statement) != SpecialReg::None ||
         any_of(Others, [&](StringRef R) { return Statement.contains(R); });
}

bool gpuocc::waitsForGroups(StringRef Text) {
  return Text.contains("commit_group") || Text.contains("cp.async.wait_") ||
         Text.contains("wgmma.wait_group");
}

bool gpuocc::packsHalves(StringRef Statement) {
  const AsmStatement S = parseAsmStatement(Statement);
  if (S.Mnemonic != "mov.b32")
    return false;
  const auto [To, From] = S.Operands.split('{');
  const auto [Low, High] = From.split('}').first.split(',');
  return To.contains(',') && !High.empty() && Low.trim() != High.trim();
}
