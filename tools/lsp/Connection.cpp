//===- Connection.cpp - Messages of the client, one after the other -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Connection.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include <unistd.h>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// No message is longer; a client that says so sends something else.
static constexpr uint64_t MostBodyBytes = uint64_t(1) << 28;
/// Longer lines are no header.
static constexpr size_t MostHeaderBytes = 4096;

std::optional<char> MessageReader::next() {
  if (At == Buffer.size()) {
    constexpr size_t ReadBytes = 1 << 16;
    Buffer.resize_for_overwrite(ReadBytes);
    const ssize_t Got =
        sys::RetryAfterSignal(-1, read, In, Buffer.data(), ReadBytes);
    Buffer.truncate(Got > 0 ? size_t(Got) : 0);
    At = 0;
    if (Buffer.empty())
      return std::nullopt;
  }
  return Buffer[At++];
}

/// Reads a line without its end into \p Line, of a longer one the beginning.
/// False at the end of the stream.
bool MessageReader::readLine(std::string &Line) {
  Line.clear();
  while (std::optional<char> C = next()) {
    if (*C == '\n')
      return true;
    if (Line.size() != MostHeaderBytes)
      Line += *C;
  }
  return false;
}

MessageReader::Outcome MessageReader::readBody(std::string &Body) {
  std::optional<uint64_t> Length;
  std::string Line;
  do {
    if (!readLine(Line))
      return Outcome::End;
    StringRef Header = StringRef(Line).trim();
    uint64_t Number = 0;
    if (Header.consume_front_insensitive("Content-Length:") &&
        !Header.trim().getAsInteger(10, Number))
      Length = Number;
  } while (!StringRef(Line).trim().empty());
  if (!Length || *Length == 0)
    return Outcome::BadHeader;
  const bool IsTooLong = *Length > MostBodyBytes;
  Body.clear();
  for (uint64_t I = 0; I != *Length; ++I) {
    std::optional<char> C = next();
    if (!C)
      return Outcome::End;
    if (!IsTooLong)
      Body += *C;
  }
  return IsTooLong ? Outcome::BadHeader : Outcome::Message;
}

std::string editor::requestText(const json::Value &Id) {
  return formatv("{0}", Id).str();
}

void Connection::refuse(const Twine &Why) {
  Out.reply(nullptr,
            make_error<lsp::LSPError>(Why.str(), lsp::ErrorCode::ParseError));
}

bool Connection::handle(StringRef Body) {
  Expected<json::Value> Message = parseJSON(Body);
  if (!Message) {
    refuse(toString(Message.takeError()));
    return true;
  }
  json::Object *O = Message->getAsObject();
  if (!O || O->getString("jsonrpc") != StringRef("2.0")) {
    Out.reply(nullptr,
              make_error<lsp::LSPError>("not a message of JSON-RPC 2.0",
                                        lsp::ErrorCode::InvalidRequest));
    return true;
  }
  const json::Value *Id = O->get("id");
  const std::optional<StringRef> Method = O->getString("method");
  if (!Method) {
    const json::Value *Result = O->get("result");
    if (Id && Result && OnAnswer)
      OnAnswer(requestText(*Id), *Result);
    return true;
  }
  const json::Value *Params = O->get("params");
  json::Value Given = Params ? *Params : json::Value(nullptr);
  if (!Id)
    return notify(*Method, std::move(Given));
  call(*Method, std::move(Given), *Id);
  return true;
}

void Connection::call(StringRef Method, json::Value Params, json::Value Id) {
  auto Reject = [&](StringRef Why, lsp::ErrorCode Code) {
    Out.reply(std::move(Id), make_error<lsp::LSPError>(Why.str(), Code));
  };
  const bool Starts = Method == "initialize";
  if (State == Phase::New && !Starts)
    return Reject("the first request is 'initialize'",
                  lsp::ErrorCode::ServerNotInitialized);
  if (State == Phase::ShutDown || (State == Phase::Running && Starts))
    return Reject(Starts ? "already initialized" : "the server was shut down",
                  lsp::ErrorCode::InvalidRequest);
  State = Method == "shutdown" ? Phase::ShutDown : Phase::Running;
  Current = requestText(Id);
  Handler.onCall(Method, std::move(Params), std::move(Id));
  Current.clear();
}

bool Connection::notify(StringRef Method, json::Value Params) {
  if (Method == "exit")
    return false;
  if (State != Phase::Running)
    return true;
  if (Method != "$/cancelRequest")
    return Handler.onNotify(Method, std::move(Params));
  const json::Object *O = Params.getAsObject();
  if (const json::Value *Id = O ? O->get("id") : nullptr; Id && OnTakenBack)
    OnTakenBack(requestText(*Id));
  return true;
}
