//===- Processes.cpp - A group measured in several processes --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processes.h"
#include "record/Pool.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace gpuocc::calibration {

/// What one more process measures of \p P.
static Expected<json::Object> inFreshProcess(const Plan &P,
                                             const Program &Self) {
  SmallString<128> Result, Log;
  for (SmallString<128> *Path : {&Result, &Log})
    if (std::error_code EC =
            sys::fs::createTemporaryFile("calibrate", "json", *Path))
      return createFileError("a temporary file", EC);
    else
      sys::RemoveFileOnSignal(*Path);
  scope_exit Remove([&] {
    for (const SmallString<128> &Path : {Result, Log}) {
      sys::fs::remove(Path);
      sys::DontRemoveFileOnSignal(Path);
    }
  });
  std::vector<StringRef> Arguments = {Self.Path, "--only",   P.Name,
                                      "-o",      Result,     "--processes",
                                      "1",       "--no-sass"};
  append_range(Arguments, Self.Arguments);
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(""),
                                          StringRef(Log)};
  std::string Message;
  if (sys::ExecuteAndWait(Self.Path, Arguments, std::nullopt, Redirects, 120, 0,
                          &Message) != 0) {
    if (auto Text = MemoryBuffer::getFile(Log); Text && Message.empty())
      Message = (*Text)->getBuffer().trim().rsplit('\n').second.str();
    return createStringError("a further process failed (--processes 1 takes "
                             "the numbers of this one): %s",
                             Message.c_str());
  }
  return readObject(Result);
}

Error runInProcesses(const Plan &P, Session &S, const Program &Self) {
  // The numbers of other groups are put aside: what is pooled is what this
  // group writes, here as in the other processes.
  Database Others = std::move(S.Db);
  S.Db = Database();
  scope_exit Restore([&] {
    json::Object All = Others.file();
    addNumbers(All, S.Db.file());
    S.Db = Database(std::move(All));
  });
  if (Error E = runPlan(P, S))
    return E;
  std::vector<json::Object> Runs = {S.Db.file()};
  for (unsigned I = 1; I < Self.Processes; ++I) {
    S.OnProgress(double(I) / Self.Processes);
    Expected<json::Object> Run = inFreshProcess(P, Self);
    if (!Run)
      return Run.takeError();
    Runs.push_back(std::move(*Run));
  }
  if (Runs.size() > 1)
    S.Db = Database(pooled(Runs));
  return Error::success();
}

} // namespace gpuocc::calibration
