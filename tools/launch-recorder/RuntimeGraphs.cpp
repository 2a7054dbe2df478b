//===- RuntimeGraphs.cpp - Graphs of launches and copies ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nodes run in the order in which a program adds them; dependences are not
/// looked at. Names and types are those of CUDA's runtime.
///
//===----------------------------------------------------------------------===//

#include "Copy3D.h"
#include "LaunchLog.h"
#include "Streams.h"
#include <cstdint>
#include <map>

using namespace gpuocc::recorder;

namespace {

/// cudaErrorInvalidValue.
constexpr int InvalidValue = 1;
/// cudaErrorNotSupported.
constexpr int NotSupported = 801;

/// cudaKernelNodeParams.
struct KernelNodeParams {
  const void *Kernel;
  Extent Grid, Block;
  unsigned SharedBytes;
  void **Arguments;
  void **Extra;
};

/// cudaMemsetParams.
struct MemsetParams {
  void *To;
  size_t Pitch;
  unsigned Value, ElementBytes;
  size_t Width, Height;
};

/// cudaHostNodeParams.
struct HostNodeParams {
  void (*Function)(void *);
  void *Data;
};

/// cudaGraphNodeParams: cudaGraphNodeType, and what belongs to it.
struct NodeParams {
  int Type;
  int Reserved[3];
  union {
    KernelNodeParams Kernel;
    MemsetParams Memset;
    HostNodeParams Host;
    const Graph *Child;
  };
};

/// cudaGraphExec_t: nodes by those of the graph that it was made of.
struct ExecutableGraph {
  std::vector<std::shared_ptr<GraphNode>> Order;
  std::map<GraphNode *, std::shared_ptr<GraphNode>> ByOrigin;
};

Work launchOf(const KernelNodeParams &Params) {
  auto Kept = std::make_shared<KeptLaunch>(
      plainLaunch(Params.Kernel, Params.Grid, Params.Block, Params.Arguments,
                  Params.SharedBytes));
  return [Kept] { launchKernel(Kept->request()); };
}

int addNode(GraphNode **Node, Graph *To, Work W) {
  To->Nodes.push_back(std::make_shared<GraphNode>(GraphNode{std::move(W)}));
  if (Node)
    *Node = To->Nodes.back().get();
  return 0;
}

/// Nodes are copied: a graph may change after it was instantiated.
void instantiate(const Graph &From, ExecutableGraph &To) {
  for (const std::shared_ptr<GraphNode> &Node : From.Nodes) {
    To.Order.push_back(std::make_shared<GraphNode>(*Node));
    To.ByOrigin[Node.get()] = To.Order.back();
  }
}

/// Sets the elements of a row to \p Params.Value.
void setRow(char *Row, const MemsetParams &Params) {
  for (size_t X = 0; X != Params.Width; ++X)
    for (unsigned Byte = 0; Byte != Params.ElementBytes; ++Byte)
      Row[X * Params.ElementBytes + Byte] = char(Params.Value >> (8 * Byte));
}

} // namespace

