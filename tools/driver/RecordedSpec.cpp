//===- RecordedSpec.cpp - A recorded launch as a configuration says it ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordedSpec.h"
#include "gpuocc/Lanes/ParameterMemory.h"
#include "gpuocc/Model/Occupancy.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// What the assembler gave \p Facts, and the blocks that an SM of \p Limits
/// holds.
static void addResources(const KernelFacts &Facts, const ArchLimits &Limits,
                         RecordableKernel &K) {
  BlockResources Block;
  Block.RegistersPerThread = K.Registers = Facts.Resources.RegistersPerThread;
  Block.StaticSharedBytes = K.StaticSharedBytes = Facts.StaticSharedBytes;
  Block.Barriers = Facts.Resources.Barriers;
  K.LocalBytes = Facts.Resources.StackBytes;
  const unsigned Most = Limits.MaxThreadsPerBlock.value_or(1024);
  const unsigned Promised =
      Facts.Bounds.MaxThreads != 0 ? Facts.Bounds.MaxThreads : Most;
  for (Block.Threads = 32; Block.Threads <= Most; Block.Threads += 32) {
    const unsigned Blocks = occupancy(Limits, Block).BlocksPerSm;
    K.BlocksByWarps.push_back(Blocks);
    // An estimate of registers refuses no launch.
    if (Blocks != 0 || Facts.Resources.IsEstimate)
      K.MaxThreads = std::min(Promised, Block.Threads);
  }
}

RecordableKernel gpuocc::recordable(const KernelFacts &Facts,
                                    const ArchLimits &Limits) {
  const ParameterMemory Memory = findParameterMemory(Facts);
  RecordableKernel K;
  K.Name = Facts.Name;
  K.WritesAnywhere = Memory.WritesElsewhere;
  K.IsRepeatable = Memory.IsRepeatable;
  K.IsConfined = Memory.IsConfined;
  K.IsDecidedByOwnWrites = Memory.IsDecidedByOwnWrites;
  K.IsDecidedElsewhere = Memory.IsDecidedElsewhere;
  addResources(Facts, Limits, K);
  for (const Parameter &P : Facts.Parameters) {
    RecordableKernel::Parameter &Out = K.Parameters.emplace_back();
    Out.SizeBytes = P.SizeBytes;
    auto IsInside = [&](uint64_t Offset) {
      return Offset >= P.OffsetBytes && Offset < P.OffsetBytes + P.SizeBytes;
    };
    for (uint64_t Offset : make_filter_range(Memory.Written, IsInside))
      Out.Written.push_back(Offset - P.OffsetBytes);
    for (uint64_t Offset : make_filter_range(Memory.Deciding, IsInside))
      Out.Wanted.push_back(Offset - P.OffsetBytes);
  }
  return K;
}

/// \p Bytes, eight at most, as a little-endian number.
static uint64_t wordOf(ArrayRef<uint8_t> Bytes) {
  uint64_t Word = 0;
  for (uint8_t Byte : reverse(Bytes))
    Word = Word << 8 | Byte;
  return Word;
}

static double realOf(uint64_t Word, size_t NumBytes) {
  const fltSemantics &Form = NumBytes == 2   ? APFloat::IEEEhalf()
                             : NumBytes == 4 ? APFloat::IEEEsingle()
                                             : APFloat::IEEEdouble();
  return APFloat(Form, APInt(unsigned(NumBytes * 8), Word)).convertToDouble();
}

