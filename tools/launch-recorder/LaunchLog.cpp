//===- LaunchLog.cpp - Launches, written down -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchLog.h"
#include "ArgumentWords.h"
#include "ContentDigest.h"
#include "DeviceMemory.h"
#include "HostLog.h"
#include "ManagedMemory.h"
#include "gpuocc/Kernel/ArrayParts.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <unistd.h>
#include <vector>

using namespace gpuocc::recorder;

/// No more than these bytes of later launches of a shape are kept.
static constexpr size_t MostLaterBytes = size_t(4) << 30;

/// Launches of one shape for which arrays are written where kernels do nothing.
static constexpr unsigned MostArraySets = 16;

/// Where they run, the arrays of so many launches of a shape are written down,
/// and behind them those of every second, then of every fourth: so many each
/// time that the number of launches doubles.
static constexpr uint64_t SampledEach = 16;

/// Where kernels run and launches are wanted, the program ends behind so many
/// for each of their kernels: a profiler of the device looked at as many
/// (tools/scripts/record-kernels.py).
static constexpr size_t LaunchesPerKernel = 2;

static const char *fromEnvironment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

static std::string text(Extent E) {
  return std::to_string(E.X) + " " + std::to_string(E.Y) + " " +
         std::to_string(E.Z);
}

LaunchLog::LaunchLog() : MemoryFolder(fromEnvironment("GPUOCC_RECORD_MEMORY")) {
  File = std::fopen(fromEnvironment("GPUOCC_RECORD_LAUNCHES"), "a");
  std::ifstream Launches(fromEnvironment("GPUOCC_RECORD_WANTED"));
  for (std::string Line; std::getline(Launches, Line);) {
    Wanted.insert(Line);
    WantedKernels.insert(Line.substr(0, Line.find(' ')));
  }
  LaunchesLeft = LaunchesPerKernel * WantedKernels.size();
  HasWanted = !Wanted.empty();
  KernelsRun = *fromEnvironment("GPUOCC_EXECUTE") != '\0';
}

bool LaunchLog::isSampled(uint64_t Index) const {
  if (Index == 0)
    return true;
  if (!KernelsRun || LaterBytes >= MostLaterBytes)
    return false;
  uint64_t Step = 1;
  while (Index / Step >= 2 * SampledEach)
    Step *= 2;
  return Index % Step == 0;
}

namespace {

/// Bytes of an array that are kept, and where they go in its file.
struct KeptPiece {
  const char *From = nullptr;
  size_t Bytes = 0;
  size_t InFile = 0;
};

} // namespace

/// The pieces of the \p Bytes bytes at \p Pointer: all in one, or those of
/// \p Parts where it has them.
static std::vector<KeptPiece>
piecesOf(const void *Pointer, size_t Bytes,
         const std::optional<gpuocc::ArrayParts> &Parts) {
  const auto *From = static_cast<const char *>(Pointer);
  if (!Parts)
    return {{From, Bytes, 0}};
  std::vector<KeptPiece> Pieces;
  for (uint64_t I = 0; I != Parts->NumParts; ++I)
    Pieces.push_back({From + Parts->begin(I), Parts->end(I) - Parts->begin(I),
                      Parts->beginInFile(I)});
  return Pieces;
}

static std::optional<gpuocc::ArrayParts> partsOf(size_t Bytes) {
  if (Bytes <= gpuocc::ArrayParts::MostBytes)
    return std::nullopt;
  return gpuocc::ArrayParts::of(Bytes);
}

/// A number that \p Bytes of other contents hardly ever have. Of what is kept
/// of them.
static uint64_t digestOfKept(const void *Pointer, size_t Bytes) {
  ContentDigest Digest;
  for (const KeptPiece &P : piecesOf(Pointer, Bytes, partsOf(Bytes)))
    Digest.add(P.From, P.Bytes);
  return Digest.number(Bytes);
}

void LaunchLog::note(const std::string &Text) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!File || !Notes.insert(Text).second)
    return;
  std::fputs(("! " + Text + "\n").c_str(), File);
  std::fflush(File);
}

void LaunchLog::noteFailure() {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!File)
    return;
  std::fputs("!failed\n", File);
  std::fflush(File);
}

/// Writes \p P, without blocks of zeros; false where that fails.
static bool writePiece(int File, const KeptPiece &P) {
  constexpr size_t BlockBytes = size_t(1) << 16;
  static const std::vector<char> Zeros(BlockBytes);
  bool IsComplete = true;
  for (size_t At = 0; At < P.Bytes; At += BlockBytes) {
    const size_t Size = std::min(BlockBytes, P.Bytes - At);
    if (std::memcmp(P.From + At, Zeros.data(), Size) != 0)
      IsComplete &= pwrite(File, P.From + At, Size, off_t(P.InFile + At)) ==
                    ssize_t(Size);
  }
  return IsComplete;
}

