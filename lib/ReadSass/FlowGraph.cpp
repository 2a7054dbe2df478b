//===- FlowGraph.cpp - Basic blocks of machine code -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowGraph.h"
#include "gpuocc/ReadSass/SassOpcode.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

/// What an instruction does to the flow of control.
enum class Jump { None, Branch, Indexed, Call, Return, Exit, Converge };

/// One execution context: the kernel, or a function called from one place.
struct Frame {
  unsigned Depth = 0;
  uint32_t Caller = 0;
  size_t ReturnTo = 0;
};

class Builder {
public:
  explicit Builder(const SassFunction &F) : F(F) {}

  Expected<FlowGraph> run() {
    if (F.Instructions.empty())
      return createStringError("kernel '" + F.Name + "' has no instructions");
    findLeaders();
    Frames.emplace_back();
    blockAt(0, 0);
    // Blocks are made when something leads to them.
    for (uint32_t I = 0; I != Graph.Blocks.size(); ++I)
      if (Error E = connect(I))
        return std::move(E);
    return std::move(Graph);
  }

private:
  /// Deeper calls are not followed; what ptxas makes of divisions and roots
  /// calls one function that calls none.
  static constexpr unsigned MaxDepth = 4;

  const SassFunction &F;
  FlowGraph Graph;
  std::set<size_t> Leaders;
  std::vector<Frame> Frames;
  std::vector<uint32_t> FrameOf;
  /// Where lanes go that exit before the others.
  std::optional<uint32_t> Exit;
  std::map<std::pair<uint32_t, size_t>, uint32_t> BlockOf;

  static Jump jumpOf(const SassInstruction &I) {
    const SassOpcode *Row = findSassOpcode(I.Opcode);
    if (!Row)
      return Jump::None;
    switch (Row->Class) {
    case InstClass::Branch:
      return Jump::Branch;
    case InstClass::BranchIndexed:
      return Jump::Indexed;
    case InstClass::Call:
      return Row->Text == "RET" ? Jump::Return : Jump::Call;
    case InstClass::Exit:
      return Jump::Exit;
    case InstClass::Converge:
      return Row->Text == "BSYNC" ? Jump::Converge : Jump::None;
    default:
      return Jump::None;
    }
  }

  /// The labels that \p I names.
  static SmallVector<std::string, 2> labelsIn(const SassInstruction &I) {
    SmallVector<std::string, 2> Labels;
    for (StringRef Operand : I.Operands) {
      if (size_t At = Operand.find("`("); At != StringRef::npos)
        Labels.push_back(Operand.drop_front(At + 2).split(')').first.str());
      else if (size_t Dot = Operand.find(".L_x_"); Dot != StringRef::npos)
        Labels.push_back(Operand.drop_front(Dot)
                             .take_while([](char C) {
                               return C == '.' || C == '_' || isAlnum(C);
                             })
                             .str());
    }
    return Labels;
  }

  Expected<size_t> target(const SassInstruction &I, StringRef Label) const {
    auto It = F.Labels.find(Label.str());
    if (It == F.Labels.end() || It->second >= F.Instructions.size())
      return createStringError("kernel '%s': '%s' at 0x%llx goes to '%s', "
                               "which is not there",
                               F.Name.c_str(), I.Opcode.c_str(),
                               (unsigned long long)I.Offset,
                               Label.str().c_str());
    return It->second;
  }

  void findLeaders() {
    Leaders.insert(0);
    for (const auto &[Label, At] : F.Labels)
      Leaders.insert(At);
    for (size_t I = 0; I != F.Instructions.size(); ++I)
      if (jumpOf(F.Instructions[I]) != Jump::None)
        Leaders.insert(I + 1);
  }

  uint32_t blockAt(uint32_t Frame, size_t First) {
    auto [It, IsNew] = BlockOf.try_emplace({Frame, First}, Graph.Blocks.size());
    if (IsNew) {
      FlowBlock B;
      B.First = First;
      auto Next = Leaders.upper_bound(First);
      B.End = Next == Leaders.end() ? F.Instructions.size()
                                    : std::min(*Next, F.Instructions.size());
      Graph.Blocks.push_back(std::move(B));
      FrameOf.push_back(Frame);
    }
    return It->second;
  }

