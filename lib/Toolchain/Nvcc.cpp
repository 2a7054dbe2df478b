//===- Nvcc.cpp - PTX from nvcc -------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Nvcc.h"
#include "Remains.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Toolchain/AllowedOptions.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Options of nvcc, by who reads them.
struct DividedOptions {
  std::vector<std::string> OfNvcc;
  /// Of the preprocessor.
  std::vector<std::string> OfHost;
  /// What is included in front of the source, behind CUDA's own.
  std::vector<std::string> Included;
};

/// An option of nvcc whose values the preprocessor gets behind a prefix or, as
/// a word of its own, behind a word.
struct HostOption {
  StringLiteral Nvcc, Host;
  bool IsPath, IsOwnWord;
};

constexpr HostOption HostOptions[] = {
    {"--include-path=", "-I", true, false},
    {"--system-include=", "-isystem", true, true},
    {"--define-macro=", "-D", false, false},
    {"--undefine-macro=", "-U", false, false},
};

constexpr StringLiteral PreInclude = "--pre-include=";

/// The options whose values go to the host compiler as they are.
constexpr StringLiteral HostPrefixes[] = {"--compiler-options=", "-Xcompiler="};

} // namespace

/// \p Word without the quotes around it.
static StringRef withoutQuotes(StringRef Word) {
  const bool IsQuoted = Word.size() >= 2 && Word.front() == Word.back() &&
                        (Word.front() == '"' || Word.front() == '\'');
  return IsQuoted ? Word.drop_front().drop_back() : Word;
}

/// \p Word of the host compiler, whose path is relative, wherever it runs.
static std::string withWholePath(StringRef Word) {
  for (StringRef Prefix : {"-I", "-isystem", "-iquote", "-idirafter"})
    if (StringRef Path = Word; Path.consume_front(Prefix) && !Path.empty())
      return Prefix.str() + absolutePath(Path);
  return Word.str();
}

static DividedOptions divide(ArrayRef<std::string> Options) {
  DividedOptions Out;
  auto Take = [&](StringRef Word) {
    for (StringRef Prefix : HostPrefixes)
      if (StringRef Value = Word; Value.consume_front(Prefix)) {
        for (StringRef Part : splitList(Value))
          Out.OfHost.push_back(withWholePath(withoutQuotes(Part)));
        return true;
      }
    if (StringRef Value = Word; Value.consume_front(PreInclude)) {
      for (const std::string &Part : splitList(Value))
        Out.Included.push_back(pathOfIncluded(Part, absolutePath(".")));
      return true;
    }
    for (const HostOption &Row : HostOptions) {
      StringRef Value = Word;
      if (!Value.consume_front(Row.Nvcc))
        continue;
      for (const std::string &Part : splitList(Value)) {
        const std::string Whole = Row.IsPath ? absolutePath(Part) : Part;
        if (Row.IsOwnWord)
          Out.OfHost.insert(Out.OfHost.end(), {Row.Host.str(), Whole});
        else
          Out.OfHost.push_back(Row.Host.str() + Whole);
      }
      return true;
    }
    return false;
  };
  for (const std::string &Word : Options)
    if (!Take(Word))
      Out.OfNvcc.push_back(Word);
  return Out;
}

/// \p Words as gcc and clang read a file of options.
static std::string responseText(ArrayRef<std::string> Words) {
  std::string Text;
  for (StringRef Word : Words) {
    for (char C : Word) {
      if (!isPlain(StringRef(&C, 1)))
        Text += '\\';
      Text += C;
    }
    Text += '\n';
  }
  return Text;
}

std::string gpuocc::nameInPtx(StringRef Path) {
  std::string Name = Path.str();
  for (char &C : Name)
    if (C == '"' || C == '\\' || C == '\n')
      C = '_';
  return Name;
}

/// \p Text, of the file \p Path, with a first line that says so.
static std::string withPlace(StringRef Text, StringRef Path) {
  Text.consume_front("\xEF\xBB\xBF");
  return "#line 1 \"" + nameInPtx(Path) + "\"\n" + Text.str();
}

/// Names of functions that only one file sees hold the checksum of its path.
static std::string checksumOf(StringRef Path) {
  return "_" +
         utohexstr(crc32(arrayRefFromStringRef(Path)),
                   /*LowerCase=*/true, /*Width=*/8) +
         "_";
}

static void replaceAll(std::string &Text, StringRef From, StringRef To) {
  for (size_t At = Text.find(From); At != std::string::npos;
       At = Text.find(From, At + To.size()))
    Text.replace(At, From.size(), To);
}

/// A temporary folder with a path that a shell takes as it is.
static Expected<TemporaryFolder> plainFolder() {
  const std::string Usual = temporaryRoot();
  for (StringRef Root : {StringRef(Usual), StringRef("/tmp"),
                         StringRef("/var/tmp"), StringRef("/dev/shm")}) {
    SmallString<128> Real;
    if (sys::fs::real_path(Root, Real) || !isPlain(Real))
      continue;
    Expected<TemporaryFolder> Folder =
        TemporaryFolder::create("gpuocc-nvcc", Real);
    if (Folder)
      return Folder;
    consumeError(Folder.takeError());
  }
  return createStringError("there is no folder for temporary files whose name "
                           "nvcc's shell takes as it is; set TMPDIR to one");
}

