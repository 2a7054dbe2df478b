//===- NvccArguments.cpp - nvcc's command line for clang ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/NvccArguments.h"
#include "gpuocc/Toolchain/AllowedOptions.h"
#include "gpuocc/Toolchain/KnownCompilers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// What is done with the value of an option.
enum class ValueAction : uint8_t {
  Drop,
  Architecture,
  GenerateCode,
  Relocatable,
  MaxRegisters,
  Define,
  Undefine,
  IncludePath,
  SystemInclude,
  PreInclude,
  Standard,
  DefaultStream,
  FlushDenormals,
  Contract,
  TemplateDepth,
  HostCompiler,
  HostProgram,
  AssemblerOptions,
  ResponseFile,
};

/// A row of NvccOptions.def.
struct OptionRow {
  StringLiteral Long, Short;
  bool HasValue;
  /// It concerns PTX.
  bool IsOfCode;
  /// Words for clang, split at blanks; for options without a value.
  StringLiteral Clang;
  ValueAction Action;
};

constexpr OptionRow Rows[] = {
#define FLAG(Long, Short, Clang)                                               \
  {Long, Short, false, true, Clang, ValueAction::Drop},
#define VALUE(Long, Short, Action)                                             \
  {Long, Short, true, true, "", ValueAction::Action},
#define STEP(Long, Short, Clang)                                               \
  {Long, Short, false, false, Clang, ValueAction::Drop},
#define STEP_VALUE(Long, Short, Action)                                        \
  {Long, Short, true, false, "", ValueAction::Action},
#include "NvccOptions.def"
};

/// An option as it stands on a command line.
struct FoundOption {
  const OptionRow *Row = nullptr;
  /// The value, where it is part of the argument.
  std::optional<StringRef> Value;
};

/// How deep response files may name each other.
constexpr unsigned MaxFileDepth = 16;

class Translator {
public:
  Translator(StringRef Directory, UnknownArguments Unknown,
             const OptionOrigin &Origin)
      : Directory(Directory), Unknown(Unknown), Origin(Origin) {}

  Error translate(ArrayRef<std::string> Arguments, unsigned Depth);
  TranslatedArguments take();

private:
  void add(const Twine &Argument) { Out.Clang.push_back(Argument.str()); }
  void drop(const Twine &Argument) { Out.Dropped.push_back(Argument.str()); }
  std::string pathOf(StringRef Name) const;
  bool mayHave(const OptionRow &Row, StringRef Value) const;
  void addArchitecture(StringRef Name);
  void takeUnknown(StringRef Argument);
  void takeFlag(const OptionRow &Row);
  void keepValue(const OptionRow &Row, StringRef Value);
  Error takeValue(ValueAction Action, StringRef Value, unsigned Depth);
  void takeHostOption(StringRef Option);
  void takeAssemblerOption(StringRef Option);
  Error readFile(StringRef Name, unsigned Depth);

  StringRef Directory;
  UnknownArguments Unknown;
  const OptionOrigin &Origin;
  /// Of a repository, for the host compiler.
  std::vector<std::string> HostWords;
  bool ForwardsUnknown = false;
  TranslatedArguments Out;
};

} // namespace

/// Options of one letter whose value may follow without a blank.
static bool isJoined(const OptionRow &Row) {
  return Row.HasValue && StringRef("DUIlLO").contains(Row.Short) &&
         Row.Short.size() == 1;
}

static std::optional<FoundOption> findOption(StringRef Argument) {
  StringRef Body = Argument;
  bool IsLong = Body.consume_front("--");
  if (!IsLong && !Body.consume_front("-"))
    return std::nullopt;
  auto [Name, Value] = Body.split('=');
  bool HasValue = Body.contains('=');
  for (const OptionRow &Row : Rows) {
    if (Name != Row.Long && (IsLong || Name != Row.Short))
      continue;
    if (HasValue && !Row.HasValue)
      continue;
    return FoundOption{&Row, HasValue ? std::optional(Value) : std::nullopt};
  }
  for (const OptionRow &Row : Rows)
    if (!IsLong && isJoined(Row) && Body.starts_with(Row.Short))
      return FoundOption{&Row, Body.drop_front(Row.Short.size())};
  return std::nullopt;
}

/// "sm_90a" of "compute_90a", "sm_90a" and "lto_90a"; empty of other words.
static std::string realArchitecture(StringRef Name) {
  for (StringRef Prefix : {"sm_", "compute_", "lto_"})
    if (Name.consume_front(Prefix))
      return ("sm_" + Name).str();
  return "";
}

