//===- Config.cpp - The configuration file --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/Config.h"
#include "gpuocc/Support/FileFormat.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Walks the YAML document once. Every member returns false after noting the
/// first problem.
class ConfigReader {
public:
  ConfigReader(StringRef Text, StringRef FileName,
               ArrayRef<StringRef> RuleNames)
      : Text(Text), FileName(FileName), RuleNames(RuleNames) {}

  Expected<Config> read() {
    checkVersionFirst();
    SourceMgr Sources;
    Sources.setDiagHandler(
        [](const SMDiagnostic &D, void *Self) {
          static_cast<ConfigReader *>(Self)->note(
              D.getLineNo(), D.getColumnNo() + 1, D.getMessage());
        },
        this);
    yaml::Stream Stream(Text, Sources, /*ShowColors=*/false);
    Out.File = FileName.str();
    auto Document = Stream.begin();
    if (Document != Stream.end())
      if (yaml::Node *Root = Document->getRoot();
          Root && !isa<yaml::NullNode>(Root))
        readRoot(*Root);
    if (Problem.empty() && Stream.failed())
      note(1, 1, "not a YAML document");
    if (!Problem.empty())
      return createStringError(Problem);
    return std::move(Out);
  }

private:
  using Node = yaml::Node;
  using ValueReader = function_ref<bool(Node &)>;

  /// A key of a mapping and how its value is read.
  struct Key {
    StringRef Name;
    ValueReader Read;
  };

  void note(int Line, int Column, const Twine &What) {
    if (Problem.empty())
      Problem = (FileName + ":" + Twine(Line) + ":" + Twine(Column) +
                 ": error: " + What)
                    .str();
  }

  /// The text before \p N; nothing where the scanner failed, whose nodes have
  /// no place.
  StringRef before(const Node &N) const {
    const char *At = N.getSourceRange().Start.getPointer();
    if (At < Text.begin() || At > Text.end())
      return "";
    return Text.take_front(size_t(At - Text.begin()));
  }

  unsigned lineOf(const Node &N) const {
    return unsigned(before(N).count('\n')) + 1;
  }

  bool fail(const Node &N, const Twine &What) {
    StringRef Before = before(N);
    size_t LineStart = Before.rfind('\n') + 1;
    note(int(lineOf(N)), int(Before.size() - LineStart + 1), What);
    return false;
  }

  std::string sourceOf(const Node &N) const {
    return (sys::path::filename(FileName) + ":" + Twine(lineOf(N))).str();
  }

  bool text(Node &N, std::string &Value) {
    auto *Scalar = dyn_cast<yaml::ScalarNode>(&N);
    if (!Scalar)
      return fail(N, "expected a text");
    SmallString<32> Storage;
    Value = Scalar->getValue(Storage).str();
    return true;
  }

  bool number(Node &N, double &Value) {
    std::string S;
    if (!text(N, S))
      return false;
    if (StringRef(S).getAsDouble(Value) || !std::isfinite(Value))
      return fail(N, "'" + S + "' is not a number");
    return true;
  }

  /// \p Each gets the key and the value of every entry.
  bool mapping(Node &N, function_ref<bool(Node &, StringRef, Node &)> Each) {
    auto *Map = dyn_cast<yaml::MappingNode>(&N);
    if (!Map)
      return fail(N, "expected 'key: value' pairs");
    SmallVector<std::string, 8> Seen;
    for (yaml::KeyValueNode &Entry : *Map) {
      Node *KeyNode = Entry.getKey();
      std::string Name;
      if (!KeyNode || !text(*KeyNode, Name))
        return false;
      if (is_contained(Seen, Name))
        return fail(*KeyNode, "key '" + Name + "' is given twice");
      Seen.push_back(Name);
      Node *Value = Entry.getValue();
      if (!Value)
        return false;
      if (!Each(*KeyNode, Name, *Value))
        return false;
    }
    return true;
  }

