//===- DeviceCommand.cpp - gpu-occupancy device ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "driver/Arguments.h"
#include "gpuocc/Device/DerivationCheck.h"
#include "gpuocc/Device/DeviceLint.h"
#include "gpuocc/Device/DeviceNumbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Device/ExpectedError.h"
#include "gpuocc/Device/MergeDevices.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/DevicePage.h"
#include "gpuocc/Views/DeviceView.h"
#include "gpuocc/Views/PtxLatencyView.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral DeviceUsage =
    "usage: gpu-occupancy device list\n"
    "       gpu-occupancy device show DEVICE [--format=text|json]\n"
    "       gpu-occupancy device table DEVICE\n"
    "       gpu-occupancy device check DEVICE\n"
    "       gpu-occupancy device compare DEVICE DEVICE\n"
    "       gpu-occupancy device derive DEVICE [--from=RELATIVE]\n"
    "       gpu-occupancy device merge RUN.json RUN.json... -o FILE\n"
    "       gpu-occupancy device latencies [DEVICE...] [--format=text|json]\n"
    "\n"
    "What is known about GPUs. DEVICE is the name of a built-in device (\"RTX "
    "4090\"\n"
    "is one for nvidia-rtx-4090) or a path that ends in .json. 'derive' puts "
    "what its\n"
    "file states beside what its data sheet and a measured relative would give "
    "it.\n"
    "'merge' joins runs of gpu-occupancy-calibrate on one model to a device: "
    "medians, and\n"
    "which numbers are apart. "
    "'table' is one page: rates, latencies and ridge points. "
    "'latencies' puts PTX operations on several GPUs side by side; all that "
    "state any\n"
    "where none is named.\n";

namespace {
struct DeviceOptions {
  std::string Format = "text";
  /// Of 'derive'; empty: the relative that the device's file names.
  std::string From;
  /// Of 'merge'.
  std::string Output;
};

/// As many devices as the user likes.
constexpr size_t AnyNumber = ~size_t(0);

/// What "device" can be asked to do.
struct Action {
  StringLiteral Name;
  size_t NumDevices;
  Expected<ExitStatus> (*Run)(ArrayRef<DeviceModel> Devices,
                              const DeviceOptions &Options);
  Expected<DeviceModel> (*Load)(StringRef NameOrPath) = loadDevice;
};
} // namespace

static Expected<ExitStatus> list(ArrayRef<DeviceModel>, const DeviceOptions &) {
  outs() << formatv("{0,-24} {1,-7} {2,8} {3,9} {4,7}  {5,-11} {6,-30} {7}\n",
                    "device", "code", "measured", "published", "derived",
                    "time, p90", "numbers", "name");
  for (const EmbeddedDevice &Embedded : embeddedDevices()) {
    Expected<DeviceModel> Device = loadDevice(Embedded.Name);
    if (!Device)
      return Device.takeError();
    auto Count = [&](NumberOrigin Origin) {
      return numbersOfOrigin(*Device, Origin);
    };
    outs() << formatv(
        "{0,-24} {1,-7} {2,8} {3,9} {4,7}  {5,-11} {6,-30} {7}\n", Device->Name,
        Device->Architecture, Count(NumberOrigin::Measured),
        Count(NumberOrigin::Vendor) + Count(NumberOrigin::Paper),
        Count(NumberOrigin::Derived) + Count(NumberOrigin::Assumed),
        expectedErrorText(*Device), deviceBasis(*Device), Device->DisplayName);
  }
  outs()
      << "\ntime, p90: median error of predicted times, and what nine of ten "
         "are within, by launches\nof public kernels on devices known in "
         "that way (docs/device-database.md)\n";
  return StatusGood;
}

static Expected<ExitStatus> show(ArrayRef<DeviceModel> Devices,
                                 const DeviceOptions &Options) {
  if (Options.Format == "json")
    outs() << formatv("{0:2}\n", toJSON(Devices[0]));
  else
    writeDeviceText(Devices[0], outs());
  return StatusGood;
}

static Expected<ExitStatus> table(ArrayRef<DeviceModel> Devices,
                                  const DeviceOptions &) {
  writeDevicePage(Devices[0], outs());
  return StatusGood;
}

static Expected<ExitStatus> check(ArrayRef<DeviceModel> Devices,
                                  const DeviceOptions &) {
  const DeviceModel &Device = Devices[0];
  std::vector<LintProblem> Problems = lintDevice(Device);
  for (const LintProblem &Problem : Problems)
    outs() << printable(Device.Name + ": " + Problem.Place + ": " +
                        Problem.Message)
           << '\n';
  if (!Problems.empty()) {
    outs().flush();
    errs() << "device '" << printable(Device.Name) << "' has "
           << formatCount(double(Problems.size()), "problem") << '\n';
    return StatusFindings;
  }
  outs() << Device.Name << ": "
         << formatCount(double(allNumbers(Device).size()), "number")
         << ", no problems\n";
  return StatusGood;
}

static Expected<ExitStatus> compare(ArrayRef<DeviceModel> Devices,
                                    const DeviceOptions &) {
  writeDeviceComparison(Devices[0], Devices[1], outs());
  return StatusGood;
}

