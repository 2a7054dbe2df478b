//===- LaunchLog.cpp - Launches, written down -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchLog.h"
#include "DeviceMemory.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace gpuocc::recorder;

/// A program with more different launches is not written down further.
static constexpr size_t MostLaunches = 20000;

static const char *fromEnvironment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

static std::string text(Extent E) {
  return std::to_string(E.X) + " " + std::to_string(E.Y) + " " +
         std::to_string(E.Z);
}

LaunchLog::LaunchLog() {
  File = std::fopen(fromEnvironment("GPUOCC_RECORD_LAUNCHES"), "a");
  std::ifstream Sizes(fromEnvironment("GPUOCC_RECORD_PARAMETERS"));
  for (std::string Line; std::getline(Sizes, Line);) {
    std::istringstream Words(Line);
    std::string Kernel;
    Words >> Kernel;
    std::vector<size_t> &Bytes = Parameters[Kernel];
    for (size_t Size; Words >> Size;)
      Bytes.push_back(Size);
  }
  std::ifstream Launches(fromEnvironment("GPUOCC_RECORD_WANTED"));
  for (std::string Line; std::getline(Launches, Line);)
    Wanted.insert(Line);
}

void LaunchLog::addKernel(const void *Stub, const char *Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  Kernels[Stub] = Name;
}

/// Each argument as the hexadecimal digits of its bytes, in the order of
/// memory; of what points into device memory also the bytes behind it:
/// "00104a07f87f0000@4096".
std::string LaunchLog::argumentText(const std::string &Kernel,
                                    void **Arguments) const {
  std::string Text;
  auto Sizes = Parameters.find(Kernel);
  if (Sizes == Parameters.end())
    return Text;
  for (size_t I = 0; I != Sizes->second.size(); ++I) {
    Text += ' ';
    const size_t Bytes = Sizes->second[I];
    const auto *At = static_cast<const unsigned char *>(Arguments[I]);
    for (size_t J = 0; J != Bytes; ++J) {
      static constexpr char Digits[] = "0123456789abcdef";
      Text += Digits[At[J] >> 4];
      Text += Digits[At[J] & 15];
    }
    const void *Pointer = nullptr;
    if (Bytes == sizeof(Pointer))
      std::memcpy(&Pointer, At, sizeof(Pointer));
    if (const size_t Behind = deviceMemory().bytesFrom(Pointer))
      Text += "@" + std::to_string(Behind);
  }
  return Text;
}

void LaunchLog::add(const void *Stub, Extent Grid, Extent Block,
                    size_t SharedBytes, void **Arguments) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Kernel = Kernels.find(Stub);
  if (!File || Kernel == Kernels.end())
    return;
  const std::string Shape =
      Kernel->second + " " + text(Grid) + " " + text(Block);
  std::string Line = Shape + " " + std::to_string(SharedBytes) +
                     argumentText(Kernel->second, Arguments) + "\n";
  if (Written.size() < MostLaunches && Written.insert(Line).second) {
    std::fputs(Line.c_str(), File);
    // What ends the program next may not be its own doing.
    std::fflush(File);
  }
  if (Wanted.erase(Shape) != 0 && Wanted.empty())
    _exit(0);
}

LaunchLog &gpuocc::recorder::launchLog() {
  // Never destroyed: programs launch while they end. Made by the first
  // registration, which comes before main.
  static LaunchLog &Log = *new LaunchLog;
  return Log;
}

/// Takes the program to its folder before anything of it runs.
__attribute__((constructor(101))) static void enterFolder() {
  if (const char *Folder = std::getenv("GPUOCC_RECORD_FOLDER"))
    if (chdir(Folder) != 0)
      _exit(126);
}
