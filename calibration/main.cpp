//===- main.cpp - gpu-occupancy-calibrate ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures the GPU of this machine and writes a device database.
//
//   gpu-occupancy-calibrate -o my-gpu.json
//   gpu-occupancy-calibrate compare A.json B.json
//   gpu-occupancy-calibrate report A.json A.html
//   gpu-occupancy-calibrate promote RESULT.json DATABASE.json [MORE.json]
//   gpu-occupancy-calibrate submit RESULT.json FILE.json
//   gpu-occupancy-calibrate kernels DIR
//
//===----------------------------------------------------------------------===//

#include "code/BuiltInCode.h"
#include "driver/Nvml.h"
#include "gpuocc/Device/DeviceLint.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/ExitStatus.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/Printable.h"
#include "kernels/Architectures.h"
#include "plans/Microkernels.h"
#include "plans/Processes.h"
#include "plans/Session.h"
#include "record/Progress.h"
#include "record/Report.h"
#include "record/Submit.h"
#include "record/Watchdog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <mutex>
#include <unistd.h>

using namespace llvm;
using namespace gpuocc;
using namespace gpuocc::calibration;

/// In the file of a run that has not ended: the groups that are in it.
static constexpr const char *FinishedGroupsKey = "done";

static cl::OptionCategory Category("gpu-occupancy-calibrate");
static cl::SubCommand CompareCommand("compare", "compare two databases");

static cl::opt<std::string> OutputPath("o", cl::desc("database to write"),
                                       cl::value_desc("FILE"),
                                       cl::cat(Category));
static cl::opt<bool> Quick("quick", cl::desc("fewer repeats and points"),
                           cl::cat(Category));
static cl::list<std::string>
    Only("only", cl::desc("measure these groups only (see --list)"),
         cl::value_desc("GROUP"), cl::CommaSeparated, cl::cat(Category));
static cl::opt<bool> List("list", cl::desc("list the groups and stop"),
                          cl::cat(Category));
static cl::opt<unsigned> Repeat("repeat", cl::desc("repeats of each number"),
                                cl::value_desc("N"), cl::init(25),
                                cl::cat(Category));
static cl::opt<std::string> ReportPath("report",
                                       cl::desc("write an HTML page as well"),
                                       cl::value_desc("FILE.html"),
                                       cl::cat(Category));
static cl::opt<bool>
    Resume("resume", cl::desc("keep what an interrupted run has measured"),
           cl::cat(Category));
static cl::opt<std::string> CheckPath("check",
                                      cl::desc("check a database and stop"),
                                      cl::value_desc("DB"), cl::cat(Category));
static cl::opt<unsigned> DeviceIndex("device", cl::desc("which GPU (0)"),
                                     cl::value_desc("N"), cl::init(0),
                                     cl::cat(Category));
static cl::opt<std::string> DeviceName("name", cl::desc("name of the database"),
                                       cl::value_desc("NAME"),
                                       cl::cat(Category));
static cl::opt<std::string> RawDirectory("raw",
                                         cl::desc("folder for raw tables"),
                                         cl::value_desc("DIR"),
                                         cl::cat(Category));
static cl::opt<bool> NoSass("no-sass",
                            cl::desc("do not check the kernels with nvdisasm"),
                            cl::cat(Category));
static cl::opt<bool>
    AllSass("sass",
            cl::desc("check the kernels whose code is built in with nvdisasm, "
                     "too, not only what the driver compiles"),
            cl::cat(Category));
static cl::opt<unsigned>
    Processes("processes",
              cl::desc("processes behind numbers that differ between them (6)"),
              cl::value_desc("N"), cl::init(6), cl::cat(Category));
static cl::opt<bool>
    Jit("jit",
        cl::desc("let the driver compile all kernels, also those whose code is "
                 "built in"),
        cl::cat(Category));
static cl::opt<unsigned> Limit(
    "limit",
    cl::desc("seconds that a group may take; 0: any number (default: 120 and "
             "30 times what it takes on an H200)"),
    cl::value_desc("SECONDS"), cl::init(0), cl::cat(Category));
static cl::SubCommand
    KernelsCommand("kernels", "write the microkernels' PTX; where ptxas and "
                              "nvdisasm are on the PATH, check them");
static cl::opt<std::string> KernelsFolder(cl::Positional, cl::Required,
                                          cl::desc("DIR"),
                                          cl::sub(KernelsCommand));
