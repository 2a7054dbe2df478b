//===- Microkernels.cpp - All kernels, without a GPU ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Microkernels.h"
#include "Session.h"
#include "driver/StandIn.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuocc::calibration {

static Error runDefaultPlans(Session &S) {
  for (const Plan &P : plans())
    if (P.ByDefault)
      if (Error E = S.unlessAbsent(P.Run(S)))
        return joinErrors(createStringError("in group '%s'", P.Name),
                          std::move(E));
  return Error::success();
}

Error visitLoadedTexts(const Driver &Cuda,
                       function_ref<void(StringRef, int)> Do) {
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(Cuda, 0);
  if (!G)
    return G.takeError();
  (*G)->useCode([&](StringRef Ptx, int Optimization) {
    Do(Ptx, Optimization);
    return StringRef();
  });
  Database Db;
  RunOptions Options;
  Options.Repeats = 2;
  Session S(**G, Db, Options);
  return runDefaultPlans(S);
}

Expected<MicrokernelSet> allMicrokernels(unsigned Architecture) {
  Driver StandIn = standInDriver(Architecture);
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(StandIn, 0);
  if (!G)
    return G.takeError();
  Database Db;
  RunOptions Options;
  Options.Repeats = 2;
  Options.Quick = true;
  Session S(**G, Db, Options);
  MicrokernelSet Set;
  std::vector<Microkernels> &All = Set.Modules;
  StringMap<std::vector<std::string>> Seen;
  S.OnLoad = [&](const Microkernels &M) {
    std::vector<std::string> &Texts = Seen[M.Key];
    if (is_contained(Texts, M.Ptx))
      return;
    Texts.push_back(M.Ptx);
    All.push_back(M);
    if (Texts.size() > 1)
      All.back().Key += "#" + std::to_string(Texts.size());
  };
  if (Error E = runDefaultPlans(S))
    return std::move(E);
  Set.Absent = std::move(S.Absent);
  return Set;
}

std::string fileStem(StringRef Key) {
  return replaceAll(replaceAll(Key.str(), " -> ", "-to-"), " ", "-");
}

Error assemble(const Microkernels &M, const std::string &Stem,
               StringRef Assembler) {
  std::string Code = Stem + ".cubin";
  StringRef Target =
      StringRef(M.Ptx).split(".target ").second.split('\n').first;
  std::string Architecture = ("-arch=" + Target).str(), Ptx = Stem + ".ptx";
  std::string Message;
  // Bounds of blocks per SM for an sm_90 are warnings where an SM holds fewer.
  if (sys::ExecuteAndWait(
          Assembler,
          {Assembler, Architecture, "--disable-warnings", Ptx, "-o", Code},
          std::nullopt, {}, 120, 0, &Message) != 0)
    return createStringError("'%s' failed: %s", Assembler.str().c_str(),
                             Message.c_str());
  return Error::success();
}

Expected<SassVerdict> assembleAndCount(const Microkernels &M,
                                       const std::string &Stem,
                                       StringRef Assembler) {
  if (Error E = assemble(M, Stem, Assembler))
    return std::move(E);
  std::string Code = Stem + ".cubin";
  ErrorOr<std::unique_ptr<MemoryBuffer>> Cubin = MemoryBuffer::getFile(Code);
  if (!Cubin)
    return createFileError(Code, Cubin.getError());
  return judgeNumbers(M, (*Cubin)->getBuffer());
}

Expected<SassVerdict> assembleAndJudge(const Microkernels &M,
                                       const std::string &Stem,
                                       StringRef Assembler,
                                       StringRef Disassembler) {
  if (Error E = assemble(M, Stem, Assembler))
    return std::move(E);
  std::string Code = Stem + ".cubin", Sass = Stem + ".sass", Message;
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Sass),
                                          std::nullopt};
  if (sys::ExecuteAndWait(Disassembler, {Disassembler, "-c", Code},
                          std::nullopt, Redirects, 120, 0, &Message) != 0)
    return createStringError("'%s' failed: %s", Disassembler.str().c_str(),
                             Message.c_str());
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Sass);
  if (!Text)
    return createFileError(Sass, Text.getError());
  return judge(M, (*Text)->getBuffer());
}

} // namespace gpuocc::calibration