  bool keys(Node &N, ArrayRef<Key> Keys) {
    return mapping(N, [&](Node &KeyNode, StringRef Name, Node &Value) {
      for (const Key &K : Keys)
        if (K.Name == Name)
          return K.Read(Value);
      SmallVector<StringRef, 8> Names;
      for (const Key &K : Keys)
        Names.push_back(K.Name);
      return fail(KeyNode,
                  "unknown key '" + Name + "'" + didYouMean(Name, Names));
    });
  }

  bool sequence(Node &N, ValueReader Each) {
    auto *Sequence = dyn_cast<yaml::SequenceNode>(&N);
    if (!Sequence)
      return fail(N, "expected a list");
    for (Node &Element : *Sequence)
      if (!Each(Element))
        return false;
    return true;
  }

  /// [W, H, D] or "WxHxD".
  bool dim(Node &N, Dim3 &Value) {
    std::string S;
    if (isa<yaml::SequenceNode>(N)) {
      if (!sequence(N, [&](Node &Element) {
            std::string Extent;
            if (!text(Element, Extent))
              return false;
            S += (S.empty() ? "" : "x") + Extent;
            return true;
          }))
        return false;
    } else if (!text(N, S)) {
      return false;
    }
    Expected<Dim3> Parsed = parseDim3(S);
    if (!Parsed)
      return fail(N, toString(Parsed.takeError()));
    Value = *Parsed;
    return true;
  }

  template <typename T, typename Read>
  bool optional(std::optional<T> &Slot, Read ReadValue) {
    T Value{};
    if (!ReadValue(Value))
      return false;
    Slot = std::move(Value);
    return true;
  }

  bool bytes(Node &N, uint64_t &Value) {
    std::string S;
    if (!text(N, S))
      return false;
    Expected<ScalarArgument> Parsed = parseScalar(S);
    if (!Parsed)
      return fail(N, toString(Parsed.takeError()));
    if (Parsed->IsReal || Parsed->Integer < 0)
      return fail(N, "'" + S + "' is not a number of bytes");
    Value = uint64_t(Parsed->Integer);
    return true;
  }

  bool percent(Node &N, unsigned &Value) {
    std::string S;
    if (!text(N, S))
      return false;
    if (StringRef(S).getAsInteger(10, Value) || Value > 100)
      return fail(N, "'" + S + "' is not a percentage from 0 to 100");
    return true;
  }

  bool readArguments(Node &N, LaunchSpec &Spec) {
    return mapping(N, [&](Node &, StringRef Name, Node &Value) {
      std::string S;
      if (!text(Value, S))
        return false;
      Expected<ScalarArgument> Parsed = parseScalar(S);
      if (!Parsed)
        return fail(Value, toString(Parsed.takeError()));
      Spec.Arguments[Name.str()] = *Parsed;
      return true;
    });
  }

  bool readArrayBytes(Node &N, LaunchSpec &Spec) {
    return mapping(N, [&](Node &, StringRef Name, Node &Value) {
      return bytes(Value, Spec.ArrayBytes[Name.str()]);
    });
  }

  bool readStructs(Node &N, LaunchSpec &Spec) {
    return mapping(N, [&](Node &, StringRef Name, Node &Value) {
      std::string Digits;
      if (!text(Value, Digits))
        return false;
      if (Digits.size() % 2 != 0 || !all_of(Digits, isHexDigit))
        return fail(Value, "'" + StringRef(Digits).take_front(40) +
                               "' is not an even number of hexadecimal digits");
      Spec.StructBytes[Name.str()] = std::move(Digits);
      return true;
    });
  }

  /// Files beside this one, or with their whole path.
  bool readMemory(Node &N, LaunchSpec &Spec) {
    return mapping(N, [&](Node &, StringRef Name, Node &Value) {
      std::string File;
      if (!text(Value, File))
        return false;
      SmallString<128> Path(sys::path::parent_path(FileName));
      sys::path::append(Path, File);
      if (sys::path::is_absolute(File))
        Path = File;
      if (!sys::fs::is_regular_file(Path))
        return fail(Value, "there is no file '" + Path + "'");
      Spec.Memory[Name.str()] = Path.str().str();
      return true;
    });
  }

