//===- LockFile.cpp - What kernels take, to be checked in -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/LockFile.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral FirstLine =
    "# What each kernel takes. Written by 'gpu-occupancy lock'; do not edit.";

namespace {

/// A line "key value" of a kernel, and the same of a launch, which is indented
/// further. Absent values have no line.
template <typename T> struct ValueRow {
  StringLiteral Key;
  std::optional<uint64_t> T::*Value;
};

constexpr ValueRow<LockedKernel> KernelRows[] = {
    {"registers", &LockedKernel::Registers},
    {"spills", &LockedKernel::SpillBytes},
    {"stack", &LockedKernel::StackBytes},
    {"shared", &LockedKernel::SharedBytes},
};

constexpr StringLiteral KernelIndent = "  ", LaunchIndent = "    ";

} // namespace

static void addLine(std::string &Out, StringRef Indent, const Twine &Line) {
  Out += (Indent + Line + "\n").str();
}

static void addLaunch(std::string &Out, const LockedLaunch &L) {
  addLine(Out, KernelIndent, "launch " + L.Text + " on " + L.Device);
  if (L.CannotRun)
    addLine(Out, LaunchIndent, "cannot run");
  if (L.BlocksPerSm)
    addLine(Out, LaunchIndent, "blocks " + Twine(*L.BlocksPerSm));
  if (L.TimeNs)
    addLine(Out, LaunchIndent, "time " + formatTime(*L.TimeNs));
  if (!L.Limiter.empty())
    addLine(Out, LaunchIndent, "limiter " + L.Limiter);
  if (L.NeededWarps && L.WarpsPerSm)
    addLine(Out, LaunchIndent,
            "warps " + Twine(*L.NeededWarps) + " needed of " +
                Twine(*L.WarpsPerSm));
  if (L.DataDecides)
    addLine(Out, LaunchIndent, "data decides");
}

/// The lines of \p K without their sum.
static std::string blockText(const LockedKernel &K) {
  std::string Out;
  addLine(Out, "", "kernel " + K.Name);
  addLine(Out, KernelIndent, "arch " + K.Architecture);
  for (const auto &[Key, Member] : KernelRows)
    if (K.*Member)
      addLine(Out, KernelIndent, Key + " " + Twine(*(K.*Member)));
  if (K.IsEstimate)
    addLine(Out, KernelIndent, "estimated");
  if (K.Blocks)
    addLine(Out, KernelIndent,
            "blocks " + Twine(K.Blocks->PerSm) + " of " +
                Twine(K.Blocks->Threads) + " threads");
  for (const LockedLaunch &L : K.Launches)
    addLaunch(Out, L);
  return Out;
}

static std::string sumLine(StringRef Block) {
  constexpr unsigned Digits = 8;
  const uint64_t Sum = xxh3_64bits(Block) & 0xffffffff;
  return (KernelIndent + "sum " + utohexstr(Sum, /*LowerCase=*/true, Digits) +
          "\n")
      .str();
}

std::string gpuocc::lockText(const LockFile &Lock) {
  std::string Out;
  addLine(Out, "", FirstLine);
  addLine(Out, "", "version " + Twine(LockVersion));
  addLine(Out, "", "tool " + Lock.Tool);
  for (const std::string &Compiler : Lock.Compilers)
    addLine(Out, "", "compiler " + Compiler);
  for (const std::string &Device : Lock.Devices)
    addLine(Out, "", "device " + Device);
  for (const LockedKernel &K : Lock.Kernels) {
    const std::string Block = blockText(K);
    Out += "\n" + Block + sumLine(Block);
  }
  return Out;
}

/// The number of nanoseconds of "4.06 us".
static std::optional<double> parseTime(StringRef Text) {
  static constexpr std::pair<StringLiteral, double> Units[] = {
      {" ns", 1}, {" us", 1e3}, {" ms", 1e6}, {" s", 1e9}};
  for (const auto &[Unit, Ns] : Units) {
    StringRef Number = Text;
    double Value = 0;
    if (Number.consume_back(Unit) && !Number.getAsDouble(Value))
      return Value * Ns;
  }
  return std::nullopt;
}

namespace {

/// Reads a file line by line.
class LockReader {
public:
  LockReader(StringRef Text, StringRef FileName)
      : Rest(Text), FileName(FileName) {}