/// Writes the \p Bytes bytes behind \p Pointer to a new file; its name, or
/// nothing. Blocks of zeros become holes. Of large arrays parts are written
/// (ArrayParts).
std::string LaunchLog::writeArray(const void *Pointer, size_t Bytes) {
  std::string Name =
      MemoryFolder + "/array-" + std::to_string(NumArrays++) + ".bin";
  const int Out = open(Name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (Out < 0)
    return "";
  const auto Parts = partsOf(Bytes);
  const std::vector<KeptPiece> Pieces = piecesOf(Pointer, Bytes, Parts);
  bool IsComplete =
      ftruncate(Out, off_t(Pieces.back().InFile + Pieces.back().Bytes)) == 0;
  if (Parts)
    IsComplete &= pwrite(Out, &*Parts, sizeof(*Parts), 0) == sizeof(*Parts);
  for (const KeptPiece &P : Pieces)
    IsComplete &= writePiece(Out, P);
  close(Out);
  if (IsComplete)
    return Name;
  unlink(Name.c_str());
  return "";
}

std::string LaunchLog::fileOfArray(const void *Pointer, bool MayWrite) {
  const size_t Bytes = deviceMemory().knownBytesFrom(Pointer);
  if (MemoryFolder.empty() || Bytes == 0)
    return "";
  const uint64_t Version = deviceMemory().version(Pointer);
  auto [Kept, IsNew] = KeptArrays.try_emplace({Pointer, Bytes});
  // The host writes to some memory without saying so.
  if (!IsNew && Kept->second.Version == Version &&
      !deviceMemory().isWrittenByHost(Pointer))
    return Kept->second.File;
  std::string &Known = FilesByContents[{digestOfKept(Pointer, Bytes), Bytes}];
  if (Known.empty() && MayWrite) {
    Known = writeArray(Pointer, Bytes);
    LaterBytes += Known.empty()
                      ? 0
                      : std::min<size_t>(Bytes, gpuocc::ArrayParts::MostBytes);
  }
  Kept->second = {Known, Version};
  return Known;
}

/// The argument as the hexadecimal digits of its bytes, in the order of memory;
/// of what points into device memory also the bytes behind it, and the files
/// with the contents of arrays: "0010000000100000@4096,0=array-0.bin".
std::string LaunchLog::argumentText(const Parameter &P, const void *Argument,
                                    bool MayWrite) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Text;
  const auto *Bytes = static_cast<const unsigned char *>(Argument);
  for (size_t I = 0; I != P.Bytes; ++I) {
    Text += Digits[Bytes[I] >> 4];
    Text += Digits[Bytes[I] & 15];
  }
  if (P.Bytes == sizeof(void *))
    if (const size_t Behind =
            deviceMemory().bytesFrom(pointerAt(Argument, 0, P.Bytes)))
      Text += "@" + std::to_string(Behind);
  for (size_t Offset : P.Wanted)
    if (const std::string Name =
            fileOfArray(pointerAt(Argument, Offset, P.Bytes), MayWrite);
        !Name.empty())
      Text += "," + std::to_string(Offset) + "=" + Name;
  return Text;
}

void LaunchLog::noteWritten(const ProgramKernel &K, void **Arguments,
                            bool HasRun) {
  if (!K.Description || !Arguments || K.Description->WritesAnywhere)
    return deviceMemory().setAllKnown(HasRun);
  for (const ArgumentWord &Word : wordsOf(*K.Description, Arguments))
    if (Word.IsWritten)
      deviceMemory().setKnown(Word.Pointer, HasRun);
}

/// Which arguments point to pinned memory of the host: " host=0,2".
static std::string hostMemoryText(const ProgramKernel &K,
                                  const LaunchRequest &Request) {
  std::string Text;
  if (!K.Description || !Request.Arguments)
    return Text;
  for (size_t I = 0; I != K.Description->Parameters.size(); ++I) {
    const size_t Bytes = K.Description->Parameters[I].Bytes;
    if (Bytes == sizeof(void *) &&
        hostLog().isPinnedMemory(pointerAt(Request.Arguments[I], 0, Bytes)))
      Text += (Text.empty() ? " host=" : ",") + std::to_string(I);
  }
  return Text;
}

/// The bytes of managed memory that come to the device for the launch:
/// " managed=HOST,FRESH". Of the allocations that arguments point into.
static std::string managedText(const ProgramKernel &K,
                               const LaunchRequest &Request) {
  if (!K.Description || !Request.Arguments)
    return "";
  ManagedTouch Sum;
  for (const ArgumentWord &Word : wordsOf(*K.Description, Request.Arguments)) {
    const ManagedTouch T = managedMemory().touch(Word.Pointer);
    Sum.FromHost += T.FromHost;
    Sum.Fresh += T.Fresh;
  }
  return Sum.FromHost == 0 && Sum.Fresh == 0
             ? ""
             : " managed=" + std::to_string(Sum.FromHost) + "," +
                   std::to_string(Sum.Fresh);
}

