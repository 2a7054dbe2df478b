//===- LinkHost.cpp - Linking host code without a GPU's libraries ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/LinkHost.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

std::vector<std::string> gpuocc::undefinedSymbols(StringRef LinkerText) {
  // GNU's linker and LLVM's.
  static constexpr StringLiteral Markers[] = {"undefined reference to `",
                                              "undefined symbol: "};
  std::set<std::string> Names;
  for (StringRef Marker : Markers)
    for (size_t At = LinkerText.find(Marker); At != StringRef::npos;
         At = LinkerText.find(Marker, At + 1)) {
      StringRef Name = LinkerText.drop_front(At + Marker.size());
      Names.insert(Name.take_until([](char C) {
                         return C == '\'' || C == '\n' || C == ' ';
                       })
                       .str());
    }
  return std::vector<std::string>(Names.begin(), Names.end());
}

bool gpuocc::isOfCudaLibrary(StringRef Symbol) {
  if (Symbol.starts_with("__cuda"))
    return true;
  static constexpr StringLiteral Prefixes[] = {
      "cuda",     "cublas",    "curand",   "cufft", "cusparse",
      "cusolver", "cudnn",     "cutensor", "nvtx",  "nvml",
      "nvrtc",    "nvJitLink", "nvjpeg",   "nccl",  "npp"};
  if (any_of(Prefixes, [&](StringRef P) { return Symbol.starts_with(P); }))
    return true;
  // The driver: cuInit, cuLaunchKernel.
  return Symbol.consume_front("cu") && !Symbol.empty() && isUpper(Symbol[0]);
}

/// Libraries that compute on the device.
static bool mayWriteArrays(StringRef Symbol) {
  static constexpr StringLiteral Prefixes[] = {
      "cublas", "curand",   "cufft",  "cusparse", "cusolver",
      "cudnn",  "cutensor", "nvjpeg", "nccl",     "npp"};
  return any_of(Prefixes, [&](StringRef P) { return Symbol.starts_with(P); });
}

std::string gpuocc::idleFunctions(ArrayRef<std::string> Names) {
  // As many arguments as a product of matrices has, and some more: those that
  // the call does not pass are whatever lies there, and mostly no array.
  constexpr unsigned NumArguments = 20;
  std::string Parameters, Values;
  for (unsigned I = 0; I != NumArguments; ++I) {
    Parameters += (I ? ", void *A" : "void *A") + utostr(I);
    Values += (I ? ", A" : "A") + utostr(I);
  }
  std::string Text = "void gpuoccForget(void **, unsigned);\n";
  for (const std::string &Name : Names)
    Text += mayWriteArrays(Name)
                ? "int " + Name + "(" + Parameters + ") { void *A[] = {" +
                      Values + "}; gpuoccForget(A, " + utostr(NumArguments) +
                      "); return 0; }\n"
                : "int " + Name + "(void) { return 0; }\n";
  return Text;
}

Expected<std::vector<std::string>>
gpuocc::linkHost(StringRef Compiler, ArrayRef<std::string> Inputs,
                 StringRef Program) {
  SmallVector<StringRef, 32> Arguments(Inputs.begin(), Inputs.end());
  Arguments.append({"-o", Program, "-Wl,--no-demangle", "-Wl,-z,muldefs", "-lm",
                    "-lpthread", "-ldl", "-lrt"});
  Expected<ProcessResult> Run = runProcess(Compiler, Arguments);
  if (!Run)
    return Run.takeError();
  if (Run->Status == 0)
    return std::vector<std::string>();
  std::vector<std::string> Missing = undefinedSymbols(Run->ErrorOutput);
  if (Missing.empty())
    return createStringError("the host code does not link: " +
                             StringRef(Run->ErrorOutput).split('\n').first);
  return Missing;
}
