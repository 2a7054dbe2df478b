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

/// The pieces of \p Text between commas outside of brackets.
static SmallVector<StringRef, 8> splitArguments(StringRef Text) {
  SmallVector<StringRef, 8> Pieces;
  unsigned Open = 0;
  size_t Begin = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    if (StringRef("<([{").contains(Text[I]))
      ++Open;
    else if (StringRef(">)]}").contains(Text[I]))
      Open -= Open != 0;
    else if (Text[I] == ',' && Open == 0) {
      Pieces.push_back(Text.slice(Begin, I).trim());
      Begin = I + 1;
    }
  }
  Pieces.push_back(Text.drop_front(Begin).trim());
  return Pieces;
}

SmallVector<StringRef, 8> gpuocc::parameterTypes(StringRef Demangled) {
  Outline O = outline(Demangled);
  if (O.Parameters == StringRef::npos || !Demangled.ends_with(")"))
    return {};
  StringRef Types = Demangled.drop_front(O.Parameters + 1).drop_back();
  return Types.empty() ? SmallVector<StringRef, 8>() : splitArguments(Types);
}

bool gpuocc::pointsToStructure(StringRef Type) {
  if (!Type.consume_back("*") && !Type.consume_back("* __restrict") &&
      !Type.consume_back("*__restrict__"))
    return false;
  Type = Type.trim();
  while (Type.consume_back("const") || Type.consume_back("volatile"))
    Type = Type.trim();
  while (Type.consume_front("unsigned ") || Type.consume_front("signed "))
    Type = Type.trim();
  constexpr StringLiteral Numbers[] = {
      "void",          "bool",     "char",   "short",  "int",    "long",
      "long long",     "__int128", "float",  "double", "__half", "half",
      "__nv_bfloat16", "unsigned", "signed", "wchar_t"};
  return !Type.empty() && !Type.ends_with("*") && !Type.ends_with(")") &&
         !is_contained(Numbers, Type);
}

/// The name behind what nvcc puts in front: the number is the length of what
/// tells the file, which has an underscore on each side.
namespace {

/// Writes a name with template arguments down to a depth; what lies deeper is
/// "...".
class NameShortener {
public:
  NameShortener(unsigned MaxDepth, size_t MaxLength)
      : MaxDepth(MaxDepth), MaxLength(MaxLength) {}

  std::string shorten(StringRef Name) {
    write(Name, 0);
    return std::move(Out);
  }

private:
  /// \p Name without namespaces.
  static StringRef lastComponent(StringRef Name) {
    const size_t Colons = Name.rfind("::");
    return Colons == StringRef::npos ? Name : Name.drop_front(Colons + 2);
  }

  void write(StringRef Text, unsigned Depth) {
    // An enumerator: "(ns::Rounding)2".
    if (Depth != 0 && Text.starts_with("("))
      Text = Text.drop_front(std::min(Text.size(), Text.find(')') + 1));
    const size_t Open = Text.find('<');
    const StringRef Head = Text.take_front(Open);
    Out += Depth == 0 ? Head : lastComponent(Head);
    if (Open == StringRef::npos)
      return;
    Out += '<';
    const size_t Close = Text.rfind('>');
    if (Depth >= MaxDepth || Close == StringRef::npos || Close < Open)
      Out += "...";
    else
      writeArguments(Text.slice(Open + 1, Close), Depth + 1);
    Out += '>';
  }

  void writeArguments(StringRef Text, unsigned Depth) {
    bool IsFirst = true;
    for (StringRef Argument : splitArguments(Text)) {
      if (!IsFirst)
        Out += ", ";
      IsFirst = false;
      if (Out.size() > MaxLength) {
        Out += "...";
        return;
      }
      write(Argument, Depth);
    }
  }

  unsigned MaxDepth;
  size_t MaxLength;
  std::string Out;
};

} // namespace

