//===- DeviceRecord.cpp - A record that the host does not overwrite -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceRecord.h"
#include "OutputName.h"
#include "gpuocc/EmitRemarks/EmitRemarks.h"
#include "gpuocc/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Remarks/RemarkStreamer.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

Error gpuocc::withDeviceRecord(Module &M, StringRef Architecture,
                               function_ref<void(LLVMRemarkStreamer *)> Emit) {
  remarks::RemarkStreamer *Clangs = M.getContext().getMainRemarkStreamer();
  std::string Path;
  if (Clangs && Clangs->getFilename() && Clangs->matchesFilter(RemarkPassName))
    Path = deviceRecordName(*Clangs->getFilename(), M.getTargetTriple().str(),
                            Architecture);
  if (Path.empty()) {
    Emit(nullptr);
    return Error::success();
  }
  SmallString<0> Text;
  raw_svector_ostream Record(Text);
  auto Serializer = remarks::createRemarkSerializer(
      Clangs->getSerializer().SerializerFormat, Record);
  if (!Serializer) {
    Emit(nullptr);
    return Serializer.takeError();
  }
  remarks::RemarkStreamer Streamer(std::move(*Serializer), Path);
  LLVMRemarkStreamer Ours(Streamer);
  Emit(&Ours);
  Streamer.releaseSerializer()->finalize();
  return writeOutput(Path, Text);
}
