//===- LogicTable.cpp - Logic of three operands by its table --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LogicTable.h"

using namespace gpuocc;
using namespace llvm;

// Tables of single operands.
static constexpr uint8_t OfA = 0xf0, OfB = 0xcc, OfC = 0xaa;

namespace {

class Maker {
public:
  Maker(SassRef A, SassRef B, SassRef C, WriteLogic Write)
      : A(A), B(B), C(C), Write(Write) {}

  SassRef make(uint8_t Table) {
    if (std::optional<SassRef> Short = ofOne(Table))
      return *Short;
    if (std::optional<SassRef> Short = ofTwo(Table))
      return *Short;
    // Each function of two is one of these or the opposite of one.
    if (std::optional<SassRef> Opposite = ofTwo(uint8_t(~Table)))
      return Write(Semantics::Not, {*Opposite});
    // f = (a & f(1, b, c)) | (~a & f(0, b, c)).
    const uint8_t WithA = Table >> 4, Without = Table & 0xf;
    if (WithA == (Without ^ 0xf))
      return Write(Semantics::Xor, {A, make(uint8_t(Without * 0x11))});
    const SassRef First = both(A, uint8_t(WithA * 0x11));
    if (Without == 0)
      return First;
    // a | f needs no ~a.
    if (WithA == 0xf)
      return Write(Semantics::Or, {A, make(uint8_t(Without * 0x11))});
    const SassRef NotA = Write(Semantics::Not, {A});
    const SassRef Second = both(NotA, uint8_t(Without * 0x11));
    return WithA == 0 ? Second : Write(Semantics::Or, {First, Second});
  }

private:
  SassRef A, B, C;
  WriteLogic Write;

  SassRef both(SassRef X, uint8_t Table) {
    if (Table == 0xff)
      return X;
    return Table == 0 ? SassRef::number(0)
                      : Write(Semantics::And, {X, make(Table)});
  }

  std::optional<SassRef> ofOne(uint8_t Table) {
    if (Table == 0 || Table == 0xff)
      return SassRef::number(Table ? 0xffffffff : 0);
    for (auto [Of, Value] : {std::pair(OfA, A), {OfB, B}, {OfC, C}}) {
      if (Table == Of)
        return Value;
      if (Table == uint8_t(~Of))
        return Write(Semantics::Not, {Value});
    }
    return std::nullopt;
  }

  std::optional<SassRef> ofTwo(uint8_t Table) {
    const std::pair<uint8_t, SassRef> Of[] = {{OfA, A}, {OfB, B}, {OfC, C}};
    for (unsigned I = 0; I != 3; ++I)
      for (unsigned J = I + 1; J != 3; ++J) {
        const auto [T, X] = Of[I];
        const auto [U, Y] = Of[J];
        if (Table == (T & U))
          return Write(Semantics::And, {X, Y});
        if (Table == (T | U))
          return Write(Semantics::Or, {X, Y});
        if (Table == (T ^ U))
          return Write(Semantics::Xor, {X, Y});
        if (Table == (T & uint8_t(~U)))
          return Write(Semantics::And, {X, Write(Semantics::Not, {Y})});
        if (Table == (U & uint8_t(~T)))
          return Write(Semantics::And, {Y, Write(Semantics::Not, {X})});
      }
    return std::nullopt;
  }
};

} // namespace

SassRef gpuocc::logicOf(uint8_t Table, SassRef A, SassRef B, SassRef C,
                        WriteLogic Write) {
  return Maker(A, B, C, Write).make(Table);
}