static Expected<ExitStatus> derive(ArrayRef<DeviceModel> Devices,
                                   const DeviceOptions &Options) {
  const DeviceModel &Known = Devices[0];
  StringRef From = Options.From.empty() ? Known.Relative : Options.From;
  if (From.empty())
    return createStringError("device '" + Known.Name +
                             "' has no relative; name one with --from");
  Expected<DeviceModel> Relative = loadDevice(From);
  if (!Relative)
    return Relative.takeError();
  Expected<std::vector<DerivedNumber>> Numbers =
      checkDerivation(Known, *Relative);
  if (!Numbers)
    return Numbers.takeError();
  writeDerivation(Known, *Relative, *Numbers, outs());
  return StatusGood;
}

static Expected<ExitStatus> merge(ArrayRef<DeviceModel> Devices,
                                  const DeviceOptions &Options) {
  if (Options.Output.empty())
    return createStringError("device merge needs a file to write: -o FILE");
  Expected<MergedDevice> Merged = mergeDevices(Devices);
  if (!Merged)
    return Merged.takeError();
  if (Error E = writeOutput(Options.Output,
                            formatv("{0:2}\n", toJSON(Merged->Device)).str()))
    return std::move(E);
  std::vector<MergedNumber> &Numbers = Merged->Numbers;
  llvm::sort(Numbers, [](const MergedNumber &A, const MergedNumber &B) {
    return std::make_tuple(-A.width(), A.Place) <
           std::make_tuple(-B.width(), B.Place);
  });
  size_t Apart = 0;
  for (const MergedNumber &N : Numbers) {
    if (N.width() <= SettledWidth)
      break;
    ++Apart;
    outs() << printable(formatv("{0,-60} {1:f3} ({2:f3} to {3:f3}, {4:P1})",
                                N.Place, N.Median, N.Lowest, N.Highest,
                                N.width())
                            .str())
           << '\n';
  }
  outs() << formatv("{0}: {1} of {2} numbers within {3:P0} in {4} runs\n",
                    printable(Options.Output), Numbers.size() - Apart,
                    Numbers.size(), SettledWidth, Devices.size());
  return StatusGood;
}

/// The built-in devices whose own files state PTX operations.
static Expected<std::vector<DeviceModel>> devicesWithPtx() {
  std::vector<DeviceModel> Found;
  for (const EmbeddedDevice &Embedded : embeddedDevices()) {
    Expected<DeviceModel> Device = loadDeviceFile(Embedded.Name);
    if (!Device)
      return Device.takeError();
    if (!Device->PtxInstructions.empty())
      Found.push_back(std::move(*Device));
  }
  return Found;
}

static Expected<ExitStatus> latencies(ArrayRef<DeviceModel> Devices,
                                      const DeviceOptions &Options) {
  std::vector<DeviceModel> All;
  if (Devices.empty()) {
    Expected<std::vector<DeviceModel>> Found = devicesWithPtx();
    if (!Found)
      return Found.takeError();
    All = std::move(*Found);
    Devices = All;
  }
  for (const DeviceModel &Device : Devices)
    if (Device.PtxInstructions.empty())
      return createStringError("device '" + Device.Name +
                               "' states no latencies of PTX operations");
  if (Options.Format == "json")
    outs() << formatv("{0:2}\n", ptxLatencies(Devices));
  else
    writePtxLatencies(Devices, outs());
  return StatusGood;
}

static constexpr Action Actions[] = {
    {"list", 0, list},
    {"show", 1, show},
    {"table", 1, table},
    {"check", 1, check},
    {"lint", 1, check},
    {"compare", 2, compare},
    {"derive", 1, derive, loadDeviceFile},
    {"merge", AnyNumber, merge, loadDeviceFile},
    {"latencies", AnyNumber, latencies, loadDeviceFile},
};

static Expected<ExitStatus> run(StringRef Name, ArrayRef<StringRef> Names,
                                const DeviceOptions &Options) {
  SmallVector<StringRef, 4> Valid;
  for (const Action &A : Actions) {
    if (A.Name != Name) {
      Valid.push_back(A.Name);
      continue;
    }
    if (A.NumDevices != AnyNumber && Names.size() != A.NumDevices)
      return createStringError(
          "device " + A.Name + " takes " + Twine(A.NumDevices) + " device" +
          (A.NumDevices == 1 ? "" : "s") + ", not " + Twine(Names.size()) +
          "; see 'gpu-occupancy device --help'");
    if (!Options.Output.empty())
      if (Error E = checkOutput(Options.Output, Names))
        return std::move(E);
    std::vector<DeviceModel> Devices;
    for (StringRef DeviceName : Names) {
      Expected<DeviceModel> Device = A.Load(DeviceName);
      if (!Device)
        return Device.takeError();
      Devices.push_back(std::move(*Device));
    }
    return A.Run(Devices, Options);
  }
  return createStringError("unknown action 'device " + Name + "'" +
                           didYouMean(Name, Valid));
}

Expected<ExitStatus> gpuocc::runDevice(ArrayRef<StringRef> Arguments) {
  DeviceOptions Options;
  OptionRow Rows[] = {
      {"--format", "text|json", "form of 'show' and 'latencies' (text)",
       storeWord(Options.Format, {"text", "json"})},
      {"--from", "RELATIVE", "device that 'derive' starts from",
       store(Options.From)},
      {"-o", "FILE", "the device that 'merge' writes", store(Options.Output)}};
  Expected<ParsedArguments> Parsed = parseOrHelp(Arguments, DeviceUsage, Rows);
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.empty())
    return createStringError(
        "device needs list, show, table, check, compare, "
        "derive, merge or latencies; see 'gpu-occupancy device "
        "--help'");
  ArrayRef<StringRef> Names = Parsed->Positional;
  return run(Names.front(), Names.drop_front(), Options);
}