static cl::opt<std::string>
    KernelsArchitecture("arch", cl::desc("architecture (sm_90)"),
                        cl::value_desc("sm_NN"), cl::init("sm_90"),
                        cl::sub(KernelsCommand), cl::cat(Category));
static cl::SubCommand ReportCommand("report", "write a database as HTML");
static cl::list<std::string> ReportFiles(cl::Positional,
                                         cl::desc("DB FILE.html"),
                                         cl::sub(ReportCommand));

static cl::SubCommand PromoteCommand("promote",
                                     "write what of a result a model reads: a "
                                     "database to build in");
static cl::list<std::string>
    PromoteFiles(cl::Positional, cl::desc("RESULT.json FILE.json [MORE.json]"),
                 cl::sub(PromoteCommand));

static cl::SubCommand SubmitCommand("submit",
                                    "write what of a result to send, and say "
                                    "where");
static cl::list<std::string> SubmitFiles(cl::Positional,
                                         cl::desc("RESULT.json FILE.json"),
                                         cl::sub(SubmitCommand));

static cl::list<std::string> CompareFiles(cl::Positional, cl::desc("A B"),
                                          cl::sub(CompareCommand));

static int fail(Error E) {
  // One line: what joinErrors put together is separated by ': '.
  std::string Text;
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    Text += (Text.empty() ? "" : ": ") + Info.message();
  });
  errs() << "gpu-occupancy-calibrate: error: " << printable(Text) << '\n';
  return StatusFailed;
}

/// One line about the run that is no failure.
static void warn(const Twine &Text) {
  errs() << "gpu-occupancy-calibrate: warning: " << printable(Text.str())
         << '\n';
}

static int compare() {
  if (CompareFiles.size() != 2)
    return fail(createStringError("compare needs two databases, got %zu",
                                  CompareFiles.size()));
  Expected<json::Object> Left = readObject(CompareFiles[0]);
  if (!Left)
    return fail(Left.takeError());
  Expected<json::Object> Right = readObject(CompareFiles[1]);
  if (!Right)
    return fail(Right.takeError());
  Comparison C = compareDatabases(*Left, *Right);
  unsigned Apart = 0, Unstable = 0, CrossApart = 0, Cross = 0;
  for (const Difference &D : C.Common) {
    bool IsCross = StringRef(D.Place).starts_with("cross_class_latency.");
    Cross += IsCross;
    if (D.Relative <= D.Allowed)
      continue;
    ++(IsCross ? CrossApart : Apart);
    Unstable += D.Unstable;
    outs() << formatv("{0,-60} {1,12:f3} {2,12:f3} {3,8:P2}{4}\n", D.Place,
                      D.Left, D.Right, D.Relative,
                      D.Unstable ? "  unstable" : "");
  }
  for (const std::string &Place : C.OnlyLeft)
    outs() << Place << ": only in " << CompareFiles[0] << '\n';
  for (const std::string &Place : C.OnlyRight)
    outs() << Place << ": only in " << CompareFiles[1] << '\n';
  size_t Numbers = C.Common.size() - Cross;
  outs() << formatv("{0} of {1} numbers agree (latencies within 1 %, the rest "
                    "within 2 %); of the {2} that do not, {3} are marked "
                    "unstable\n",
                    Numbers - Apart, Numbers, Apart, Unstable);
  if (Cross)
    outs() << formatv("{0} of {1} latencies from class to class agree\n",
                      Cross - CrossApart, Cross);
  return Apart + CrossApart == 0 ? StatusGood : StatusFindings;
}

/// What gpu-occupancy finds implausible in the database at \p Path, or in
/// \p Unread why it cannot read it.
static std::vector<std::string> lintAsDevice(StringRef Path,
                                             std::string &Unread) {
  Expected<DeviceModel> Device = loadDeviceFile(absolutePath(Path));
  if (!Device) {
    Unread = toString(Device.takeError());
    return {};
  }
  std::vector<std::string> Problems;
  for (const LintProblem &Problem : lintDevice(*Device))
    Problems.push_back(Problem.Place + ": " + Problem.Message);
  return Problems;
}

