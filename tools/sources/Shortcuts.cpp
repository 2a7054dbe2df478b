//===- Shortcuts.cpp - What spares a compiler work ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shortcuts.h"
#include "Compiler.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Goes through the lines of a source while they are comments and directives.
class PreambleScanner {
public:
  explicit PreambleScanner(StringRef Text) : Text(Text) {}

  size_t run() {
    while (At < Text.size() && takeLine())
      ;
    return End;
  }

private:
  /// False when the line holds something else.
  bool takeLine() {
    size_t LineEnd = Text.find('\n', At);
    LineEnd = LineEnd == StringRef::npos ? Text.size() : LineEnd + 1;
    StringRef Line = Text.slice(At, LineEnd).trim();
    if (Line.starts_with("/*"))
      return takeComment();
    if (!Line.empty() && !Line.starts_with("//") && !Line.starts_with("#"))
      return false;
    const bool IsDirective = Line.starts_with("#");
    // A line that goes on in the next one is taken with it.
    while (Line.ends_with("\\") && LineEnd < Text.size()) {
      const size_t Next = Text.find('\n', LineEnd);
      Line = Text.slice(LineEnd, Next).trim();
      LineEnd = Next == StringRef::npos ? Text.size() : Next + 1;
    }
    StringRef Directive = Text.slice(At, LineEnd).trim();
    At = LineEnd;
    return !IsDirective || takeDirective(Directive.drop_front().ltrim());
  }

  bool takeComment() {
    const size_t Close = Text.find("*/", At);
    if (Close == StringRef::npos)
      return false;
    At = Close + 2;
    const size_t LineEnd = std::min(Text.find('\n', At), Text.size());
    const bool EndsLine = Text.slice(At, LineEnd).trim().empty();
    At = std::min(LineEnd + 1, Text.size());
    return EndsLine;
  }

  bool takeDirective(StringRef Directive) {
    // A comment that goes on in the next line.
    if (Directive.contains("/*"))
      return false;
    if (Directive.starts_with("if"))
      ++Depth;
    else if (Directive.starts_with("endif"))
      Depth -= Depth != 0;
    else if (Directive.starts_with("include") && Depth == 0)
      End = At;
    return true;
  }

  StringRef Text;
  size_t At = 0, End = 0;
  unsigned Depth = 0;
};

/// The preamble of one source, compiled with one command line.
class Preamble {
public:
  /// \p Source is the file, \p Text what it holds, \p Command the options.
  Preamble(StringRef Folder, StringRef Source, StringRef Text,
           ArrayRef<std::string> Command)
      : Bytes(preambleBytes(Text)), Content(Text.take_front(Bytes)),
        SourceFolder(sys::path::parent_path(Source)) {
    std::string Key =
        join(Command, "\n") + "\n" + Source.str() + "\n" + Content.str();
    SmallString<128> Path(Folder);
    sys::path::append(Path,
                      utohexstr(xxh3_64bits(Key), /*LowerCase=*/true, 16));
    OnDisk = Path.str().str();
  }

  bool isEmpty() const { return Bytes == 0; }
  bool isCompiled() const { return sys::fs::exists(compiled()); }
  std::string compiled() const { return OnDisk + ".pch"; }
  std::string source() const { return OnDisk + ".cu"; }

  Error writeSource() const { return writeOutput(source(), Content); }

  /// It is searched for headers first, as if it held the preamble.
  StringRef sourceFolder() const { return SourceFolder; }

  std::vector<std::string> useOptions() const {
    return {"-Xclang", "-include-pch",
            "-Xclang", compiled(),
            "-Xclang", "-preamble-bytes=" + utostr(Bytes) + ",1"};
  }

private:
  size_t Bytes;
  StringRef Content;
  std::string SourceFolder, OnDisk;
};

} // namespace

size_t gpuocc::preambleBytes(StringRef Text) {
  return PreambleScanner(Text).run();
}

std::string
gpuocc::overlayText(const std::map<std::string, std::string> &Buffers) {
  json::Array Roots;
  for (const auto &[File, Text] : Buffers)
    Roots.push_back(json::Object{{"type", "file"},
                                 {"name", json::fixUTF8(File)},
                                 {"external-contents", json::fixUTF8(Text)}});
  return formatv("{0}",
                 json::Value(json::Object{{"version", 0},
                                          {"case-sensitive", "true"},
                                          {"use-external-names", "false"},
                                          {"roots", std::move(Roots)}}))
      .str();
}

