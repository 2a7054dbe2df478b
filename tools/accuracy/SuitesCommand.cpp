//===- SuitesCommand.cpp - Accesses of whole suites -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessTable.h"
#include "Commands.h"
#include "KeptFacts.h"
#include "PublishedAccesses.h"
#include "driver/Arguments.h"
#include "driver/Session.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral SuitesUsage =
    "usage: gpu-occupancy-accuracy suites FOLDER... [options] "
    "[-- clang arguments]\n"
    "\n"
    "Compiles every .cu file below each folder, a suite, and says how exactly\n"
    "sectors and wavefronts of its memory accesses are known. Launches are\n"
    "those of the host code and of the configuration. Headers are looked for\n"
    "beside a file and in the folders above it, up to the suite.\n";

namespace {

struct SuitesOptions {
  std::string Facts, Config, Published, Format = "text";
  std::string Device = "nvidia-h200";
  SourceOptions Source;

  SuitesOptions() { Source.Ptxas = "off"; }

  std::vector<OptionRow> rows() {
    return {
        {"--facts", "DIR",
         "keep the facts of compiled files there and use them", store(Facts)},
        {"--config", "FILE", "launches; default: the .gpu-occupancy of a file",
         store(Config)},
        {"--published", "FILE",
         "accesses that another tool reported, one a line: FILE FUNCTION "
         "LINE:COLUMN LINES-PER-REQUEST",
         store(Published)},
        {"--device", "NAME", "device", store(Device)},
        {"--clang", "PROGRAM", "compiler", store(Source.Clang)},
        {"--format", "text|json", "form of the tables",
         storeWord(Format, {"text", "json"})},
    };
  }
};

/// What became of one suite.
struct Suite {
  std::string Folder;
  AccessTable Accesses;
  unsigned NumFiles = 0;
  /// Names of the files that the code of kernels comes from.
  StringSet<> CodeFiles;
  /// File and why it was not read.
  std::vector<std::pair<std::string, std::string>> Declined;
  std::vector<PublishedRow> Published;

  StringRef name() const { return sys::path::filename(Folder); }
};

} // namespace

/// The .cu files below \p Folder, as paths in it, in order.
static Expected<std::vector<std::string>> sourcesBelow(StringRef Folder) {
  std::vector<std::string> Files;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator I(Folder, EC), End;
       I != End && !EC; I.increment(EC))
    if (sys::path::extension(I->path()) == ".cu")
      Files.push_back(StringRef(I->path()).drop_front(Folder.size() + 1).str());
  if (EC)
    return createStringError("cannot read the folder '" + Folder +
                             "': " + EC.message());
  if (Files.empty())
    return createStringError("there is no .cu file below '" + Folder + "'");
  llvm::sort(Files);
  return Files;
}

/// -I of the folders from that of \p File up to \p Folder.
static std::vector<std::string> includeOptions(StringRef Folder,
                                               StringRef File) {
  std::vector<std::string> Options;
  for (StringRef Below = sys::path::parent_path(File); !Below.empty();
       Below = sys::path::parent_path(Below))
    Options.push_back(("-I" + Folder + "/" + Below).str());
  Options.push_back(("-I" + Folder).str());
  return Options;
}

static Expected<std::vector<KernelReport>>
assessFile(const Suite &S, StringRef File, const KeptFacts &Kept,
           const SuitesOptions &Options) {
  const std::string Path = (S.Folder + "/" + File).str();
  std::vector<std::string> Includes = includeOptions(S.Folder, File);
  Expected<FactsFile> Facts = Kept.find((S.name() + "/" + File).str(), [&] {
    SourceOptions Source = Options.Source;
    Source.ClangArguments.push_back("-w");
    for (const std::string &Include : Includes)
      Source.ClangArguments.push_back(Include);
    return readSource(Path, Source);
  });
  if (!Facts)
    return Facts.takeError();
  SessionOptions ForFile;
  ForFile.Device = Options.Device;
  ForFile.ConfigPath = Options.Config;
  Expected<Session> Opened = Session::create(ForFile, Path);
  if (!Opened)
    return Opened.takeError();
  Expected<SessionResult> Result =
      Opened->assessAll(std::move(Facts->Kernels), Facts->Launches);
  if (!Result)
    return Result.takeError();
  return std::move(Result->What.Kernels);
}

