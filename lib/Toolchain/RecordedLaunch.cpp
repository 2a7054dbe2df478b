//===- RecordedLaunch.cpp - Launches of a program that was run ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/RecordedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// "0a00@16,0=array.bin".
static bool parseArgument(StringRef Text, RecordedArgument &Argument) {
  SmallVector<StringRef, 4> Parts;
  Text.split(Parts, ',');
  auto [Digits, Behind] = Parts.front().split('@');
  std::string Bytes;
  if (Digits.empty() || Digits.size() % 2 != 0 || !tryGetFromHex(Digits, Bytes))
    return false;
  Argument.Bytes.assign(Bytes.begin(), Bytes.end());
  if (!Behind.empty() && Behind.getAsInteger(10, Argument.BytesBehind))
    return false;
  for (StringRef Part : ArrayRef(Parts).drop_front()) {
    auto [Offset, File] = Part.split('=');
    uint64_t At = 0;
    if (Offset.getAsInteger(10, At) || File.empty())
      return false;
    Argument.Memory[At] = File.str();
  }
  return true;
}

/// "2,1,1".
static bool parseExtent(StringRef Text, Dim3 &Extent) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  return Parts.size() == 3 && !Parts[0].getAsInteger(10, Extent.X) &&
         !Parts[1].getAsInteger(10, Extent.Y) &&
         !Parts[2].getAsInteger(10, Extent.Z);
}

/// "carveout=7".
static bool parseDetail(StringRef Key, StringRef Value, RecordedLaunch &L) {
  if (Key == "cluster")
    return parseExtent(Value, L.Cluster.emplace());
  if (Key == "carveout")
    return !Value.getAsInteger(10, L.CarveoutPercent.emplace());
  if (Key == "host") {
    SmallVector<StringRef, 8> Parts;
    Value.split(Parts, ',');
    return all_of(Parts, [&](StringRef Part) {
      return !Part.getAsInteger(10, L.HostMemory.emplace_back());
    });
  }
  if (Key == "managed") {
    auto [FromHost, Fresh] = Value.split(',');
    return !FromHost.getAsInteger(10, L.Managed.FromHost) &&
           !Fresh.getAsInteger(10, L.Managed.Fresh);
  }
  if (Key == "seen") {
    L.SeenFile = Value.str();
    return !Value.empty();
  }
  if (Key == "turns") {
    L.TurnsFile = Value.str();
    return !Value.empty();
  }
  L.IsCooperative = Key == "cooperative" && Value == "1";
  return L.IsCooperative;
}

/// True where \p Word is "KEY=VALUE", not an argument with an array.
static bool isDetail(StringRef Word) {
  return Word.split('=').first.find_first_of(",@") == StringRef::npos &&
         Word.contains('=');
}

static bool parseLine(StringRef Line, RecordedLaunch &L) {
  SmallVector<StringRef, 16> Words;
  SplitString(Line, Words);
  uint64_t *const Numbers[] = {&L.Grid.X,
                               &L.Grid.Y,
                               &L.Grid.Z,
                               &L.Block.X,
                               &L.Block.Y,
                               &L.Block.Z,
                               &L.DynamicSharedBytes};
  if (Words.size() <= std::size(Numbers))
    return false;
  L.Kernel = Words[0].str();
  for (size_t I = 0; I != std::size(Numbers); ++I)
    if (Words[I + 1].getAsInteger(10, *Numbers[I]))
      return false;
  for (StringRef Word : ArrayRef(Words).drop_front(1 + std::size(Numbers))) {
    auto [Key, Value] = Word.split('=');
    if (isDetail(Word) ? !parseDetail(Key, Value, L)
                       : !parseArgument(Word, L.Arguments.emplace_back()))
      return false;
  }
  return true;
}

