//===- Compiler.cpp - The compiler of CUDA sources ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "DoubledEscapes.h"
#include "OpenCl.h"
#include "driver/CompilerMessages.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::besideProgram(StringRef Below) {
  static int Anchor = 0;
  SmallString<256> Path(
      sys::fs::getMainExecutable(nullptr, static_cast<void *>(&Anchor)));
  sys::path::remove_filename(Path);
  sys::path::append(Path, "..", Below);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

Expected<std::string> gpuocc::findClang(StringRef Choice) {
  if (!Choice.empty()) {
    ErrorOr<std::string> Found = sys::findProgramByName(Choice);
    if (Found && sys::fs::can_execute(*Found))
      return *Found;
    return createStringError("there is no compiler '" + Choice + "'");
  }
  if (ErrorOr<std::string> Found =
          sys::findProgramByName("clang++", {GPUOCC_LLVM_TOOLS_DIR}))
    return *Found;
  if (ErrorOr<std::string> Found = sys::findProgramByName("clang++-22"))
    return *Found;
  return createStringError("clang++-22 was not found; install clang-22 or name "
                           "it with --clang");
}

std::string gpuocc::toolkitOfHeaders() {
  return findCudaToolkit(CudaToolkitPlaces::ofThisMachine()).Root;
}

/// nvcc mangles templates whose parameters are no types as gcc does, clang
/// since its version 18 with what their types depend on: kernels that
/// std::enable_if chooses would have other names in the code of each.
static constexpr StringLiteral NamesOfNvcc = "-fclang-abi-compat=17";

std::vector<std::string> gpuocc::headerOptions() {
  const std::string Root = toolkitOfHeaders();
  if (!Root.empty()) {
    // Clang 22 warns about toolkits that are newer than it.
    // Its cooperative groups have clusters for nvcc, and for who says so.
    std::vector<std::string> Options = {
        NamesOfNvcc.str(), "--cuda-path=" + Root, "-Wno-unknown-cuda-version",
        "-D_CG_CLUSTER_INTRINSICS_AVAILABLE"};
    // From CUDA 13 on the headers of CUB and Thrust have a folder of their own,
    // which nvcc searches by itself.
    std::string CoreLibraries = Root + "/include/cccl";
    if (sys::fs::is_directory(CoreLibraries))
      Options.push_back("-I" + CoreLibraries);
    // Headers that CUDA 12 and 13 removed, behind those of older toolkits.
    Options.push_back("-idirafter");
    Options.push_back(besideProgram(
        "share/gpu-occupancy/cuda-shim/include/gpuocc_removed_cuda"));
    return Options;
  }
  return {"--config=" +
          besideProgram("share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg")};
}

std::string gpuocc::removedCudaHeader() {
  return besideProgram(
      "share/gpu-occupancy/cuda-shim/include/gpuocc_removed_cuda.h");
}

std::string gpuocc::clusterDimsHeader() {
  return besideProgram(
      "share/gpu-occupancy/cuda-shim/include/gpuocc_cluster_dims.h");
}

/// Members of cudaDeviceProp that CUDA 13 removed, after one that it added: the
/// structures of older toolkits stay as they are. gpuocc_removed_cuda.h ends
/// the definition.
static constexpr StringLiteral RemovedMembers =
    "-DhostNumaMultinodeIpcSupported=hostNumaMultinodeIpcSupported,"
    "clockRate,memoryClockRate,deviceOverlap,computeMode,"
    "kernelExecTimeoutEnabled,maxTexture1DLinear,cooperativeMultiDeviceLaunch,"
    "singleToDoublePrecisionPerfRatio";

std::vector<std::string> gpuocc::hostHeaderOptions() {
  return {
      "-Wno-register",
      "-Wno-reserved-user-defined-literal",
      RemovedMembers.str(),
      "-include",
      besideProgram("share/gpu-occupancy/cuda-shim/include/gpuocc_nvcc_host.h"),
      "-include",
      removedCudaHeader()};
}

