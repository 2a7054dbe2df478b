//===- PluginOptions.cpp - Options of the pass plugin ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginOptions.h"
#include "gpuocc/Report/FailOn.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace gpuocc;
using namespace llvm;

static cl::OptionCategory Category("gpu-occupancy options");

namespace {

/// An option that takes any text, given or not and as often as one likes: what
/// LLVM refuses ends the compilation.
struct TextOption : cl::opt<std::string> {
  TextOption(StringRef Name, StringRef ValueName, StringRef Help,
             StringRef Default = "")
      : cl::opt<std::string>(Name, cl::cat(Category), cl::ZeroOrMore,
                             cl::ValueOptional, cl::value_desc(ValueName),
                             cl::desc(Help), cl::init(Default.str())) {}
};

/// A switch; without a value it is on.
struct SwitchOption : cl::opt<std::string> {
  SwitchOption(StringRef Name, StringRef Help)
      : cl::opt<std::string>(Name, cl::cat(Category), cl::ZeroOrMore,
                             cl::ValueOptional, cl::value_desc("true|false"),
                             cl::desc(Help), cl::init("false")) {}
};

} // namespace

static TextOption Device("gpu-occupancy-device", "NAME",
                         "Device database: a built-in name or a file");
static TextOption
    ConfigPath("gpu-occupancy-config", "FILE",
               "Configuration instead of the nearest .gpu-occupancy");
static cl::list<std::string>
    Launches("gpu-occupancy-launch", cl::cat(Category), cl::ValueOptional,
             cl::value_desc("KERNEL:grid=WxH,block=WxH,shared=N,ARG=N"),
             cl::desc("A launch to assess; may be repeated"));
static TextOption FactsFilePattern("gpu-occupancy-facts-file", "FILE|FOLDER",
                                   "Write kernel facts as JSON");
static TextOption ReportFile("gpu-occupancy-report-file", "FILE|FOLDER",
                             "Write the report as JSON");
static TextOption MaxFindings("gpu-occupancy-max-findings", "N",
                              "Findings shown per kernel; 0 shows all");
static TextOption MinimumGain("gpu-occupancy-minimum-gain", "N",
                              "Leave out findings that gain less");
static SwitchOption Quiet("gpu-occupancy-quiet", "Emit no remarks");
static TextOption Ptxas("gpu-occupancy-ptxas", "auto|off|FILE",
                        "Assembler that is asked for registers", "auto");
static TextOption
    RegistersLog("gpu-occupancy-registers-log", "FILE",
                 "Log of nvcc -Xptxas -v that says the registers");
static TextOption RegisterLimit("gpu-occupancy-maxrregcount", "N",
                                "The most registers that a thread may have, as "
                                "nvcc's -maxrregcount");
static cl::opt<std::string>
    KnownModule("gpu-occupancy-known-module", cl::cat(Category), cl::Hidden,
                cl::ZeroOrMore, cl::ValueOptional,
                cl::value_desc("FINGERPRINT"),
                cl::desc("Write no facts of the module with this fingerprint, "
                         "and note that of others in their facts"));
static SwitchOption Advise("gpu-occupancy-advise",
                           "Look for launch bounds and block sizes that pay");
static TextOption View("gpu-occupancy-view", "auto|mir|sass",
                       "Code that is priced: what the compiler emits, or what "
                       "the assembler makes of it",
                       "mir");
static TextOption BuiltBy("gpu-occupancy-built-by", "clang|nvcc",
                          "Compiler of the program: what this compiles is "
                          "changed to what nvcc would make of it",
                          "clang");
static TextOption PrintReport("gpu-occupancy-print-report", "text|json",
                              "Print the report to standard error");

static cl::list<std::string>
    Without("gpu-occupancy-without", cl::cat(Category), cl::Hidden,
            cl::ValueOptional, cl::value_desc("MECHANISM,..."),
            cl::desc("Predict without mechanisms of the model, to see what "
                     "they are worth (docs/model/ablation.md)"));

