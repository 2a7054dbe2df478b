//===- RuntimeGraphs.cpp - Graphs of launches and copies ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names and types are those of CUDA's runtime, from CUDA 13 on where toolkits
/// differ.
///
//===----------------------------------------------------------------------===//

#include "Copy3D.h"
#include "LaunchLog.h"
#include "RuntimeErrors.h"
#include "Streams.h"
#include <cstdint>
#include <map>
#include <set>

using namespace gpuocc::recorder;

extern "C" {
int cudaMalloc(void **Pointer, size_t Bytes);
int cudaMemcpy(void *To, const void *From, size_t Bytes, int Kind);
int cudaMemset(void *Pointer, int Value, size_t Bytes);
int cudaMemcpy3D(const Copy3D *Copy);
int cudaMemcpyToSymbol(const void *Symbol, const void *From, size_t Bytes,
                       size_t Offset, int Kind);
int cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                         size_t Offset, int Kind);
int cudaEventRecord(void *Event, void *Stream);
}

namespace {

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

/// The start of cudaMemAllocNodeParams.
struct AllocationParams {
  char Pool[88];
  const void *Access;
  size_t NumAccess;
  size_t Bytes;
  void *Pointer;
};

/// cudaMemcpyNodeParams.
struct CopyNodeParams {
  int Flags;
  int Reserved[3];
  Copy3D Params;
};

/// cudaGraphNodeParams: cudaGraphNodeType, and what belongs to it.
struct NodeParams {
  int Type;
  int Reserved[3];
  union {
    KernelNodeParams Kernel;
    CopyNodeParams Copy;
    MemsetParams Memset;
    HostNodeParams Host;
    const Graph *Child;
    void *Event;
    AllocationParams Allocation;
    void *Pointer;
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

/// The nodes that a new one waits for.
struct Dependences {
  GraphNode *const *Nodes;
  size_t Count;
};

int addNode(GraphNode **Node, Graph *To, Dependences Before, NodeType Type,
            Work W) {
  auto New = std::make_shared<GraphNode>();
  New->Run = std::move(W);
  New->Type = Type;
  if (Before.Nodes)
    New->Before.assign(Before.Nodes, Before.Nodes + Before.Count);
  To->Nodes.push_back(std::move(New));
  if (Node)
    *Node = To->Nodes.back().get();
  return 0;
}

/// Puts the nodes of a graph in the order in which they run.
class NodeOrder {
public:
  explicit NodeOrder(const Graph &From) {
    for (const std::shared_ptr<GraphNode> &Node : From.Nodes)
      ByAddress[Node.get()] = Node;
    for (const std::shared_ptr<GraphNode> &Node : From.Nodes)
      add(Node);
  }

  std::vector<std::shared_ptr<GraphNode>> Nodes;

private:
  void add(const std::shared_ptr<GraphNode> &Node) {
    if (!Seen.insert(Node.get()).second)
      return;
    for (GraphNode *Before : Node->Before)
      if (auto Found = ByAddress.find(Before); Found != ByAddress.end())
        add(Found->second);
    Nodes.push_back(Node);
  }