static Expected<ProcessResult> runWords(StringRef Clang,
                                        ArrayRef<std::string> Command) {
  return runProcess(Clang,
                    SmallVector<StringRef, 32>(Command.begin(), Command.end()));
}

Expected<ProcessResult> gpuocc::runClang(StringRef Clang,
                                         ArrayRef<std::string> Command) {
  Expected<ProcessResult> First = runWords(Clang, Command);
  if (!First || First->Status == 0)
    return First;
  std::vector<std::string> Words(Command.begin(), Command.end());
  DoubledEscapes Escapes;
  ProcessResult Last = *First;
  // Clang names the first of each statement. Texts that stand in for files
  // have columns of their own.
  while (!is_contained(Command, "-ivfsoverlay") &&
         Escapes.take(Last.ErrorOutput)) {
    Expected<StringRef> Overlay = Escapes.writeOverlay();
    if (!Overlay)
      return Overlay.takeError();
    Words.assign(Command.begin(), std::prev(Command.end()));
    Words.insert(Words.end(), {"-ivfsoverlay", Overlay->str(), Command.back()});
    if (Error E = runWords(Clang, Words).moveInto(Last))
      return std::move(E);
    if (Last.Status == 0)
      return Last;
  }
  return runClangLikeNvcc(Clang, Words, std::move(*First));
}

/// What lets clang take `extern __shared__` variables that are no arrays
/// without bounds, if that is what \p Messages are about. Host code has no use
/// for their memory space.
static std::vector<std::string>
externSharedOptions(ArrayRef<std::string> Command, StringRef Messages) {
  if (!Messages.contains("__shared__ variable") ||
      !Messages.contains("cannot be 'extern'"))
    return {};
  if (is_contained(Command, "--cuda-host-only"))
    return {"-include", besideProgram("share/gpu-occupancy/cuda-shim/include/"
                                      "gpuocc_host_shared.h")};
  return {"-fgpu-rdc"};
}

Expected<ProcessResult> gpuocc::runClangLikeNvcc(StringRef Clang,
                                                 ArrayRef<std::string> Command,
                                                 ProcessResult First) {
  if (lacksHeader(First.ErrorOutput))
    return First;
  std::vector<StringRef> Arguments(Command.begin(), Command.end());
  const std::vector<std::string> Host = hostHeaderOptions();
  Arguments.insert(std::prev(Arguments.end()), Host.begin(), Host.end());
  const std::vector<std::string> ExternShared =
      externSharedOptions(Command, First.ErrorOutput);
  Arguments.insert(std::prev(Arguments.end()), ExternShared.begin(),
                   ExternShared.end());
  // Loading it twice is loading it once.
  const std::string Plugin =
      "-fplugin=" + besideProgram("lib/GpuOccupancyLaunches.so");
  Arguments.insert(std::prev(Arguments.end()),
                   {Plugin, "-Xclang", "-plugin-arg-gpu-occupancy-launches",
                    "-Xclang", "take-shared-barriers"});
  Expected<ProcessResult> Again = runProcess(Clang, Arguments);
  // What clang says without them is what the user wrote, unless they mend some
  // of it: what is left is why nvcc does not compile it either.
  if (Again && Again->Status != 0 &&
      compilerErrors(Again->ErrorOutput).size() >=
          compilerErrors(First.ErrorOutput).size())
    return First;
  return Again;
}

