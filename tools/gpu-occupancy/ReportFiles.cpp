//===- ReportFiles.cpp - Many reports one after the other -----------------===//
//---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportFiles.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ThreadPool.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Files whose kernels are held at once.
static constexpr size_t FilesAtOnce = 64;

Expected<std::vector<std::string>> gpuocc::reportsBelow(StringRef Folder) {
  std::vector<std::string> Found;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator It(Folder, EC,
                                                /*follow_symlinks=*/false),
       End;
       It != End && !EC; It.increment(EC))
    if (StringRef(It->path()).ends_with(ReportSuffix))
      Found.push_back(It->path());
  if (EC)
    return createStringError("cannot read folder '" + Folder +
                             "': " + EC.message());
  llvm::sort(Found);
  return Found;
}

static Expected<std::unique_ptr<MemoryBuffer>> read(StringRef Path,
                                                    StringRef What) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer =
      readInput(Path == "-" ? "/dev/stdin" : Path);
  if (!Buffer)
    return createStringError("cannot read " + What + " '" + Path +
                             "': " + toString(Buffer.takeError()));
  return Buffer;
}

static Error addReports(StringRef Input, std::vector<std::string> &Files) {
  StringRef List = Input;
  if (List.consume_front("@")) {
    auto Buffer = read(List, "list");
    if (!Buffer)
      return Buffer.takeError();
    SmallVector<StringRef, 0> Lines;
    (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines)
      Files.push_back(Line.trim('\r').str());
    return Error::success();
  }
  if (!sys::fs::is_directory(Input)) {
    Files.push_back(Input.str());
    return Error::success();
  }
  Expected<std::vector<std::string>> Below = reportsBelow(Input);
  if (!Below)
    return Below.takeError();
  if (Below->empty())
    return createStringError("there is no file '*" + ReportSuffix +
                             "' below '" + Input +
                             "': '-mllvm -gpu-occupancy-report-file=FOLDER/' "
                             "lets compiles write them");
  append_range(Files, *Below);
  return Error::success();
}

Expected<std::vector<std::string>>
gpuocc::listReports(ArrayRef<StringRef> Inputs) {
  std::vector<std::string> Files;
  for (StringRef Input : Inputs)
    if (Error E = addReports(Input, Files))
      return std::move(E);
  return Files;
}

static Expected<ReportFile> readReport(StringRef Path, bool WithShortKernels) {
  auto Buffer = read(Path, "report");
  if (!Buffer)
    return Buffer.takeError();
  ReportFile File;
  if (Error E = parseReportSummary((*Buffer)->getBuffer(), Path)
                    .moveInto(File.Summary))
    return std::move(E);
  if (WithShortKernels)
    File.Short = shortKernels((*Buffer)->getBuffer());
  return File;
}

Error gpuocc::readReports(ArrayRef<std::string> Files,
                          const ReadReportsOptions &Options,
                          function_ref<Error(ReportFile)> Take) {
  DefaultThreadPool Pool(hardware_concurrency(Options.NumJobs));
  for (; !Files.empty();
       Files = Files.drop_front(std::min(FilesAtOnce, Files.size()))) {
    std::vector<std::optional<Expected<ReportFile>>> Read(
        std::min(FilesAtOnce, Files.size()));
    for (size_t I = 0; I != Read.size(); ++I)
      Pool.async([&, I] {
        Read[I].emplace(readReport(Files[I], Options.WithShortKernels));
      });
    Pool.wait();
    Error First = Error::success();
    for (auto &File : Read) {
      if (First)
        consumeError(File->takeError());
      else if (!*File)
        First = File->takeError();
      else
        First = Take(std::move(**File));
    }
    if (First)
      return First;
  }
  return Error::success();
}

Expected<ReportSummary> gpuocc::loadReportSummary(StringRef Path) {
  Expected<std::vector<std::string>> Files = listReports(Path);
  if (!Files)
    return Files.takeError();
  ReportSummary All;
  if (Error E = readReports(*Files, {}, [&](ReportFile File) {
        All.Tool = std::move(File.Summary.Tool);
        All.append(std::move(File.Summary));
        return Error::success();
      }))
    return std::move(E);
  return All;
}
