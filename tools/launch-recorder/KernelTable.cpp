//===- KernelTable.cpp - The kernels of the program -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"
#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <sstream>

using namespace gpuocc::recorder;

/// "__nv_static_21__e0dd8bce_4_a_cu_main__Z1kPf" is "_Z1kPf" where nvcc links
/// device code: the number is the length of what tells the file.
static std::string withoutFile(const std::string &Name) {
  const std::string Prefix = "__nv_static_";
  if (Name.compare(0, Prefix.size(), Prefix) != 0)
    return Name;
  char *End = nullptr;
  const size_t Length = std::strtoull(Name.c_str() + Prefix.size(), &End, 10);
  // An underscore stands on each side of what tells the file.
  const size_t Start = size_t(End - Name.c_str()) + 1 + Length + 1;
  return Start < Name.size() ? Name.substr(Start) : Name;
}

/// \p Mangled as the source writes it: the same for all compilers.
static std::string nameInSource(const std::string &Mangled) {
  const std::string Name = withoutFile(Mangled);
  int Status = 0;
  char *Text = abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status);
  if (!Text)
    return Name;
  std::string Result = Text;
  std::free(Text);
  return Result;
}

/// Takes "registers=32"; false for other words.
static bool takeResource(const std::string &Word, KernelDescription &K) {
  const size_t Equals = Word.find('=');
  if (Equals == std::string::npos)
    return false;
  const std::string Name = Word.substr(0, Equals);
  char *At = nullptr;
  const size_t Value = std::strtoull(Word.c_str() + Equals + 1, &At, 10);
  if (Name == "registers")
    K.Registers = unsigned(Value);
  else if (Name == "shared")
    K.SharedBytes = Value;
  else if (Name == "local")
    K.LocalBytes = Value;
  else if (Name == "confined")
    K.IsConfined = Value != 0;
  else if (Name == "repeatable")
    K.IsRepeatable = Value != 0;
  else if (Name == "watched")
    K.IsWatched = Value != 0, K.IsDecidedElsewhere = Value == 2;
  else if (Name == "threads")
    K.MaxThreads = unsigned(Value);
  else if (Name == "blocks")
    for (K.BlocksByWarps.push_back(int(Value)); *At == ',';)
      K.BlocksByWarps.push_back(int(std::strtoull(At + 1, &At, 10)));
  return true;
}

void KernelTable::readDescriptions(const char *File) {
  std::ifstream Lines(File);
  for (std::string Line; std::getline(Lines, Line);) {
    std::istringstream Words(Line);
    std::string Name, Word;
    Words >> Name;
    KernelDescription &K = Descriptions[Name];
    K.Name = Name;
    while (Words >> Word) {
      if (Word == "*") {
        K.WritesAnywhere = true;
        continue;
      }
      if (takeResource(Word, K))
        continue;
      // "SIZE[wOFFSET...][,OFFSET...]"
      KernelDescription::Parameter &P = K.Parameters.emplace_back();
      char *At = nullptr;
      P.Bytes = std::strtoull(Word.c_str(), &At, 10);
      while (*At == 'w')
        P.Written.push_back(std::strtoull(At + 1, &At, 10));
      while (*At == ',')
        P.Wanted.push_back(std::strtoull(At + 1, &At, 10));
    }
    BySourceName.emplace(nameInSource(Name), &K);
  }
}

KernelTable::KernelTable() {
  if (const char *File = std::getenv("GPUOCC_RECORD_KERNELS"))
    readDescriptions(File);
}

const KernelDescription *KernelTable::describe(const std::string &Name) const {
  if (auto Found = Descriptions.find(Name); Found != Descriptions.end())
    return &Found->second;
  auto Found = BySourceName.find(nameInSource(Name));
  return Found == BySourceName.end() ? nullptr : Found->second;
}

ProgramKernel &KernelTable::create(const char *Name) {
  ProgramKernel &K = Kernels.emplace_back();
  K.Name = Name;
  K.Description = describe(K.Name);
  ByHandle[&K] = &K;
  return K;
}

void KernelTable::add(const void *Stub, const char *Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  ByHandle[Stub] = &create(Name);
  ByName.emplace(Name, Stub);
}

const void *KernelTable::byName(const std::string &Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto [Found, IsNew] = ByName.emplace(Name, nullptr);
  if (IsNew)
    Found->second = &create(Name.c_str());
  return Found->second;
}

ProgramKernel *KernelTable::find(const void *Handle) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = ByHandle.find(Handle);
  return Found == ByHandle.end() ? nullptr : Found->second;
}

KernelTable &gpuocc::recorder::kernelTable() {
  // Never destroyed: programs launch while they end. Made by the first
  // registration, which comes before main.
  static KernelTable &Table = *new KernelTable;
  return Table;
}