/// \p Command with \p Options in front of its last word, the source.
static std::vector<std::string> withOptions(ArrayRef<std::string> Command,
                                            ArrayRef<std::string> Options) {
  std::vector<std::string> Words(Command.begin(), std::prev(Command.end()));
  append_range(Words, Options);
  Words.push_back(Command.back());
  return Words;
}

static Expected<ProcessResult> runWords(StringRef Clang,
                                        ArrayRef<std::string> Command) {
  std::vector<StringRef> Words(Command.begin(), Command.end());
  return runProcess(Clang, Words);
}

static Expected<ProcessResult> buildPreamble(const Preamble &P, StringRef Clang,
                                             ArrayRef<std::string> Command) {
  std::vector<std::string> Words =
      withOptions(Command, {"-iquote", P.sourceFolder().str(), "-Xclang",
                            "-emit-pch", "-o", P.compiled()});
  Words.back() = P.source();
  return runWords(Clang, Words);
}

std::string SourceShortcuts::textOf(StringRef File) const {
  const auto Found = Buffers.find(absolutePath(File));
  return Found == Buffers.end() ? File.str() : Found->second;
}

/// The text of \p Source as the compiler reads it.
static ErrorOr<std::unique_ptr<MemoryBuffer>>
textOf(const SourceShortcuts &Shortcuts, StringRef Source) {
  return MemoryBuffer::getFile(Shortcuts.textOf(Source));
}

std::vector<std::string> gpuocc::lastingOptions(ArrayRef<std::string> Command) {
  auto IsOfOneRun = [](StringRef First, StringRef Second) {
    return First == "-MF" ||
           (First == "-mllvm" &&
            (Second.starts_with("-gpu-occupancy-facts-file=") ||
             Second.starts_with(KnownModuleOption)));
  };
  std::vector<std::string> Words;
  for (size_t I = 0; I + 1 < Command.size(); ++I)
    if (IsOfOneRun(Command[I], Command[I + 1]))
      ++I;
    else
      Words.push_back(Command[I]);
  return Words;
}

/// True if \p Errors of clang are about the preamble that it was given.
static bool isAboutPreamble(StringRef Errors) {
  return Errors.contains("has been modified since") ||
         Errors.contains("PCH file") || Errors.contains("AST file") ||
         Errors.contains("precompiled");
}

Expected<ProcessResult> gpuocc::runClangWith(const SourceShortcuts &Shortcuts,
                                             StringRef Clang,
                                             ArrayRef<std::string> Command) {
  if (Shortcuts.Buffers.empty() && Shortcuts.Preambles.empty())
    return runClang(Clang, Command);
  const std::string Source = absolutePath(Command.back());
  auto Text = textOf(Shortcuts, Source);
  if (!Text)
    return createStringError("cannot read '" + Source +
                             "': " + Text.getError().message());
  const Preamble P(Shortcuts.Preambles, Source, (*Text)->getBuffer(),
                   lastingOptions(Command));
  Expected<TemporaryFile> Overlay = TemporaryFile::create("gpuocc", "yaml");
  if (!Overlay)
    return Overlay.takeError();
  if (Error E = Overlay->write(overlayText(Shortcuts.Buffers)))
    return std::move(E);
  const std::vector<std::string> Words =
      withOptions(Command, {"-ivfsoverlay", Overlay->path().str()});
  const bool HasPreamble = !Shortcuts.Preambles.empty() && !P.isEmpty();
  if (Shortcuts.BuildsPreamble) {
    if (!HasPreamble || P.isCompiled())
      return ProcessResult();
    if (Error E = P.writeSource())
      return std::move(E);
    return buildPreamble(P, Clang, Words);
  }
  if (HasPreamble && P.isCompiled()) {
    Expected<ProcessResult> Run =
        runWords(Clang, withOptions(Words, P.useOptions()));
    if (!Run || Run->Status == 0)
      return Run;
    // Clang refuses one whose headers were edited since: the next is made anew.
    if (StringRef(Run->ErrorOutput).contains("has been modified since"))
      sys::fs::remove(P.compiled());
    // What is wrong of the text is so without the preamble: an answer to one
    // that is being written need not wait for the same error.
    if (!isAboutPreamble(Run->ErrorOutput))
      return runClangLikeNvcc(Clang, Words, std::move(*Run));
  }
  return runClang(Clang, Words);
}
