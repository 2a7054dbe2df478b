//===- StrideGrid.cpp - Threads that stride over a smaller grid -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "SourceText.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

namespace {
/// `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)` in a body.
struct Guard {
  StringRef Index;
  /// The bound of the index.
  StringRef Bound;
  /// The condition with its `if`, or with `return` where it is negated.
  TextRange Words;
  bool Returns = false;
};
} // namespace

static std::optional<Guard> guardIn(StringRef Text, TextRange Body) {
  static const Regex Pattern(
      R"((int|unsigned|unsigned int|size_t|long|long long) +)"
      R"(([A-Za-z_][A-Za-z_0-9]*) *= *)"
      R"((blockIdx\.x *\* *blockDim\.x *\+ *threadIdx\.x|)"
      R"(blockDim\.x *\* *blockIdx\.x *\+ *threadIdx\.x|)"
      R"(threadIdx\.x *\+ *blockIdx\.x *\* *blockDim\.x|)"
      R"(threadIdx\.x *\+ *blockDim\.x *\* *blockIdx\.x) *;[ )"
      "\n\r\t"
      R"(]*(if *\( *([A-Za-z_][A-Za-z_0-9]*) *(<|>=) *)"
      R"(([A-Za-z_0-9]+) *\)( *\{? *return *; *\}?)?))");
  SmallVector<StringRef, 9> Groups;
  StringRef Inside = Body.of(Text);
  if (!Pattern.match(Inside, &Groups) || Groups[5] != Groups[2] ||
      Groups[7] == Groups[2])
    return std::nullopt;
  // What is declared const cannot stride.
  if (Inside.take_front(size_t(Groups[0].data() - Inside.data()))
          .rtrim()
          .ends_with("const"))
    return std::nullopt;
  Guard G;
  G.Index = Groups[2];
  G.Bound = Groups[7];
  G.Returns = !Groups[8].empty();
  const size_t From = size_t(Groups[4].data() - Text.data());
  G.Words = {From, From + Groups[4].size()};
  if (G.Returns != (Groups[6] == ">="))
    return std::nullopt;
  return G;
}

/// The end of the statement that starts at \p From of \p Text.
static std::optional<size_t> endOfStatement(StringRef Text, size_t From) {
  int Depth = 0;
  for (size_t At = From; At < Text.size(); ++At) {
    const char C = Text[At];
    Depth += StringRef("({[").contains(C);
    Depth -= StringRef(")}]").contains(C);
    if (Depth < 0)
      return std::nullopt;
    if (Depth == 0 && (C == ';' || C == '}'))
      return At + 1;
  }
  return std::nullopt;
}

/// Does each thread of a block only do what its index says, once?
static bool worksAlone(StringRef Body, StringRef Work, StringRef Index) {
  for (StringRef Once : {"blockIdx", "threadIdx"})
    if (placesOf(Body, Once).size() != 1)
      return false;
  for (StringRef Never : {"gridDim", "__shared__", "return", "goto", "else",
                          "__syncthreads", "__syncwarp", "asm", "static"})
    if (!placesOf(Never == "return" || Never == "else" ? Work : Body, Never)
             .empty())
      return false;
  const std::string I = Index.str();
  return !Regex("(\\+\\+|--) *" + I + "([^A-Za-z_0-9]|$)").match(Work) &&
         !Regex("(^|[^A-Za-z_0-9])" + I +
                " *(\\+\\+|--|[-+*/%&|^]=|=[^=]|<<=|>>=)")
              .match(Work) &&
         !Regex("& *" + I + "([^A-Za-z_0-9]|$)").match(Work);
}

/// The edits that let the guarded work of \p Kernel stride.
static std::vector<Replacement> strideEdits(StringRef Text,
                                            const FunctionText &Kernel) {
  const std::optional<Guard> G = guardIn(Text, Kernel.Body);
  if (!G)
    return {};
  TextRange Work{G->Words.To, Kernel.Body.To};
  if (!G->Returns) {
    const std::optional<size_t> End = endOfStatement(Text, Work.From);
    // What stands behind the guarded statement is done once.
    if (!End || *End > Work.To || !Text.slice(*End, Work.To).trim().empty())
      return {};
  }
  if (!worksAlone(Kernel.Body.of(Text), Work.of(Text), G->Index))
    return {};
  std::vector<Replacement> Edits = {
      {G->Words.From, G->Words.To - G->Words.From,
       ("for (; " + G->Index + " < " + G->Bound + "; " + G->Index +
        " += gridDim.x * blockDim.x)" + (G->Returns ? " {" : ""))
           .str()}};
  if (G->Returns)
    Edits.push_back(
        {Kernel.Body.To, 0,
         Text.take_front(Kernel.Body.To).ends_with("\n") ? "  }\n" : "}"});
  return Edits;
}

/// The blocks that the SMs of the device of \p K hold at a time; 0 where that
/// is not known.
static uint64_t placesFor(const KernelReport &K) {
  Expected<DeviceModel> Device = loadDevice(K.Device);
  if (!Device) {
    consumeError(Device.takeError());
    return 0;
  }
  const Known<double> Sms = Device->get(Quantity::SmCount);
  return Sms ? uint64_t(*Sms) * K.Predicted.BlocksPerSm : 0;
}

std::vector<Cure> editor::strideGrid(const Launched &K) {
  const Launch &L = K.What.Launched;
  const uint64_t Places = placesFor(K.What);
  if (!L.Grid || L.Grid->Source.by() != GivenBy::HostCode ||
      L.Grid->Value.X <= Places || Places == 0 || L.Grid->Value.Y != 1 ||
      L.Grid->Value.Z != 1 || L.Block.Value.Y != 1 || L.Block.Value.Z != 1)
    return {};
  StringRef Text = K.Text.text();
  const std::string Name = baseName(K.What.Facts.Demangled).str();
  const std::optional<FunctionText> Kernel = functionIn(Text, Name);
  const std::vector<LaunchWords> Launches = launchesIn(Text, Name);
  if (!Kernel || Launches.size() != 1)
    return {};
  TextRange Grid = Launches.front().Grid;
  if (isName(Grid.of(Text))) {
    // Another launch may use the number of blocks too.
    StringRef Count = Grid.of(Text);
    const std::optional<TextRange> Value = definitionOf(Text, Count, Grid.From);
    if (!Value || placesOf(Text, Count).size() != 2)
      return {};
    Grid = *Value;
  }
  std::string Blocks = Grid.of(Text).str();
  if (StringRef(Blocks).contains("dim3"))
    return {};
  if (StringRef(Blocks).find_first_of("?<>=&|^,") != StringRef::npos)
    Blocks = "(" + Blocks + ")";
  Cure C;
  C.Edits = strideEdits(Text, *Kernel);
  if (C.Edits.empty())
    return {};
  C.SharesWork = true;
  C.Edits.push_back({Grid.From, Grid.To - Grid.From,
                     Blocks + " < " + utostr(Places) + " ? " + Blocks + " : " +
                         utostr(Places)});
  C.Title = "let '" + Name + "' stride over at most " + utostr(Places) +
            " blocks, as many as the SMs of " + K.What.Device +
            " hold at a time";
  return {std::move(C)};
}
