//===- JSONFields.h - Structs to JSON and back by field lists --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A struct says once which fields it has (JSONFields), an enumeration which
/// words it has (JSONWords); encode(), decode() and write() follow from the
/// list, so a value and its JSON form cannot drift apart. Fields that hold
/// their default are left out; a key that is not in the list is an error.
///
/// Types without a list use their own toJSON and fromJSON, if they have any.
///
/// Meant for the .cpp files that implement toJSON and fromJSON of a room.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_JSONFIELDS_H
#define GPUOCC_SUPPORT_JSONFIELDS_H

#include "gpuocc/Support/Known.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace gpuocc {

/// Specialize with `template <typename V> static void visit(V &&Field)` that
/// calls `Field("key", &T::Member)` for each field, in the order to print.
template <typename T> struct JSONFields;

/// Specialize with `static StringRef text(T)` and `static constexpr unsigned
/// Count`; values are 0 to Count - 1.
template <typename T> struct JSONWords;

namespace json_detail {

template <typename T>
concept HasWords = requires(T V) { JSONWords<T>::text(V); };

template <typename T>
concept HasFields = requires { sizeof(JSONFields<T>); };

template <typename T> llvm::json::Value encode(const T &V);
template <typename T>
bool decode(const llvm::json::Value &J, T &Out, llvm::json::Path P);

/// JSON has no word for these; they travel as strings.
inline llvm::json::Value encodeReal(double V) {
  if (std::isfinite(V))
    return V;
  if (std::isnan(V))
    return "nan";
  return V > 0 ? "inf" : "-inf";
}

inline bool decodeReal(const llvm::json::Value &J, double &Out,
                       llvm::json::Path P) {
  if (auto N = J.getAsNumber()) {
    Out = *N;
    return true;
  }
  constexpr double Inf = std::numeric_limits<double>::infinity();
  if (auto S = J.getAsString(); S && (*S == "inf" || *S == "-inf")) {
    Out = *S == "inf" ? Inf : -Inf;
    return true;
  } else if (S && *S == "nan") {
    Out = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  P.report("expected number");
  return false;
}

template <typename T>
bool decodeInteger(const llvm::json::Value &J, T &Out, llvm::json::Path P) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_signed_v<T>) {
    if (auto N = J.getAsInteger();
        N && *N >= int64_t(Limits::min()) && *N <= int64_t(Limits::max())) {
      Out = T(*N);
      return true;
    }
  } else if (auto N = J.getAsUINT64(); N && *N <= uint64_t(Limits::max())) {
    Out = T(*N);
    return true;
  }
  P.report("expected integer in range");
  return false;
}

/// Types made of other types; one specialization each.
template <typename T> struct Composite;

template <typename T>
concept IsComposite = requires { sizeof(Composite<T>); };

template <typename T, typename Element> struct SequenceOf {
  static llvm::json::Value encode(const T &V) {
    llvm::json::Array A;
    A.reserve(V.size());
    for (const Element &E : V)
      A.push_back(json_detail::encode(E));
    return A;
  }
  static bool decode(const llvm::json::Value &J, T &Out, llvm::json::Path P) {
    const llvm::json::Array *A = J.getAsArray();
    if (!A) {
      P.report("expected array");
      return false;
    }
    if constexpr (requires { Out.resize(A->size()); }) {
      Out.resize(A->size());
    } else if (A->size() != Out.size()) {
      P.report("wrong number of elements");
      return false;
    }
    for (size_t I = 0; I != A->size(); ++I)
      if (!json_detail::decode((*A)[I], Out[I], P.index(I)))
        return false;
    return true;
  }
};

template <typename E>
struct Composite<std::vector<E>> : SequenceOf<std::vector<E>, E> {};
template <typename E, unsigned N>
struct Composite<llvm::SmallVector<E, N>>
    : SequenceOf<llvm::SmallVector<E, N>, E> {};
template <typename E, size_t N>
struct Composite<std::array<E, N>> : SequenceOf<std::array<E, N>, E> {};

