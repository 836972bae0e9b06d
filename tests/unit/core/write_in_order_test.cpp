#include "vertigo/core/write_in_order.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

namespace vertigo {
namespace {

constexpr std::uint64_t kMany = 300'000;  // several pieces for each thread

std::string expected(std::uint64_t count) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(WriteInOrder, PassesAllOnInOrder) {
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, kMany}) {
    std::string all;
    write_in_order<std::string>(
        count, [](std::string& to, std::uint64_t i) { to += std::to_string(i) + "\n"; },
        [&](const std::string& piece) { all += piece; });
    EXPECT_TRUE(all == expected(count))
        << count;  // of texts so long, a difference takes minutes to show
  }
}

TEST(WriteInOrder, PiecesThatTakeLongKeepTheirPlace) {
  std::string all;
  const auto append = [](std::string& to, std::uint64_t i) {
    // The first pieces are complete last.
    if (i < 80'000 && i % 10'000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    to += std::to_string(i) + "\n";
  };
  write_in_order<std::string>(kMany, append, [&](const std::string& piece) { all += piece; });
  EXPECT_TRUE(all == expected(kMany));
}

TEST(WriteInOrder, WhatFailsToBeFormattedEndsIt) {
  std::string all;
  const auto append = [](std::string& to, std::uint64_t i) {
    if (i == 150'000) throw std::runtime_error("no such number");
    to += std::to_string(i) + "\n";
  };
  EXPECT_THROW(
      write_in_order<std::string>(kMany, append, [&](const std::string& piece) { all += piece; }),
      std::runtime_error);
  EXPECT_TRUE(expected(150'000).starts_with(all));
}

TEST(WriteInOrder, NothingIsPassedOnBehindWhatFailed) {
  unsigned passed = 0;
  const auto pass = [&](const std::string&) {
    if (++passed == 2) throw std::runtime_error("no space");
  };
  EXPECT_THROW(write_in_order<std::string>(
                   kMany, [](std::string& to, std::uint64_t) { to += "x"; }, pass),
               std::runtime_error);
  EXPECT_EQ(passed, 2U);
}

}  // namespace
}  // namespace vertigo