/// The name of \p File where nvcc sees it.
static std::string plainName(StringRef File) {
  std::string Name = sys::path::filename(File).str();
  for (char &C : Name)
    if (!isPlain(StringRef(&C, 1)))
      C = '_';
  return "source/" + Name;
}

static Expected<std::string> readFile(const Twine &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

/// A directive that includes \p Path; fails where no directive can.
static Expected<std::string> directiveFor(StringRef Path) {
  if (Path.find_first_of("\"\n") != StringRef::npos)
    return createStringError("'" + Path +
                             "' cannot be included: the name has a quote or "
                             "ends a line");
  return ("#include \"" + Path + "\"\n").str();
}

namespace {
/// What nvcc reads in place of a file.
struct StandIn {
  std::string Text;
  /// It includes the file, which then finds the headers beside it, as no other
  /// file does.
  bool IncludesFile = false;
};
} // namespace

/// The stand-in for \p File, whose text is that of \p TextOf where that is not
/// empty.
static Expected<StandIn> standInFor(StringRef File, StringRef TextOf) {
  const bool IsItself = TextOf.empty() || TextOf == File;
  // What cannot be read is named here; nvcc would name the stand-in as well.
  Expected<std::string> Text = readFile(IsItself ? File : TextOf);
  if (!Text)
    return Text.takeError();
  const std::string Whole = absolutePath(File);
  if (IsItself) {
    Expected<std::string> Directive = directiveFor(Whole);
    if (Directive)
      return StandIn{std::move(*Directive), true};
    consumeError(Directive.takeError());
  }
  return StandIn{withPlace(*Text, Whole), false};
}

/// Lays what nvcc reads into \p Folder: \p File, whose text is that of
/// \p TextOf where that is not empty, as \p Name, and the options of
/// the host compiler.
static Error lay(StringRef File, StringRef TextOf, StringRef Name,
                 StringRef Folder, const DividedOptions &Options) {
  Expected<StandIn> Source = standInFor(File, TextOf);
  if (!Source)
    return Source.takeError();
  const std::string Below = (Folder + "/").str();
  if (std::error_code EC = sys::fs::create_directory(Below + "source"))
    return createFileError(Below + "source", EC);
  std::string Before;
  for (StringRef Included : Options.Included) {
    Expected<std::string> Directive = directiveFor(Included);
    if (!Directive)
      return Directive.takeError();
    Before += *Directive;
  }
  // Headers beside a text that stands for a file come first. The preprocessor
  // of the device code notes what it reads; for -MD, nvcc starts another.
  std::vector<std::string> OfHost = Options.OfHost;
  if (!Source->IncludesFile)
    OfHost.insert(
        OfHost.begin(),
        {"-iquote", sys::path::parent_path(absolutePath(File)).str()});
  OfHost.insert(OfHost.end(), {"-MD", "-MT", "ptx", "-MF", "made.d"});
  if (Error E = writeOutput(Below + Name.str(), Before + Source->Text))
    return E;
  return writeOutput(Below + "options", responseText(OfHost));
}

Expected<NvccOutput> gpuocc::runNvcc(StringRef Nvcc, StringRef File,
                                     StringRef Architecture,
                                     ArrayRef<std::string> Options,
                                     StringRef TextOf) {
  if (!isPlain(Architecture))
    return createStringError("'" + Architecture + "' is no architecture");
  Expected<TemporaryFolder> Folder = plainFolder();
  if (!Folder)
    return Folder.takeError();
  const DividedOptions Divided = divide(Options);
  const std::string Name = plainName(File);
  if (Error E = lay(File, TextOf, Name, Folder->path(), Divided))
    return std::move(E);
  const std::string Target = ("-arch=" + Architecture).str();
  SmallVector<StringRef, 32> Arguments(Divided.OfNvcc.begin(),
                                       Divided.OfNvcc.end());
  Arguments.append({"-ptx", "-lineinfo", Target, "-Xcompiler=@options", "-o",
                    "made.ptx", "-x", "cu", Name});
  ProcessOptions Where;
  Where.Folder = Folder->path().str();
  Where.Environment = {"TMPDIR=."};
  Expected<ProcessResult> Run = runProcess(Nvcc, Arguments, Where);
  if (!Run)
    return Run.takeError();
  const std::string Whole = absolutePath(File);
  if (Run->Status != 0) {
    std::string Why = errorLineOf(Run->ErrorOutput + Run->Output).str();
    replaceAll(Why, Name, File);
    replaceAll(Why, nameInPtx(Whole), File);
    return createStringError(Why);
  }
  Expected<std::string> Text = readFile(Folder->path() + "/made.ptx");
  if (!Text)
    return Text.takeError();
  Expected<std::string> Files = readFile(Folder->path() + "/made.d");
  if (!Files)
    return Files.takeError();
  replaceAll(*Text, checksumOf((Folder->path() + "/" + Name).str()),
             checksumOf(Whole));
  return NvccOutput{std::move(*Text), std::move(*Files), Name};
}

std::string gpuocc::nvccOfPtx(StringRef Ptx) {
  const StringRef Comments = Ptx.take_front(Ptx.find("\n.version"));
  if (!Comments.contains("NVVM Compiler"))
    return "";
  const StringRef Release =
      Comments.split("release ").second.take_while([](char C) {
        return isDigit(C) || C == '.';
      });
  return Release.empty() ? "nvcc" : ("nvcc " + Release).str();
}