static int checkDatabase() {
  Expected<json::Object> File = readObject(CheckPath);
  if (!File)
    return fail(File.takeError());
  std::vector<std::string> Problems = lintDatabase(*File);
  std::string Unread;
  if (Problems.empty())
    Problems = lintAsDevice(CheckPath, Unread);
  for (const std::string &Problem : Problems)
    errs() << CheckPath << ": " << Problem << '\n';
  if (!Unread.empty())
    warn("only the form was checked, not whether numbers are plausible: "
         "predictions cannot read it: " +
         Unread);
  if (Problems.empty())
    outs() << CheckPath << ": no problems\n";
  return Problems.empty() ? StatusGood : StatusFindings;
}

static int report() {
  if (ReportFiles.size() != 2)
    return fail(createStringError("report needs a database and the file to "
                                  "write, got %zu",
                                  ReportFiles.size()));
  if (Error E = checkOutput(ReportFiles[1], StringRef(ReportFiles[0])))
    return fail(std::move(E));
  Expected<json::Object> File = readObject(ReportFiles[0]);
  if (!File)
    return fail(File.takeError());
  if (Error E = writeOutput(ReportFiles[1], htmlReport(*File)))
    return fail(std::move(E));
  return 0;
}

/// Fails for what a run left that did not end: groups that failed are missing,
/// and nothing says that the others are right.
static Error checkComplete(const json::Object &File, StringRef Path) {
  if (!File.get(FinishedGroupsKey))
    return Error::success();
  return createStringError("'%s' is what an unfinished run left: finish it "
                           "with --resume and promote "
                           "what it writes",
                           Path.str().c_str());
}

/// A built-in device cannot be derived from itself: where \p File names itself
/// as its relative, what it lacks is kept as the built-in file states it, the
/// names and the relative of that file too.
static Error keepWhatNoGroupTakes(json::Object &File) {
  const StringRef Name = File.getString("name").value_or("");
  if (Name.empty() || File.getString("relative") != Name)
    return Error::success();
  Expected<DeviceModel> BuiltIn = loadDeviceFile(Name);
  if (!BuiltIn)
    return BuiltIn.takeError();
  File.erase("relative");
  json::Value Kept = toJSON(*BuiltIn);
  Kept.getAsObject()->erase("record");
  Kept.getAsObject()->erase("tables");
  File["display_name"] = BuiltIn->DisplayName;
  addMissing(File, *Kept.getAsObject());
  return Error::success();
}

static int promote() {
  if (PromoteFiles.size() != 2 && PromoteFiles.size() != 3)
    return fail(createStringError("promote needs a result and the file to "
                                  "write, got %zu",
                                  PromoteFiles.size()));
  SmallVector<StringRef, 2> Inputs = {PromoteFiles[0]};
  if (PromoteFiles.size() == 3)
    Inputs.push_back(PromoteFiles[2]);
  if (Error E = checkOutput(PromoteFiles[1], Inputs))
    return fail(std::move(E));
  Expected<json::Object> File = readObject(PromoteFiles[0]);
  if (!File)
    return fail(File.takeError());
  if (Error E = checkComplete(*File, PromoteFiles[0]))
    return fail(std::move(E));
  json::Object Small = promoted(std::move(*File), PromoteFiles[0]);
  if (PromoteFiles.size() == 3) {
    Expected<json::Object> More = readObject(PromoteFiles[2]);
    if (!More)
      return fail(More.takeError());
    if (Error E = checkComplete(*More, PromoteFiles[2]))
      return fail(std::move(E));
    addNumbers(Small, *More);
  }
  if (Error E = keepWhatNoGroupTakes(Small))
    return fail(std::move(E));
  if (Error E =
          writeOutput(PromoteFiles[1], toText(json::Value(std::move(Small)))))
    return fail(std::move(E));
  return 0;
}

/// The built-in device that numbers which no group takes are derived from: the
/// one of the GPU's name, else that of its architecture, else the nearest one.
static std::string relativeOf(StringRef DisplayName, StringRef Architecture) {
  // A name is no path of a file.
  if (isDevicePath(DisplayName))
    DisplayName = "";
  Expected<DeviceModel> Same = loadDeviceFile(DisplayName);
  if (Same)
    return Same->Name;
  consumeError(Same.takeError());
  std::optional<StringRef> Found = findDeviceForArchitecture(Architecture);
  if (!Found)
    Found = nearestDevice(Architecture);
  return Found ? Found->str() : std::string();
}