template <typename K, typename E> struct Composite<std::map<K, E>> {
  using Map = std::map<K, E>;
  static llvm::json::Value encode(const Map &V) {
    llvm::json::Object O;
    for (const auto &[Key, Element] : V) {
      if constexpr (std::is_integral_v<K>)
        O[std::to_string(Key)] = json_detail::encode(Element);
      else
        O[llvm::json::fixUTF8(Key)] = json_detail::encode(Element);
    }
    return O;
  }
  static bool decode(const llvm::json::Value &J, Map &Out, llvm::json::Path P) {
    const llvm::json::Object *O = J.getAsObject();
    if (!O) {
      P.report("expected object");
      return false;
    }
    for (const auto &[Name, Element] : *O) {
      llvm::json::Path Here = P.field(Name);
      K Key{};
      if constexpr (std::is_integral_v<K>) {
        if (llvm::StringRef(Name).getAsInteger(10, Key)) {
          Here.report("expected a number as key");
          return false;
        }
      } else {
        Key = Name.str();
      }
      if (!json_detail::decode(Element, Out[Key], Here))
        return false;
    }
    return true;
  }
};

template <typename T> struct Composite<Known<T>> {
  static llvm::json::Value encode(const Known<T> &V) {
    if (V)
      return json_detail::encode(*V);
    return llvm::json::Object{{"unknown", llvm::json::fixUTF8(V.reason())}};
  }
  static bool decode(const llvm::json::Value &J, Known<T> &Out,
                     llvm::json::Path P) {
    if (const llvm::json::Object *O = J.getAsObject())
      if (auto Reason = O->getString("unknown")) {
        Out = Known<T>::unknown(Reason->str());
        return true;
      }
    T Value{};
    if (!json_detail::decode(J, Value, P))
      return false;
    Out = Known<T>(std::move(Value));
    return true;
  }
};

/// Nothing is null.
template <typename T> struct Composite<std::optional<T>> {
  static llvm::json::Value encode(const std::optional<T> &V) {
    return V ? json_detail::encode(*V) : llvm::json::Value(nullptr);
  }
  static bool decode(const llvm::json::Value &J, std::optional<T> &Out,
                     llvm::json::Path P) {
    if (J.getAsNull()) {
      Out.reset();
      return true;
    }
    return json_detail::decode(J, Out.emplace(), P);
  }
};

template <typename T> struct StructWriter {
  const T &Object;
  llvm::json::Object &Out;
  T Default{};

  template <typename Member>
  void operator()(llvm::StringLiteral Key, Member M) {
    if (!(Object.*M == Default.*M))
      Out[Key] = encode(Object.*M);
  }
};

template <typename T> struct StructReader {
  const llvm::json::Object &In;
  T &Object;
  llvm::json::Path P;
  bool Ok = true;
  llvm::SmallVector<llvm::StringRef, 16> Keys;

  template <typename Member>
  void operator()(llvm::StringLiteral Key, Member M) {
    Keys.push_back(Key);
    if (!Ok)
      return;
    if (const llvm::json::Value *V = In.get(Key))
      Ok = decode(*V, Object.*M, P.field(Key));
  }

  bool finish() {
    if (!Ok)
      return false;
    for (const auto &[Key, Value] : In)
      if (!llvm::is_contained(Keys, llvm::StringRef(Key))) {
        P.field(Key).report("unknown key");
        return false;
      }
    return true;
  }
};

template <typename T> llvm::json::Value encode(const T &V) {
  if constexpr (HasWords<T>) {
    return JSONWords<T>::text(V);
  } else if constexpr (HasFields<T>) {
    if constexpr (requires { JSONFields<T>::text(V); }) {
      return JSONFields<T>::text(V);
    } else {
      llvm::json::Object O;
      JSONFields<T>::visit(StructWriter<T>{V, O});
      return O;
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    return V;
  } else if constexpr (std::is_floating_point_v<T>) {
    return encodeReal(V);
  } else if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_signed_v<T>)
      return int64_t(V);
    else
      return uint64_t(V);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return llvm::json::fixUTF8(V);
  } else if constexpr (IsComposite<T>) {
    return Composite<T>::encode(V);
  } else {
    return toJSON(V);
  }
}

