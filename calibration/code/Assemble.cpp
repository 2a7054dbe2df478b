//===- Assemble.cpp - Makes the machine code that is built in -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of the build: walks the plans on the stand-in for a driver,
// assembles each PTX text that they load, and writes C++ that defines
// BuiltInCodes. Cubins that are there already are kept.
//
//   assemble-microkernels PTXAS FOLDER OUT.cpp
//
//===----------------------------------------------------------------------===//

#include "BuiltInCode.h"
#include "driver/StandIn.h"
#include "gpuocc/Support/OutputFile.h"
#include "plans/Microkernels.h"
#include "record/Database.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace gpuocc;
using namespace llvm;
using namespace gpuocc::calibration;

namespace {
/// What the driver is asked to load: the text and the level of optimization.
using Texts = std::map<std::pair<uint64_t, int>, std::string>;
} // namespace

static Expected<Texts> textsOfPlans() {
  Texts All;
  if (Error E = visitLoadedTexts(
          standInDriver(), [&](StringRef Ptx, int Optimization) {
            All[{ptxHash(Ptx), Optimization}] = Ptx.str();
          }))
    return std::move(E);
  return All;
}

/// The release in what `ptxas --version` prints.
static std::string releaseOf(StringRef Assembler, StringRef Folder) {
  std::string Path = (Folder + "/version").str();
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Path),
                                          std::nullopt};
  if (sys::ExecuteAndWait(Assembler, {Assembler, "--version"}, std::nullopt,
                          Redirects) != 0)
    return "";
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return "";
  auto [Before, After] = (*Text)->getBuffer().split("release ");
  return ("ptxas " + After.take_until([](char C) { return C == ','; })).str();
}

static Error assemble(StringRef Assembler, const std::string &Stem,
                      StringRef Ptx, int Optimization) {
  if (sys::fs::exists(Stem + ".cubin"))
    return Error::success();
  if (Error E = writeOutput(Stem + ".ptx", Ptx))
    return E;
  StringRef Target = Ptx.split(".target ").second.split('\n').first;
  std::string Architecture = ("-arch=" + Target).str();
  std::string Part = Stem + ".part", Source = Stem + ".ptx", Message;
  // The driver's highest level, 4, is that of ptxas -O3.
  StringRef Level = Optimization ? "-O3" : "-O0";
  if (sys::ExecuteAndWait(Assembler,
                          {Assembler, Architecture, Level, Source, "-o", Part},
                          std::nullopt, {}, 120, 0, &Message) != 0)
    return createStringError("ptxas failed for '%s': %s", Source.c_str(),
                             Message.c_str());
  return errorCodeToError(sys::fs::rename(Part, Stem + ".cubin"));
}

static Error run(StringRef Assembler, StringRef Folder, StringRef OutPath) {
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return createFileError(Folder, EC);
  Expected<Texts> All = textsOfPlans();
  if (!All)
    return All.takeError();
  StdThreadPool Pool;
  std::vector<Error> Errors;
  std::string Externs, Rows;
  std::string Assembly;
  for (const auto &Entry : *All) {
    auto [Hash, Optimization] = Entry.first;
    std::string Name = formatv("code_{0:x-16}_{1}", Hash, Optimization);
    std::string Stem = (Folder + "/" + Name).str();
    Errors.push_back(Error::success());
    Pool.async([&, Stem, Optimization = Optimization, I = Errors.size() - 1] {
      Error E = assemble(Assembler, Stem, Entry.second, Optimization);
      static std::mutex Lock;
      std::lock_guard Guard(Lock);
      Errors[I] = joinErrors(std::move(Errors[I]), std::move(E));
    });
    Assembly += "    \".balign 16\\n" + Name + ": .incbin \\\"" + Stem +
                ".cubin\\\"\\n" + Name + "_end:\\n\"\n";
    Externs += "extern \"C\" const char " + Name + "[], " + Name + "_end[];\n";
    Rows +=
        formatv("    {{{0:x}, {1}, {2}, {2}_end},\n", Hash, Optimization, Name);
  }
  Pool.wait();
  Error Failure = Error::success();
  for (Error &E : Errors)
    Failure = joinErrors(std::move(Failure), std::move(E));
  if (Failure)
    return Failure;
  return writeOutput(OutPath, "// Written by assemble-microkernels.\n"
                              "#include \"code/BuiltInCode.h\"\n"
                              "__asm__(\".section .rodata\\n\"\n" +
                                  Assembly + "    \".previous\\n\");\n" +
                                  Externs +
                                  "namespace gpuocc::calibration {\n"
                                  "const BuiltInCode BuiltInCodes[] = {\n" +
                                  Rows +
                                  "};\n"
                                  "const size_t BuiltInCodeCount = " +
                                  std::to_string(All->size()) +
                                  ";\n"
                                  "const char BuiltInCodeMaker[] = \"" +
                                  releaseOf(Assembler, Folder) +
                                  "\";\n"
                                  "} // namespace gpuocc::calibration\n");
}

int main(int Argc, char **Argv) {
  if (Argc != 4) {
    errs() << "usage: assemble-microkernels PTXAS FOLDER OUT.cpp\n";
    return 1;
  }
  if (Error E = run(Argv[1], Argv[2], Argv[3])) {
    logAllUnhandledErrors(std::move(E), errs(), "assemble-microkernels: ");
    return 1;
  }
  return 0;
}
