//===- SubmitTest.cpp - What is sent, and what is not
//-------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "record/Submit.h"
#include "record/Database.h"
#include <gtest/gtest.h>

using namespace gpuocc::calibration;
using namespace llvm;

static json::Object recordedRun() {
  Expected<json::Object> File =
      readObject(GPUOCC_SOURCE_DIR "/calibration/results/nvidia-h100/"
                                   "2026-11-22T2332/second-run.json");
  if (File)
    return std::move(*File);
  ADD_FAILURE() << toString(File.takeError());
  return {};
}

static std::string errorOf(const json::Object &File,
                           ArrayRef<std::string> Private = {}) {
  Expected<json::Object> Sent = submission(File, Private);
  return Sent ? "no error" : toString(Sent.takeError());
}

TEST(Submission, HoldsTheNumbersAndNeitherCommandNorCurves) {
  Expected<json::Object> Sent = submission(recordedRun());
  ASSERT_TRUE(bool(Sent)) << toString(Sent.takeError());
  EXPECT_TRUE(Sent->getObject("memory")->get("l2_hit_latency_cycles"));
  EXPECT_TRUE(Sent->getObject("record")->get("driver"));
  EXPECT_FALSE(Sent->getObject("record")->get("command"));
  EXPECT_FALSE(
      Sent->getObject("instructions")->getObject("fp32.fma")->get("curve"));
  EXPECT_EQ(Sent->getObject("tables")->size(), 1u);
  EXPECT_EQ(lintDatabase(*Sent), std::vector<std::string>());
  const std::string Text = toText(json::Value(std::move(*Sent)));
  EXPECT_EQ(Text.find("/root"), std::string::npos);
  EXPECT_LT(Text.size(), 400u << 10);
}

TEST(Submission, RefusesWhatNamesAMachineOrAPerson) {
  auto With = [](StringRef Text) {
    json::Object File = recordedRun();
    (*File.getObject("record"))["driver"] = Text.str();
    return errorOf(File, {"workhorse"});
  };
  EXPECT_EQ(With("580.1 of /home/ann/x"),
            "record.driver holds a path, which is not sent: remove it");
  EXPECT_EQ(With("C:\\Users\\ann"),
            "record.driver holds a path, which is not sent: remove it");
  EXPECT_EQ(With("ask ann@example.com"),
            "record.driver holds an address of a mailbox, which is not sent: "
            "remove it");
  EXPECT_EQ(With("GPU-5c0ffee5-1234-5678-9abc-def012345678"),
            "record.driver holds the identifier of a GPU, which is not sent: "
            "remove it");
  EXPECT_EQ(With("00000000:3B:00.0"),
            "record.driver holds the address of a GPU, which is not sent: "
            "remove it");
  EXPECT_EQ(With("on Workhorse"),
            "record.driver holds the name 'workhorse' of this machine or of "
            "its user, which is not sent: remove it");
  EXPECT_EQ(With("580.159.04, CUDA 13.0"), "no error");
}

TEST(Submission, IsOfAWholeRun) {
  json::Object File = recordedRun();
  File.getObject("memory")->erase("dram_read_bytes_per_cycle_sm");
  EXPECT_EQ(errorOf(File),
            "memory.dram_read_bytes_per_cycle_sm is missing: send the result "
            "of a whole run, without --only");
}