/// Fails unless \p Clang is the clang whose plugins ours is one of.
static Error checkIsOurClang(StringRef Clang) {
  Expected<ProcessResult> Run = runProcess(Clang, {"--version"});
  if (!Run)
    return Run.takeError();
  // What does not even answer fails for another reason.
  if (Run->Status != 0 || Run->Output.empty())
    return Error::success();
  StringRef Version = StringRef(Run->Output).split("clang version ").second;
  Version = Version.take_until([](char C) { return isSpace(C); });
  if (Version.empty())
    return createStringError("'" + Clang +
                             "' is not clang; sources are read "
                             "with clang " +
                             Twine(LLVM_VERSION_MAJOR));
  unsigned Major = 0;
  if (!Version.consumeInteger(10, Major) && Major == LLVM_VERSION_MAJOR)
    return Error::success();
  return createStringError("'" + Clang + "' is clang " + Twine(Major) +
                           Version + "; gpu-occupancy was built with LLVM " +
                           LLVM_VERSION_STRING + " and needs clang " +
                           Twine(LLVM_VERSION_MAJOR));
}

Error gpuocc::compileProblem(StringRef Clang, StringRef File,
                             const ProcessResult &Run) {
  if (Error E = checkIsOurClang(Clang))
    return E;
  if (Run.ErrorOutput.empty())
    return createStringError("the compiler " +
                             howItEnded(Run, /*LimitSeconds=*/0) + " on '" +
                             File + "' and said nothing");
  const bool Crashed =
      Run.Signal != 0 || StringRef(Run.ErrorOutput).contains("Stack dump:");
  const std::string Name = "'" + File.str() + "'";
  if (Crashed)
    return make_error<CompilerMessages>(Run.ErrorOutput,
                                        "the compiler crashed on " + Name);
  const StringRef With =
      isOpenCl(File) || !toolkitOfHeaders().empty()
          ? ""
          : " with the bundled headers, since no CUDA toolkit was found; "
            "install one, or name it with CUDA_PATH";
  return make_error<CompilerMessages>(Run.ErrorOutput,
                                      Name + " does not compile" + With.str());
}

std::vector<StringRef> gpuocc::compilerErrors(StringRef Messages) {
  std::vector<StringRef> Errors;
  // A note may quote an error.
  for (StringRef Line : split(Messages, '\n'))
    if (Line.contains("error: ") && !Line.starts_with("note: ") &&
        !Line.starts_with("warning: "))
      Errors.push_back(Line.trim());
  return Errors;
}

StringRef gpuocc::firstCompilerError(StringRef Messages) {
  const std::vector<StringRef> Errors = compilerErrors(Messages);
  if (!Errors.empty())
    return Errors.front();
  const StringRef First = Messages.ltrim('\n').split('\n').first.trim();
  return First.empty() ? StringRef("no reason was given") : First;
}

StringRef gpuocc::wordOfError(StringRef CompilerError,
                              ArrayRef<StringLiteral> Forms) {
  for (StringRef Form : Forms) {
    SmallVector<StringRef, 2> Found;
    if (Regex(Form).match(CompilerError, &Found))
      return Found[1];
  }
  return "";
}

StringRef gpuocc::missingHeader(StringRef CompilerError) {
  static constexpr StringLiteral Forms[] = {
      "error: '([^']+)' file not found",
      "error: ([^:]+): No such file or directory",
      "error: cannot open source file \"([^\"]+)\""};
  return wordOfError(CompilerError, Forms);
}

bool gpuocc::lacksHeader(StringRef Messages) {
  return any_of(compilerErrors(Messages),
                [](StringRef Line) { return !missingHeader(Line).empty(); });
}

bool gpuocc::isErrorInSource(StringRef Messages) {
  // A name that ends in "(12)" is what nvcc says for a line.
  static constexpr StringLiteral Place =
      "^[^ ].*(:[0-9]+:[0-9]+|\\([0-9]+\\)): (fatal )?error: ";
  return !Messages.contains("Stack dump:") &&
         Regex(Place).match(firstCompilerError(Messages));
}

Expected<std::string> gpuocc::findPlugin() {
  std::string Plugin = besideProgram("lib/GpuOccupancy.so");
  if (!sys::fs::exists(Plugin))
    return createStringError("the plugin '" + Plugin + "' is missing");
  return Plugin;
}