std::string gpuocc::shortName(StringRef Demangled) {
  constexpr size_t MaxLength = 120;
  constexpr unsigned MostDepth = 4;
  if (Demangled.size() <= MaxLength)
    return Demangled.str();
  const Outline O = outline(Demangled);
  const StringRef Name = Demangled.slice(O.Name, O.Parameters);
  const StringRef Parameters = O.Parameters == StringRef::npos ? "" : "(...)";
  if (Name.size() <= MaxLength)
    return (Name + Parameters).str();
  std::string Best = NameShortener(1, MaxLength).shorten(Name);
  for (unsigned Depth = 2; Depth <= MostDepth; ++Depth) {
    std::string Deeper = NameShortener(Depth, Name.size()).shorten(Name);
    if (Deeper.size() > MaxLength)
      break;
    Best = std::move(Deeper);
  }
  return Best + Parameters.str();
}

static StringRef withoutFile(StringRef Mangled) {
  StringRef Rest = Mangled;
  size_t Length = 0;
  if (!Rest.consume_front("__nv_static_") || Rest.consumeInteger(10, Length) ||
      Rest.size() < Length + 2)
    return Mangled;
  return Rest.drop_front(Length + 2);
}

StringRef gpuocc::nameInSource(StringRef Mangled) {
  Mangled = withoutFile(Mangled);
  for (StringRef Mark : {"__intern__", "__static__", ".intern.", ".static."}) {
    auto [Name, Unit] = Mangled.rsplit(Mark);
    if (!Name.empty() && !Unit.empty() && all_of(Unit, isHexDigit))
      return Name;
  }
  return Mangled;
}

namespace {

/// Copies a mangled name but for what differs between compilers.
class NameCopier {
public:
  explicit NameCopier(StringRef Mangled) : Rest(Mangled) {}

  std::string copy() {
    while (!Rest.empty())
      copyOne();
    return std::move(Out);
  }

private:
  void copyOne() {
    const char C = Rest.front();
    if (isDigit(C))
      return copyIdentifier();
    // Substitutions, template parameters and bounds of arrays end with '_'.
    if (C == 'S' || C == 'T' || C == 'A')
      return copyNumbered();
    if (C == 'L')
      return copyLiteral();
    take(1);
  }

  /// "4name".
  void copyIdentifier() {
    size_t Length = 0;
    StringRef Behind = Rest;
    Behind.consumeInteger(10, Length);
    if (Behind.take_front(Length).starts_with("_GLOBAL__N_")) {
      Out += "12_GLOBAL__N_1";
      Rest = Behind.drop_front(Length);
      return;
    }
    take(Rest.size() - Behind.size() + Length);
  }

  /// "S_", "S1_", "T0_", "A10_"; other words that begin so ("St", "Te") are
  /// copied as they are.
  void copyNumbered() {
    const StringRef Number = Rest.drop_front().take_while(
        [](char C) { return isDigit(C) || isUpper(C); });
    const size_t Length = 1 + Number.size();
    take(Rest.drop_front(Length).starts_with("_") ? Length + 1 : 1);
  }

  /// "Li32E", or the mark of a function that only one file sees: "L4name".
  void copyLiteral() {
    if (Rest.size() > 1 && isDigit(Rest[1])) {
      Rest = Rest.drop_front();
      return copyIdentifier();
    }
    const size_t End = Rest.find('E');
    const bool IsNumber = Rest.size() > 1 && isLower(Rest[1]);
    take(IsNumber && End != StringRef::npos ? End + 1 : 1);
  }

  void take(size_t Length) {
    Out += Rest.take_front(Length);
    Rest = Rest.drop_front(std::min(Length, Rest.size()));
  }

  StringRef Rest;
  std::string Out;
};

} // namespace

std::string gpuocc::comparableName(StringRef Mangled) {
  const StringRef Name = nameInSource(Mangled);
  return Name.starts_with("_Z") ? NameCopier(Name).copy() : Name.str();
}