Expected<std::vector<RecordedLaunch>>
gpuocc::parseRecordedLaunches(StringRef Text, StringRef FileName) {
  std::vector<RecordedLaunch> Launches;
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (auto [Index, Line] : enumerate(Lines))
    if (!Line.starts_with("!") && !parseLine(Line, Launches.emplace_back()))
      return createStringError(FileName + ":" + Twine(Index + 1) + ": '" +
                               Line.take_front(80) +
                               "' is no launch; a line is a kernel, grid, "
                               "block, shared bytes and arguments");
  return Launches;
}

/// What the recorder writes for a kernel that failed.
static constexpr StringLiteral FailureLine = "!failed";

std::vector<std::string> gpuocc::recorderNotes(StringRef Text) {
  std::vector<std::string> Notes;
  for (StringRef Line : split(Text, '\n'))
    if (Line != FailureLine && Line.consume_front("!"))
      Notes.push_back(Line.trim().str());
  return Notes;
}

bool gpuocc::hasFailedKernel(StringRef Text) {
  return is_contained(split(Text, '\n'), FailureLine);
}

std::string gpuocc::textOf(ArrayRef<RecordedLaunch> Launches) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const RecordedLaunch &L : Launches) {
    OS << L.Kernel << ' ' << L.Grid.X << ' ' << L.Grid.Y << ' ' << L.Grid.Z
       << ' ' << L.Block.X << ' ' << L.Block.Y << ' ' << L.Block.Z << ' '
       << L.DynamicSharedBytes;
    if (L.Cluster)
      OS << " cluster=" << L.Cluster->X << ',' << L.Cluster->Y << ','
         << L.Cluster->Z;
    if (L.CarveoutPercent)
      OS << " carveout=" << *L.CarveoutPercent;
    if (L.IsCooperative)
      OS << " cooperative=1";
    if (!L.HostMemory.empty()) {
      OS << " host=";
      interleave(L.HostMemory, OS, ",");
    }
    if (L.Managed.total() != 0)
      OS << " managed=" << L.Managed.FromHost << ',' << L.Managed.Fresh;
    if (!L.SeenFile.empty())
      OS << " seen=" << L.SeenFile;
    if (!L.TurnsFile.empty())
      OS << " turns=" << L.TurnsFile;
    for (const RecordedArgument &A : L.Arguments) {
      OS << ' ' << toHex(A.Bytes, /*LowerCase=*/true);
      if (A.BytesBehind != 0)
        OS << '@' << A.BytesBehind;
      for (const auto &[Offset, File] : A.Memory)
        OS << ',' << Offset << '=' << File;
    }
    OS << '\n';
  }
  return Text;
}

std::string gpuocc::textOf(ArrayRef<RecordableKernel> Kernels) {
  std::string Text;
  for (const RecordableKernel &K : Kernels) {
    Text += K.Name;
    if (K.WritesAnywhere)
      Text += " *";
    auto Add = [&](StringRef Key, uint64_t Value) {
      if (Value != 0)
        Text += (" " + Key + "=" + Twine(Value)).str();
    };
    Add("confined", K.IsConfined);
    Add("repeatable", K.IsRepeatable);
    Add("watched", K.IsDecidedElsewhere ? 2 : K.IsDecidedByOwnWrites);
    Add("registers", K.Registers);
    Add("shared", K.StaticSharedBytes);
    Add("local", K.LocalBytes);
    Add("threads", K.MaxThreads);
    if (!K.BlocksByWarps.empty())
      Text += " blocks=" +
              join(map_range(K.BlocksByWarps,
                             [](unsigned Blocks) { return utostr(Blocks); }),
                   ",");
    for (const RecordableKernel::Parameter &P : K.Parameters) {
      Text += " " + utostr(P.SizeBytes);
      for (uint64_t Offset : P.Written)
        Text += "w" + utostr(Offset);
      for (uint64_t Offset : P.Wanted)
        Text += "," + utostr(Offset);
    }
    Text += '\n';
  }
  return Text;
}
