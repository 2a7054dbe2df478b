//===- ByteFields.h - Structs to bytes and back by field lists --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The field lists that give a struct its JSON form (JSONFields.h) give it
/// bytes too. Bytes have no names, no version and the order of this machine:
/// they travel between processes of one program, in a tenth of the time that
/// JSON takes, and are kept in no file.
///
/// Types without a list give theirs by two functions beside them:
/// `void writeBytes(raw_ostream &, const T &)` and
/// `bool readBytes(StringRef &, T &)`.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_BYTEFIELDS_H
#define GPUOCC_SUPPORT_BYTEFIELDS_H

#include "gpuocc/Support/JSONFields.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

namespace gpuocc {

template <typename T> void writeFieldBytes(llvm::raw_ostream &OS, const T &V);

/// Reads \p Out from the front of \p In and removes what it read. False where
/// \p In ends before it, or an enumeration holds none of its words; \p Out is
/// then of no use.
template <typename T> bool readFieldBytes(llvm::StringRef &In, T &Out);

namespace byte_detail {

/// Numbers, words, and what is written as one word of JSON: copied as they are.
/// Pointers are none of these.
template <typename T>
concept IsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                  (std::has_unique_object_representations_v<T> &&
                   requires(const T &V) { JSONFields<T>::text(V); });

template <typename T> bool isValid(const T &V) {
  if constexpr (json_detail::HasWords<T>)
    return size_t(V) < JSONWords<T>::Count;
  else
    return true;
}

template <typename T> void writePlain(llvm::raw_ostream &OS, const T &V) {
  OS.write(reinterpret_cast<const char *>(&V), sizeof(T));
}

template <typename T> bool readPlain(llvm::StringRef &In, T &Out) {
  if (In.size() < sizeof(T))
    return false;
  std::memcpy(&Out, In.data(), sizeof(T));
  In = In.drop_front(sizeof(T));
  return isValid(Out);
}

inline void writeText(llvm::raw_ostream &OS, llvm::StringRef V) {
  writePlain(OS, V.size());
  OS << V;
}

inline bool readText(llvm::StringRef &In, std::string &Out) {
  size_t Size = 0;
  if (!readPlain(In, Size) || In.size() < Size)
    return false;
  Out = In.take_front(Size).str();
  In = In.drop_front(Size);
  return true;
}

/// Types made of other types; one specialization each.
template <typename T> struct Composite;

template <typename T>
concept IsComposite = requires { sizeof(Composite<T>); };

template <typename T> struct SequenceOf {
  static void write(llvm::raw_ostream &OS, const T &V) {
    writePlain(OS, V.size());
    for (const auto &Element : V)
      writeFieldBytes(OS, Element);
  }
  static bool read(llvm::StringRef &In, T &Out) {
    size_t Size = 0;
    // An element takes a byte or more.
    if (!readPlain(In, Size) || Size > In.size())
      return false;
    if constexpr (requires { Out.resize(Size); })
      Out.resize(Size);
    else if (Size != Out.size())
      return false;
    return llvm::all_of(
        Out, [&](auto &Element) { return readFieldBytes(In, Element); });
  }
};

template <typename E>
struct Composite<std::vector<E>> : SequenceOf<std::vector<E>> {};
template <typename E, unsigned N>
struct Composite<llvm::SmallVector<E, N>>
    : SequenceOf<llvm::SmallVector<E, N>> {};
template <typename E, size_t N>
struct Composite<std::array<E, N>> : SequenceOf<std::array<E, N>> {};

template <typename T> struct Composite<std::optional<T>> {
  static void write(llvm::raw_ostream &OS, const std::optional<T> &V) {
    writePlain(OS, V.has_value());
    if (V)
      writeFieldBytes(OS, *V);
  }
  static bool read(llvm::StringRef &In, std::optional<T> &Out) {
    uint8_t Has = 0;
    if (!readPlain(In, Has) || Has > 1)
      return false;
    Out.reset();
    return !Has || readFieldBytes(In, Out.emplace());
  }
};

template <typename T> struct Composite<Known<T>> {
  static void write(llvm::raw_ostream &OS, const Known<T> &V) {
    writePlain(OS, bool(V));
    if (V)
      writeFieldBytes(OS, *V);
    else
      writeText(OS, V.reason());
  }
  static bool read(llvm::StringRef &In, Known<T> &Out) {
    uint8_t Is = 0;
    if (!readPlain(In, Is) || Is > 1)
      return false;
    if (!Is) {
      std::string Reason;
      if (!readText(In, Reason))
        return false;
      Out = Known<T>::unknown(std::move(Reason));
      return true;
    }
    T Value{};
    if (!readFieldBytes(In, Value))
      return false;
    Out = Known<T>(std::move(Value));
    return true;
  }
};

template <typename T> struct StructWriter {
  const T &Object;
  llvm::raw_ostream &OS;

  template <typename Member> void operator()(llvm::StringLiteral, Member M) {
    writeFieldBytes(OS, Object.*M);
  }
};

template <typename T> struct StructReader {
  T &Object;
  llvm::StringRef &In;
  bool Ok = true;

  template <typename Member> void operator()(llvm::StringLiteral, Member M) {
    Ok = Ok && readFieldBytes(In, Object.*M);
  }
};

} // namespace byte_detail

template <typename T> void writeFieldBytes(llvm::raw_ostream &OS, const T &V) {
  using namespace byte_detail;
  if constexpr (IsPlain<T>)
    writePlain(OS, V);
  else if constexpr (std::is_same_v<T, std::string>)
    writeText(OS, V);
  else if constexpr (IsComposite<T>)
    Composite<T>::write(OS, V);
  else if constexpr (json_detail::HasFields<T>)
    JSONFields<T>::visit(StructWriter<T>{V, OS});
  else
    writeBytes(OS, V);
}

template <typename T> bool readFieldBytes(llvm::StringRef &In, T &Out) {
  using namespace byte_detail;
  if constexpr (std::is_same_v<T, bool>) {
    uint8_t Byte = 0;
    if (!readPlain(In, Byte) || Byte > 1)
      return false;
    Out = Byte;
    return true;
  } else if constexpr (IsPlain<T>) {
    return readPlain(In, Out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return readText(In, Out);
  } else if constexpr (IsComposite<T>) {
    return Composite<T>::read(In, Out);
  } else if constexpr (json_detail::HasFields<T>) {
    StructReader<T> Reader{Out, In};
    JSONFields<T>::visit(Reader);
    return Reader.Ok;
  } else {
    return readBytes(In, Out);
  }
}

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_BYTEFIELDS_H
