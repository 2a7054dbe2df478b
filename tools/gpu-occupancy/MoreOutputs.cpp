//===- MoreOutputs.cpp - --also=FORM=FILE ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoreOutputs.h"
#include "gpuocc/Support/OutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

OptionRow gpuocc::alsoRow(std::vector<MoreOutput> &Slot,
                          std::vector<StringRef> Forms) {
  return {"--also", "FORM=FILE", "write it in this form too; may be repeated",
          [&Slot, Forms = std::move(Forms)](StringRef Value) -> Error {
            auto [Form, File] = Value.split('=');
            if (File.empty())
              return createStringError("'" + Value + "' is not FORM=FILE");
            Slot.emplace_back();
            Slot.back().File = File.str();
            return storeWord(Slot.back().Form, Forms)(Form);
          }};
}

Error gpuocc::checkOutputs(ArrayRef<MoreOutput> Outputs,
                           ArrayRef<StringRef> Inputs) {
  for (const MoreOutput &Output : Outputs)
    if (Error E = checkOutput(Output.File, Inputs))
      return E;
  return Error::success();
}

Error gpuocc::writeOutputs(
    ArrayRef<MoreOutput> Outputs,
    function_ref<void(StringRef Form, raw_ostream &)> Write) {
  for (const MoreOutput &Output : Outputs)
    if (Error E = writeOutput(Output.File, [&](raw_ostream &OS) {
          Write(Output.Form, OS);
          return Error::success();
        }))
      return E;
  return Error::success();
}
