//===- AssessFile.cpp - A source file to a report -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssessFile.h"
#include "DeviceImages.h"
#include "ReadBinary.h"
#include "ReportCache.h"
#include "driver/ChooseDevice.h"
#include "driver/Finish.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// What sources are compiled for when neither an option nor a device says.
static constexpr StringLiteral DefaultArchitecture = "sm_90";

AssessFileOptions::AssessFileOptions() {
  Source.BuiltBy = "nvcc";
  Source.Code = sys::Process::GetEnv("GPU_OCCUPANCY_CODE").value_or("auto");
  Source.CacheFolder = ReportCache::defaultFolder();
}

std::vector<OptionRow> AssessFileOptions::rows() {
  return {
      {"--device", "NAME", "device database: a built-in name or a file",
       store(Session.Device)},
      {"--devices", "NAME,NAME,...",
       "assess each kernel on each of these devices and compare",
       [this](StringRef Names) {
         SmallVector<StringRef, 8> Parts;
         Names.split(Parts, ',', -1, /*KeepEmpty=*/false);
         for (StringRef Part : Parts)
           Devices.push_back(Part.trim().str());
         return Devices.empty() ? createStringError("names no device")
                                : Error::success();
       }},
      {"--config", "FILE",
       "configuration instead of the nearest .gpu-occupancy",
       store(Session.ConfigPath)},
      {"--launch", "KERNEL:KEY=VALUE,...",
       "a launch: grid=, block= (WxHxD), shared= (bytes), arguments",
       append(Session.Launches)},
      {"--one-of-set", "", "",
       [this](StringRef) {
         Session.IsOneOfSet = true;
         return Error::success();
       }},
      {"--minimum-gain", "N",
       "leave out findings that gain less (the configuration's, or 1.05)",
       storeFactor(Session.MinimumGain)},
      {"--arch", "sm_NN",
       "compile for this architecture (default: the device's)",
       store(Source.Architecture)},
      {"--build-arch", "sm_NN", "", append(Source.BuildArchitectures)},
      {"--ptxas", "auto|off|FILE", "assembler that is asked for registers",
       store(Source.Ptxas)},
      {"--registers-log", "FILE",
       "log of nvcc -Xptxas -v that says the registers",
       store(Source.RegistersLog)},
      {"--advise", "",
       "look for launch bounds and block sizes that pay, and plan changes",
       [this](StringRef) {
         Session.Advise = Source.Advise = true;
         return Error::success();
       }},
      {"--view", "auto|mir|sass",
       "code that is priced: the compiler's, or the assembler's",
       storeWord(Source.View, {"auto", "mir", "sass"})},
      {"--clang", "FILE", "compiler for CUDA sources", store(Source.Clang)},
      {"--built-by", "nvcc|clang",
       "compiler of the program, whose reading of CUDA sources holds",
       [this,
        Store = storeWord(Source.BuiltBy, {"nvcc", "clang"})](StringRef Word) {
         BuiltByIsGiven = true;
         return Store(Word);
       }},
      {"--code", "auto|nvcc|clang|machine",
       "compiler whose code is read; auto: nvcc's if that builds the program; "
       "machine: of binaries the machine code, although they have PTX",
       storeWord(Source.Code, {"auto", "nvcc", "clang", "machine"})},
      {"--nvcc-option", "OPTION", "one more option for nvcc; may be repeated",
       [this](StringRef Option) {
         Expected<TranslatedArguments> More = translateNvccArguments(
             {Option.str()}, ".", UnknownArguments::Drop);
         if (!More)
           return More.takeError();
         Source.add(*More);
         return More->Dropped.empty()
                    ? Error::success()
                    : createStringError("nvcc does not document it");
       }},
      {"--without", "MECHANISM,...", "",
       [this](StringRef Names) -> Error {
         if (Error E = leaveOut(Names, Session.Used))
           return E;
         Source.Used = Session.Used;
         return Error::success();
       }},
  };
}

Expected<bool> gpuocc::dropUnknownDevices(AssessFileOptions &Options,
                                          std::vector<std::string> *Given) {
  std::vector<std::string> Known;
  Error Unknown = Error::success();
  bool AreSome = false;
  for (const std::string &Name : Options.Devices)
    if (Error E = loadDevice(Name).takeError()) {
      Unknown = joinErrors(std::move(Unknown), std::move(E));
      AreSome = true;
    } else {
      Known.push_back(Name);
    }
  if (!AreSome)
    return false;
  if (Known.empty())
    return std::move(Unknown);
  handleAllErrors(std::move(Unknown), [](const ErrorInfoBase &E) {
    printError("gpu-occupancy", createStringError(E.message()));
  });
  Options.Devices = std::move(Known);
  if (Given) {
    erase_if(*Given,
             [](StringRef Option) { return Option.starts_with("--devices="); });
    Given->push_back("--devices=" + join(Options.Devices, ","));
  }
  return true;
}