void Translator::addArchitecture(StringRef Name) {
  // "native", "all" and "all-major" leave the choice to the device.
  std::string Real = realArchitecture(Name.trim("'\"[]"));
  if (!Real.empty() && isPlain(Real) && !is_contained(Out.Architectures, Real))
    Out.Architectures.push_back(std::move(Real));
}

/// How clang says -use_fast_math and -rdc=true.
static constexpr StringLiteral ClangFastMath = "-ffast-math";
static constexpr StringLiteral ClangRelocatable = "-fgpu-rdc";

void Translator::takeUnknown(StringRef Argument) {
  if (Argument == ClangFastMath)
    Out.Nvcc.push_back("--use_fast_math");
  if (Argument == ClangRelocatable)
    Out.Nvcc.push_back("--relocatable-device-code=true");
  if (Unknown == UnknownArguments::Keep)
    add(Argument);
  else if (Origin.IsRepository && ForwardsUnknown)
    HostWords.push_back(Argument.str());
  else
    drop(Argument);
}

/// Of an option for the host compiler, what clang has to see when it compiles
/// device code: macros, include paths, and switches of the language.
void Translator::takeHostOption(StringRef Option) {
  static constexpr StringLiteral Prefixes[] = {
      "-D", "-U", "-I", "-isystem", "-fopenmp", "-pthread", "-std="};
  if (any_of(Prefixes, [&](StringRef P) { return Option.starts_with(P); }))
    add(Option);
}

/// Options of ptxas that decide its code, and neither files nor messages.
static bool isOfAssembledCode(StringRef Option) {
  static constexpr StringLiteral Names[] = {"O0",
                                            "O1",
                                            "O2",
                                            "O3",
                                            "O",
                                            "opt-level",
                                            "dlcm",
                                            "dscm",
                                            "def-load-cache",
                                            "def-store-cache",
                                            "force-load-cache",
                                            "force-store-cache",
                                            "fmad",
                                            "allow-expensive-optimizations",
                                            "g",
                                            "device-debug",
                                            "sp-bounds-check",
                                            "dont-merge-basicblocks",
                                            "return-at-end",
                                            "compile-only",
                                            "c",
                                            "lineinfo",
                                            "generate-line-info",
                                            "disable-optimizer-constants",
                                            "suppress-double-demote-warning",
                                            "suppress-stack-size-warning",
                                            "preserve-relocs",
                                            "warn-on-spills",
                                            "warn-on-local-memory-usage",
                                            "warn-on-double-precision-use",
                                            "maxrregcount",
                                            "position-independent-code",
                                            "extensible-whole-program",
                                            "ewp",
                                            "override-directive-values"};
  auto [Name, Value] = Option.ltrim('-').split('=');
  return Option.starts_with("-") && is_contained(Names, Name) && isPlain(Value);
}

void Translator::takeAssemblerOption(StringRef Option) {
  auto [Name, Value] = Option.ltrim('-').split('=');
  if (Origin.IsRepository && Name != "v" && Name != "verbose" &&
      !isOfAssembledCode(Option))
    return drop("-Xptxas " + Option);
  unsigned Registers = 0;
  if (Name == "v" || Name == "verbose")
    return;
  if (Name != "maxrregcount")
    Out.Ptxas.push_back(Option.str());
  else if (!Value.getAsInteger(10, Registers))
    Out.MaxRegisters = Registers;
}

Error Translator::readFile(StringRef Name, unsigned Depth) {
  if (Depth == MaxFileDepth)
    return createStringError("response file '" + Name +
                             "': files name each other without end");
  Expected<std::vector<std::string>> Words = readResponseFile(Name, Directory);
  if (!Words)
    return Words.takeError();
  return translate(*Words, Depth + 1);
}

/// Calls \p Take with each part of \p Value, which commas separate.
template <typename Function>
static void forEachPart(StringRef Value, Function Take) {
  for (StringRef Part : splitList(Value))
    Take(Part);
}

/// \p Name, of a repository absolute.
std::string Translator::pathOf(StringRef Name) const {
  SmallString<256> Path(Name);
  if (Origin.IsRepository)
    sys::path::make_absolute(Directory, Path);
  return Path.str().str();
}

