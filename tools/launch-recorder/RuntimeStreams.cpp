//===- RuntimeStreams.cpp - Streams, events and capture -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All work is done when it is submitted, unless the stream is captured into a
/// graph. Names and types are those of CUDA's runtime.
///
//===----------------------------------------------------------------------===//

#include "HostLog.h"
#include "KernelExecutor.h"
#include "KernelTable.h"
#include "RuntimeErrors.h"
#include "Streams.h"
#include <map>
#include <mutex>

using namespace gpuocc::recorder;

namespace {

/// cudaStreamCaptureStatusActive.
constexpr int CaptureIsActive = 1;
/// cudaStreamNonBlocking.
constexpr unsigned NonBlocking = 1;

/// Which streams and events belong to a capture.
struct CaptureTable {
  std::mutex Lock;
  std::map<void *, Graph *> Streams, Events;
};

CaptureTable &captures() {
  // Never destroyed: programs use streams while they end.
  static CaptureTable &Table = *new CaptureTable;
  return Table;
}

Graph *captureOf(void *Stream) {
  std::lock_guard<std::mutex> Guard(captures().Lock);
  auto Found = captures().Streams.find(Stream);
  return Found == captures().Streams.end() ? nullptr : Found->second;
}

/// Handles are never looked into; they only must differ.
int newHandle(void **Handle) {
  *Handle = new char;
  return 0;
}

} // namespace

KeptLaunch::KeptLaunch(const LaunchRequest &From) : Request(From) {
  const ProgramKernel *K = kernelTable().find(From.Kernel);
  if (!From.Arguments || !K || !K->Description) {
    Request.Arguments = nullptr;
    return;
  }
  for (size_t I = 0; I != K->Description->Parameters.size(); ++I) {
    const char *Value = static_cast<const char *>(From.Arguments[I]);
    Values.emplace_back(Value, Value + K->Description->Parameters[I].Bytes);
  }
  for (std::vector<char> &Value : Values)
    Pointers.push_back(Value.data());
  Request.Arguments = Pointers.data();
}

bool gpuocc::recorder::isCaptured(void *Stream) {
  return captureOf(Stream) != nullptr;
}

void gpuocc::recorder::submit(void *Stream, Work W) {
  if (Graph *Into = captureOf(Stream)) {
    auto Node = std::make_shared<GraphNode>();
    Node->Run = std::move(W);
    Into->Nodes.push_back(std::move(Node));
    return;
  }
  const StreamScope Scope(Stream);
  W();
}

extern "C" {

int cudaDeviceSynchronize() {
  hostLog().wait();
  return kernelExecutor().failure();
}
// Of early versions; CUDA 13 has it no more.
int cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
int cudaStreamSynchronize(void *Stream) {
  hostLog().wait(HostEventKind::HostAwaitsStream, Stream);
  return kernelExecutor().failure();
}
int cudaEventSynchronize(void *Event) {
  hostLog().wait(HostEventKind::HostAwaitsEvent, Event);
  return kernelExecutor().failure();
}

int cudaStreamCreate(void **Stream) { return newHandle(Stream); }
int cudaStreamCreateWithFlags(void **Stream, unsigned Flags) {
  newHandle(Stream);
  if (Flags & NonBlocking)
    hostLog().addNonBlocking(*Stream);
  return 0;
}
int cudaStreamCreateWithPriority(void **Stream, unsigned Flags, int) {
  return cudaStreamCreateWithFlags(Stream, Flags);
}
int cudaEventCreate(void **Event) { return newHandle(Event); }
int cudaEventCreateWithFlags(void **Event, unsigned) {
  return newHandle(Event);
}

int cudaEventRecord(void *Event, void *Stream) {
  Graph *Into = captureOf(Stream);
  std::lock_guard<std::mutex> Guard(captures().Lock);
  if (Into) {
    captures().Events[Event] = Into;
  } else {
    captures().Events.erase(Event);
    hostLog().event(HostEventKind::EventRecorded, Stream, Event);
  }
  return 0;
}
int cudaEventRecordWithFlags(void *Event, void *Stream, unsigned) {
  return cudaEventRecord(Event, Stream);
}
// A stream that waits for a captured event is captured too.
int cudaStreamWaitEvent(void *Stream, void *Event, unsigned) {
  std::lock_guard<std::mutex> Guard(captures().Lock);
  if (auto Found = captures().Events.find(Event);
      Found != captures().Events.end())
    captures().Streams[Stream] = Found->second;
  else
    hostLog().event(HostEventKind::StreamAwaitsEvent, Stream, Event);
  return 0;
}
// Programs divide by the time that has passed. It is predicted when they have
// ended.
int cudaEventElapsedTime(float *Milliseconds, void *Start, void *End) {
  hostLog().askElapsedTime(Start, End);
  *Milliseconds = 1;
  return 0;
}
int cudaEventElapsedTime_v2(float *Milliseconds, void *Start, void *End) {
  return cudaEventElapsedTime(Milliseconds, Start, End);
}

int cudaLaunchHostFunc(void *Stream, void (*Function)(void *), void *Data) {
  submit(Stream, [=] { Function(Data); });
  return 0;
}
int cudaStreamAddCallback(void *Stream, void (*Function)(void *, int, void *),
                          void *Data, unsigned) {
  submit(Stream, [=] { Function(Stream, 0, Data); });
  return 0;
}

int cudaStreamBeginCapture(void *Stream, int) {
  std::lock_guard<std::mutex> Guard(captures().Lock);
  Graph *&Into = captures().Streams[Stream];
  if (Into)
    return noteError(IllegalState);
  Into = new Graph;
  return 0;
}
int cudaStreamBeginCaptureToGraph(void *Stream, Graph *Into, const void *,
                                  const void *, size_t, int) {
  std::lock_guard<std::mutex> Guard(captures().Lock);
  captures().Streams[Stream] = Into;
  return 0;
}
int cudaStreamEndCapture(void *Stream, Graph **Captured) {
  Graph *Into = captureOf(Stream);
  *Captured = Into;
  if (!Into)
    return noteError(IllegalState);
  std::lock_guard<std::mutex> Guard(captures().Lock);
  auto IsOfIt = [&](const auto &Entry) { return Entry.second == Into; };
  std::erase_if(captures().Streams, IsOfIt);
  std::erase_if(captures().Events, IsOfIt);
  return 0;
}
int cudaStreamIsCapturing(void *Stream, int *Status) {
  *Status = isCaptured(Stream) ? CaptureIsActive : 0;
  return 0;
}
int cudaThreadExchangeStreamCaptureMode(int *) { return 0; }

} // extern "C"
