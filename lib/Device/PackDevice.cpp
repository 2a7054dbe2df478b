//===- PackDevice.cpp - Device databases that need no parser --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackDevice.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include <cassert>
#include <type_traits>

using namespace gpuocc;
using namespace llvm;

namespace {

/// The kinds of cells in tables.
enum class CellKind : uint8_t { Null, Flag, Whole, Real, Text };

/// Writes values one after another. A string is written once and numbered.
class Packer {
public:
  static constexpr bool Reads = false;

  void word(uint64_t &W) {
    char Bytes[sizeof(W)];
    support::endian::write64le(Bytes, W);
    Values.append(Bytes, sizeof(W));
  }

  void text(std::string &Text) {
    auto [It, IsNew] = Numbers.try_emplace(Text, Numbers.size());
    if (IsNew) {
      uint64_t Size = Text.size();
      char Bytes[sizeof(Size)];
      support::endian::write64le(Bytes, Size);
      Texts.append(Bytes, sizeof(Size));
      Texts += Text;
    }
    uint64_t Number = It->second;
    word(Number);
  }

  std::string take() {
    std::string Values = std::move(this->Values);
    this->Values.clear();
    uint64_t Count = Numbers.size();
    word(Count);
    return this->Values + Texts + Values;
  }

private:
  StringMap<uint64_t> Numbers;
  std::string Texts, Values;
};

/// Reads what Packer wrote.
class Unpacker {
public:
  static constexpr bool Reads = true;

  explicit Unpacker(StringRef Bytes) : Rest(Bytes) {
    uint64_t Count = 0;
    word(Count);
    Texts.reserve(Count);
    for (uint64_t I = 0; I != Count; ++I) {
      uint64_t Size = 0;
      word(Size);
      Texts.push_back(Rest.take_front(Size));
      Rest = Rest.drop_front(Size);
    }
  }

  void word(uint64_t &W) {
    W = support::endian::read64le(Rest.data());
    Rest = Rest.drop_front(sizeof(W));
  }

  void text(std::string &Text) {
    uint64_t Number = 0;
    word(Number);
    Text = Texts[Number].str();
  }

  bool isDone() const { return Rest.empty(); }

private:
  StringRef Rest;
  std::vector<StringRef> Texts;
};

/// Passes the members of a device to a Packer or an Unpacker, so that both have
/// one order.
template <typename Archive> class Transfer {
public:
  explicit Transfer(Archive &A) : A(A) {}

  void pass(DeviceModel &D) {
    all(D.Name, D.DisplayName, D.Architecture, D.Aliases, D.Relative, D.Record,
        D.Quantities, D.Instructions, D.Dependences, D.Contention,
        D.PtxInstructions, D.Tables);
  }

private:
  template <typename... Ts> void all(Ts &...Members) { (pass(Members), ...); }

  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void pass(T &V) {
    uint64_t W = uint64_t(V);
    A.word(W);
    if constexpr (Archive::Reads)
      V = T(W);
  }

  void pass(double &V) {
    uint64_t W = bit_cast<uint64_t>(V);
    A.word(W);
    if constexpr (Archive::Reads)
      V = bit_cast<double>(W);
  }

  void pass(std::string &V) { A.text(V); }

  template <typename T> void pass(std::optional<T> &V) {
    bool Has = V.has_value();
    pass(Has);
    if constexpr (Archive::Reads)
      if (Has)
        V.emplace();
    if (Has)
      pass(*V);
  }

  template <typename T> void pass(std::vector<T> &V) {
    size_t Size = V.size();
    pass(Size);
    if constexpr (Archive::Reads)
      V.assign(Size, T());
    for (T &Element : V)
      pass(Element);
  }

  /// A cell has no default value, so that rows do not go the way of vectors.
  void pass(std::vector<json::Value> &Row) {
    size_t Size = Row.size();
    pass(Size);
    if constexpr (Archive::Reads) {
      Row.reserve(Size);
      for (size_t I = 0; I != Size; ++I)
        Row.push_back(readCell());
    } else {
      for (json::Value &Cell : Row)
        writeCell(Cell);
    }
  }

  template <typename K, typename V> void pass(std::map<K, V> &M) {
    size_t Size = M.size();
    pass(Size);
    if constexpr (Archive::Reads) {
      for (size_t I = 0; I != Size; ++I) {
        K Key;
        pass(Key);
        pass(M.emplace_hint(M.end(), std::move(Key), V())->second);
      }
    } else {
      for (auto &[Key, Value] : M) {
        K Copy = Key;
        all(Copy, Value);
      }
    }
  }

  void pass(Number &N) {
    all(N.Value, N.Unit, N.Origin, N.Source, N.Date, N.Samples, N.Spread,
        N.Stable);
  }
  void pass(Dependence &D) { all(D.Producer, D.Consumer, D.Use); }
  void pass(ThroughputPoint &P) { all(P.Ilp, P.Warps, P.PerCycleSm); }
  void pass(SassCheck &C) { all(C.Opcode, C.Expected, C.Found, C.Verdict); }
  void pass(InstTiming &T) {
    pass(T.Pipe);
    for (unsigned I = 0; I != NumTimingFields; ++I)
      pass(timingField(T, TimingField(I)));
    all(T.Curve, T.Sass);
  }
  void pass(ContentionFit &F) { all(F.A, F.B, F.C, F.Peak, F.Residual); }
  void pass(PtxTiming &T) { all(T.O3, T.O0, T.Throughput); }
  void pass(DeviceTable &T) {
    all(T.Columns, T.Units, T.Rows, T.Source, T.Date);
  }

  template <typename T> void writeAs(CellKind Kind, T Value) {
    all(Kind, Value);
  }

  void writeCell(const json::Value &Cell) {
    if (std::optional<bool> Flag = Cell.getAsBoolean())
      return writeAs(CellKind::Flag, *Flag);
    if (std::optional<int64_t> Whole = Cell.getAsInteger())
      return writeAs(CellKind::Whole, *Whole);
    if (std::optional<double> Real = Cell.getAsNumber())
      return writeAs(CellKind::Real, *Real);
    if (std::optional<StringRef> Text = Cell.getAsString())
      return writeAs(CellKind::Text, Text->str());
    CellKind Null = CellKind::Null;
    pass(Null);
  }

  template <typename T> json::Value readAs() {
    T Value = T();
    pass(Value);
    return Value;
  }

  json::Value readCell() {
    CellKind Kind = CellKind::Null;
    pass(Kind);
    switch (Kind) {
    case CellKind::Null:
      return nullptr;
    case CellKind::Flag:
      return readAs<bool>();
    case CellKind::Whole:
      return readAs<int64_t>();
    case CellKind::Real:
      return readAs<double>();
    case CellKind::Text:
      return readAs<std::string>();
    }
    llvm_unreachable("every kind of cell is above");
  }

  Archive &A;
};

} // namespace

std::string gpuocc::packDevice(DeviceModel Device) {
  Packer To;
  Transfer(To).pass(Device);
  return To.take();
}

DeviceModel gpuocc::unpackDevice(StringRef Bytes) {
  DeviceModel Device;
  Unpacker From(Bytes);
  Transfer(From).pass(Device);
  assert(From.isDone() && "packed by another build?");
  return Device;
}
