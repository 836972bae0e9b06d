// What a run does where the contract leaves results open, or rules schedules out.
#include <gtest/gtest.h>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

class Lawful : public testing::Test {
 protected:
  ~Lawful() override {
    open_answer = {};
    in_step_answer = {};
    check_answer = {};
  }

  TemporaryDirectory directory;
  std::string graph = directory.write("g.el", "1 2 5\n2 3 7\n1 3 100\n9 9 1\n");
};

// Two of the six schedules pull, and give -5 where the others give 3.
TEST_F(Lawful, WhatIsOpenIsCheckedInsteadOfCompared) {
  open_answer.outputs = {"pair"};
  check_answer = {.passed = true, .checked = {"all"}, .failures = {}, .seconds = 0};
  const int before = checks;
  Outcome outcome = call(everything(), {graph, "--compare-schedules", "--mode", "4"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(checks, before + 6);
  EXPECT_NE(outcome.err.find("right results may differ in pair"), std::string::npos) << outcome.err;
  check_answer = {
      .passed = false, .checked = {"all"}, .failures = {"vertex 3: wrong"}, .seconds = 0};
  outcome = call(everything(), {graph, "--compare-schedules", "--mode", "8"});
  EXPECT_EQ(outcome.code, 8);
  EXPECT_NE(outcome.err.find("disagrees: vertex 3: wrong"), std::string::npos) << outcome.err;
}

TEST_F(Lawful, APhaseRunsStepByStepWhereItsValuesDemandIt) {
  in_step_answer = {{"forward", "something is below zero"}};
  Outcome outcome = call(everything(), {graph});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(seen.schedule.at("forward"), "sync-push-data");
  EXPECT_FALSE(seen.schedule.contains("backward"));
  EXPECT_NE(outcome.err.find("step by step: something is below zero"), std::string::npos)
      << outcome.err;
  outcome = call(everything(), {graph, "--schedule", "forward.variant=async-push-data"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(seen.schedule.at("forward"), "sync-push-data");
}

TEST_F(Lawful, APhaseThatAnEngineGivesUpRunsStepByStep) {
  const Outcome outcome = call(everything(), {graph, "--mode", "11"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(seen.schedule.at("forward"), "sync-push-data");
  EXPECT_NE(outcome.err.find("step by step: the engine gave up: it grows"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace vertigo::host::test