/// What a line says of a launch beside its shape and arguments.
static std::string detailsText(const ProgramKernel &K,
                               const LaunchRequest &Request) {
  std::string Text;
  if (const Extent &C = Request.Cluster; C.X * C.Y * C.Z != 0)
    Text += " cluster=" + std::to_string(C.X) + "," + std::to_string(C.Y) +
            "," + std::to_string(C.Z);
  if (K.CarveoutPercent)
    Text += " carveout=" + std::to_string(*K.CarveoutPercent);
  if (Request.IsCooperative)
    Text += " cooperative=1";
  Text += hostMemoryText(K, Request);
  return Text;
}

WatchFiles LaunchLog::watchFiles(const ProgramKernel &K, bool IsSampled) {
  if (!KernelsRun || !IsSampled || MemoryFolder.empty() || !K.Description)
    return {};
  const std::string Number = std::to_string(NumSeen++);
  return {K.Description->IsWatched ? MemoryFolder + "/seen-" + Number + ".bin"
                                   : "",
          MemoryFolder + "/turns-" + Number + ".bin"};
}

WatchFiles LaunchLog::add(const ProgramKernel &K,
                          const LaunchRequest &Request) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!File)
    return {};
  const std::string ShapeText =
      K.nameInCode() + " " + text(Request.Grid) + " " + text(Request.Block);
  const bool IsWanted =
      KernelsRun ? Wanted.count(ShapeText) != 0 : Wanted.erase(ShapeText) != 0;
  Shape &S = Shapes[ShapeText];
  const bool IsFirst = S.NumLaunches++ == 0;
  const std::string Shown =
      ShapeText + " " + std::to_string(Request.SharedBytes) +
      detailsText(K, Request) + (KernelsRun ? managedText(K, Request) : "");
  std::string Rest;
  bool MayWrite = IsWanted || !HasWanted;
  if (K.Description && Request.Arguments) {
    const std::vector<Parameter> &Parameters = K.Description->Parameters;
    if (KernelsRun) {
      MayWrite &= isSampled(S.NumLaunches - 1);
      const bool LooksAtMemory =
          K.Description->IsWatched ||
          std::any_of(Parameters.begin(), Parameters.end(),
                      [](const Parameter &P) { return !P.Wanted.empty(); });
      // It counts as the one before it.
      if (LooksAtMemory && !MayWrite) {
        hostLog().launch(S.LastSampled);
        return {};
      }
    } else {
      MayWrite &=
          IsFirst || (S.NumKept < MostArraySets && LaterBytes < MostLaterBytes);
    }
    const unsigned Before = NumArrays;
    for (size_t I = 0; I != Parameters.size(); ++I)
      Rest += " " + argumentText(Parameters[I], Request.Arguments[I], MayWrite);
    S.NumKept += NumArrays != Before;
  }
  // What is seen in a launch follows from the rest, where parameters point to
  // all of it.
  std::string Line = Shown + Rest;
  if (KernelsRun && K.Description && K.Description->IsDecidedElsewhere)
    Line += " #" + std::to_string(S.NumLaunches);
  auto Before = Written.find(Line);
  // A program with more different launches is not written down further.
  const size_t Number =
      Before == Written.end() ? Written.size() : Before->second;
  S.LastSampled = Number;
  hostLog().launch(Number);
  WatchFiles Files;
  if (Before == Written.end() && Number < MostLaunches) {
    Written[Line] = Number;
    Files = watchFiles(K, MayWrite);
    std::string Detail;
    if (!Files.Seen.empty())
      Detail += " seen=" + Files.Seen;
    if (!Files.Turns.empty())
      Detail += " turns=" + Files.Turns;
    std::fputs((Shown + Detail + Rest + "\n").c_str(), File);
    // What ends the program next may not be its own doing.
    std::fflush(File);
  }
  if (IsWanted && Wanted.empty())
    _exit(0);
  return Files;
}

void LaunchLog::noteRun(const ProgramKernel &K) {
  managedMemory().noteRun();
  std::lock_guard<std::mutex> Guard(Lock);
  if (KernelsRun && WantedKernels.count(K.nameInCode()) != 0 &&
      --LaunchesLeft == 0)
    _exit(0);
}

LaunchLog &gpuocc::recorder::launchLog() {
  // Never destroyed: programs launch while they end.
  static LaunchLog &Log = *new LaunchLog;
  return Log;
}

/// Takes the program to its folder before anything of it runs, and lets it show
/// each line when it has printed it: it may be stopped before it ends.
__attribute__((constructor(101))) static void enterFolder() {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  if (const char *Folder = std::getenv("GPUOCC_RECORD_FOLDER"))
    if (chdir(Folder) != 0)
      _exit(126);
}
