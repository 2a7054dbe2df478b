//===- Report.cpp - A database as a page to read --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

static std::string escaped(StringRef Text) {
  std::string Out;
  for (char C : Text)
    switch (C) {
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '&':
      Out += "&amp;";
      break;
    case '"':
      Out += "&quot;";
      break;
    default:
      Out += C;
    }
  return Out;
}

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

static constexpr const char *Colors[] = {"#1b6ca8", "#c8553d", "#3a7d44",
                                         "#8e5ea2", "#b8860b", "#5f6b6d"};

/// \p X in few characters, large ones in powers of 1000, or of 1024 for
/// \p Bytes.
static std::string shortNumber(double X, bool Bytes) {
  const char *Unit = "";
  static constexpr const char *Units[][3] = {{"k", "M", "G"},
                                             {"Ki", "Mi", "Gi"}};
  double Base = Bytes ? 1024 : 1000, Limit = Bytes ? 1024 : 1e5;
  for (const char *Next : Units[Bytes]) {
    if (std::fabs(X) < Limit)
      break;
    X /= Base;
    Unit = Next;
    Limit = Base;
  }
  std::string Text;
  raw_string_ostream OS(Text);
  OS << (std::fabs(X) >= 100 && std::fabs(X) < 1e6 ? format("%.0f", X)
                                                   : format("%.3g", X))
     << Unit;
  return Text;
}

static void writePlot(const Plot &P, raw_ostream &OS) {
  static constexpr double Width = 460, Height = 280, Left = 56, Bottom = 40,
                          Top = 12, Right = 20;
  bool Bytes = P.XTitle == "footprint";
  double X0 = INFINITY, X1 = -INFINITY, Y0 = P.LogY ? INFINITY : 0,
         Y1 = -INFINITY;
  auto InX = [&](double X) { return P.LogX ? std::log2(X) : X; };
  auto InY = [&](double Y) { return P.LogY ? std::log10(Y) : Y; };
  for (const Series &S : P.Lines)
    for (auto [X, Y] : S.Points) {
      X0 = std::min(X0, InX(X));
      X1 = std::max(X1, InX(X));
      Y0 = std::min(Y0, InY(Y));
      Y1 = std::max(Y1, InY(Y));
    }
  if (!(X1 >= X0) || !std::isfinite(Y1) || !std::isfinite(Y0))
    return;
  if (X1 == X0)
    X1 = X0 + 1;
  if (Y1 == Y0)
    Y1 = Y0 + 1;
  Y1 += (Y1 - Y0) * 0.05;
  auto AtX = [&](double X) {
    return Left + (InX(X) - X0) / (X1 - X0) * (Width - Left - Right);
  };
  auto AtY = [&](double Y) {
    return Height - Bottom -
           (InY(Y) - Y0) / (Y1 - Y0) * (Height - Bottom - Top);
  };
  OS << "<figure><figcaption>" << escaped(P.Title);
  for (size_t I = 0; P.Lines.size() > 1 && I < P.Lines.size(); ++I)
    OS << formatv(" <span style=\"color:{0}\">{1}</span>",
                  Colors[I % std::size(Colors)], escaped(P.Lines[I].Name));
  OS << "</figcaption>"
     << formatv("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                "role=\"img\">",
                Width, Height);
  for (unsigned I = 0; I <= 4; ++I) {
    double VX = X0 + (X1 - X0) * I / 4, VY = Y0 + (Y1 - Y0) * I / 4;
    double X = P.LogX ? std::exp2(VX) : VX, Y = P.LogY ? std::pow(10, VY) : VY;
    OS << formatv("<line x1=\"{0:f1}\" y1=\"{1}\" x2=\"{0:f1}\" y2=\"{2}\" "
                  "class=\"grid\"/>",
                  AtX(X), Top, Height - Bottom)
       << formatv("<text x=\"{0:f1}\" y=\"{1}\" text-anchor=\"middle\">{2}"
                  "</text>",
                  AtX(X), Height - Bottom + 14, shortNumber(X, Bytes))
       << formatv("<line x1=\"{0}\" y1=\"{1:f1}\" x2=\"{2}\" y2=\"{1:f1}\" "
                  "class=\"grid\"/>",
                  Left, AtY(Y), Width - Right)
       << formatv("<text x=\"{0}\" y=\"{1:f1}\" text-anchor=\"end\">{2}</text>",
                  Left - 5, AtY(Y) + 4, shortNumber(Y, false));
  }
  OS << formatv("<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>",
                (Left + Width) / 2, Height - 6, escaped(P.XTitle))
     << formatv("<text transform=\"translate(12 {0}) rotate(-90)\" "
                "text-anchor=\"middle\">{1}</text>",
                Height / 2, escaped(P.YTitle));
  if (P.Mark && InX(P.Mark->first) >= X0 && InX(P.Mark->first) <= X1)
    OS << formatv("<line x1=\"{0:f1}\" y1=\"{1}\" x2=\"{0:f1}\" y2=\"{2}\" "
                  "class=\"mark\"/><text x=\"{3:f1}\" y=\"{4}\">{5}</text>",
                  AtX(P.Mark->first), Top, Height - Bottom,
                  AtX(P.Mark->first) + 4, Height - Bottom - 6,
                  escaped(P.Mark->second));
  for (size_t I = 0; I < P.Lines.size(); ++I) {
    const char *Color = Colors[I % std::size(Colors)];
    OS << "<polyline fill=\"none\" stroke=\"" << Color << "\" points=\"";
    for (auto [X, Y] : P.Lines[I].Points)
      OS << formatv("{0:f1},{1:f1} ", AtX(X), AtY(Y));
    OS << "\"/>";
    for (auto [X, Y] : P.Lines[I].Points)
      OS << formatv("<circle cx=\"{0:f1}\" cy=\"{1:f1}\" r=\"2\" fill=\"{2}\">"
                    "<title>{3}, {4}</title></circle>",
                    AtX(X), AtY(Y), Color, shortNumber(X, Bytes),
                    shortNumber(Y, false));
  }
  OS << "</svg></figure>\n";
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
  OS << "<td class=\"n" << (Unstable ? " unstable" : "") << "\" title=\""
     << escaped(Hint) << "\">" << Value << "</td>";
}