  std::map<GraphNode *, std::shared_ptr<GraphNode>> ByAddress;
  std::set<GraphNode *> Seen;
};

/// Nodes are copied: a graph may change after it was instantiated.
void instantiate(const Graph &From, ExecutableGraph &To) {
  for (const std::shared_ptr<GraphNode> &Node : NodeOrder(From).Nodes) {
    To.Order.push_back(std::make_shared<GraphNode>(*Node));
    To.ByOrigin[Node.get()] = To.Order.back();
  }
}

/// Gives \p Node of \p In other work.
int setWork(ExecutableGraph *In, GraphNode *Node, Work W) {
  auto Found = In->ByOrigin.find(Node);
  if (Found == In->ByOrigin.end())
    return noteError(InvalidValue);
  Found->second->Run = std::move(W);
  return 0;
}

/// As CUDA answers: how many where there is no room for them.
int answerList(const std::vector<GraphNode *> &From, GraphNode **To,
               size_t *Count) {
  if (To)
    for (size_t I = 0; I != *Count && I != From.size(); ++I)
      To[I] = From[I];
  else
    *Count = From.size();
  return 0;
}

/// Sets the elements of a row to \p Params.Value.
void setRow(char *Row, const MemsetParams &Params) {
  for (size_t X = 0; X != Params.Width; ++X)
    for (unsigned Byte = 0; Byte != Params.ElementBytes; ++Byte)
      Row[X * Params.ElementBytes + Byte] = char(Params.Value >> (8 * Byte));
}

Work copyOf(const Copy3D &Params) {
  return [Params] { cudaMemcpy3D(&Params); };
}
Work copyOf(void *To, const void *From, size_t Bytes, int Kind) {
  return [=] { cudaMemcpy(To, From, Bytes, Kind); };
}
Work fillOf(const MemsetParams &Params) {
  return [Params] {
    for (size_t Y = 0; Y != Params.Height; ++Y) {
      char *Row = static_cast<char *>(Params.To) + Y * Params.Pitch;
      // Makes the contents known.
      cudaMemset(Row, 0, Params.Width * Params.ElementBytes);
      if (Params.Value != 0)
        setRow(Row, Params);
    }
  };
}
Work callOf(const HostNodeParams &Params) {
  return [Params] { Params.Function(Params.Data); };
}
Work childOf(const Graph &Child) {
  auto Order = std::make_shared<NodeOrder>(Child);
  return [Order] {
    for (const std::shared_ptr<GraphNode> &Node : Order->Nodes)
      Node->Run();
  };
}

} // namespace

extern "C" {

int cudaGraphCreate(Graph **Made, unsigned) {
  *Made = new Graph;
  return 0;
}
int cudaGraphClone(Graph **Made, const Graph *From) {
  *Made = new Graph(*From);
  return 0;
}
int cudaGraphDestroy(Graph *) { return 0; }

int cudaGraphAddKernelNode(GraphNode **Node, Graph *To,
                           GraphNode *const *Before, size_t Count,
                           const KernelNodeParams *Params) {
  return addNode(Node, To, {Before, Count}, NodeType::Kernel,
                 launchOf(*Params));
}
int cudaGraphAddMemcpyNode(GraphNode **Node, Graph *To,
                           GraphNode *const *Before, size_t Count,
                           const Copy3D *Params) {
  return addNode(Node, To, {Before, Count}, NodeType::Copy, copyOf(*Params));
}
int cudaGraphAddMemcpyNode1D(GraphNode **Node, Graph *Graph,
                             GraphNode *const *Before, size_t Count, void *To,
                             const void *From, size_t Bytes, int Kind) {
  return addNode(Node, Graph, {Before, Count}, NodeType::Copy,
                 copyOf(To, From, Bytes, Kind));
}
int cudaGraphAddMemcpyNodeToSymbol(GraphNode **Node, Graph *Graph,
                                   GraphNode *const *Before, size_t Count,
                                   const void *Symbol, const void *From,
                                   size_t Bytes, size_t Offset, int Kind) {
  return addNode(Node, Graph, {Before, Count}, NodeType::Copy, [=] {
    cudaMemcpyToSymbol(Symbol, From, Bytes, Offset, Kind);
  });
}
int cudaGraphAddMemcpyNodeFromSymbol(GraphNode **Node, Graph *Graph,
                                     GraphNode *const *Before, size_t Count,
                                     void *To, const void *Symbol, size_t Bytes,
                                     size_t Offset, int Kind) {
  return addNode(Node, Graph, {Before, Count}, NodeType::Copy, [=] {
    cudaMemcpyFromSymbol(To, Symbol, Bytes, Offset, Kind);
  });
}
int cudaGraphAddMemsetNode(GraphNode **Node, Graph *To,
                           GraphNode *const *Before, size_t Count,
                           const MemsetParams *Params) {
  return addNode(Node, To, {Before, Count}, NodeType::Fill, fillOf(*Params));
}
int cudaGraphAddHostNode(GraphNode **Node, Graph *To, GraphNode *const *Before,
                         size_t Count, const HostNodeParams *Params) {
  return addNode(Node, To, {Before, Count}, NodeType::Host, callOf(*Params));
}
int cudaGraphAddEmptyNode(GraphNode **Node, Graph *To, GraphNode *const *Before,
                          size_t Count) {
  return addNode(Node, To, {Before, Count}, NodeType::Empty, [] {});
}
int cudaGraphAddEventRecordNode(GraphNode **Node, Graph *To,
                                GraphNode *const *Before, size_t Count,
                                void *Event) {
  return addNode(Node, To, {Before, Count}, NodeType::RecordEvent,
                 [=] { cudaEventRecord(Event, nullptr); });
}
// Nodes run one after the other.
int cudaGraphAddEventWaitNode(GraphNode **Node, Graph *To,
                              GraphNode *const *Before, size_t Count, void *) {
  return addNode(Node, To, {Before, Count}, NodeType::WaitEvent, [] {});
}
int cudaGraphAddChildGraphNode(GraphNode **Node, Graph *To,
                               GraphNode *const *Before, size_t Count,
                               const Graph *Child) {
  return addNode(Node, To, {Before, Count}, NodeType::Child, childOf(*Child));
}
// The memory is there from now on: later nodes have its address.
int cudaGraphAddMemAllocNode(GraphNode **Node, Graph *To,
                             GraphNode *const *Before, size_t Count,
                             AllocationParams *Params) {
  if (const int Error = cudaMalloc(&Params->Pointer, Params->Bytes))
    return Error;
  return addNode(Node, To, {Before, Count}, NodeType::Allocation, [] {});
}
// And stays: the graph may be launched again.
int cudaGraphAddMemFreeNode(GraphNode **Node, Graph *To,
                            GraphNode *const *Before, size_t Count, void *) {
  return addNode(Node, To, {Before, Count}, NodeType::Release, [] {});
}
int cudaGraphAddDependencies(Graph *, GraphNode *const *From,
                             GraphNode *const *To, const void *, size_t Count) {
  for (size_t I = 0; I != Count; ++I)
    To[I]->Before.push_back(From[I]);
  return 0;
}
// Whether a kernel wants its body to run is not known.
int cudaGraphConditionalHandleCreate(void *, Graph *, unsigned, unsigned) {
  launchLog().note("the program has a graph with conditional nodes, which is "
                   "not run");
  return noteError(NotSupported);
}
int cudaGraphAddNode(GraphNode **Node, Graph *To, GraphNode *const *Before,
                     const void *, size_t Count, NodeParams *Params) {
  switch (NodeType(Params->Type)) {
  case NodeType::Kernel:
    return cudaGraphAddKernelNode(Node, To, Before, Count, &Params->Kernel);
  case NodeType::Copy:
    return cudaGraphAddMemcpyNode(Node, To, Before, Count,
                                  &Params->Copy.Params);
  case NodeType::Fill:
    return cudaGraphAddMemsetNode(Node, To, Before, Count, &Params->Memset);
  case NodeType::Host:
    return cudaGraphAddHostNode(Node, To, Before, Count, &Params->Host);
  case NodeType::Child:
    return cudaGraphAddChildGraphNode(Node, To, Before, Count, Params->Child);
  case NodeType::Empty:
    return cudaGraphAddEmptyNode(Node, To, Before, Count);
  case NodeType::WaitEvent:
    return cudaGraphAddEventWaitNode(Node, To, Before, Count, Params->Event);
  case NodeType::RecordEvent:
    return cudaGraphAddEventRecordNode(Node, To, Before, Count, Params->Event);
  case NodeType::Allocation:
    return cudaGraphAddMemAllocNode(Node, To, Before, Count,
                                    &Params->Allocation);
  case NodeType::Release:
    return cudaGraphAddMemFreeNode(Node, To, Before, Count, Params->Pointer);
  }
  launchLog().note("the program adds nodes of kind " +
                   std::to_string(Params->Type) +
                   " to a graph, which are not run");
  return noteError(NotSupported);
}
int cudaGraphKernelNodeSetParams(GraphNode *Node,
                                 const KernelNodeParams *Params) {
  Node->Run = launchOf(*Params);
  return 0;
}
int cudaGraphMemcpyNodeSetParams(GraphNode *Node, const Copy3D *Params) {
  Node->Run = copyOf(*Params);
  return 0;
}
int cudaGraphMemcpyNodeSetParams1D(GraphNode *Node, void *To, const void *From,
                                   size_t Bytes, int Kind) {
  Node->Run = copyOf(To, From, Bytes, Kind);
  return 0;
}
int cudaGraphMemsetNodeSetParams(GraphNode *Node, const MemsetParams *Params) {
  Node->Run = fillOf(*Params);
  return 0;
}
int cudaGraphHostNodeSetParams(GraphNode *Node, const HostNodeParams *Params) {
  Node->Run = callOf(*Params);
  return 0;
}
int cudaGraphGetNodes(const Graph *From, GraphNode **Nodes, size_t *Count) {
  std::vector<GraphNode *> All;
  for (const std::shared_ptr<GraphNode> &Node : From->Nodes)
    All.push_back(Node.get());
  return answerList(All, Nodes, Count);
}
int cudaGraphGetRootNodes(const Graph *From, GraphNode **Nodes, size_t *Count) {
  std::vector<GraphNode *> Roots;
  for (const std::shared_ptr<GraphNode> &Node : From->Nodes)
    if (Node->Before.empty())
      Roots.push_back(Node.get());
  return answerList(Roots, Nodes, Count);
}
int cudaGraphNodeGetDependencies(const GraphNode *Node, GraphNode **Nodes,
                                 void *, size_t *Count) {
  return answerList(Node->Before, Nodes, Count);
}
int cudaGraphGetEdges(const Graph *In, GraphNode **From, GraphNode **To, void *,
                      size_t *Count) {
  std::vector<GraphNode *> Starts, Ends;
  for (const std::shared_ptr<GraphNode> &Node : In->Nodes)
    for (GraphNode *Before : Node->Before) {
      Starts.push_back(Before);
      Ends.push_back(Node.get());
    }
  size_t Same = *Count;
  answerList(Ends, To, &Same);
  return answerList(Starts, From, Count);
}
int cudaGraphNodeGetType(const GraphNode *Node, int *Type) {
  *Type = int(Node->Type);
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
  return setWork(In, Node, launchOf(*Params));
}
int cudaGraphExecMemcpyNodeSetParams(ExecutableGraph *In, GraphNode *Node,
                                     const Copy3D *Params) {
  return setWork(In, Node, copyOf(*Params));
}
int cudaGraphExecMemcpyNodeSetParams1D(ExecutableGraph *In, GraphNode *Node,
                                       void *To, const void *From, size_t Bytes,
                                       int Kind) {
  return setWork(In, Node, copyOf(To, From, Bytes, Kind));
}
int cudaGraphExecMemsetNodeSetParams(ExecutableGraph *In, GraphNode *Node,
                                     const MemsetParams *Params) {
  return setWork(In, Node, fillOf(*Params));
}
int cudaGraphExecHostNodeSetParams(ExecutableGraph *In, GraphNode *Node,
                                   const HostNodeParams *Params) {
  return setWork(In, Node, callOf(*Params));
}
int cudaGraphExecChildGraphNodeSetParams(ExecutableGraph *In, GraphNode *Node,
                                         const Graph *Child) {
  return setWork(In, Node, childOf(*Child));
}
int cudaGraphNodeSetEnabled(ExecutableGraph *In, GraphNode *Node,
                            unsigned IsEnabled) {
  auto Found = In->ByOrigin.find(Node);
  if (Found == In->ByOrigin.end())
    return noteError(InvalidValue);
  Found->second->IsEnabled = IsEnabled != 0;
  return 0;
}
int cudaGraphNodeGetEnabled(ExecutableGraph *In, GraphNode *Node,
                            unsigned *IsEnabled) {
  auto Found = In->ByOrigin.find(Node);
  if (Found == In->ByOrigin.end())
    return noteError(InvalidValue);
  *IsEnabled = Found->second->IsEnabled;
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
    if (Node->IsEnabled)
      submit(Stream, Node->Run);
  return 0;
}

} // extern "C"
