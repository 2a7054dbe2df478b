//===- Report.cpp - A database as a page to read --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "gpuocc/Page/Page.h"
#include "record/ReportParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

namespace {
struct Series {
  std::string Name;
  std::vector<std::pair<double, double>> Points;
};
struct Plot {
  std::string Title, XTitle, YTitle;
  bool LogX = false, LogY = false;
  std::vector<Series> Lines;
  /// A place on the x axis and what it is called.
  std::optional<std::pair<double, std::string>> Mark;
};
} // namespace

static json::Value toJSON(const Plot &P) {
  json::Array Lines;
  for (const Series &S : P.Lines) {
    json::Array Points;
    for (auto [X, Y] : S.Points)
      Points.push_back(json::Array{X, Y});
    Lines.push_back(
        json::Object{{"name", S.Name}, {"points", std::move(Points)}});
  }
  json::Object Out{{"title", P.Title},
                   {"x", P.XTitle},
                   {"y", P.YTitle},
                   {"log_x", P.LogX},
                   {"log_y", P.LogY},
                   {"bytes", P.XTitle == "footprint"},
                   {"lines", std::move(Lines)}};
  if (P.Mark)
    Out["mark"] = json::Object{{"x", P.Mark->first}, {"text", P.Mark->second}};
  return Out;
}

/// Members in order of name.
static std::map<std::string, const json::Value *>
ordered(const json::Object &O) {
  std::map<std::string, const json::Value *> Members;
  for (const auto &M : O)
    Members[StringRef(M.first).str()] = &M.second;
  return Members;
}

static void writeNumberCells(const json::Object *N, raw_ostream &OS) {
  if (!N || !N->getNumber("value")) {
    OS << "<td></td>";
    return;
  }
  std::string Value;
  raw_string_ostream(Value) << format("%.4g", *N->getNumber("value"));
  bool Unstable = N->getBoolean("stable") == false;
  std::string Hint = N->getString("source").value_or("").str();
  if (std::optional<double> Spread = N->getNumber("spread"))
    Hint += formatv(" (+-{0:P2})", *Spread).str();
  OS << "<td class=\"number" << (Unstable ? " unstable" : "") << "\" title=\""
     << escapeHtml(Hint) << "\">" << Value << "</td>";
}

static void writeNumbers(StringRef Title, const json::Object *Section,
                         raw_ostream &OS) {
  if (!Section)
    return;
  OS << "<h2>" << Title
     << "</h2><table class=\"texts\"><thead><tr><th>name</th>"
        "<th class=\"number\">value</th><th>unit</th><th>origin</th>"
        "<th>method</th></tr></thead><tbody>\n";
  for (const auto &[Key, V] : ordered(*Section)) {
    const json::Object *N = V->getAsObject();
    if (!N)
      continue;
    OS << "<tr><td>" << escapeHtml(Key) << "</td>";
    writeNumberCells(N, OS);
    for (const char *Member : {"unit", "origin", "source"})
      OS << "<td>" << escapeHtml(N->getString(Member).value_or("")) << "</td>";
    OS << "</tr>\n";
  }
  OS << "</tbody></table>\n";
}

