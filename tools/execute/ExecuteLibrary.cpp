//===- ExecuteLibrary.cpp - The library that runs kernels -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecuteInterface.h"
#include "gpuocc/Execute/Executor.h"
#include "gpuocc/Kernel/ExecutedCounts.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace gpuocc;
using namespace llvm;

static void tell(StringRef Text, char *Why, size_t WhyBytes) {
  const size_t Length = std::min(Text.size(), WhyBytes - 1);
  std::memcpy(Why, Text.data(), Length);
  Why[Length] = '\0';
}

/// Writes what \p E says to \p Why; 1 where it is an error.
static int report(Error E, char *Why, size_t WhyBytes) {
  if (!E)
    return 0;
  tell(toString(std::move(E)), Why, WhyBytes);
  return 1;
}

/// The executor of the program.
static Expected<Executor &> executor() {
  // Never destroyed: programs launch while they end.
  static Expected<std::unique_ptr<Executor>> &Only = *[] {
    ExecutorOptions Options;
    Options.TellsPaths = std::getenv("GPUOCC_COUNT_EXECUTED") != nullptr;
    return new Expected<std::unique_ptr<Executor>>(Executor::create(Options));
  }();
  if (Only)
    return **Only;
  return createStringError("the host has no code generator");
}

static int addModule(const char *Bitcode, size_t Bytes, const char *Priced,
                     size_t PricedBytes, char *Why, size_t WhyBytes) {
  Expected<Executor &> E = executor();
  Expected<unsigned> Number = E ? E->addModule(StringRef(Bitcode, Bytes),
                                               StringRef(Priced, PricedBytes))
                                : E.takeError();
  if (Number)
    return int(*Number);
  report(Number.takeError(), Why, WhyBytes);
  return -1;
}

static void bindVariable(int Module, const char *Name, void *Address,
                         size_t Bytes) {
  Expected<Executor &> E = executor();
  if (E)
    E->bindVariable(unsigned(Module), Name, Address, Bytes);
  else
    consumeError(E.takeError());
}

static int loadModule(int Module, char *Why, size_t WhyBytes) {
  Expected<Executor &> E = executor();
  return report(E ? E->load(unsigned(Module)) : E.takeError(), Why, WhyBytes);
}

/// The number of CUDA's error.
static int errorOf(KernelFailureKind Kind) {
  switch (Kind) {
  case KernelFailureKind::IllegalAddress:
    return 700;
  case KernelFailureKind::Assertion:
    return 710;
  case KernelFailureKind::Launch:
    return 719;
  }
  return 719;
}

static int runKernel(int Module, const char *Name, GpuoccLaunch *Launch,
                     char *Why, size_t WhyBytes) {
  Expected<Executor &> E = executor();
  if (!E)
    return report(E.takeError(), Why, WhyBytes);
  const unsigned *Grid = Launch->Grid, *Block = Launch->Block;
  ExecuteLaunch Run;
  Run.Grid = {Grid[0], Grid[1], Grid[2]};
  Run.Block = {Block[0], Block[1], Block[2]};
  const unsigned *Cluster = Launch->Cluster;
  Run.Cluster = {Cluster[0], Cluster[1], Cluster[2]};
  Run.DynamicSharedBytes = Launch->SharedBytes;
  Run.IsCooperative = Launch->IsCooperative != 0;
  Run.Arguments = Launch->Arguments;
  std::string Warning;
  Run.Warning = &Warning;
  if (Launch->SeenFile)
    Run.SeenFile = Launch->SeenFile;
  if (Launch->TurnsFile) {
    Run.TurnsFile = Launch->TurnsFile;
    Run.PathsFile = executedFileBeside(Launch->TurnsFile);
    Run.FollowedFile = followedFileBeside(Launch->TurnsFile);
  }
  if (Error Failure = E->launch(unsigned(Module), Name, Run)) {
    int Number = 1;
    Failure = handleErrors(std::move(Failure),
                           [&](std::unique_ptr<KernelFailure> F) -> Error {
                             Number = errorOf(F->kind());
                             return Error(std::move(F));
                           });
    report(std::move(Failure), Why, WhyBytes);
    return Number;
  }
  tell(Warning, Why, WhyBytes);
  Expected<RunEffects> Effects = E->effects(unsigned(Module), Name);
  Launch->Effects = int(Effects ? *Effects : RunEffects::Others);
  if (!Effects)
    consumeError(Effects.takeError());
  return 0;
}

extern "C" __attribute__((visibility("default")))
const GpuoccExecuteFunctions gpuoccExecuteFunctions = {addModule, bindVariable,
                                                       loadModule, runKernel};