LaunchSpec gpuocc::specOfRecord(const RecordedLaunch &L,
                                const KernelFacts &Facts) {
  LaunchSpec Spec;
  Spec.Kernel = Facts.Name;
  Spec.Source = "record";
  Spec.Grid = L.Grid;
  Spec.Block = L.Block;
  Spec.DynamicSharedBytes = L.DynamicSharedBytes;
  Spec.Cluster = L.Cluster;
  Spec.CarveoutPercent = L.CarveoutPercent;
  for (unsigned Index : L.HostMemory)
    if (Index < Facts.Parameters.size() && Facts.Parameters[Index].IsPointer)
      Spec.HostMemory.push_back(utostr(Index));
  const size_t Count = std::min(Facts.Parameters.size(), L.Arguments.size());
  for (size_t Index = 0; Index != Count; ++Index) {
    const Parameter &P = Facts.Parameters[Index];
    const RecordedArgument &Argument = L.Arguments[Index];
    const std::string Key = utostr(Index);
    for (const auto &[Offset, File] : Argument.Memory)
      Spec.Memory[Offset == 0 ? Key : Key + "+" + utostr(Offset)] = File;
    if (P.IsPointer && Argument.BytesBehind != 0)
      Spec.ArrayBytes[Key] = Argument.BytesBehind;
    const size_t NumBytes = Argument.Bytes.size();
    const bool IsNumber =
        NumBytes == 1 || NumBytes == 2 || NumBytes == 4 || NumBytes == 8;
    if (!IsNumber) {
      Spec.StructBytes[Key] =
          toHex(ArrayRef<uint8_t>(Argument.Bytes), /*LowerCase=*/true);
      continue;
    }
    const uint64_t Word = wordOf(Argument.Bytes);
    ScalarArgument Value;
    if (P.IsFloat) {
      Value.IsReal = true;
      Value.Real = realOf(Word, NumBytes);
      if (!std::isfinite(Value.Real))
        continue;
    } else if (Argument.BytesBehind != 0 || (P.IsPointer && Word != 0)) {
      continue;
    } else {
      Value.Integer = SignExtend64(Word, unsigned(NumBytes * 8));
    }
    Spec.Arguments[Key] = Value;
  }
  return Spec;
}

/// Calls \p Visit with each entry of \p Map, whose keys are numbers, in their
/// order.
template <typename Map, typename Function>
static void forEachPosition(const Map &Entries, Function Visit) {
  std::map<unsigned, const typename Map::mapped_type *> InOrder;
  for (const auto &[Key, Value] : Entries) {
    unsigned Position = 0;
    StringRef(Key).getAsInteger(10, Position);
    InOrder[Position] = &Value;
  }
  for (const auto &[Position, Value] : InOrder)
    Visit(Position, *Value);
}

/// \p Value so that it is read as what it is: real numbers with a point.
static std::string scalarText(const ScalarArgument &Value) {
  if (!Value.IsReal)
    return itostr(Value.Integer);
  std::string Text;
  raw_string_ostream OS(Text);
  OS << format("%.17g", Value.Real);
  return StringRef(Text).find_first_of(".e") == StringRef::npos ? Text + ".0"
                                                                : Text;
}

void gpuocc::writeLaunch(const LaunchSpec &Spec, raw_ostream &OS) {
  auto Extent = [&](StringRef Key, const std::optional<Dim3> &E) {
    if (E)
      OS << "    " << Key << ": [" << E->X << ", " << E->Y << ", " << E->Z
         << "]\n";
  };
  OS << "  - kernel: " << Spec.Kernel << '\n';
  Extent("grid", Spec.Grid);
  Extent("block", Spec.Block);
  Extent("cluster", Spec.Cluster);
  if (Spec.DynamicSharedBytes)
    OS << "    dynamic_shared_bytes: " << *Spec.DynamicSharedBytes << '\n';
  if (Spec.CarveoutPercent)
    OS << "    carveout_percent: " << *Spec.CarveoutPercent << '\n';
  if (!Spec.Arguments.empty()) {
    OS << "    arguments: {";
    ListSeparator Comma;
    forEachPosition(Spec.Arguments,
                    [&](unsigned Position, const ScalarArgument &Value) {
                      OS << Comma << Position << ": " << scalarText(Value);
                    });
    OS << "}\n";
  }
  if (!Spec.ArrayBytes.empty()) {
    OS << "    array_bytes: {";
    ListSeparator Comma;
    forEachPosition(Spec.ArrayBytes, [&](unsigned Position, uint64_t Bytes) {
      OS << Comma << Position << ": " << Bytes;
    });
    OS << "}\n";
  }
  if (!Spec.HostMemory.empty())
    OS << "    host_memory: [" << join(Spec.HostMemory, ", ") << "]\n";
  if (!Spec.StructBytes.empty()) {
    OS << "    structs: {";
    ListSeparator Comma;
    forEachPosition(Spec.StructBytes,
                    [&](unsigned Position, const std::string &Digits) {
                      OS << Comma << Position << ": \"" << Digits << '"';
                    });
    OS << "}\n";
  }
  if (!Spec.Memory.empty()) {
    OS << "    memory: {";
    ListSeparator Comma;
    for (const auto &[Key, File] : Spec.Memory)
      OS << Comma << Key << ": \""
         << yaml::escape(File, /*EscapePrintable=*/false) << '"';
    OS << "}\n";
  }
}