/// Names that a file to send must not hold.
static std::vector<std::string> privateNames() {
  std::vector<std::string> Names;
  char Host[256] = "";
  if (gethostname(Host, sizeof(Host) - 1) == 0)
    Names.push_back(Host);
  for (const char *Variable : {"USER", "LOGNAME"})
    if (std::optional<std::string> Name = sys::Process::GetEnv(Variable))
      Names.push_back(*Name);
  // Shorter ones, and those of many machines, are parts of other words.
  static constexpr size_t FewestLetters = 4;
  erase_if(Names, [](const std::string &Name) {
    return Name.size() < FewestLetters || Name == "root" ||
           Name == "localhost" || Name == "user";
  });
  return Names;
}

static int submit() {
  if (SubmitFiles.size() != 2)
    return fail(createStringError("submit needs a result and the file to "
                                  "write, got %zu",
                                  SubmitFiles.size()));
  const std::string &From = SubmitFiles[0], &To = SubmitFiles[1];
  if (Error E = checkOutput(To, StringRef(From)))
    return fail(std::move(E));
  Expected<json::Object> File = readObject(From);
  if (!File)
    return fail(File.takeError());
  if (Error E = checkComplete(*File, From))
    return fail(std::move(E));
  // Results of earlier versions name none.
  if (std::string Relative =
          relativeOf(File->getString("display_name").value_or(""),
                     File->getString("architecture").value_or(""));
      !File->get("relative") && !Relative.empty())
    (*File)["relative"] = Relative;
  Expected<json::Object> Sent = submission(*File, privateNames());
  if (!Sent)
    return fail(createFileError(From, Sent.takeError()));
  std::vector<std::string> Problems = lintDatabase(*File);
  std::string Unread;
  if (Problems.empty())
    Problems = lintAsDevice(From, Unread);
  if (!Unread.empty())
    Problems.push_back(Unread);
  if (!Problems.empty())
    return fail(createStringError("'%s' is not sent: %s; see --check",
                                  From.c_str(), Problems.front().c_str()));
  const std::string Text = toText(json::Value(std::move(*Sent)));
  if (Error E = writeOutput(To, Text))
    return fail(std::move(E));
  outs() << formatv(
      "{0}: {1} KiB, no name of a machine, person, path or GPU's serial. "
      "Read it, then send it as docs/contributing-a-device.md says: a pull "
      "request that adds it as calibration/contributed/{0}, or an issue with "
      "the file attached.\n",
      printable(sys::path::filename(To)), (Text.size() + 1023) / 1024);
  return StatusGood;
}

static std::string stemOf(const Microkernels &M) {
  return KernelsFolder + "/" + fileStem(M.Key);
}

/// Does \p Do with each of \p All on all processors; errors name the module.
static Error inParallel(ArrayRef<Microkernels> All,
                        function_ref<Error(size_t, const Microkernels &)> Do) {
  Error Failures = Error::success();
  std::mutex Lock;
  StdThreadPool Pool;
  for (const auto &[Index, M] : enumerate(All))
    Pool.async([&, &M = M, I = Index] {
      Error E = Do(I, M);
      std::lock_guard Guard(Lock);
      if (E)
        Failures = joinErrors(
            std::move(Failures),
            joinErrors(createStringError("'%s'", M.Key.c_str()), std::move(E)));
    });
  Pool.wait();
  return Failures;
}

/// How many modules there are, and the hash of their texts.
static void printModules(ArrayRef<Microkernels> All) {
  std::string Texts;
  for (const Microkernels &M : All)
    Texts += M.Key + "\n" + M.Ptx;
  outs() << formatv("{0} modules\t{1:x16}\n", All.size(), xxh3_64bits(Texts));
}

/// Prints what each of \p All claims and holds: "as claimed" for all is good.
static int printVerdicts(ArrayRef<Microkernels> All,
                         ArrayRef<std::optional<SassVerdict>> Verdicts) {
  bool AsClaimed = true;
  for (const auto &[M, V] : zip(All, Verdicts)) {
    outs() << formatv("{0}\t{1:x16}\t{2}\t{3}\t{4}\t{5}\t{6}\n", M.Key,
                      xxh3_64bits(M.Ptx), V->Claim.Opcodes, V->Claim.Count,
                      V->Worst.Found, V->Worst.Others, V->Text);
    AsClaimed &= V->asClaimed() || V->Text == NotKnownByNumber;
  }
  return AsClaimed ? StatusGood : StatusFindings;
}