  /// Numbers from \p Least to \p Most by the lines of \p Lines ("loops", say).
  bool readByLine(Node &N, StringRef Lines, double Least, double Most,
                  StringRef OutOfRange, std::map<std::string, double> &Into) {
    return mapping(N, [&](Node &KeyNode, StringRef Name, Node &Value) {
      auto [File, Line] = Name.rsplit(':');
      unsigned LineNumber = 0;
      if (File.empty() || Line.getAsInteger(10, LineNumber))
        return fail(KeyNode, "'" + Name + "' is not FILE:LINE of " + Lines);
      double Number = 0;
      if (!number(Value, Number))
        return false;
      if (Number < Least || Number > Most)
        return fail(Value, OutOfRange);
      Into[Name.str()] = Number;
      return true;
    });
  }

  bool texts(Node &N, std::vector<std::string> &Into) {
    return sequence(
        N, [&](Node &Element) { return text(Element, Into.emplace_back()); });
  }

  /// "2026-03-01".
  static bool isDay(StringRef Text) {
    StringRef Year, Month, Day;
    std::tie(Year, Month) = Text.split('-');
    std::tie(Month, Day) = Month.split('-');
    unsigned M = 0, D = 0, Y = 0;
    return Year.size() == 4 && Month.size() == 2 && Day.size() == 2 &&
           !Year.getAsInteger(10, Y) && !Month.getAsInteger(10, M) &&
           !Day.getAsInteger(10, D) && M >= 1 && M <= 12 && D >= 1 && D <= 31;
  }

  bool readException(Node &N) {
    GateException E;
    E.Source = sourceOf(N);
    auto Kernel = [&](Node &V) {
      if (!text(V, E.Kernel))
        return false;
      if (Error Wrong = checkKernelPattern(E.Kernel))
        return fail(V, toString(std::move(Wrong)));
      return true;
    };
    auto FailOn = [&](Node &V) { return texts(V, E.FailOn); };
    auto Allow = [&](Node &V) { return texts(V, E.Allow); };
    auto Until = [&](Node &V) {
      if (!text(V, E.Until))
        return false;
      return isDay(E.Until) ||
             fail(V, "'" + E.Until + "' is no day such as 2026-03-01");
    };
    auto Reason = [&](Node &V) { return text(V, E.Reason); };
    if (!keys(N, {{"kernel", Kernel},
                  {"fail_on", FailOn},
                  {"allow", Allow},
                  {"until", Until},
                  {"reason", Reason}}))
      return false;
    if (E.Kernel.empty())
      return fail(N, "an entry of 'gate' needs a 'kernel'");
    if (!E.Allow.empty() && E.Reason.empty())
      return fail(N, "'allow' needs a 'reason'");
    Out.Gate.push_back(std::move(E));
    return true;
  }

