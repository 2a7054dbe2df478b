//===- Streams.h - Streams and the graphs they are captured into *- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_STREAMS_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_STREAMS_H

#include "Launch.h"
#include <functional>
#include <memory>
#include <vector>

namespace gpuocc::recorder {

/// What a stream or a node of a graph is asked to do.
using Work = std::function<void()>;

/// A launch whose arguments are kept: programs change theirs after the call.
class KeptLaunch {
public:
  explicit KeptLaunch(const LaunchRequest &Request);
  /// The request, valid as long as this lives.
  const LaunchRequest &request() const { return Request; }

private:
  LaunchRequest Request;
  std::vector<std::vector<char>> Values;
  std::vector<void *> Pointers;
};

/// The cudaGraphNodeType of nodes; what is captured has the first.
enum class NodeType {
  Kernel = 0,
  Copy = 1,
  Fill = 2,
  Host = 3,
  Child = 4,
  Empty = 5,
  WaitEvent = 6,
  RecordEvent = 7,
  Allocation = 10,
  Release = 11
};

/// A node of a graph. Nodes run in the order in which they were added, but
/// behind those that they wait for.
struct GraphNode {
  Work Run;
  NodeType Type = NodeType::Kernel;
  std::vector<GraphNode *> Before;
  bool IsEnabled = true;
};

/// cudaGraph_t.
struct Graph {
  std::vector<std::shared_ptr<GraphNode>> Nodes;
};

/// Does \p W at once, or adds it to the graph that \p Stream is captured into.
void submit(void *Stream, Work W);

/// True while \p Stream is captured.
bool isCaptured(void *Stream);

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_STREAMS_H