/// Assembles all and prints what each claims and holds: by the disassembler, or
/// without one by the numbers of opcodes.
static int judgeKernels(ArrayRef<Microkernels> All, StringRef Assembler,
                        const ErrorOr<std::string> &Disassembler) {
  if (!Disassembler)
    errs() << "gpu-occupancy-calibrate: nvdisasm is not on the PATH: opcodes "
              "are told by their numbers, without modifiers\n";
  std::vector<std::optional<SassVerdict>> Verdicts(All.size());
  if (Error E = inParallel(All, [&](size_t I, const Microkernels &M) -> Error {
        Expected<SassVerdict> V =
            Disassembler
                ? assembleAndJudge(M, stemOf(M), Assembler, *Disassembler)
                : assembleAndCount(M, stemOf(M), Assembler);
        if (!V)
          return V.takeError();
        Verdicts[I] = std::move(*V);
        return Error::success();
      }))
    return fail(std::move(E));
  return printVerdicts(All, Verdicts);
}

/// "sm_90" to 90.
static Expected<unsigned> parseArchitecture(StringRef Name) {
  unsigned Architecture = 0;
  StringRef Number = Name;
  if (Number.consume_front("sm_") && !Number.getAsInteger(10, Architecture) &&
      findArchitecture(Architecture))
    return Architecture;
  std::string Known;
  for (const ArchitectureFacts &F : architectures())
    Known += (Known.empty() ? "sm_" : ", sm_") + utostr(F.Architecture);
  return createStringError("no architecture '%s': there are %s",
                           Name.str().c_str(), Known.c_str());
}

static int kernels() {
  Expected<unsigned> Architecture = parseArchitecture(KernelsArchitecture);
  if (!Architecture)
    return fail(Architecture.takeError());
  if (std::error_code EC = sys::fs::create_directories(KernelsFolder))
    return fail(createFileError(KernelsFolder, EC));
  Expected<MicrokernelSet> Set = allMicrokernels(*Architecture);
  if (!Set)
    return fail(Set.takeError());
  for (const Microkernels &M : Set->Modules)
    if (Error E = writeOutput(stemOf(M) + ".ptx", M.Ptx))
      return fail(std::move(E));
  for (const auto &[Key, Why] : Set->Absent)
    outs() << Key << "\tabsent: " << Why << '\n';
  ErrorOr<std::string> Assembler = sys::findProgramByName("ptxas");
  ErrorOr<std::string> Disassembler = sys::findProgramByName("nvdisasm");
  if (!Assembler) {
    printModules(Set->Modules);
    return StatusGood;
  }
  return judgeKernels(Set->Modules, *Assembler, Disassembler);
}

/// "NVIDIA H200" to "nvidia-h200".
static std::string slug(StringRef Name) {
  std::string Text;
  for (char C : Name)
    if (isAlnum(C))
      Text += toLower(C);
    else if (!Text.empty() && Text.back() != '-')
      Text += '-';
  return Text;
}

static Error writeRaw(const Session &S) {
  if (RawDirectory.empty())
    return Error::success();
  if (std::error_code EC = sys::fs::create_directories(RawDirectory))
    return createFileError(RawDirectory, EC);
  for (const auto &[Name, T] : S.Raw) {
    json::Object File{{"device", S.G.facts().Name},
                      {"driver", S.G.facts().DriverVersion},
                      {"table", T.toJson()}};
    if (Error E = writeOutput(RawDirectory + "/" + Name + ".json",
                              toText(json::Value(std::move(File)))))
      return E;
  }
  return Error::success();
}

static Error checkOptions() {
  for (const std::string &Name : Only)
    if (none_of(plans(), [&](const Plan &P) { return Name == P.Name; }))
      return createStringError("no group '%s': --list names them",
                               Name.c_str());
  if (Repeat < 2)
    return createStringError("--repeat %u: at least 2 are needed",
                             Repeat.getValue());
  if (Processes < 1)
    return createStringError("--processes 0: at least 1 is needed");
  if (OutputPath.empty())
    return createStringError("no output: give -o FILE");
  for (const std::string &Path : {OutputPath.getValue(), ReportPath.getValue()})
    if (!Path.empty())
      if (Error E = checkOutput(Path))
        return E;
  return Error::success();
}