extern "C" {

int cudaMemcpy(void *To, const void *From, size_t Bytes, int Kind);
int cudaMemset(void *Pointer, int Value, size_t Bytes);
int cudaMemcpy3D(const Copy3D *Copy);

int cudaGraphCreate(Graph **Made, unsigned) {
  *Made = new Graph;
  return 0;
}
int cudaGraphClone(Graph **Made, const Graph *From) {
  *Made = new Graph(*From);
  return 0;
}
int cudaGraphDestroy(Graph *) { return 0; }

int cudaGraphAddKernelNode(GraphNode **Node, Graph *To, GraphNode *const *,
                           size_t, const KernelNodeParams *Params) {
  return addNode(Node, To, launchOf(*Params));
}
int cudaGraphAddMemcpyNode(GraphNode **Node, Graph *To, GraphNode *const *,
                           size_t, const Copy3D *Params) {
  return addNode(Node, To, [Copy = *Params] { cudaMemcpy3D(&Copy); });
}
int cudaGraphAddMemcpyNode1D(GraphNode **Node, Graph *Graph, GraphNode *const *,
                             size_t, void *To, const void *From, size_t Bytes,
                             int Kind) {
  return addNode(Node, Graph, [=] { cudaMemcpy(To, From, Bytes, Kind); });
}
int cudaGraphAddMemsetNode(GraphNode **Node, Graph *To, GraphNode *const *,
                           size_t, const MemsetParams *Given) {
  const MemsetParams Params = *Given;
  return addNode(Node, To, [Params] {
    for (size_t Y = 0; Y != Params.Height; ++Y) {
      char *Row = static_cast<char *>(Params.To) + Y * Params.Pitch;
      // Makes the contents known.
      cudaMemset(Row, 0, Params.Width * Params.ElementBytes);
      if (Params.Value != 0)
        setRow(Row, Params);
    }
  });
}
int cudaGraphAddHostNode(GraphNode **Node, Graph *To, GraphNode *const *,
                         size_t, const HostNodeParams *Given) {
  const HostNodeParams Params = *Given;
  return addNode(Node, To, [Params] { Params.Function(Params.Data); });
}
int cudaGraphAddEmptyNode(GraphNode **Node, Graph *To, GraphNode *const *,
                          size_t) {
  return addNode(Node, To, [] {});
}
int cudaGraphAddChildGraphNode(GraphNode **Node, Graph *To, GraphNode *const *,
                               size_t, const Graph *Child) {
  auto Copy = std::make_shared<Graph>(*Child);
  return addNode(Node, To, [Copy] {
    for (const std::shared_ptr<GraphNode> &N : Copy->Nodes)
      N->Run();
  });
}
// Whether a kernel wants its body to run is not known.
int cudaGraphConditionalHandleCreate(void *, Graph *, unsigned, unsigned) {
  launchLog().note("the program has a graph with conditional nodes, which is "
                   "not run");
  return NotSupported;
}
int cudaGraphAddNode(GraphNode **Node, Graph *To, GraphNode *const *,
                     const void *, size_t, const NodeParams *Params) {
  switch (Params->Type) {
  case 0:
    return cudaGraphAddKernelNode(Node, To, nullptr, 0, &Params->Kernel);
  case 2:
    return cudaGraphAddMemsetNode(Node, To, nullptr, 0, &Params->Memset);
  case 3:
    return cudaGraphAddHostNode(Node, To, nullptr, 0, &Params->Host);
  case 4:
    return cudaGraphAddChildGraphNode(Node, To, nullptr, 0, Params->Child);
  case 5:
    return cudaGraphAddEmptyNode(Node, To, nullptr, 0);
  default:
    launchLog().note("the program adds nodes of kind " +
                     std::to_string(Params->Type) +
                     " to a graph, which are not run");
    return NotSupported;
  }
}
int cudaGraphKernelNodeSetParams(GraphNode *Node,
                                 const KernelNodeParams *Params) {
  Node->Run = launchOf(*Params);
  return 0;
}
int cudaGraphGetNodes(const Graph *From, GraphNode **Nodes, size_t *Count) {
  if (Nodes)
    for (size_t I = 0; I != *Count && I != From->Nodes.size(); ++I)
      Nodes[I] = From->Nodes[I].get();
  else
    *Count = From->Nodes.size();
  return 0;
}

int cudaGraphInstantiate(ExecutableGraph **Made, const Graph *From,
                         unsigned long long) {
  *Made = new ExecutableGraph;
  instantiate(*From, **Made);
  return 0;
}
int cudaGraphInstantiateWithFlags(ExecutableGraph **Made, const Graph *From,
                                  unsigned long long Flags) {
  return cudaGraphInstantiate(Made, From, Flags);
}
int cudaGraphInstantiateWithParams(ExecutableGraph **Made, const Graph *From,
                                   void *) {
  return cudaGraphInstantiate(Made, From, 0);
}
int cudaGraphExecKernelNodeSetParams(ExecutableGraph *In, GraphNode *Node,
                                     const KernelNodeParams *Params) {
  auto Found = In->ByOrigin.find(Node);
  if (Found == In->ByOrigin.end())
    return InvalidValue;
  Found->second->Run = launchOf(*Params);
  return 0;
}
// What it says of a failure is not written: it does not fail.
int cudaGraphExecUpdate(ExecutableGraph *In, const Graph *From, void *) {
  *In = {};
  instantiate(*From, *In);
  return 0;
}
int cudaGraphExecDestroy(ExecutableGraph *) { return 0; }
int cudaGraphUpload(ExecutableGraph *, void *) { return 0; }
// A graph that is launched into a captured stream becomes a part of that.
int cudaGraphLaunch(ExecutableGraph *Launched, void *Stream) {
  for (const std::shared_ptr<GraphNode> &Node : Launched->Order)
    submit(Stream, Node->Run);
  return 0;
}

} // extern "C"
