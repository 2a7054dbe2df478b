//===- Connection.h - Messages of the client, one after the other *- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_CONNECTION_H
#define GPUOCC_TOOLS_LSP_CONNECTION_H

#include "llvm/Support/LSP/Transport.h"
#include <functional>

namespace gpuocc::editor {

/// Splits a stream into the messages of the protocol: a header that says how
/// long the body is, and the body.
class MessageReader {
public:
  explicit MessageReader(int In) : In(In) {}

  enum class Outcome { Message, BadHeader, End };
  /// Reads the next body into \p Body. BadHeader: a header without a length, or
  /// with one that no message has, was skipped.
  Outcome readBody(std::string &Body);

private:
  /// The next byte; nothing at the end of the stream.
  std::optional<char> next();
  bool readLine(std::string &Line);

  /// A descriptor: a thread that waits in stdio would keep the process from
  /// ending.
  int In;
  llvm::SmallVector<char, 0> Buffer;
  size_t At = 0;
};

/// Hands the messages of a client to their handlers, and knows which requests
/// are allowed before `initialize` and after `shutdown`.
class Connection {
public:
  Connection(llvm::lsp::JSONTransport &Out, llvm::lsp::MessageHandler &Handler)
      : Out(Out), Handler(Handler) {}

  /// Handles one message; one that is malformed is answered with an error.
  /// Returns false after `exit`.
  bool handle(llvm::StringRef Body);
  /// Answers what was no message at all.
  void refuse(const llvm::Twine &Why);

  /// The id of the request that is being handled, as text.
  llvm::StringRef currentRequest() const { return Current; }
  /// True when the client asked to shut down before it left.
  bool endedInOrder() const { return State == Phase::ShutDown; }
  /// Called when the client takes back the request \p Id.
  std::function<void(llvm::StringRef Id)> OnTakenBack;
  /// Called when the client answers the request \p Id of the server.
  std::function<void(llvm::StringRef Id, const llvm::json::Value &Result)>
      OnAnswer;

private:
  enum class Phase { New, Running, ShutDown };

  void call(llvm::StringRef Method, llvm::json::Value Params,
            llvm::json::Value Id);
  bool notify(llvm::StringRef Method, llvm::json::Value Params);

  llvm::lsp::JSONTransport &Out;
  llvm::lsp::MessageHandler &Handler;
  Phase State = Phase::New;
  std::string Current;
};

/// \p Id of a request as text: 1 and "1" differ.
std::string requestText(const llvm::json::Value &Id);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_CONNECTION_H