Error gpuocc::checkForAllFiles(const AssessFileOptions &Options) {
  for (const std::string &Text : Options.Session.Launches)
    if (Error E = parseLaunchSpec(Text).takeError())
      return E;
  std::vector<std::string> Devices = Options.Devices;
  if (!Options.Session.Device.empty())
    Devices.push_back(Options.Session.Device);
  for (const std::string &Name : Devices)
    if (Error E = loadDevice(Name).takeError())
      return E;
  if (StringRef Arch = Options.Source.Architecture; !Arch.empty())
    if (Error E = archLimits(Arch).takeError())
      return E;
  if (StringRef Code = Options.Source.Code;
      !is_contained({"auto", "nvcc", "clang", "machine"}, Code))
    return createStringError("GPU_OCCUPANCY_CODE: '" + Code +
                             "' is not one of auto, nvcc, clang, machine");
  if (!Options.Source.Clang.empty())
    return checkCompiler(Options.Source);
  return Error::success();
}

/// Where the compiler runs; empty: here.
static StringRef workingDirectory(ArrayRef<StringRef> CompilerArguments) {
  StringRef Directory;
  for (StringRef Argument : CompilerArguments)
    if (Argument.consume_front("-working-directory="))
      Directory = Argument;
  return Directory;
}

/// Makes the names of files in \p Facts absolute, which the compiler shortens
/// below \p Directory, where it runs.
static void completeFileNames(FactsFile &Facts, StringRef Directory) {
  auto Complete = [&](SourcePlace &Place) {
    if (Place.isValid())
      Place.File = absolutePath(Place.File, Directory);
  };
  for (HostLaunch &L : Facts.Launches)
    Complete(L.Place);
  for (KernelFacts &K : Facts.Kernels) {
    Complete(K.Place);
    for (SourceLocation &Location : K.Locations.edit())
      for_each(Location.Places, Complete);
  }
}

namespace {
/// The facts of one source, read once for each architecture.
class FactsOfSource {
public:
  explicit FactsOfSource(StringRef File) : File(File) {}

  Expected<const FactsFile &> get(const SourceOptions &Source) {
    auto It = ByArchitecture.find(Source.Architecture);
    if (It == ByArchitecture.end()) {
      Expected<FactsFile> Facts = readSource(File, Source);
      if (!Facts)
        return Facts.takeError();
      if (StringRef Directory = workingDirectory(Source.ClangArguments);
          !Directory.empty())
        completeFileNames(*Facts, Directory);
      It = ByArchitecture.try_emplace(Source.Architecture, std::move(*Facts))
               .first;
    }
    return It->second;
  }

  /// Says that some of the launches cannot be assessed.
  void noteRefused() { HasRefused = true; }

  /// Could some of the kernels not be read, or their launches not be assessed?
  bool isPartial() const {
    return HasRefused || any_of(ByArchitecture, [](const auto &Entry) {
             return !Entry.second.Problem.empty();
           });
  }

private:
  StringRef File;
  bool HasRefused = false;
  StringMap<FactsFile> ByArchitecture;
};
} // namespace

/// Makes refused launches of those whose kernel \p File, a binary, does not
/// have for the device that was asked for. What cannot be decompressed may have
/// it.
static void refuseMissing(StringRef File, const DeviceModel &Device,
                          Report &R) {
  auto Bytes = MemoryBuffer::getFile(File, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!Bytes)
    return;
  Expected<DeviceImages> Images = DeviceImages::of((*Bytes)->getBuffer());
  if (!Images) {
    consumeError(Images.takeError());
    return;
  }
  auto Missing = [&](const KernelReport &K) {
    return Images->missing(K.Facts.Name, Device.Architecture);
  };
  for (const KernelReport &K : R.Kernels)
    if (std::string Why = Missing(K); !Why.empty()) {
      const std::string Number =
          std::to_string(architectureNumber(Device.Architecture));
      R.Refused.push_back(refuse(K, Device.Name, std::move(Why),
                                 "build it with -gencode arch=compute_" +
                                     Number + ",code=[sm_" + Number +
                                     ",compute_" + Number + "] too"));
    }
  erase_if(R.Kernels,
           [&](const KernelReport &K) { return !Missing(K).empty(); });
}

