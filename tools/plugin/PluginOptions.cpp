//===- PluginOptions.cpp - Options of the pass plugin ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginOptions.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/Support/CommandLine.h"

using namespace gpuocc;
using namespace llvm;

static cl::OptionCategory Category("gpu-occupancy options");

static cl::opt<std::string>
    Device("gpu-occupancy-device", cl::cat(Category), cl::value_desc("NAME"),
           cl::desc("Device database: a built-in name or a file"));
static cl::opt<std::string>
    ConfigPath("gpu-occupancy-config", cl::cat(Category),
               cl::value_desc("FILE"),
               cl::desc("Configuration instead of the nearest .gpu-occupancy"));
static cl::list<std::string>
    Launches("gpu-occupancy-launch", cl::cat(Category),
             cl::value_desc("KERNEL:grid=WxH,block=WxH,shared=N,ARG=N"),
             cl::desc("A launch to assess; may be repeated"));
static cl::opt<std::string> FactsFile("gpu-occupancy-facts-file",
                                      cl::cat(Category), cl::value_desc("FILE"),
                                      cl::desc("Write kernel facts as JSON"));
static cl::opt<std::string> ReportFile("gpu-occupancy-report-file",
                                       cl::cat(Category),
                                       cl::value_desc("FILE"),
                                       cl::desc("Write the report as JSON"));
static cl::opt<unsigned>
    MaxFindings("gpu-occupancy-max-findings", cl::cat(Category),
                cl::init(DefaultMaxFindings), cl::value_desc("N"),
                cl::desc("Findings shown per kernel; 0 shows all"));
static cl::opt<bool> Quiet("gpu-occupancy-quiet", cl::cat(Category),
                           cl::desc("Emit no remarks"));
static cl::opt<std::string>
    Ptxas("gpu-occupancy-ptxas", cl::cat(Category), cl::init("auto"),
          cl::value_desc("auto|off|FILE"),
          cl::desc("Assembler that is asked for registers"));
static cl::opt<std::string>
    RegistersLog("gpu-occupancy-registers-log", cl::cat(Category),
                 cl::value_desc("FILE"),
                 cl::desc("Log of nvcc -Xptxas -v that says the registers"));
static cl::opt<bool>
    Advise("gpu-occupancy-advise", cl::cat(Category),
           cl::desc("Look for launch bounds and block sizes that pay"));
static cl::opt<std::string>
    View("gpu-occupancy-view", cl::cat(Category), cl::init("mir"),
         cl::value_desc("auto|mir|sass"),
         cl::desc("Code that is priced: what the compiler emits, or what the "
                  "assembler makes of it"));
static cl::opt<std::string>
    BuiltBy("gpu-occupancy-built-by", cl::cat(Category), cl::init("clang"),
            cl::value_desc("clang|nvcc"),
            cl::desc("Compiler of the program: what this compiles is changed "
                     "to what nvcc would make of it"));
static cl::opt<std::string>
    PrintReport("gpu-occupancy-print-report", cl::cat(Category),
                cl::value_desc("text|json"),
                cl::desc("Print the report to standard error"));

PluginOptions gpuocc::commandLineOptions() {
  PluginOptions O;
  O.Session.Device = Device;
  O.Session.ConfigPath = ConfigPath;
  O.Session.Advise = Advise;
  O.Session.Launches = {Launches.begin(), Launches.end()};
  O.FactsFile = FactsFile;
  O.ReportFile = ReportFile;
  O.MaxFindings = MaxFindings;
  O.Quiet = Quiet;
  O.Ptxas = Ptxas;
  O.RegistersLog = RegistersLog;
  O.View = View;
  O.BuiltBy = BuiltBy;
  O.PrintReport = PrintReport;
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
