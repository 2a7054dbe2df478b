//===- Lsp.cpp - Messages of an editor ------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "lsp/Connection.h"
#include "lsp/Protocol.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace gpuocc::fuzz;
using namespace llvm;

namespace {
/// Takes what requests and notifications say and answers nothing of it.
struct Answers {
  void onInitialize(const InitializeParams &,
                    lsp::Callback<json::Value> Reply) {
    Reply(json::Value(nullptr));
  }
  void onOpen(const lsp::DidOpenTextDocumentParams &) {}
  void onChange(const lsp::DidChangeTextDocumentParams &) {}
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const int In = memfd_create("messages", 0);
  require(In >= 0 && write(In, Data, Size) == ssize_t(Size) &&
              lseek(In, 0, SEEK_SET) == 0,
          "messages are written");
  lsp::Logger::setLogLevel(lsp::Logger::Level::Error);
  raw_null_ostream Nowhere;
  lsp::JSONTransport Out(nullptr, Nowhere);
  lsp::MessageHandler Handler(Out);
  Answers A;
  Handler.method("initialize", &A, &Answers::onInitialize);
  Handler.notification("textDocument/didOpen", &A, &Answers::onOpen);
  Handler.notification("textDocument/didChange", &A, &Answers::onChange);
  Connection Messages(Out, Handler);
  MessageReader Reader(In);
  std::string Body;
  for (bool GoesOn = true; GoesOn;) {
    switch (Reader.readBody(Body)) {
    case MessageReader::Outcome::Message:
      GoesOn = Messages.handle(Body);
      break;
    case MessageReader::Outcome::BadHeader:
      Messages.refuse("no message");
      break;
    case MessageReader::Outcome::End:
      GoesOn = false;
      break;
    }
  }
  close(In);
  return 0;
}