/// How a table is drawn: columns of x and y, and one that makes the series.
struct TablePlot {
  const char *Table, *Title, *X, *Y, *By;
  bool LogX;
};
static constexpr TablePlot TablePlots[] = {
    {"latency_by_footprint", "L2 latency over footprint", "footprint",
     "latency", nullptr, true},
    {"dram_latency_by_footprint", "DRAM latency over footprint", "footprint",
     "latency", "order", true},
    {"read_bandwidth_by_footprint", "Read bandwidth over footprint",
     "footprint", "bytes_per_cycle_sm", nullptr, true},
    {"random_sectors", "Random sectors over footprint", "footprint",
     "sectors_per_cycle_sm", nullptr, true},
    {"shared_conflicts", "Shared memory: cycles per load over ways or stride",
     "ways_or_stride", "cycles_per_load_sm", "bytes", false},
    {"l1_strides", "L1: cycles per load over stride", "stride",
     "cycles_per_load_sm", "bytes", false},
    {"l1_lines", "L1 hit latency over lines", "lines", "latency",
     "sectors_per_line", false},
    {"sector_increments", "Latency over sectors of a request", "sectors",
     "latency", "level", false},
    {"contention_dram_read", "DRAM latency over throughput",
     "bytes_per_cycle_sm", "latency", "bytes", false},
    {"contention_l2_read", "L2 latency over throughput", "bytes_per_cycle_sm",
     "latency", "bytes", false},
    {"l1_sizes", "L1 latency over footprint", "footprint", "latency", "stride",
     true},
    {"fills", "Words that a miss brings: latency over stride", "stride",
     "latency", "level", true},
    {"strides", "Cycles per request over stride", "stride",
     "cycles_per_request_sm", "level", false},
    {"unaligned", "Cycles per request over distance from a line's start",
     "shift", "cycles_per_request_sm", "level", false},
    {"stream_by_width", "Streams over bytes a lane", "bytes",
     "bytes_per_cycle_sm", "kind", true},
    {"random_write_sectors", "Random stores over footprint", "footprint",
     "sectors_per_cycle_sm", nullptr, true},
    {"contended_shared", "Shared memory atomics over lanes on one word",
     "lanes_on_one_word", "cycles_per_instruction_sm", "form", true},
    {"distributed_shared", "Loads from another block of a cluster", "distance",
     "latency", "blocks", false},
    {"bulk_copy_latency", "Bulk copies: latency over size", "bytes", "latency",
     "level", true},
    {"branch_sides", "switch: cycles over sides", "sides", "cycles", "width",
     true},
    {"compiler", "Compile time over instructions", "instructions", "ns",
     nullptr, false},
    {"constant_sizes", "Constant memory", "footprint", "latency", nullptr,
     true},
    {"load_issue", "Cycles to issue two more loads", "load", "cycles_for_two",
     nullptr, false},
    {"barriers", "Barrier over warps", "warps", "cycles", nullptr, false},
    {"divergence_by_run_length", "if/else over run length of equal branches",
     "run_length", "cycles", nullptr, true},
    {"empty_blocks", "Empty blocks: cycles per block over resident blocks",
     "resident_blocks", "cycles_per_block_sm", "threads", true},
};

static int columnIndex(const json::Object &Table, const char *Name) {
  const json::Array *Columns = Table.getArray("columns");
  for (size_t I = 0; Name && Columns && I < Columns->size(); ++I)
    if ((*Columns)[I].getAsString() == StringRef(Name))
      return int(I);
  return -1;
}

/// The name that the unit "0: one, 1: another" of a column gives \p Key;
/// without one, "column key".
static std::string nameOf(const json::Object &Table, int Column, double Key) {
  const json::Array *Units = Table.getArray("units");
  const json::Array *Columns = Table.getArray("columns");
  StringRef Unit = Units && size_t(Column) < Units->size()
                       ? (*Units)[Column].getAsString().value_or("")
                       : "";
  std::string Number = formatv("{0:f0}", Key).str();
  SmallVector<StringRef, 8> Parts;
  Unit.split(Parts, ", ");
  for (StringRef Part : Parts)
    if (Part.consume_front(Number + ": "))
      return Part.str();
  return ((*Columns)[Column].getAsString().value_or("") + " " + Number).str();
}