/// \p Session names one device at most.
static Expected<Report> assessOnOne(StringRef File,
                                    const SessionOptions &Session,
                                    SourceOptions Source, FactsOfSource &Known,
                                    UnmatchedLaunches *Unmatched) {
  Expected<gpuocc::Session> Checked = gpuocc::Session::create(Session, File);
  if (!Checked)
    return Checked.takeError();
  Source.ModuleArchitecture = Source.Architecture;
  if (Source.Architecture.empty()) {
    Expected<std::string> Arch = Checked->architecture();
    if (!Arch)
      return Arch.takeError();
    if (!Arch->empty())
      *Arch = builtArchitecture(*Arch, Source.BuildArchitectures);
    else if (!Source.BuildArchitectures.empty())
      *Arch = Source.BuildArchitectures.back();
    Source.ArchitectureIsDefault = Arch->empty();
    Source.Architecture = Arch->empty() ? DefaultArchitecture.str() : *Arch;
  }
  if (Expected<const ArchLimits &> Limits = archLimits(Source.Architecture);
      !Limits)
    return Limits.takeError();
  Expected<const FactsFile &> Facts = Known.get(Source);
  if (!Facts)
    return Facts.takeError();
  if (Unmatched)
    Unmatched->add(Checked->config(), Facts->Kernels);
  Expected<SessionResult> Result =
      Checked->assessAll(Facts->Kernels, Facts->Launches);
  if (!Result)
    return Result.takeError();
  for (const std::string &Why : Result->Refused) {
    Known.noteRefused();
    printError("gpu-occupancy", createStringError(Why));
  }
  for (const SessionNote &Note : Result->Notes)
    if (!Note.IsInReport)
      errs() << (Note.IsWarning ? "warning: " : "note: ")
             << printable(Note.Text) << '\n';
  if (!Session.Device.empty() && isBinaryWithCode(File)) {
    Expected<DeviceModel> Asked = loadDevice(Session.Device);
    if (!Asked)
      return Asked.takeError();
    refuseMissing(File, *Asked, Result->What);
  }
  return std::move(Result->What);
}

/// Modules of LLVM are compiled already, for one architecture.
static Error checkSameDevice(StringRef File, const DeviceModel &Device,
                             const Report &R) {
  for (const std::vector<KernelReport> *Kernels : {&R.Kernels, &R.Refused})
    for (const KernelReport &K : *Kernels)
      if (K.Device != Device.Name)
        return createStringError("'" + File + "' is compiled for " +
                                 K.Facts.Architecture + ", but device '" +
                                 Device.Name + "' is " + Device.Architecture);
  return Error::success();
}

static Expected<Report> assessOnEach(StringRef File,
                                     const AssessFileOptions &Options,
                                     FactsOfSource &Facts,
                                     UnmatchedLaunches *Unmatched) {
  if (Options.Devices.empty())
    return assessOnOne(File, Options.Session, Options.Source, Facts, Unmatched);
  Report All;
  All.Tool = toolVersion();
  StringSet<> Seen;
  size_t NumGood = 0;
  Error Failed = Error::success();
  for (const std::string &Name : Options.Devices) {
    Expected<DeviceModel> Device = loadDevice(Name);
    if (!Device)
      return joinErrors(std::move(Failed), Device.takeError());
    if (!Seen.insert(Device->Name).second)
      continue;
    SessionOptions One = Options.Session;
    One.Device = Name;
    Expected<Report> R = assessOnOne(File, One, Options.Source, Facts,
                                     Seen.size() == 1 ? Unmatched : nullptr);
    Error Why = R ? checkSameDevice(File, *Device, *R) : R.takeError();
    if (!Why) {
      All.append(std::move(*R));
      ++NumGood;
      continue;
    }
    // What another device can run is worth telling all the same.
    Facts.noteRefused();
    Failed = joinErrors(std::move(Failed), std::move(Why));
  }
  if (NumGood == 0)
    return std::move(Failed);
  handleAllErrors(std::move(Failed), [](const ErrorInfoBase &E) {
    printError("gpu-occupancy", createStringError(E.message()));
  });
  return All;
}

Expected<Report> gpuocc::assessFile(StringRef File,
                                    const AssessFileOptions &Options,
                                    UnmatchedLaunches *Unmatched,
                                    bool *IsPartial) {
  FactsOfSource Facts(File);
  Expected<Report> R = assessOnEach(File, Options, Facts, Unmatched);
  if (IsPartial)
    *IsPartial = Facts.isPartial();
  return R;
}
