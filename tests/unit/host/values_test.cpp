#include "host/values.h"

#include <gtest/gtest.h>

#include <limits>

#include "host/text.h"

namespace vertigo::host {
namespace {

template <class T>
std::string written(T value) {
  char text[kLongestValue];
  return {text, write_value(text, value)};
}

TEST(Values, AreSpelledAsInTheLanguage) {
  EXPECT_EQ(written(std::numeric_limits<std::int32_t>::max()), "inf");
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "inf");
  EXPECT_EQ(written(std::numeric_limits<std::int32_t>::min()), "-inf");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-inf");
  EXPECT_EQ(written(std::numeric_limits<std::int32_t>::min() + 1), "-2147483647");
  EXPECT_EQ(written(std::numeric_limits<std::uint32_t>::min()), "0");
  EXPECT_EQ(written(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(written(true), "true");
}

TEST(Values, BothInfinitiesAreReadWhereTheTypeHasThem) {
  const auto read = [](std::string_view text, ScalarKind kind) -> std::string {
    Value parsed;
    std::string why;
    if (!parse_scalar(text, kind, parsed, why)) return why;
    return to_text(parsed, graph::IdMap{});
  };
  for (const ScalarKind kind : {ScalarKind::Int32, ScalarKind::Int64, ScalarKind::Float32,
                                ScalarKind::Float64, ScalarKind::Wide64}) {
    EXPECT_EQ(read("inf", kind), "inf") << kind_name(kind);
    EXPECT_EQ(read("-inf", kind), "-inf") << kind_name(kind);
  }
  EXPECT_EQ(read("-2147483648", ScalarKind::Int32), "-inf");
  EXPECT_EQ(read("-2147483648", ScalarKind::Int64), "-2147483648");
  for (const ScalarKind kind : {ScalarKind::UInt32, ScalarKind::UInt64}) {
    EXPECT_EQ(read("inf", kind), "inf") << kind_name(kind);
    EXPECT_EQ(read("-inf", kind), "is not a whole number from 0") << kind_name(kind);
  }
}

TEST(Values, FloatingNumbersReadBackExactly) {
  for (const double value : {0.1, 1.0 / 3, -0.0, 5e-324, 1.7976931348623157e308, 1e22, 123456.0}) {
    const std::string text = written(value);
    EXPECT_LE(text.size(), kLongestValue);
    Value parsed;
    std::string why;
    ASSERT_TRUE(parse_scalar(text, ScalarKind::Float64, parsed, why)) << text << ' ' << why;
    EXPECT_EQ(std::get<double>(parsed.data), value);
  }
  EXPECT_EQ(written(0.1f), "0.1");
}

TEST(Text, NearMissesAreFoundAndFarOnesAreNot) {
  const std::vector<std::string> words{"--output", "--output-format", "--source"};
  EXPECT_EQ(nearest("--soruce", words), "--source");
  EXPECT_EQ(nearest("--outptu", words), "--output");
  EXPECT_EQ(nearest("--graphics", words), std::nullopt);
  EXPECT_EQ(nearest("", words), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'x'), words), std::nullopt);
}

TEST(Text, UnitsFollowTheMagnitude) {
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(12.34), "12.3 s");
  EXPECT_EQ(format_seconds(0.0456), "45.6 ms");
  EXPECT_EQ(format_seconds(1.5e-6), "1.50 us");
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(0, "edge"), "0 edges");
  EXPECT_EQ(counted(1, "edge"), "1 edge");
  EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
  EXPECT_EQ(counted(2000, "vertex", "vertices"), "2,000 vertices");
}

TEST(Text, LinesBreakBetweenWords) {
  const std::string line = "phase       main: distances, 50 steps, 247,991 edges visited";
  EXPECT_EQ(wrapped(line, 100), line);
  EXPECT_EQ(wrapped(line, 40),
            "phase       main: distances, 50 steps,\n"
            "            247,991 edges visited");
  EXPECT_EQ(wrapped(line + "\n\n" + line, 60), line + "\n\n" + line);
  const std::string path = "graph       /a/path/that/is/longer/than/the/line and more";
  EXPECT_EQ(wrapped(path, 30),
            "graph       /a/path/that/is/longer/than/the/line\n            and more");
  // What is no such line, and a terminal of no width.
  EXPECT_EQ(wrapped("schedule  rounds  edges", 10), "schedule  rounds  edges");
  EXPECT_EQ(wrapped(line, 0), line);
  EXPECT_EQ(wrapped(line, 12), line);
}

TEST(Text, ControlCharactersAreShown) {
  EXPECT_EQ(printable("a\nb\x1b[0m\x7f"
                      "\xc3\xa9"),
            "a\\nb\\x1b[0m\\x7f\xc3\xa9");
}

}  // namespace
}  // namespace vertigo::host
