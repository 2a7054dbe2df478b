//===- StableName.cpp - Names that survive refactoring --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/StableName.h"
#include "gpuocc/Kernel/KernelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace gpuocc;
using namespace llvm;

/// What nvcc puts in front of names that one file of relocatable code sees: a
/// length, and that many characters of hash and file.
static StringRef withoutFilePrefix(StringRef Mangled) {
  StringRef Rest = Mangled;
  size_t Length = 0;
  if (!Rest.consume_front("__nv_static_") || Rest.consumeInteger(10, Length) ||
      !Rest.consume_front("_") || Length >= Rest.size() || Rest[Length] != '_')
    return Mangled;
  return Rest.drop_front(Length + 1);
}

/// Without what compilers append to the names of copies of a function.
static StringRef withoutSuffix(StringRef Mangled) {
  return Mangled.starts_with("_Z") ? Mangled.split('.').first : Mangled;
}

/// 'lambda12' and 'unnamed3' without their numbers.
static std::string withoutNumbers(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    const size_t Quote = Text.find('\'');
    Out += Text.take_front(Quote);
    Text = Text.drop_front(std::min(Quote, Text.size()));
    if (Text.empty())
      break;
    const size_t End = Text.find('\'', 1);
    if (End == StringRef::npos)
      return Out + Text.str();
    const StringRef Word = Text.slice(1, End).rtrim("0123456789");
    Out += ("'" + Word + "'").str();
    Text = Text.drop_front(End + 1);
  }
  return Out;
}

/// Without each piece of \p Text from \p Open to \p Close.
static std::string withoutPieces(StringRef Text, StringRef Open,
                                 StringRef Close, StringRef Instead = "") {
  std::string Out;
  for (size_t At; (At = Text.find(Open)) != StringRef::npos;) {
    const size_t End = Text.find(Close, At + Open.size());
    if (End == StringRef::npos)
      break;
    Out += Text.take_front(At);
    Out += Instead;
    Text = Text.drop_front(End + Close.size());
  }
  return Out + Text.str();
}

/// Without the number in `__nv_dl_tag<type, &function, 2u>`, which counts the
/// lambdas that nvcc wraps.
static std::string withoutTags(std::string Text) {
  for (StringRef Tag : {"__nv_dl_tag<", "__nv_hdl_helper_tag<"}) {
    for (size_t At = Text.find(Tag); At != std::string::npos;
         At = Text.find(Tag, At + 1)) {
      unsigned Depth = 0;
      size_t Comma = 0;
      for (size_t I = At + Tag.size(); I != Text.size(); ++I) {
        if (Text[I] == '<' || Text[I] == '(')
          ++Depth;
        else if (Depth != 0 && (Text[I] == '>' || Text[I] == ')'))
          --Depth;
        else if (Depth == 0 && Text[I] == ',')
          Comma = I;
        else if (Depth == 0 && Text[I] == '>') {
          StringRef Last = StringRef(Text).slice(Comma + 1, I).trim();
          if (Comma != 0 && Last.consume_back("u") && !Last.empty() &&
              all_of(Last, isDigit))
            Text.erase(Comma, I - Comma);
          break;
        }
      }
    }
  }
  return Text;
}

std::string gpuocc::stableName(StringRef Mangled) {
  const std::string Demangled =
      demangle(withoutSuffix(nameInSource(withoutFilePrefix(Mangled))));
  // From the name on: return types are those of templates only.
  const StringRef Name = StringRef(Demangled).drop_front(
      qualifiedName(Demangled).data() - Demangled.data());
  std::string Text = withoutPieces(Name, "[abi:", "]");
  Text = withoutPieces(Text, "_INTERNAL_", "::", "(anonymous namespace)::");
  // A name is one line of a file.
  for (char &C : Text)
    if (!isPrint(C) && (C & 0x80) == 0)
      C = '?';
  return withoutTags(withoutNumbers(Text));
}