  Expected<LockFile> read() {
    if (Error E = findMarks())
      return std::move(E);
    if (!next() || Line != FirstLine)
      return createStringError("'" + FileName +
                               "' is no lock file: expected what "
                               "'gpu-occupancy lock' writes");
    if (Error E = readVersion())
      return std::move(E);
    while (next() && !Line.empty())
      if (Error E = readHead())
        return std::move(E);
    while (Number != 0 && next())
      if (Error E = readKernel())
        return std::move(E);
    return std::move(Lock);
  }

private:
  /// Moves to the next line; false at the end.
  bool next() {
    if (Rest.empty())
      return false;
    std::tie(Line, Rest) = Rest.split('\n');
    Line = Line.rtrim('\r');
    ++Number;
    return true;
  }

  Error fail(const Twine &What) const {
    return createStringError(FileName + ":" + Twine(Number) + ": " + What);
  }

  Error edited(const Twine &What) const {
    return fail(What + "; 'gpu-occupancy lock' writes the file anew");
  }

  Error findMarks() {
    unsigned At = 0;
    for (StringRef Text = Rest; !Text.empty();) {
      auto [Front, Behind] = Text.split('\n');
      Text = Behind;
      ++At;
      for (StringRef Mark : {"<<<<<<< ", ">>>>>>> ", "||||||| "})
        if (Front.starts_with(Mark)) {
          Number = At;
          return edited("marks of a merge that was not resolved");
        }
    }
    return Error::success();
  }

  Error readVersion() {
    unsigned Version = 0;
    if (!next() || !Line.consume_front("version ") ||
        Line.getAsInteger(10, Version) || Version == 0)
      return edited("expected 'version " + Twine(LockVersion) + "'");
    if (Version > LockVersion)
      return fail("version " + Twine(Version) +
                  " is newer than this gpu-occupancy, which reads version " +
                  Twine(LockVersion));
    return Error::success();
  }

  Error readHead() {
    auto [Key, Value] = Line.split(' ');
    if (Key == "tool")
      Lock.Tool = Value.str();
    else if (Key == "compiler")
      Lock.Compilers.push_back(Value.str());
    else if (Key == "device")
      Lock.Devices.push_back(Value.str());
    else
      return edited("the head has no '" + Key + "'");
    return Error::success();
  }

  /// A number behind \p Key; false where \p Line is another one.
  static bool takeNumber(StringRef Line, StringRef Key,
                         std::optional<uint64_t> &Out) {
    uint64_t Value = 0;
    if (!Line.consume_front(Key) || !Line.consume_front(" ") ||
        Line.getAsInteger(10, Value))
      return false;
    Out = Value;
    return true;
  }

  static bool takeBlocks(StringRef Line, LockedKernel &K) {
    LockedBlocks Blocks;
    if (!Line.consume_front("blocks ") ||
        Line.consumeInteger(10, Blocks.PerSm) || !Line.consume_front(" of ") ||
        Line.consumeInteger(10, Blocks.Threads) || Line != " threads")
      return false;
    K.Blocks = Blocks;
    return true;
  }

  static bool takeKernelLine(StringRef Line, LockedKernel &K) {
    StringRef Value = Line;
    if (Value.consume_front("arch ")) {
      K.Architecture = Value.str();
      return true;
    }
    if (Value.consume_front("launch ")) {
      LockedLaunch &L = K.Launches.emplace_back();
      std::tie(Value, std::ignore) = Line.rsplit(" on ");
      L.Text = Value.drop_front(StringRef("launch ").size()).str();
      L.Device = Line.rsplit(" on ").second.str();
      return true;
    }
    if (Line == "estimated") {
      K.IsEstimate = true;
      return true;
    }
    for (const auto &[Key, Member] : KernelRows)
      if (takeNumber(Line, Key, K.*Member))
        return true;
    return takeBlocks(Line, K);
  }

  static bool takeWarps(StringRef Line, LockedLaunch &L) {
    uint64_t Needed = 0, Has = 0;
    if (!Line.consume_front("warps ") || Line.consumeInteger(10, Needed) ||
        !Line.consume_front(" needed of ") || Line.getAsInteger(10, Has))
      return false;
    L.NeededWarps = Needed;
    L.WarpsPerSm = Has;
    return true;
  }