static Expected<Suite> runSuite(StringRef Folder,
                                ArrayRef<PublishedAccess> Published,
                                const KeptFacts &Kept,
                                const SuitesOptions &Options) {
  Suite S;
  S.Folder = Folder.rtrim('/').str();
  Expected<std::vector<std::string>> Files = sourcesBelow(S.Folder);
  if (!Files)
    return Files.takeError();
  for (const std::string &File : *Files) {
    Expected<std::vector<KernelReport>> Reports =
        assessFile(S, File, Kept, Options);
    if (!Reports) {
      S.Declined.push_back({File, toString(Reports.takeError())});
      continue;
    }
    for (const KernelReport &R : *Reports) {
      S.Accesses.add(File, R);
      for (const SourceLocation &L : R.Facts.Locations)
        for (const SourcePlace &P : L.Places)
          S.CodeFiles.insert(sys::path::filename(P.File));
    }
    for (const PublishedAccess &P : Published)
      if (P.File == File)
        S.Published.push_back({P, ownAccess(P, *Reports)});
  }
  // Many files are written to be included.
  S.NumFiles = unsigned(Files->size());
  erase_if(S.Declined, [&](const auto &D) {
    const bool IsIncluded = S.CodeFiles.contains(sys::path::filename(D.first));
    S.NumFiles -= IsIncluded;
    return IsIncluded;
  });
  return std::move(S);
}

static void printSuites(ArrayRef<Suite> Suites, raw_ostream &OS) {
  for (const Suite &S : Suites) {
    printAccesses(S.name(), S.Accesses, OS);
    OS << formatv("  {0} of {1} files were read, without those that are "
                  "included by others\n",
                  S.NumFiles - S.Declined.size(), S.NumFiles);
    for (const auto &[File, Why] : S.Declined)
      OS << formatv("    {0}: {1}\n", File, Why);
    OS << '\n';
  }
  for (const Suite &S : Suites)
    if (!S.Published.empty())
      printPublished(S.Published, OS);
}

static void writeSuites(ArrayRef<Suite> Suites, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    for (const Suite &S : Suites)
      J.attributeObject(S.name(), [&] {
        writeAccesses(S.Accesses, J);
        J.attribute("files", S.NumFiles);
        J.attributeObject("declined", [&] {
          for (const auto &[File, Why] : S.Declined)
            J.attribute(File, Why);
        });
      });
  });
  OS << '\n';
}

Error gpuocc::runSuites(ArrayRef<StringRef> Arguments) {
  SuitesOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, SuitesUsage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (Parsed->Positional.empty())
    return createStringError("suites needs a folder; see "
                             "'gpu-occupancy-accuracy suites --help'");
  Expected<DeviceModel> Device = loadDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Options.Source.Architecture = Device->Architecture;
  Options.Source.ClangArguments = Parsed->Rest;
  std::vector<PublishedAccess> Published;
  if (!Options.Published.empty()) {
    Expected<std::vector<PublishedAccess>> Loaded =
        loadPublishedAccesses(Options.Published);
    if (!Loaded)
      return Loaded.takeError();
    Published = std::move(*Loaded);
  }
  if (Error E = checkCompiler(Options.Source))
    return E;
  Expected<KeptFacts> Kept = KeptFacts::create(Options.Facts);
  if (!Kept)
    return Kept.takeError();
  std::vector<Suite> Suites;
  for (StringRef Folder : Parsed->Positional) {
    Expected<Suite> S = runSuite(Folder, Published, *Kept, Options);
    if (!S)
      return S.takeError();
    Suites.push_back(std::move(*S));
  }
  if (Options.Format == "json")
    writeSuites(Suites, outs());
  else
    printSuites(Suites, outs());
  return Error::success();
}