  bool readLaunch(Node &N) {
    LaunchSpec Spec;
    Spec.Source = sourceOf(N);
    auto Dim = [&](std::optional<Dim3> &Slot) {
      return [&](Node &V) {
        return optional(Slot, [&](Dim3 &D) { return dim(V, D); });
      };
    };
    auto Kernel = [&](Node &V) {
      if (!text(V, Spec.Kernel))
        return false;
      if (Error E = checkKernelPattern(Spec.Kernel))
        return fail(V, toString(std::move(E)));
      return true;
    };
    auto Shared = [&](Node &V) {
      return optional(Spec.DynamicSharedBytes,
                      [&](uint64_t &B) { return bytes(V, B); });
    };
    auto Carveout = [&](Node &V) {
      return optional(Spec.CarveoutPercent,
                      [&](unsigned &P) { return percent(V, P); });
    };
    auto Arguments = [&](Node &V) { return readArguments(V, Spec); };
    auto Memory = [&](Node &V) { return readMemory(V, Spec); };
    auto ArrayBytes = [&](Node &V) { return readArrayBytes(V, Spec); };
    auto HostMemory = [&](Node &V) { return texts(V, Spec.HostMemory); };
    auto Structs = [&](Node &V) { return readStructs(V, Spec); };
    auto Trips = [&](Node &V) {
      return readByLine(V, "a loop", 0, HUGE_VAL,
                        "a trip count is not negative", Spec.TripCounts);
    };
    auto Places = [&](Node &V) {
      return readByLine(V, "an access", 1, HUGE_VAL,
                        "addresses have at least one place",
                        Spec.DistinctAddresses);
    };
    auto Probability = [&](Node &V) {
      return readByLine(V, "a branch", 0, 1, "odds are between 0 and 1",
                        Spec.BranchProbabilities);
    };
    auto Grid = Dim(Spec.Grid), Block = Dim(Spec.Block),
         Cluster = Dim(Spec.Cluster);
    if (!keys(N, {{"kernel", Kernel},
                  {"grid", Grid},
                  {"block", Block},
                  {"cluster", Cluster},
                  {"dynamic_shared_bytes", Shared},
                  {"carveout_percent", Carveout},
                  {"arguments", Arguments},
                  {"structs", Structs},
                  {"memory", Memory},
                  {"array_bytes", ArrayBytes},
                  {"host_memory", HostMemory},
                  {"trip_counts", Trips},
                  {"places", Places},
                  {"odds", Probability}}))
      return false;
    if (Spec.Kernel.empty())
      return fail(N, "a launch needs a 'kernel'");
    Out.Launches.push_back(std::move(Spec));
    return true;
  }

  bool isRule(Node &N, StringRef Rule) {
    return is_contained(RuleNames, Rule) ||
           fail(N,
                "unknown finding '" + Rule + "'" + didYouMean(Rule, RuleNames));
  }

  bool readSuppressed(Node &N) {
    std::string Rule;
    if (!text(N, Rule) || !isRule(N, Rule))
      return false;
    Out.Suppress.push_back(Rule);
    return true;
  }

  /// The options of single rules.
  bool readRules(Node &N) {
    return mapping(N, [&](Node &Key, StringRef Rule, Node &Value) {
      auto MinimumGain = [&](Node &V) {
        return number(V, Out.MinimumGainOfRule[Rule.str()]);
      };
      return isRule(Key, Rule) && keys(Value, {{"minimum_gain", MinimumGain}});
    });
  }

  bool readFindings(Node &N) {
    auto MinimumGain = [&](Node &V) {
      return optional(Out.MinimumGain, [&](double &G) { return number(V, G); });
    };
    auto Suppress = [&](Node &V) {
      return sequence(V, [&](Node &Rule) { return readSuppressed(Rule); });
    };
    auto Rules = [&](Node &V) { return readRules(V); };
    return keys(N, {{"minimum_gain", MinimumGain},
                    {"suppress", Suppress},
                    {"rules", Rules}});
  }

  bool readRoot(Node &N) {
    auto Device = [&](Node &V) {
      return optional(Out.Device, [&](std::string &S) { return text(V, S); });
    };
    auto DefaultBlock = [&](Node &V) {
      return optional(Out.DefaultBlock, [&](Sourced<Dim3> &D) {
        D.Source = sourceOf(V);
        return dim(V, D.Value);
      });
    };
    auto Launches = [&](Node &V) {
      return sequence(V, [&](Node &L) { return readLaunch(L); });
    };
    auto Gate = [&](Node &V) {
      return sequence(V, [&](Node &E) { return readException(E); });
    };
    auto Findings = [&](Node &V) { return readFindings(V); };
    auto Version = [&](Node &V) { return readVersion(V); };
    return keys(N, {{"version", Version},
                    {"device", Device},
                    {"default_block", DefaultBlock},
                    {"launches", Launches},
                    {"gate", Gate},
                    {"findings", Findings}});
  }