static void writeNumbers(StringRef Title, const json::Object *Section,
                         raw_ostream &OS) {
  if (!Section)
    return;
  OS << "<h2>" << Title << "</h2><table><tr><th>name</th><th>value</th>"
     << "<th>unit</th><th>origin</th><th>method</th></tr>\n";
  for (const auto &[Key, V] : ordered(*Section)) {
    const json::Object *N = V->getAsObject();
    if (!N)
      continue;
    OS << "<tr><td>" << escaped(Key) << "</td>";
    writeNumberCells(N, OS);
    for (const char *Member : {"unit", "origin", "source"})
      OS << "<td>" << escaped(N->getString(Member).value_or("")) << "</td>";
    OS << "</tr>\n";
  }
  OS << "</table>\n";
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
    {"tlb_reach", "One line per 2 MiB page", "footprint", "latency", nullptr,
     true},
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
  OS << "<h2>Instructions</h2><table><tr><th>class</th><th>pipe</th>"
        "<th>latency, cycles</th><th>issue, cycles</th><th>throughput, "
        "warp instructions/cycle/SM</th><th>needed warps</th><th>SASS</th>"
        "</tr>\n";
  for (const auto &[Key, V] : ordered(Instructions)) {
    const json::Object *Entry = V->getAsObject();
    if (!Entry)
      continue;
    OS << "<tr><td>" << escaped(Key) << "</td><td>"
       << escaped(Entry->getString("pipe").value_or("")) << "</td>";
    for (const char *Member : {"latency_cycles", "issue_cycles",
                               "throughput_per_cycle_sm", "needed_warps"})
      writeNumberCells(Entry->getObject(Member), OS);
    const json::Object *Sass = Entry->getObject("sass");
    OS << "<td>" << escaped(Sass ? Sass->getString("opcode").value_or("") : "")
       << ' ' << escaped(Sass ? Sass->getString("verdict").value_or("") : "")
       << "</td></tr>\n";
  }
  OS << "</table><h2>Occupancy rooflines</h2><div class=\"plots\">\n";
  for (const auto &[Key, V] : ordered(Instructions)) {
    const json::Object *Entry = V->getAsObject();
    const json::Array *Curve = Entry ? Entry->getArray("curve") : nullptr;
    if (!Curve)
      continue;
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
    Plot P{Key, "warps per SM", "instructions per cycle", false, false,
           {},  std::nullopt};
    if (const json::Object *Ridge = Entry->getObject("needed_warps"))
      if (std::optional<double> Warps = Ridge->getNumber("value"))
        P.Mark = {*Warps, formatv("ridge {0:f1}", *Warps).str()};
    for (auto &[Ilp, S] : Lines)
      P.Lines.push_back(std::move(S));
    writePlot(P, OS);
  }
  OS << "</div>\n";
}