/// True unless a repository could do more than decide what code says with
/// \p Value.
bool Translator::mayHave(const OptionRow &Row, StringRef Value) const {
  switch (Row.Action) {
  case ValueAction::HostProgram:
    return !Origin.IsRepository || mayRunCompiler(Value, Origin.QueryDrivers);
  case ValueAction::Define:
  case ValueAction::Undefine:
  case ValueAction::IncludePath:
  case ValueAction::SystemInclude:
  case ValueAction::PreInclude:
  case ValueAction::HostCompiler:
  case ValueAction::AssemblerOptions:
  case ValueAction::GenerateCode:
  case ValueAction::ResponseFile:
    return true;
  default:
    return !Origin.IsRepository || !Row.IsOfCode || all_of(Value, [](char C) {
      return isPlain(StringRef(&C, 1)) || C == ',';
    });
  }
}

void Translator::takeFlag(const OptionRow &Row) {
  SmallVector<StringRef, 4> Words;
  Row.Clang.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words)
    add(Word);
  if (Row.IsOfCode)
    Out.Nvcc.push_back(("--" + Row.Long).str());
  ForwardsUnknown |= Row.Long == "forward-unknown-to-host-compiler" ||
                     Row.Long == "forward-unknown-opts";
  if (Row.Clang == ClangRelocatable) {
    Out.Nvcc.push_back("--relocatable-device-code=true");
    Out.Ptxas.push_back("--compile-only");
  }
  // What nvcc 13.0 calls ptxas with (nvcc --dryrun).
  if (Row.Long == "device-debug")
    Out.Ptxas.insert(Out.Ptxas.end(),
                     {"-g", "--dont-merge-basicblocks", "--return-at-end"});
}

/// Notes for nvcc an option with a value.
void Translator::keepValue(const OptionRow &Row, StringRef Value) {
  if (!Row.IsOfCode)
    return;
  auto Keep = [&](StringRef Text) {
    Out.Nvcc.push_back(("--" + Row.Long + "=" + Text).str());
  };
  if (Row.Action == ValueAction::HostCompiler && Origin.IsRepository)
    return;
  const bool IsFile = Row.Action == ValueAction::PreInclude;
  if (Row.Action != ValueAction::IncludePath &&
      Row.Action != ValueAction::SystemInclude && !IsFile)
    return Keep(Value);
  forEachPart(Value, [&](StringRef Part) {
    SmallString<256> Path(Part);
    sys::path::make_absolute(Directory, Path);
    Keep(asOneOfList(IsFile ? pathOfIncluded(Part, Directory)
                            : Path.str().str()));
  });
}

Error Translator::takeValue(ValueAction Action, StringRef Value,
                            unsigned Depth) {
  switch (Action) {
  case ValueAction::Drop:
  case ValueAction::HostProgram:
    break;
  case ValueAction::Architecture:
    addArchitecture(Value);
    break;
  case ValueAction::GenerateCode:
    // arch=compute_90,code=[sm_90,compute_90]: machine code is what runs; PTX
    // alone is compiled for the architecture that it is for.
    forEachPart(Value, [&](StringRef Part) {
      if (Part.contains("sm_") || !Value.contains("sm_"))
        addArchitecture(Part.substr(Part.rfind('=') + 1));
    });
    break;
  case ValueAction::Relocatable:
    if (Value == "true") {
      add(ClangRelocatable);
      Out.Ptxas.push_back("--compile-only");
    }
    break;
  case ValueAction::MaxRegisters:
    takeAssemblerOption(("-maxrregcount=" + Value).str());
    break;
  case ValueAction::Define:
    forEachPart(Value, [&](StringRef Part) { add("-D" + Part); });
    break;
  case ValueAction::Undefine:
    forEachPart(Value, [&](StringRef Part) { add("-U" + Part); });
    break;
  case ValueAction::IncludePath:
    forEachPart(Value, [&](StringRef Part) { add("-I" + pathOf(Part)); });
    break;
  case ValueAction::SystemInclude:
    forEachPart(Value, [&](StringRef Part) { add("-isystem" + pathOf(Part)); });
    break;
  case ValueAction::PreInclude:
    forEachPart(Value, [&](StringRef Part) {
      add("-include");
      add(Origin.IsRepository ? pathOfIncluded(Part, Directory) : Part.str());
    });
    break;
  case ValueAction::Standard:
    add("-std=" + Value);
    break;
  case ValueAction::DefaultStream:
    if (Value == "per-thread")
      add("-fgpu-default-stream=per-thread");
    break;
  case ValueAction::FlushDenormals:
    if (Value == "true")
      add("-fgpu-flush-denormals-to-zero");
    break;
  case ValueAction::Contract:
    if (Value == "false")
      add("-ffp-contract=off");
    break;
  case ValueAction::TemplateDepth:
    add("-ftemplate-depth=" + Value);
    break;
  case ValueAction::HostCompiler:
    forEachPart(Value, [&](StringRef Part) {
      // nvcc hands the part to a shell: it may be several words.
      BumpPtrAllocator Memory;
      StringSaver Saver(Memory);
      SmallVector<const char *, 4> Words;
      cl::TokenizeGNUCommandLine(Part.trim("'\""), Saver, Words);
      for (StringRef Word : Words)
        if (Origin.IsRepository)
          HostWords.push_back(Word.str());
        else
          takeHostOption(Word);
    });
    break;
  case ValueAction::AssemblerOptions:
    forEachPart(Value, [&](StringRef Part) { takeAssemblerOption(Part); });
    break;
  case ValueAction::ResponseFile: {
    SmallVector<StringRef, 2> Names;
    Value.split(Names, ',', -1, /*KeepEmpty=*/false);
    for (StringRef Name : Names)
      if (Error E = readFile(Name, Depth))
        return E;
    break;
  }
  }
  return Error::success();
}

