//===- Ptxas.cpp - Registers and memory from the assembler ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Ptxas.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Support/ThreadBeside.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// The first word of \p Text that is quoted with '.
static StringRef quoted(StringRef Text) {
  return Text.split('\'').second.split('\'').first;
}

/// Passes "<number> <what>" of each comma-separated part of \p Line to \p Use.
template <typename Fn> static void eachCount(StringRef Line, Fn Use) {
  SmallVector<StringRef, 8> Parts;
  Line.split(Parts, ',');
  for (StringRef Part : Parts) {
    Part = Part.trim();
    Part.consume_front("Used ");
    Part.consume_front("used ");
    uint64_t Count = 0;
    if (!Part.consumeInteger(10, Count))
      Use(Count, Part.trim());
  }
}

namespace {

/// An advisory, and the mangled name that it quotes.
struct FunctionAdvisory {
  std::string Function;
  AssemblerAdvisory What;
};

} // namespace

/// How messages begin that say what costs time or fails later, and are neither
/// numbers of a kernel nor errors.
static constexpr StringLiteral AdvisoryStarts[] = {
    "Potential Performance Loss", "Stack size for entry function",
    "setmaxnreg ignored"};

/// An advisory in a line such as
///   ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async ...
///   ptxas warning : Stack size for entry function 'k' cannot be statically ...
static std::optional<FunctionAdvisory> parseAdvisory(StringRef Line) {
  StringRef Text = Line;
  if (!Text.consume_front("ptxas "))
    return std::nullopt;
  // "ptxas /tmp/k.ptx, line 12; warning : ..."
  StringRef Kind, Rest;
  std::tie(Kind, Rest) = Text.split(" : ");
  if (Rest.empty())
    return std::nullopt;
  FunctionAdvisory Out;
  Text = Rest.trim();
  if (Text.consume_front("(")) {
    std::tie(Kind, Rest) = Text.split(") ");
    if (!Kind.starts_with("C") || Rest.empty())
      return std::nullopt;
    Out.What.Code = Kind.str();
    Text = Rest;
  }
  if (Out.What.Code.empty() && none_of(AdvisoryStarts, [&](StringRef Start) {
        return Text.starts_with(Start) || Text.contains(Start);
      }))
    return std::nullopt;
  // Without a name it is about some kernel of the module.
  if (const size_t At = Text.find("function '"); At != StringRef::npos)
    Out.Function = quoted(Text.drop_front(At)).str();
  Out.What.Text = Text.rtrim('.').str();
  return Out;
}

AssembledKernels gpuocc::parsePtxasLog(StringRef Log, StringRef Source,
                                       StringRef Architecture) {
  AssembledKernels Kernels;
  AssembledKernel *Current = nullptr;
  bool InProperties = false;
  SmallVector<StringRef, 64> Lines;
  Log.split(Lines, '\n');
  std::string Entry;
  std::map<std::string, std::vector<AssemblerAdvisory>> Advisories;
  for (StringRef Line : Lines) {
    StringRef Text = Line.trim();
    if (std::optional<FunctionAdvisory> A = parseAdvisory(Text))
      Advisories[A->Function].push_back(std::move(A->What));
    if (Text.consume_front("ptxas info"))
      Text = Text.ltrim(" :");
    if (Text.starts_with("Compiling entry function")) {
      Entry = quoted(Text).str();
      // "Compiling entry function 'k' for 'sm_90'"
      StringRef For = quoted(Text.split("' for ").second);
      Current = nullptr;
      if (!Architecture.empty() && For != Architecture)
        continue;
      Current = &Kernels[Entry];
      Current->Resources.Source = Source.str();
      Current->Resources.IsEstimate = false;
      continue;
    }
    if (Text.consume_front("Function properties for ")) {
      // Functions that are called have properties of their own.
      InProperties = Current && Text.trim() == Entry;
      continue;
    }
    if (!Current)
      continue;
    ResourceUse &Use = Current->Resources;
    if (InProperties && Text.contains("bytes stack frame"))
      eachCount(Text, [&](uint64_t Count, StringRef What) {
        if (What == "bytes stack frame")
          Use.StackBytes = Count;
        else if (What == "bytes spill stores")
          Use.SpillStoreBytes = Count;
        else if (What == "bytes spill loads")
          Use.SpillLoadBytes = Count;
      });
    else if (Text.starts_with("Used "))
      eachCount(Text, [&](uint64_t Count, StringRef What) {
        if (What == "registers")
          Use.RegistersPerThread = std::max(FewestRegisters, unsigned(Count));
        else if (What == "barriers")
          Use.Barriers = unsigned(Count);
        else if (What == "bytes smem")
          Current->SharedBytes = Count;
      });
  }
  // Advisories come in front of what the log says of their function.
  for (auto &[Name, Kernel] : Kernels)
    for (StringRef Function : {StringRef(Name), StringRef()})
      for (const AssemblerAdvisory &A : Advisories[Function.str()])
        if (!is_contained(Kernel.Resources.Advisories, A))
          Kernel.Resources.Advisories.push_back(A);
  return Kernels;
}

