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

static constexpr StringRef Space = " \t\n\r";

StringRef gpuocc::asmMnemonic(StringRef Statement) {
  StringRef Rest = Statement.trim(" \t\n\r{}");
  while (Rest.consume_front("//")) {
    Rest = Rest.split('\n').second.ltrim(" \t\n\r{}");
  }
  // "label: instruction"; "::" is a part of mnemonics.
  size_t Colon = Rest.find(':');
  if (Colon != StringRef::npos && !Rest.substr(Colon).starts_with("::") &&
      Colon < Rest.find_first_of(Space))
    Rest = Rest.drop_front(Colon + 1).ltrim(" \t\n\r{}");
  if (Rest.starts_with("@"))
    Rest = Rest.substr(std::min(Rest.size(), Rest.find_first_of(Space)))
               .ltrim(Space);
  StringRef Word = Rest.substr(0, Rest.find_first_of(Space));
  return Word.starts_with(".") ? StringRef() : Word;
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
      {"%dynamic_smem_size", SpecialReg::DynamicSharedBytes}};
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