namespace {

/// Where what was measured is kept until the run is complete.
class PartialResults {
public:
  explicit PartialResults(std::string Path) : Path(std::move(Path)) {}

  /// Takes up what an earlier run left, if any.
  Error load(Database &Db) {
    if (!sys::fs::exists(Path))
      return Error::success();
    Expected<json::Object> File = readObject(Path);
    if (!File)
      return File.takeError();
    if (const json::Array *Groups = File->getArray(FinishedGroupsKey))
      for (const json::Value &Name : *Groups)
        Done.insert(Name.getAsString().value_or(""));
    File->erase(FinishedGroupsKey);
    Db = Database(std::move(*File));
    return Error::success();
  }

  bool has(const Plan &P) const { return Done.contains(P.Name); }

  Error add(const Plan &P, const Database &Db) {
    Done.insert(P.Name);
    json::Object Partial = Db.file();
    json::Array Groups;
    for (const Plan &Each : plans())
      if (has(Each))
        Groups.push_back(Each.Name);
    Partial[FinishedGroupsKey] = std::move(Groups);
    return writeOutput(Path, toText(json::Value(std::move(Partial))));
  }

  void remove() const {
    // A file that stays is no harm: it is complete.
    (void)sys::fs::remove(Path);
  }
  const std::string &path() const { return Path; }

private:
  const std::string Path;
  StringSet<> Done;
};

} // namespace

static void recordMachine(const GpuFacts &Facts, StringRef CommandLine,
                          Database &Db) {
  Db.setTop("name",
            DeviceName.empty() ? slug(Facts.Name) : DeviceName.getValue());
  Db.setTop("display_name", Facts.Name);
  Db.setTop("architecture", "sm_" + std::to_string(Facts.Architecture));
  if (std::string Relative =
          relativeOf(Facts.Name, "sm_" + utostr(Facts.Architecture));
      !Relative.empty())
    Db.setTop("relative", Relative);
  Db.setRecord("tool", "gpu-occupancy-calibrate 1");
  Db.setRecord("date", today());
  Db.setRecord("driver", Facts.DriverVersion);
  Db.setRecord("command", CommandLine);
}

/// Says and records what the numbers are to be read with.
static void recordCircumstances(std::vector<Circumstance> Found,
                                const NvmlGpu &Watched, const GpuFacts &Facts,
                                Database &Db) {
  if (!findArchitecture(Facts.Architecture))
    Found.push_back(
        {"architecture",
         formatv("sm_{0} is not in the tables of this tool: what it lacks or "
                 "has beyond sm_{1} is not known",
                 Facts.Architecture, architectures().back().Architecture)});
  for (const Circumstance &C : Found) {
    warn(C.Text);
    Db.setRecord(C.Key, C.Text);
  }
  if (!Watched.isKnown())
    Db.setRecord("nvml", "libnvidia-ml.so.1 does not answer: MIG mode, power "
                         "limit, other processes and reasons of lowered clocks "
                         "are not known");
}

static RunOptions runOptions(const GpuFacts &Facts) {
  RunOptions Options;
  Options.Repeats = Quick ? std::min(5u, Repeat.getValue()) : Repeat.getValue();
  Options.Quick = Quick;
  Options.DriverCompiles =
      Jit || BuiltInCodeCount == 0 || Facts.Architecture != BuiltInArchitecture;
  if (!NoSass)
    if (ErrorOr<std::string> Tool = sys::findProgramByName("nvdisasm"))
      Options.Disassembler = *Tool;
  Options.DisassembleBuiltIn = AllSass;
  return Options;
}

/// How processes of their own are started.
static Program thisProgram(const std::string &Path) {
  Program Self{Path,
               {"--repeat", std::to_string(Repeat), "--device",
                std::to_string(DeviceIndex)},
               Quick ? std::min(2u, Processes.getValue()) : Processes};
  if (Quick)
    Self.Arguments.push_back("--quick");
  if (Jit)
    Self.Arguments.push_back("--jit");
  return Self;
}

static std::vector<const Plan *> wantedPlans(const PartialResults &Partial) {
  std::vector<const Plan *> Wanted;
  for (const Plan &P : plans())
    if (!Partial.has(P) &&
        (Only.empty() ? P.ByDefault : is_contained(Only, P.Name)))
      Wanted.push_back(&P);
  return Wanted;
}