Error Translator::translate(ArrayRef<std::string> Arguments, unsigned Depth) {
  while (!Arguments.empty()) {
    StringRef Argument = Arguments.consume_front();
    if (Argument.starts_with("@") && Argument.size() > 1) {
      if (Error E = readFile(Argument.drop_front(), Depth))
        return E;
      continue;
    }
    if (!Argument.starts_with("-") || Argument == "-") {
      Out.Inputs.push_back(Argument.str());
      continue;
    }
    std::optional<FoundOption> Found = findOption(Argument);
    if (!Found) {
      takeUnknown(Argument);
      continue;
    }
    if (!Found->Row->HasValue) {
      takeFlag(*Found->Row);
      continue;
    }
    StringRef Value;
    if (Found->Value)
      Value = *Found->Value;
    else if (!Arguments.empty())
      Value = Arguments.consume_front();
    if (!mayHave(*Found->Row, Value)) {
      drop(Argument + (Found->Value ? "" : " " + Value));
      continue;
    }
    keepValue(*Found->Row, Value);
    if (Error E = takeValue(Found->Row->Action, Value, Depth))
      return E;
  }
  return Error::success();
}

TranslatedArguments Translator::take() {
  SortedOptions Host = sortOptions(HostWords, Directory);
  for (size_t I = 0; I != Host.Taken.size(); ++I) {
    const std::string &Word = Host.Taken[I];
    Out.Nvcc.push_back("--compiler-options=" + asOneOfList(Word));
    // Its value is a word of its own.
    if (Word == "-isystem" && I + 1 != Host.Taken.size()) {
      Out.Nvcc.push_back("--compiler-options=" +
                         asOneOfList(Host.Taken[I + 1]));
      add(Word + Host.Taken[++I]);
    } else {
      takeHostOption(Word);
    }
  }
  for (const std::string &Word : Host.Dropped)
    drop(Word);
  return std::move(Out);
}

bool gpuocc::isForNvcc(ArrayRef<std::string> Arguments) {
  // Options that clang does not have, or has under another name.
  static constexpr StringLiteral OfNvccOnly[] = {
      "gencode",
      "generate-code",
      "gpu-architecture",
      "gpu-code",
      "arch",
      "code",
      "rdc",
      "dc",
      "Xcompiler",
      "compiler-options",
      "Xptxas",
      "ptxas-options",
      "maxrregcount",
      "use_fast_math",
      "lineinfo",
      "ccbin",
      "optf",
      "options-file",
      "extended-lambda",
      "device-c",
      "compiler-bindir",
      "generate-line-info",
      "expt-extended-lambda",
      "expt-relaxed-constexpr",
      "relocatable-device-code",
      "forward-unknown-to-host-compiler"};
  return any_of(Arguments, [](StringRef Argument) {
    return Argument.starts_with("-") &&
           is_contained(OfNvccOnly, Argument.ltrim('-').split('=').first);
  });
}

Expected<TranslatedArguments>
gpuocc::translateNvccArguments(ArrayRef<std::string> Arguments,
                               StringRef Directory, UnknownArguments Unknown,
                               const OptionOrigin &Origin) {
  Translator T(Directory, Unknown, Origin);
  if (Error E = T.translate(Arguments, 0))
    return std::move(E);
  return T.take();
}