std::string gpuocc::parsePtxasVersion(StringRef Text) {
  StringRef Release = Text.split("release ").second;
  return Release.take_while([](char C) { return isDigit(C) || C == '.'; })
      .str();
}

StringRef gpuocc::targetOfPtx(StringRef Ptx) {
  size_t At = Ptx.find("\n.target ");
  if (At == StringRef::npos)
    return "";
  return Ptx.drop_front(At)
      .drop_front(StringRef("\n.target ").size())
      .take_while([](char C) { return isAlnum(C) || C == '_'; });
}

/// \p Ptx without what kernels promise about their launches: where a kernel
/// does, the assembler does not heed a register limit.
static std::string withoutLaunchBounds(StringRef Ptx) {
  std::string Out;
  Out.reserve(Ptx.size());
  while (!Ptx.empty()) {
    size_t End = Ptx.find('\n');
    StringRef Line = Ptx.take_front(End == StringRef::npos ? End : End + 1);
    Ptx = Ptx.drop_front(Line.size());
    StringRef Word = Line.ltrim();
    if (!Word.starts_with(".maxntid") && !Word.starts_with(".minnctapersm") &&
        !Word.starts_with(".maxnreg"))
      Out += Line;
  }
  return Out;
}

/// Takes a part of a program, which is linked later.
static constexpr StringLiteral CompileOnly = "--compile-only";

/// A plugin runs the assembler too.
static Expected<ProcessResult> runAssembler(StringRef Program,
                                            ArrayRef<StringRef> Arguments) {
  ProcessOptions Options;
  Options.IsContained = false;
  return runProcess(Program, Arguments, Options);
}

/// What ptxas says to \p Arguments. Code that calls functions of other files it
/// takes only as part of a program that is linked later; that is tried second,
/// and \p IsPart set.
static Expected<std::string> assemble(StringRef Program,
                                      SmallVectorImpl<StringRef> &Arguments,
                                      bool &IsPart) {
  Expected<ProcessResult> Run = runAssembler(Program, Arguments);
  if (!Run)
    return Run.takeError();
  std::string Said = Run->ErrorOutput + Run->Output;
  if (Run->Status == 0)
    return Said;
  if (!IsPart && StringRef(Said).contains("Unresolved extern")) {
    IsPart = true;
    Arguments.push_back(CompileOnly);
    return assemble(Program, Arguments, IsPart);
  }
  return createStringError("'" + Program + "' failed: " + errorLineOf(Said));
}

/// The release of \p Program; empty where it does not say.
static std::string versionOf(StringRef Program) {
  Expected<ProcessResult> Run = runAssembler(Program, {"--version"});
  if (Run)
    return parsePtxasVersion(Run->Output);
  consumeError(Run.takeError());
  return "";
}

/// The body of the kernel \p Name in \p Ptx.
static StringRef bodyOf(StringRef Name, StringRef Ptx) {
  for (StringRef End : {"(", "\n", " "})
    if (size_t At = Ptx.find((".entry " + Name + End).str());
        At != StringRef::npos) {
      Ptx = Ptx.drop_front(At);
      return Ptx.take_front(Ptx.find("\n}"));
    }
  return "";
}

/// Where the source has line \p Number of \p Ptx, by the `.loc` in front of it
/// and the `.file` that this names.
static SourcePlace placeOfPtxLine(StringRef Ptx, unsigned Number) {
  std::map<unsigned, StringRef> Files;
  unsigned File = 0;
  SourcePlace Place;
  StringRef Rest = Ptx;
  for (unsigned Line = 1; !Rest.empty(); ++Line) {
    StringRef Text;
    std::tie(Text, Rest) = Rest.split('\n');
    Text = Text.ltrim();
    unsigned Of = 0;
    if (Text.consume_front(".file")) {
      Text = Text.ltrim();
      if (!Text.consumeInteger(10, Of))
        Files[Of] = Text.split('"').second.split('"').first;
    } else if (Line <= Number && Text.consume_front(".loc")) {
      Text = Text.ltrim();
      if (Text.consumeInteger(10, Of))
        continue;
      Text = Text.ltrim();
      if (Text.consumeInteger(10, Place.Line))
        continue;
      Text = Text.ltrim();
      if (Text.consumeInteger(10, Place.Column))
        Place.Column = 0;
      File = Of;
    }
  }
  Place.File = Files[File].str();
  return Place.File.empty() ? SourcePlace() : Place;
}