namespace {
/// Watches the clocks of a run, group by group, and says in one line each what
/// it saw.
class ClockWatch {
public:
  explicit ClockWatch(const NvmlGpu &Watched) : Watched(Watched) {}

  /// Looks at group \p P, whose launches had clocks of \p Samples. Where they
  /// moved or were lowered, the numbers of the group, those that are not in
  /// \p Before, are not stable.
  void check(const Plan &P, ArrayRef<double> Samples,
             const json::Object &Before, Database &Db) {
    if (std::string Why = Watched.loweredClocks(); !Why.empty()) {
      add(Lowered, std::string(P.Name) + " (" + Why + ")");
      Db.setRecord("clocks_lowered", Lowered);
      markUnstable(Db.file(), Before);
    }
    if (!clockMoved(Samples))
      return;
    unsigned Marked = markUnstable(Db.file(), Before);
    add(Moved, formatv("{0} (by {1:P1}; {2} numbers are marked unstable)",
                       P.Name, clockDrift(Samples), Marked));
    Db.setRecord("clocks_moved", Moved);
  }

  void report() const {
    if (!Lowered.empty())
      warn("clocks were lowered in groups " + Lowered);
    if (!Moved.empty())
      warn("the SM clock moved in groups " + Moved);
  }

private:
  static void add(std::string &To, const std::string &Text) {
    To += (To.empty() ? "" : ", ") + Text;
  }

  const NvmlGpu &Watched;
  std::string Lowered, Moved;
};
} // namespace

namespace {
/// The end of a group that takes too long: no launch begins after its limit,
/// and one that does not end is not waited for.
class GroupLimit {
public:
  explicit GroupLimit(Gpu &G) : G(G) {}

  void start(const Plan &P, const PartialResults &Partial) {
    if (Limit.getNumOccurrences() != 0 && Limit == 0)
      return;
    const unsigned Seconds = Limit != 0 ? Limit.getValue() : usual(P);
    const auto End =
        std::chrono::steady_clock::now() + std::chrono::seconds(Seconds);
    G.setDeadline(End,
                  formatv("the limit of {0} s is over (--limit)", Seconds));
    Hard.start(End + Grace,
               formatv("gpu-occupancy-calibrate: error: in group '{0}': the "
                       "driver does not return: the limit of {1} s is over "
                       "(--limit): what was measured before is in '{2}'\n",
                       P.Name, Seconds, printable(Partial.path())),
               StatusFailed);
  }

  void stop() {
    Hard.stop();
    G.clearDeadline();
  }

private:
  static unsigned usual(const Plan &P) {
    return 120 + unsigned(30 * P.Seconds);
  }

  static constexpr std::chrono::seconds Grace{3};
  Gpu &G;
  Watchdog Hard;
};
} // namespace

/// Measures one group after the other; one that fails leaves the others.
static Error runPlans(ArrayRef<const Plan *> Wanted, Session &S,
                      const NvmlGpu &Watched, const Program &Self,
                      PartialResults &Partial) {
  ClockWatch Watch(Watched);
  GroupLimit Ends(S.G);
  scope_exit Report([&] { Watch.report(); });
  double Seconds = 0;
  for (const Plan *P : Wanted)
    Seconds += P->Seconds;
  Progress Bar(errs(), Seconds);
  Error Failures = Error::success();
  for (const Plan *P : Wanted) {
    Bar.start(P->Name, P->Seconds);
    S.OnProgress = [&](double Share) { Bar.update(Share); };
    json::Object Before = S.Db.file();
    size_t Launches = S.ClockSamples.size();
    S.Occupancy.begin(P->Name);
    Ends.start(*P, Partial);
    Error Failure = S.unlessAbsent(P->InProcesses ? runInProcesses(*P, S, Self)
                                                  : runPlan(*P, S));
    Ends.stop();
    S.recordAbsent();
    S.recordChecks();
    Bar.finish();
    Watch.check(*P, ArrayRef(S.ClockSamples).drop_front(Launches), Before,
                S.Db);
    if (Failure) {
      Failures =
          joinErrors(std::move(Failures),
                     joinErrors(createStringError("in group '%s'", P->Name),
                                std::move(Failure)));
      // After an error in a kernel the driver answers nothing more.
      if (Error E = S.G.synchronize()) {
        consumeError(std::move(E));
        break;
      }
      continue;
    }
    if (Error E = Partial.add(*P, S.Db))
      return joinErrors(std::move(Failures), std::move(E));
  }
  if (Failures)
    return joinErrors(
        std::move(Failures),
        createStringError("what was measured is in '%s'; --resume tries the "
                          "rest again",
                          Partial.path().c_str()));
  return Error::success();
}

