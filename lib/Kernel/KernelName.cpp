//===- KernelName.cpp - What people call a kernel -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/KernelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Positions of a demangled name that lie outside of brackets.
struct Outline {
  /// The parenthesis that opens the parameters.
  size_t Parameters = StringRef::npos;
  /// Starts of the qualified name and of its last component.
  size_t Name = 0;
  size_t Component = 0;
};

} // namespace

static Outline outline(StringRef Text) {
  Outline O;
  unsigned Angles = 0, Parens = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    StringRef Rest = Text.drop_front(I);
    if (Angles == 0 && Parens == 0) {
      if (Rest.starts_with("(anonymous namespace)")) {
        I += StringRef("(anonymous namespace)").size() - 1;
        continue;
      }
      if (Rest.starts_with("(")) {
        O.Parameters = I;
        return O;
      }
      if (Rest.starts_with(" "))
        O.Name = O.Component = I + 1;
      else if (Rest.starts_with("::"))
        O.Component = I + 2;
    }
    switch (Text[I]) {
    case '<':
      ++Angles;
      break;
    case '>':
      Angles -= Angles != 0;
      break;
    case '(':
      ++Parens;
      break;
    case ')':
      Parens -= Parens != 0;
      break;
    }
  }
  return O;
}

StringRef gpuocc::qualifiedName(StringRef Demangled) {
  Outline O = outline(Demangled);
  return Demangled.slice(O.Name, O.Parameters);
}

StringRef gpuocc::baseName(StringRef Demangled) {
  Outline O = outline(Demangled);
  return Demangled.slice(O.Component, O.Parameters).split('<').first;
}

StringRef gpuocc::nameInSource(StringRef Mangled) {
  for (StringRef Mark : {"__intern__", "__static__", ".intern.", ".static."}) {
    auto [Name, Unit] = Mangled.rsplit(Mark);
    if (!Name.empty() && !Unit.empty() && all_of(Unit, isHexDigit))
      return Name;
  }
  return Mangled;
}