  /// A file of another version may say what this one has no key for: it is
  /// refused for its version, wherever in the file that stands.
  void checkVersionFirst() {
    int LineNumber = 0;
    for (StringRef Line : split(Text, '\n')) {
      ++LineNumber;
      if (!Line.consume_front("version:"))
        continue;
      int64_t Version = 0;
      if (Line.split('#').first.trim().getAsInteger(10, Version))
        return;
      if (Error E = checkVersion(FileFormat::Configuration, Version))
        note(LineNumber, 1, toString(std::move(E)));
    }
  }

  bool readVersion(Node &N) {
    std::string Word;
    if (!text(N, Word))
      return false;
    int64_t Version = 0;
    if (StringRef(Word).getAsInteger(10, Version))
      return fail(N, "'" + Word + "' is not the number of a version");
    if (Error E = checkVersion(FileFormat::Configuration, Version))
      return fail(N, toString(std::move(E)));
    return true;
  }

  StringRef Text, FileName;
  ArrayRef<StringRef> RuleNames;
  Config Out;
  std::string Problem;
};

} // namespace

/// Says why \p Text is no text that YAML is made of, at which byte; the reader
/// would stop there without a word, or see another structure than people do.
static std::optional<std::pair<size_t, StringRef>>
problemOfText(StringRef Text) {
  for (StringRef Mark : {StringRef("\xFF\xFE"), StringRef("\xFE\xFF")})
    if (Text.starts_with(Mark))
      return std::pair(size_t(0), "the file is in UTF-16; write it in UTF-8");
  for (size_t Line = 0; Line < Text.size();) {
    const size_t Word = Text.find_first_not_of(' ', Line);
    if (Word < Text.size() && Text[Word] == '\t')
      return std::pair(Word, "a tab indents the line; YAML takes spaces");
    Line = std::min(Text.find('\n', Line), Text.size() - 1) + 1;
  }
  const size_t Zero = Text.find('\0');
  if (Zero != StringRef::npos)
    return std::pair(Zero, "a byte 0: this is no text file");
  const UTF8 *At = Text.bytes_begin();
  if (!isLegalUTF8String(&At, Text.bytes_end()))
    return std::pair(size_t(At - Text.bytes_begin()),
                     "the file is not in UTF-8");
  return std::nullopt;
}

Expected<Config> gpuocc::parseConfig(StringRef Text, StringRef FileName,
                                     ArrayRef<StringRef> RuleNames) {
  if (auto Problem = problemOfText(Text)) {
    const StringRef Before = Text.take_front(Problem->first);
    return createStringError(
        FileName + ":" + Twine(Before.count('\n') + 1) + ":" +
        Twine(Before.size() - (Before.rfind('\n') + 1) + 1) +
        ": error: " + Problem->second);
  }
  Text.consume_front("\xEF\xBB\xBF");
  return ConfigReader(Text, FileName, RuleNames).read();
}

Expected<Config> gpuocc::loadConfig(StringRef Path,
                                    ArrayRef<StringRef> RuleNames) {
  if (sys::fs::is_directory(Path))
    return createStringError("the configuration '" + Path + "' is a folder");
  // What never ends would be read for ever.
  if (sys::fs::exists(Path) && !sys::fs::is_regular_file(Path))
    return createStringError("the configuration '" + Path + "' is not a file");
  Expected<std::unique_ptr<MemoryBuffer>> Buffer =
      readInput(Path, MostYAMLBytes);
  if (!Buffer)
    return createStringError("cannot read the configuration '" + Path +
                             "': " + toString(Buffer.takeError()));
  return parseConfig((*Buffer)->getBuffer(), Path, RuleNames);
}

std::string gpuocc::findConfig(StringRef SourceFile) {
  SmallString<256> Directory(SourceFile);
  if (sys::fs::make_absolute(Directory))
    return "";
  while (sys::path::has_parent_path(Directory)) {
    sys::path::remove_filename(Directory);
    SmallString<256> Candidate(Directory);
    sys::path::append(Candidate, ConfigFileName);
    // Also what is no file: the reader says so.
    if (sys::fs::exists(Candidate))
      return Candidate.str().str();
  }
  return "";
}