/// Says who compiled the kernels, and how fast the clock was.
static void recordRun(Session &S) {
  if (S.G.codesTaken())
    S.Db.setRecord("code", formatv("{0} modules by {1}, {2} by the driver",
                                   S.G.codesTaken(), BuiltInCodeMaker,
                                   S.G.codesCompiled())
                               .str());
  else
    S.Db.setRecord("code", "by the driver");
  if (std::string Reached = S.Occupancy.text(); !Reached.empty())
    S.Db.setRecord("occupancy", Reached);
  Summary Clock = summarize(S.ClockSamples);
  if (Clock.Samples == 0)
    return;
  for (double &X : S.ClockSamples)
    X *= 1e3;
  S.Db.set("chip", "sm_clock_mhz",
           measured(summarize(S.ClockSamples), Take::Mean, "MHz",
                    "cycles against the global timer during the run"));
  S.Db.setRecord("clocks",
                 formatv("{0:f0} MHz (median), drift {1:P1} over {2} launches",
                         Clock.Median * 1e3, clockDrift(S.ClockSamples),
                         Clock.Samples)
                     .str());
}

static Error measure(StringRef CommandLine, const std::string &Path) {
  if (Error E = checkOptions())
    return E;
  Expected<Driver> Cuda = Driver::open();
  if (!Cuda)
    return Cuda.takeError();
  std::optional<Nvml> Library = Nvml::open();
  NvmlGpu Watched(*Cuda, Library ? &*Library : nullptr, DeviceIndex);
  // Before this process is one that uses the GPU.
  std::vector<Circumstance> Circumstances = Watched.circumstances();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(*Cuda, DeviceIndex);
  if (!G)
    return G.takeError();
  if (!Jit)
    (*G)->useCode(builtInCode);
  Database Db;
  PartialResults Partial(OutputPath + ".partial");
  if (Resume)
    if (Error E = Partial.load(Db))
      return E;
  recordMachine((*G)->facts(), CommandLine, Db);
  recordCircumstances(Circumstances, Watched, (*G)->facts(), Db);
  Session S(**G, Db, runOptions((*G)->facts()));
  // What a run that goes on from here does not measure again.
  if (Error E = runPlans(wantedPlans(Partial), S, Watched, thisProgram(Path),
                         Partial))
    return joinErrors(std::move(E), writeRaw(S));
  recordRun(S);
  leaveOutZeros(Db.file());
  if (Error E =
          writeOutput(OutputPath, toText(json::Value(json::Object(Db.file())))))
    return E;
  Partial.remove();
  if (Error E = writeRaw(S))
    return E;
  if (!ReportPath.empty())
    if (Error E = writeOutput(ReportPath, htmlReport(Db.file())))
      return E;
  return Error::success();
}

/// Anything whose address lies in this program.
static void addressOfProgram() {}

int main(int Argc, char **Argv) {
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(
      Argc, Argv,
      "measures the GPU of this machine and writes a device database\n");
  if (CompareCommand)
    return compare();
  if (!CheckPath.empty())
    return checkDatabase();
  if (KernelsCommand)
    return kernels();
  if (ReportCommand)
    return report();
  if (PromoteCommand)
    return promote();
  if (SubmitCommand)
    return submit();
  if (List) {
    for (const Plan &P : plans())
      outs() << formatv("{0,-14} {1,5:f1} s  {2}{3}\n", P.Name, P.Seconds,
                        P.Title, P.ByDefault ? "" : " (with --only)");
    return 0;
  }
  std::string CommandLine = "gpu-occupancy-calibrate";
  for (int I = 1; I < Argc; ++I)
    CommandLine += std::string(" ") + Argv[I];
  if (Error E =
          measure(CommandLine,
                  sys::fs::getMainExecutable(
                      Argv[0], reinterpret_cast<void *>(&addressOfProgram))))
    return fail(std::move(E));
  return 0;
}