  static bool takeLaunchLine(StringRef Line, LockedLaunch &L) {
    if (Line == "cannot run")
      return L.CannotRun = true;
    if (Line == "data decides")
      return L.DataDecides = true;
    StringRef Value = Line;
    if (Value.consume_front("time "))
      return (L.TimeNs = parseTime(Value)).has_value();
    if (Value.consume_front("limiter ")) {
      L.Limiter = Value.str();
      return true;
    }
    return takeNumber(Line, "blocks", L.BlocksPerSm) || takeWarps(Line, L);
  }

  /// The block that begins at the current line.
  Error readKernel() {
    const unsigned First = Number;
    if (!Line.consume_front("kernel "))
      return edited("expected 'kernel NAME'");
    LockedKernel K;
    K.Name = Line.str();
    bool HasSum = false;
    std::string Sum;
    while (next() && !Line.empty()) {
      StringRef Value = Line;
      if (HasSum)
        return edited("expected an empty line behind 'sum'");
      if (Value.consume_front(LaunchIndent)) {
        if (K.Launches.empty() || !takeLaunchLine(Value, K.Launches.back()))
          return edited("'" + Value.trim() + "' is no line of a launch");
      } else if (Value.consume_front(KernelIndent)) {
        HasSum = Value.starts_with("sum ");
        if (HasSum)
          Sum = Line.str() + "\n";
        else if (!takeKernelLine(Value, K))
          return edited("'" + Value.trim() + "' is no line of a kernel");
      } else {
        return edited("'" + Line + "' is not indented");
      }
    }
    if (Sum != sumLine(blockText(K))) {
      Number = First;
      return edited("the lines of '" + K.Name +
                    "' do not have the sum that stands below them: they were "
                    "edited by hand");
    }
    Lock.Kernels.push_back(std::move(K));
    return Error::success();
  }

  StringRef Rest, Line;
  StringRef FileName;
  unsigned Number = 0;
  LockFile Lock;
};

} // namespace

Expected<LockFile> gpuocc::parseLock(StringRef Text, StringRef FileName) {
  return LockReader(Text, FileName).read();
}

/// \p Ns as it comes back from its text.
static std::optional<double> asShown(std::optional<double> Ns) {
  // "1000 us" is "1 ms" when it is shown again.
  for (unsigned Turn = 0; Ns && Turn != 2; ++Turn)
    Ns = parseTime(formatTime(*Ns));
  return Ns;
}

static void sortOnce(std::vector<std::string> &Texts) {
  llvm::sort(Texts);
  Texts.erase(llvm::unique(Texts), Texts.end());
}

Error gpuocc::normalize(LockFile &Lock) {
  sortOnce(Lock.Compilers);
  sortOnce(Lock.Devices);
  std::vector<std::pair<std::string, LockedKernel>> Blocks;
  for (LockedKernel &K : Lock.Kernels) {
    llvm::sort(K.Launches, [](const LockedLaunch &A, const LockedLaunch &B) {
      return std::tie(A.Text, A.Device) < std::tie(B.Text, B.Device);
    });
    K.Launches.erase(llvm::unique(K.Launches), K.Launches.end());
    for (LockedLaunch &L : K.Launches)
      L.TimeNs = asShown(L.TimeNs);
    Blocks.emplace_back(blockText(K), std::move(K));
  }
  // The text begins with the name and the architecture.
  llvm::sort(Blocks, llvm::less_first());
  Lock.Kernels.clear();
  size_t NumOfName = 0;
  for (auto &[Text, K] : Blocks) {
    const LockedKernel *Last =
        Lock.Kernels.empty() ? nullptr : &Lock.Kernels.back();
    if (Last && *Last == K)
      continue;
    NumOfName =
        Last && Last->Name == K.Name && Last->Architecture == K.Architecture
            ? NumOfName + 1
            : 1;
    if (NumOfName > MostOfOneName)
      return createStringError(
          "more than " + Twine(MostOfOneName) + " kernels are called '" +
          K.Name +
          "' once numbers of lambdas and files are left out, and cannot be "
          "told apart: give the functions or lambdas names");
    Lock.Kernels.push_back(std::move(K));
  }
  return Error::success();
}