/// Notes the first mistake.
static void mistake(PluginOptions &O, const cl::Option &Option, StringRef Value,
                    StringRef Wanted) {
  if (O.Mistake.empty())
    O.Mistake =
        ("-" + Option.ArgStr + "=" + Value + ": expected " + Wanted).str();
}

static bool isOn(PluginOptions &O, const SwitchOption &Option) {
  StringRef Value = Option.getValue();
  if (Value.empty() || Value == "1" || Value.equals_insensitive("true"))
    return true;
  if (Value != "0" && !Value.equals_insensitive("false"))
    mistake(O, Option, Value, "true or false");
  return false;
}

static void checkWord(PluginOptions &O, const TextOption &Option,
                      ArrayRef<StringRef> Words) {
  if (!is_contained(Words, StringRef(Option.getValue())))
    mistake(O, Option, Option.getValue(), join(Words, ", "));
}

PluginOptions gpuocc::commandLineOptions() {
  PluginOptions O;
  O.Session.Device = Device;
  O.Session.ConfigPath = ConfigPath;
  O.Session.Advise = isOn(O, Advise);
  O.Session.IsOneOfMany = true;
  O.Session.Launches = {Launches.begin(), Launches.end()};
  O.FactsFile = FactsFilePattern;
  O.ReportFile = ReportFile;
  O.MaxFindings = DefaultMaxFindings;
  if (MaxFindings.getNumOccurrences() &&
      StringRef(MaxFindings).getAsInteger(10, O.MaxFindings))
    mistake(O, MaxFindings, MaxFindings, "a number");
  if (MinimumGain.getNumOccurrences())
    if (Error E = parseFactor(MinimumGain, O.Session.MinimumGain)) {
      consumeError(std::move(E));
      mistake(O, MinimumGain, MinimumGain, "a factor of at least 1");
    }
  O.Quiet = isOn(O, Quiet);
  O.Ptxas = Ptxas;
  O.RegistersLog = RegistersLog;
  if (RegisterLimit.getNumOccurrences() &&
      StringRef(RegisterLimit).getAsInteger(10, O.RegisterLimit))
    mistake(O, RegisterLimit, RegisterLimit, "a number");
  if (KnownModule.getNumOccurrences())
    O.KnownModule = KnownModule;
  O.View = View;
  checkWord(O, View, {"auto", "mir", "sass"});
  O.BuiltBy = BuiltBy;
  checkWord(O, BuiltBy, {"clang", "nvcc"});
  for (const std::string &Names : Without)
    if (Error E = leaveOut(Names, O.Session.Used))
      O.Mistake = toString(std::move(E));
  O.PrintReport = PrintReport;
  checkWord(O, PrintReport, {"", "text", "json"});
  return O;
}

Expected<PluginOptions> gpuocc::withPassParameters(PluginOptions O,
                                                   StringRef Parameters) {
  struct Slot {
    StringRef Name;
    std::string &Value;
  };
  Slot Slots[] = {{"device", O.Session.Device},
                  {"config", O.Session.ConfigPath},
                  {"facts-file", O.FactsFile},
                  {"report-file", O.ReportFile},
                  {"ptxas", O.Ptxas},
                  {"registers-log", O.RegistersLog},
                  {"view", O.View},
                  {"print-report", O.PrintReport}};
  SmallVector<StringRef, 8> Names = {"quiet", "launch", "advise"};
  for (const Slot &S : Slots)
    Names.push_back(S.Name);
  while (!Parameters.empty()) {
    StringRef Parameter;
    std::tie(Parameter, Parameters) = Parameters.split(';');
    auto [Name, Value] = Parameter.split('=');
    auto Found = find_if(
        Slots, [&, Key = Name](const Slot &S) { return S.Name == Key; });
    if (Found != std::end(Slots))
      Found->Value = Value.str();
    else if (Name == "launch")
      O.Session.Launches.push_back(Value.str());
    else if (Name == "quiet" && Value.empty())
      O.Quiet = true;
    else if (Name == "advise" && Value.empty())
      O.Session.Advise = true;
    else
      return createStringError("gpu-occupancy has no parameter '" + Name + "'" +
                               didYouMean(Name, Names));
  }
  return O;
}