std::string htmlReport(const json::Object &Database) {
  std::string Text;
  raw_string_ostream OS(Text);
  std::string Name =
      escaped(Database.getString("display_name").value_or("GPU"));
  OS << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<title>"
     << Name << "</title><style>\n"
     << "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:"
        "1020px;padding:0 1em;color:#1c2326}"
        "table{border-collapse:collapse;width:100%}"
        "td,th{padding:2px 8px;border-bottom:1px solid #dde3e5;text-align:left}"
        "td.n{text-align:right;font-variant-numeric:tabular-nums}"
        "td.unstable{background:#fde8d7}"
        ".plots{display:flex;flex-wrap:wrap;gap:12px}"
        "figure{margin:0}figcaption{font-weight:600;max-width:460px}"
        "figcaption span{font-size:12px;font-weight:400}"
        "svg text{font-size:11px;fill:#444}"
        "svg .grid{stroke:#e6eaec}"
        "svg .mark{stroke:#444;stroke-dasharray:4 3}"
        "svg .mark{stroke:#444;stroke-dasharray:4 3}"
        "svg polyline{stroke-width:1.5}"
        "</style></head><body>\n<h1>"
     << Name << "</h1>\n";
  if (const json::Object *Record = Database.getObject("record")) {
    OS << "<p>";
    for (const auto &[Key, V] : ordered(*Record))
      OS << "<b>" << escaped(Key)
         << "</b>: " << escaped(V->getAsString().value_or("")) << "<br>\n";
    OS << "</p><p>A shaded number did not settle. Methods show when the "
          "pointer "
          "rests on a number.</p>\n";
  }
  writeNumbers("Chip", Database.getObject("chip"), OS);
  writeNumbers("Memory", Database.getObject("memory"), OS);
  writeNumbers("Run time", Database.getObject("runtime"), OS);
  writeNumbers("Dependences", Database.getObject("dependences"), OS);
  if (const json::Object *Tables = Database.getObject("tables")) {
    OS << "<h2>Sweeps</h2><div class=\"plots\">\n";
    for (const TablePlot &T : TablePlots)
      if (std::optional<Plot> P = plotOf(T, *Tables))
        writePlot(*P, OS);
    if (std::optional<Plot> P = rooflineOf(*Tables))
      writePlot(*P, OS);
    OS << "</div>\n";
  }
  if (const json::Object *Instructions = Database.getObject("instructions"))
    writeInstructions(*Instructions, OS);
  OS << "</body></html>\n";
  return Text;
}

} // namespace gpuocc::calibration