static std::optional<Plot> plotOf(const TablePlot &T,
                                  const json::Object &Tables) {
  const json::Object *Table = Tables.getObject(T.Table);
  if (!Table || !Table->getArray("rows"))
    return std::nullopt;
  int X = columnIndex(*Table, T.X), Y = columnIndex(*Table, T.Y),
      By = columnIndex(*Table, T.By);
  if (X < 0 || Y < 0)
    return std::nullopt;
  std::map<double, Series> Lines;
  for (const json::Value &Row : *Table->getArray("rows")) {
    const json::Array *Cells = Row.getAsArray();
    if (!Cells || Cells->size() <= size_t(std::max(X, Y)))
      continue;
    double Key = By < 0 ? 0 : (*Cells)[By].getAsNumber().value_or(0);
    double PX = (*Cells)[X].getAsNumber().value_or(0);
    if (T.LogX && PX <= 0)
      continue;
    Lines[Key].Name = By < 0 ? "" : nameOf(*Table, By, Key);
    Lines[Key].Points.push_back({PX, (*Cells)[Y].getAsNumber().value_or(0)});
  }
  Plot P{T.Title, T.X, T.Y, T.LogX, false, {}, std::nullopt};
  for (auto &[Key, S] : Lines)
    P.Lines.push_back(std::move(S));
  return P;
}

/// The instruction roofline of Ding and Williams 2019: what each level of
/// memory and the schedulers allow, over warp instructions per transaction.
static std::optional<Plot> rooflineOf(const json::Object &Tables) {
  const json::Object *Table = Tables.getObject("ceilings");
  const json::Array *Rows = Table ? Table->getArray("rows") : nullptr;
  if (!Rows)
    return std::nullopt;
  double Peak = 0;
  std::vector<std::pair<std::string, double>> Levels;
  for (const json::Value &Row : *Rows) {
    const json::Array *Cells = Row.getAsArray();
    if (!Cells || Cells->size() < 3)
      continue;
    StringRef Name = (*Cells)[0].getAsString().value_or("");
    double Giga = (*Cells)[2].getAsNumber().value_or(0);
    if (Name == "issue")
      Peak = Giga;
    else if ((*Cells)[1].getAsString() == StringRef("transactions") && Giga > 0)
      Levels.push_back({Name.str(), Giga});
  }
  if (Peak <= 0 || Levels.empty())
    return std::nullopt;
  Plot P{"Instruction roofline",
         "warp instructions per transaction",
         "1e9 warp instructions/s",
         true,
         true,
         {},
         std::nullopt};
  for (const auto &[Name, Giga] : Levels) {
    Series S{Name, {}};
    for (int Power = -6; Power <= 6; ++Power)
      S.Points.push_back(
          {std::exp2(Power), std::min(Peak, Giga * std::exp2(Power))});
    P.Lines.push_back(std::move(S));
  }
  return P;
}

static void writeInstructions(const json::Object &Instructions,
                              raw_ostream &OS) {
  OS << "<h2>Instructions</h2><table "
        "class=\"texts\"><thead><tr><th>class</th><th>pipe</th>"
        "<th class=\"number\">latency, cycles</th>"
        "<th class=\"number\">issue, cycles</th><th class=\"number\">"
        "throughput, warp instructions/cycle/SM</th>"
        "<th class=\"number\">needed warps</th><th>SASS</th></tr></thead>"
        "<tbody>\n";
  for (const auto &[Key, V] : ordered(Instructions)) {
    const json::Object *Entry = V->getAsObject();
    if (!Entry)
      continue;
    OS << "<tr><td>" << escapeHtml(Key) << "</td><td>"
       << escapeHtml(Entry->getString("pipe").value_or("")) << "</td>";
    for (const char *Member : {"latency_cycles", "issue_cycles",
                               "throughput_per_cycle_sm", "needed_warps"})
      writeNumberCells(Entry->getObject(Member), OS);
    const json::Object *Sass = Entry->getObject("sass");
    OS << "<td>"
       << escapeHtml(Sass ? Sass->getString("opcode").value_or("") : "") << ' '
       << escapeHtml(Sass ? Sass->getString("verdict").value_or("") : "")
       << "</td></tr>\n";
  }
  OS << "</tbody></table>\n";
}

