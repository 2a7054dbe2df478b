//===- DevicePrint.cpp - printf of kernels --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DevicePrint.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace gpuocc::execute;

namespace {

/// Reads arguments one after the other.
class PackedArguments {
public:
  explicit PackedArguments(const void *Packed)
      : Next(static_cast<const char *>(Packed)) {}

  template <typename T> T take() {
    Offset = (Offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T Value;
    std::memcpy(&Value, Next + Offset, sizeof(T));
    Offset += sizeof(T);
    return Value;
  }

private:
  const char *Next;
  size_t Offset = 0;
};

} // namespace

template <typename T>
static void append(std::string &Out, const std::string &Directive, T Value) {
  char Buffer[512];
  const int Length =
      std::snprintf(Buffer, sizeof(Buffer), Directive.c_str(), Value);
  if (Length > 0)
    Out.append(Buffer, std::min(size_t(Length), sizeof(Buffer) - 1));
}

std::string gpuocc::execute::formatPacked(const char *Format,
                                          const void *Packed,
                                          int32_t &NumArguments) {
  std::string Out;
  PackedArguments Arguments(Packed);
  NumArguments = 0;
  for (const char *At = Format; *At;) {
    if (*At != '%') {
      Out += *At++;
      continue;
    }
    if (At[1] == '%') {
      Out += '%';
      At += 2;
      continue;
    }
    std::string Directive = "%";
    bool IsWide = false;
    for (++At; *At && std::strchr("-+ #0123456789.*", *At); ++At) {
      if (*At != '*') {
        Directive += *At;
        continue;
      }
      Directive += std::to_string(Arguments.take<int32_t>());
      ++NumArguments;
    }
    // 'long' has 64 bits.
    for (; *At && std::strchr("hljzt", *At); ++At)
      IsWide |= *At != 'h';
    const char Kind = *At;
    if (!Kind)
      break;
    ++At;
    ++NumArguments;
    if (std::strchr("diouxX", Kind)) {
      if (IsWide)
        append(Out, Directive + "ll" + Kind, Arguments.take<int64_t>());
      else
        append(Out, Directive + Kind, Arguments.take<int32_t>());
    } else if (Kind == 'c') {
      append(Out, Directive + Kind, Arguments.take<int32_t>());
    } else if (std::strchr("aAeEfFgG", Kind)) {
      append(Out, Directive + Kind, Arguments.take<double>());
    } else if (Kind == 's') {
      const char *Text = Arguments.take<const char *>();
      append(Out, Directive + Kind, Text ? Text : "(null)");
    } else if (Kind == 'p') {
      append(Out, Directive + Kind, Arguments.take<void *>());
    } else {
      Out += Directive + Kind;
    }
  }
  return Out;
}

int32_t gpuocc::execute::devicePrint(const char *Format, const void *Packed) {
  int32_t NumArguments = 0;
  const std::string Text = formatPacked(Format, Packed, NumArguments);
  std::fwrite(Text.data(), 1, Text.size(), stdout);
  return NumArguments;
}