/// Drops advisories of \p List that quote an instruction which the kernel
/// \p Name does not have, and gives the others their places in the source.
static void placeAdvisories(StringRef Name, StringRef Ptx,
                            std::vector<AssemblerAdvisory> &List) {
  erase_if(List, [&](const AssemblerAdvisory &A) {
    const StringRef Quoted = quoted(A.Text);
    return Quoted != Name && !Quoted.empty() &&
           !bodyOf(Name, Ptx).contains(Quoted);
  });
  for (AssemblerAdvisory &A : List) {
    StringRef Number = StringRef(A.Text).split(" line ").second;
    unsigned Line = 0;
    if (!Number.consumeInteger(10, Line))
      A.Place = placeOfPtxLine(Ptx, Line);
  }
}

/// \p Ptx for the features of its architecture alone ("sm_90a" for "sm_90"),
/// where \p Why, what the assembler says, is that it needs them; else empty.
static std::string withOwnFeatures(StringRef Ptx, StringRef Why) {
  const StringRef Arch = targetOfPtx(Ptx);
  const std::string Line = (".target " + Arch).str();
  const size_t At = Ptx.find(Line);
  if (Arch.empty() || !isDigit(Arch.back()) || At == StringRef::npos ||
      !Why.contains(("not supported on .target '" + Arch + "'").str()))
    return "";
  return (Ptx.take_front(At) + Line + "a" + Ptx.drop_front(At + Line.size()))
      .str();
}

static Expected<AssembledKernels>
assembleAsWritten(StringRef Program, StringRef Ptx,
                  const PtxasOptions &Options) {
  StringRef Arch = targetOfPtx(Ptx);
  if (Arch.empty())
    return createStringError("the PTX names no target");
  Expected<TemporaryFile> Input = TemporaryFile::create("gpuocc", "ptx");
  if (!Input)
    return Input.takeError();
  std::string Unbounded;
  if (Options.ForgetLaunchBounds)
    Ptx = Unbounded = withoutLaunchBounds(Ptx);
  if (Error E = Input->write(Ptx))
    return std::move(E);
  std::string ArchOption = ("-arch=" + Arch).str();
  SmallVector<StringRef, 8> Arguments = {"-v", ArchOption};
  const bool WantsCode = !Options.Cubin.empty();
  if (WantsCode)
    Arguments.push_back("-lineinfo");
  Arguments.append(
      {"-o", WantsCode ? Options.Cubin : "/dev/null", Input->path()});
  std::string LimitOption =
      "-maxrregcount=" + std::to_string(Options.RegisterLimit);
  if (Options.RegisterLimit != 0)
    Arguments.push_back(LimitOption);
  Arguments.append(Options.Words.begin(), Options.Words.end());
  bool IsPart = is_contained(Options.Words, CompileOnly);
  // To start a program takes as long as to assemble a small kernel.
  std::string Version;
  ThreadBeside Asking([&] { Version = versionOf(Program); });
  Expected<std::string> Log = assemble(Program, Arguments, IsPart);
  Asking.join();
  if (!Log)
    return Log.takeError();
  std::string Source = "ptxas " + Version;
  if (IsPart)
    Source += ", before linking";
  AssembledKernels Kernels = parsePtxasLog(*Log, Source);
  for (auto &[Name, Kernel] : Kernels) {
    Kernel.Resources.RegisterLimit = Options.RegisterLimit;
    placeAdvisories(Name, Ptx, Kernel.Resources.Advisories);
  }
  return Kernels;
}

Expected<AssembledKernels> gpuocc::runPtxas(StringRef Program, StringRef Ptx,
                                            const PtxasOptions &Options) {
  Expected<AssembledKernels> Kernels = assembleAsWritten(Program, Ptx, Options);
  if (Kernels)
    return Kernels;
  const std::string Why = toString(Kernels.takeError());
  const std::string Featured = withOwnFeatures(Ptx, Why);
  if (Featured.empty())
    return createStringError(Why);
  return assembleAsWritten(Program, Featured, Options);
}