/// Throughput of the instruction class \p Key over warps, by ILP.
static std::optional<Plot> curveOf(StringRef Key, const json::Object &Entry) {
  const json::Array *Curve = Entry.getArray("curve");
  if (!Curve)
    return std::nullopt;
  std::map<double, Series> Lines;
  for (const json::Value &Point : *Curve) {
    const json::Object *P = Point.getAsObject();
    if (!P)
      continue;
    double Ilp = P->getNumber("ilp").value_or(0);
    Lines[Ilp].Name = formatv("ILP {0:f0}", Ilp).str();
    Lines[Ilp].Points.push_back({P->getNumber("warps").value_or(0),
                                 P->getNumber("per_cycle_sm").value_or(0)});
  }
  Plot P{Key.str(), "warps per SM", "instructions per cycle", false, false,
         {},        std::nullopt};
  if (const json::Object *Ridge = Entry.getObject("needed_warps"))
    if (std::optional<double> Warps = Ridge->getNumber("value"))
      P.Mark = {*Warps, formatv("ridge {0:f1}", *Warps).str()};
  for (auto &[Ilp, S] : Lines)
    P.Lines.push_back(std::move(S));
  return P;
}

static json::Object plotsOf(const json::Object *Tables,
                            const json::Object *Instructions) {
  json::Array Sweeps, Curves;
  auto Add = [](json::Array &Group, const std::optional<Plot> &P) {
    if (P && !P->Lines.empty())
      Group.push_back(toJSON(*P));
  };
  if (Tables) {
    Add(Sweeps, rooflineOf(*Tables));
    for (const TablePlot &T : TablePlots)
      Add(Sweeps, plotOf(T, *Tables));
  }
  if (Instructions)
    for (const auto &[Key, V] : ordered(*Instructions))
      if (const json::Object *Entry = V->getAsObject())
        Add(Curves, curveOf(Key, *Entry));
  return json::Object{{"sweeps", std::move(Sweeps)},
                      {"curves", std::move(Curves)}};
}

static void writeRecord(const json::Object &Record, raw_ostream &OS) {
  OS << "<p>";
  for (const auto &[Key, V] : ordered(Record))
    OS << "<b>" << escapeHtml(Key)
       << "</b>: " << escapeHtml(V->getAsString().value_or("")) << "<br>\n";
  OS << "</p><p class=\"quiet\">A shaded number did not settle. Methods show "
        "when the pointer rests on a number.</p>\n";
}

std::string htmlReport(const json::Object &Database) {
  const std::string Name =
      Database.getString("display_name").value_or("GPU").str();
  const json::Object *Instructions = Database.getObject("instructions");
  Page P;
  P.Title = Name;
  raw_string_ostream OS(P.Body);
  OS << "<header><h1>" << escapeHtml(Name)
     << "</h1><span class=\"grow\"></span>"
        "<input id=\"filter\" type=\"search\" placeholder=\"filter ( / )\" "
        "aria-label=\"filter numbers\"><button id=\"theme\" title=\"dark or "
        "light ( t )\">dark / light</button></header>\n<main>\n";
  if (const json::Object *Record = Database.getObject("record"))
    writeRecord(*Record, OS);
  OS << "<h2>Sweeps</h2><div class=\"charts\" id=\"sweeps\"></div>\n";
  writeNumbers("Chip", Database.getObject("chip"), OS);
  writeNumbers("Memory", Database.getObject("memory"), OS);
  writeNumbers("Run time", Database.getObject("runtime"), OS);
  writeNumbers("Dependences", Database.getObject("dependences"), OS);
  if (Instructions)
    writeInstructions(*Instructions, OS);
  OS << "<h2>Occupancy rooflines</h2><div class=\"charts\" id=\"curves\">"
        "</div>\n</main>\n";
  P.Script = databaseScript();
  P.Data = {
      {"plots", formatv("{0}", json::Value(plotsOf(Database.getObject("tables"),
                                                   Instructions)))}};
  std::string Text;
  raw_string_ostream TextOS(Text);
  writePage(P, TextOS);
  return Text;
}

} // namespace gpuocc::calibration
