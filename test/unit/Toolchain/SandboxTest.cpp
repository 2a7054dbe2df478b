//===- SandboxTest.cpp ----------------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Sandbox.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;

TEST(Sandbox, HasNoNetworkAndReadsOnlyButTheNamedPlaces) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::create("sandbox");
  ASSERT_TRUE(bool(Folder)) << toString(Folder.takeError());
  SmallString<128> Real, Link(Folder->path());
  ASSERT_FALSE(sys::fs::real_path(Folder->path(), Real));
  Link += "/link";
  ASSERT_FALSE(sys::fs::create_link(Real, Link));
  const std::string Own(Real);
  EXPECT_THAT(sandboxWords("/usr/bin/bwrap", {std::string(Link)}),
              ElementsAre("/usr/bin/bwrap", "--unshare-net", "--unshare-ipc",
                          "--die-with-parent", "--new-session", "--cap-drop",
                          "ALL", "--ro-bind", "/", "/", "--dev", "/dev",
                          "--bind", Own, Own, "--"));
  // Without a place, nothing is writable.
  const std::vector<std::string> Closed = sandboxWords("bwrap", {});
  EXPECT_FALSE(llvm::is_contained(Closed, "--bind"));
}

TEST(Sandbox, TellsSignalsFromExits) {
  EXPECT_EQ(signalOfSandbox(139), 11);
  EXPECT_EQ(signalOfSandbox(3), 0);
  EXPECT_EQ(signalOfSandbox(128), 0);
  EXPECT_EQ(signalOfSandbox(255), 0);
}