  void link(uint32_t From, uint32_t Frame, size_t To) {
    if (To >= F.Instructions.size())
      return;
    uint32_t Block = blockAt(Frame, To);
    if (!is_contained(Graph.Blocks[From].Successors, Block))
      Graph.Blocks[From].Successors.push_back(Block);
  }

  /// Where the region that the convergence at \p At closes goes on: the target
  /// of the nearest BSSY before it with the same barrier.
  std::optional<std::string> convergenceOf(size_t At) const {
    const SassInstruction &Sync = F.Instructions[At];
    if (Sync.Operands.empty())
      return std::nullopt;
    for (size_t I = At; I-- > 0;) {
      const SassInstruction &Open = F.Instructions[I];
      if (Open.Opcode.starts_with("BSSY") && !Open.Operands.empty() &&
          Open.Operands.front() == Sync.Operands.front())
        if (auto Labels = labelsIn(Open); !Labels.empty())
          return Labels.front();
    }
    return std::nullopt;
  }

  uint32_t exitBlock() {
    if (!Exit) {
      Exit = Graph.Blocks.size();
      Graph.Blocks.emplace_back();
      FrameOf.push_back(0);
    }
    return *Exit;
  }

  Error connect(uint32_t Block) {
    uint32_t Frame = FrameOf[Block];
    size_t End = Graph.Blocks[Block].End;
    if (Block == Exit)
      return Error::success();
    const SassInstruction &Last = F.Instructions[End - 1];
    SmallVector<std::string, 2> Labels = labelsIn(Last);
    bool Conditional = !Last.Predicate.empty();
    switch (jumpOf(Last)) {
    case Jump::None:
      link(Block, Frame, End);
      return Error::success();
    case Jump::Branch:
      // A second predicate, or the divergence that BRA.DIV asks for.
      Conditional |= Last.Operands.size() > Labels.size();
      [[fallthrough]];
    case Jump::Indexed:
      if (Labels.empty())
        Graph.Gaps.push_back("'" + Last.Opcode + "' goes to an unknown place");
      for (StringRef Label : Labels) {
        Expected<size_t> To = target(Last, Label);
        if (!To)
          return To.takeError();
        link(Block, Frame, *To);
      }
      if (Conditional)
        link(Block, Frame, End);
      Graph.Blocks[Block].EndsInBranch =
          Graph.Blocks[Block].Successors.size() > 1;
      return Error::success();
    case Jump::Call:
      return connectCall(Block, Last, Labels);
    case Jump::Return:
      if (Frame != 0)
        link(Block, Frames[Frame].Caller, Frames[Frame].ReturnTo);
      break;
    case Jump::Exit:
      if (Conditional) {
        uint32_t Leaving = exitBlock();
        Graph.Blocks[Block].Successors.push_back(Leaving);
        link(Block, Frame, End);
        Graph.Blocks[Block].EndsInBranch = true;
      }
      return Error::success();
    case Jump::Converge:
      if (std::optional<std::string> Label = convergenceOf(End - 1)) {
        Expected<size_t> To = target(Last, *Label);
        if (!To)
          return To.takeError();
        link(Block, Frame, *To);
      } else {
        link(Block, Frame, End);
      }
      return Error::success();
    }
    if (Conditional)
      link(Block, Frame, End);
    return Error::success();
  }

  Error connectCall(uint32_t Block, const SassInstruction &Call,
                    ArrayRef<std::string> Labels) {
    uint32_t Frame = FrameOf[Block];
    size_t End = Graph.Blocks[Block].End;
    // Functions of other sections, and of other files.
    if (Labels.empty() || Frames[Frame].Depth == MaxDepth ||
        !F.Labels.count(Labels.front())) {
      Graph.Gaps.push_back("'" + Call.Opcode + "' calls an unknown function");
      link(Block, Frame, End);
      return Error::success();
    }
    Expected<size_t> To = target(Call, Labels.front());
    if (!To)
      return To.takeError();
    Frames.push_back({Frames[Frame].Depth + 1, Frame, End});
    link(Block, uint32_t(Frames.size() - 1), *To);
    if (!Call.Predicate.empty()) {
      link(Block, Frame, End);
      Graph.Blocks[Block].EndsInBranch = true;
    }
    return Error::success();
  }
};

} // namespace

Expected<FlowGraph> gpuocc::buildFlowGraph(const SassFunction &Function) {
  return Builder(Function).run();
}
