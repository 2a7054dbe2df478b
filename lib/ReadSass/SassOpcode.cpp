//===- SassOpcode.cpp - What an opcode of the disassembler is -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadSass/SassOpcode.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace llvm;

static constexpr SassOpcode Table[] = {
#define SASS_OPCODE(Text, Class, Form, ResultRegisters)                        \
  {Text, InstClass::Class, SassForm::Form, ResultRegisters},
#include "SassOpcode.def"
};

const SassOpcode *gpuocc::findSassOpcode(StringRef Opcode) {
  static const StringMap<const SassOpcode *> ByText = [] {
    StringMap<const SassOpcode *> Map;
    for (const SassOpcode &Row : Table)
      Map[Row.Text] = &Row;
    return Map;
  }();
  while (true) {
    if (auto It = ByText.find(Opcode); It != ByText.end())
      return It->second;
    size_t Dot = Opcode.rfind('.');
    if (Dot == StringRef::npos)
      return nullptr;
    Opcode = Opcode.take_front(Dot);
  }
}

unsigned gpuocc::bytesPerLane(StringRef Opcode) {
  SmallVector<StringRef, 8> Parts;
  Opcode.split(Parts, '.');
  // Eight 16-byte rows a matrix, four bytes of each in a lane.
  if (Parts.front() == "LDSM" || Parts.front() == "STSM")
    return 4 * StringSwitch<unsigned>(Parts.back())
                   .Case("2", 2)
                   .Case("4", 4)
                   .Default(1);
  for (StringRef Part : drop_begin(Parts))
    if (unsigned Bytes = StringSwitch<unsigned>(Part)
                             .Cases({"U8", "S8"}, 1)
                             .Cases({"U16", "S16", "F16"}, 2)
                             .Cases({"64", "F64", "S64", "U64"}, 8)
                             .Cases({"128", "F16x8"}, 16)
                             .Default(0))
      return Bytes;
  return 4;
}