template <typename T>
bool decode(const llvm::json::Value &J, T &Out, llvm::json::Path P) {
  if constexpr (HasWords<T>) {
    if (auto S = J.getAsString())
      for (unsigned I = 0; I != JSONWords<T>::Count; ++I)
        if (JSONWords<T>::text(T(I)) == *S) {
          Out = T(I);
          return true;
        }
    P.report("unknown word");
    return false;
  } else if constexpr (HasFields<T>) {
    if constexpr (requires { JSONFields<T>::text(Out); }) {
      auto S = J.getAsString();
      if (S && JSONFields<T>::parse(*S, Out))
        return true;
      P.report("malformed text");
      return false;
    } else {
      const llvm::json::Object *O = J.getAsObject();
      if (!O) {
        P.report("expected object");
        return false;
      }
      Out = T{};
      StructReader<T> Reader{*O, Out, P, true, {}};
      JSONFields<T>::visit(Reader);
      return Reader.finish();
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    return llvm::json::fromJSON(J, Out, P);
  } else if constexpr (std::is_floating_point_v<T>) {
    double D = 0;
    if (!decodeReal(J, D, P))
      return false;
    Out = T(D);
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    return decodeInteger(J, Out, P);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return llvm::json::fromJSON(J, Out, P);
  } else if constexpr (IsComposite<T>) {
    return Composite<T>::decode(J, Out, P);
  } else {
    return fromJSON(J, Out, P);
  }
}

template <typename T> void write(llvm::json::OStream &J, const T &V);

/// As llvm::json::OStream does it, which goes through printf.
inline void writeReal(llvm::json::OStream &J, double V) {
  if (!std::isfinite(V))
    return J.value(encodeReal(V));
  std::array<char, 32> Text;
  const auto End =
      std::to_chars(Text.begin(), Text.end(), V, std::chars_format::general,
                    std::numeric_limits<double>::max_digits10)
          .ptr;
  J.rawValue(llvm::StringRef(Text.begin(), End - Text.begin()));
}

inline void writeText(llvm::json::OStream &J, llvm::StringRef V) {
  if (llvm::json::isUTF8(V))
    J.value(V);
  else
    J.value(llvm::json::fixUTF8(V));
}

/// A field of T, and how it is written as an attribute where it does not hold
/// its default.
template <typename T> struct FieldWriter {
  llvm::StringRef Key;
  std::function<void(llvm::json::OStream &, const T &, const T &Default)> Write;
};

/// Notes the fields of T.
template <typename T> struct FieldCollector {
  std::vector<FieldWriter<T>> &Out;

  template <typename Member>
  void operator()(llvm::StringLiteral Key, Member M) {
    Out.push_back(
        {Key, [Key, M](llvm::json::OStream &J, const T &V, const T &Default) {
           if (V.*M == Default.*M)
             return;
           J.attributeBegin(Key);
           json_detail::write(J, V.*M);
           J.attributeEnd();
         }});
  }
};

/// In the order in which the elements of a json::Object are printed.
template <typename T> const std::vector<FieldWriter<T>> &sortedFields() {
  static const std::vector<FieldWriter<T>> Fields = [] {
    std::vector<FieldWriter<T>> Collected;
    JSONFields<T>::visit(FieldCollector<T>{Collected});
    llvm::sort(Collected,
               [](const auto &A, const auto &B) { return A.Key < B.Key; });
    return Collected;
  }();
  return Fields;
}

template <typename T> void writeStruct(llvm::json::OStream &J, const T &V) {
  static const T Default{};
  J.object([&] {
    for (const FieldWriter<T> &Field : sortedFields<T>())
      Field.Write(J, V, Default);
  });
}

template <typename T>
concept HasElements =
    std::is_base_of_v<SequenceOf<T, typename T::value_type>, Composite<T>>;

template <typename T> void write(llvm::json::OStream &J, const T &V) {
  if constexpr (HasWords<T>) {
    J.value(encode(V));
  } else if constexpr (HasFields<T>) {
    if constexpr (requires { JSONFields<T>::text(V); })
      J.value(encode(V));
    else
      writeStruct(J, V);
  } else if constexpr (std::is_floating_point_v<T>) {
    writeReal(J, V);
  } else if constexpr (std::is_same_v<T, std::string>) {
    writeText(J, V);
  } else if constexpr (requires { requires HasElements<T>; }) {
    J.array([&] {
      for (const typename T::value_type &Element : V)
        json_detail::write(J, Element);
    });
  } else if constexpr (requires { writeJSON(J, V); }) {
    writeJSON(J, V);
  } else {
    J.value(encode(V));
  }
}

} // namespace json_detail

/// \p V as JSON, by its field list.
template <typename T> llvm::json::Value encodeFields(const T &V) {
  return json_detail::encode(V);
}

/// Writes what J.value(encodeFields(V)) does, without making the values first:
/// they take a hundred times their text in memory.
template <typename T> void writeFields(llvm::json::OStream &J, const T &V) {
  json_detail::write(J, V);
}

/// Reads \p Out from \p J; false after reporting the first problem to \p P.
template <typename T>
bool decodeFields(const llvm::json::Value &J, T &Out, llvm::json::Path P) {
  return json_detail::decode(J, Out, P);
}

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_JSONFIELDS_H
