// Every example in every variant on tiny graphs, against the interpreter. The emitted files
// register their targets here instead of with the command line; see CMakeLists.txt.
#include "variants.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstdlib>

#include "vertigo/core/error.h"
#include "vertigo/reference/reference.h"

namespace vertigo::host {

RegisterTarget::RegisterTarget(const Target& target) { test::targets().push_back(target); }

}  // namespace vertigo::host

namespace vertigo::test {

std::vector<host::Target>& targets() {
  static std::vector<host::Target> all;
  return all;
}

namespace {

template <class T>
T magnitude(T value) {
  return value < T{0} ? -value : value;
}

template <class T>
void expect_same_values(const Column& expected, const Column& actual, double tolerance,
                        const std::string& where) {
  const auto a = expected.as<T>();
  const auto b = actual.as<T>();
  ASSERT_EQ(a.size(), b.size()) << where;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Wide64>) {
      if (a[i] == b[i]) continue;
      const T allowed = static_cast<T>(tolerance) * std::max(T{1}, magnitude(a[i]));
      EXPECT_TRUE(magnitude(a[i] - b[i]) <= allowed)
          << where << ", vertex " << i << ": " << static_cast<double>(a[i]) << " and "
          << static_cast<double>(b[i]);
    } else {
      EXPECT_EQ(a[i], b[i]) << where << ", vertex " << i;
    }
  }
}

void expect_same(const Column& expected, const Column& actual, double tolerance,
                 const std::string& where) {
  ASSERT_EQ(expected.kind, actual.kind) << where;
  switch (expected.kind) {
    case ScalarKind::Bool:
      return expect_same_values<bool>(expected, actual, 0, where);
    case ScalarKind::Int32:
      return expect_same_values<std::int32_t>(expected, actual, 0, where);
    case ScalarKind::Int64:
      return expect_same_values<std::int64_t>(expected, actual, 0, where);
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return expect_same_values<std::uint32_t>(expected, actual, 0, where);
    case ScalarKind::UInt64:
      return expect_same_values<std::uint64_t>(expected, actual, 0, where);
    case ScalarKind::Float32:
      return expect_same_values<float>(expected, actual, tolerance, where);
    case ScalarKind::Float64:
      return expect_same_values<double>(expected, actual, tolerance, where);
    case ScalarKind::Wide64:
      return expect_same_values<Wide64>(expected, actual, tolerance, where);
  }
  ADD_FAILURE() << where << ": values of this kind are not compared";
}

// Tolerances of the examples' stopping rules are some 1e-4 of the largest value.
constexpr double kTolerance = 5e-3;

void compare(const host::ProgramInfo& info, const host::RunResult& expected,
             const host::RunResult& actual, const std::string& where) {
  EXPECT_EQ(expected.converged, actual.converged) << where;
  std::size_t column = 0;
  for (const host::OutputInfo& output : info.outputs)
    for (std::size_t i = 0; i < output.kinds.size(); ++i, ++column)
      expect_same(expected.states.at(column), actual.states.at(column), kTolerance,
                  where + ", " + std::string(output.state));
  for (const auto& [name, value] : expected.reports) {
    const Value& other = actual.reports.at(name);
    const double scale = std::max(1.0, std::abs(value.as<double>()));
    EXPECT_NEAR(value.as<double>(), other.as<double>(), kTolerance * scale)
        << where << ", " << name;
  }
}

class EveryVariant : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryVariant, GivesTheInterpretersAnswer) {
  const host::Target& target = targets().at(GetParam());
  const host::ProgramInfo& info = *target.info;
  for (const NamedGraph& named : graphs_for(info)) {
    const host::Arguments arguments = arguments_for(info, named.graph);
    host::RunRequest request{.graph = named.graph, .arguments = arguments};
    const host::RunResult expected = reference::interpret_text(info.program_ir, request);
    for (const auto& schedule : schedules_of(info, &request)) {
      request.schedule = schedule;
      const std::string where =
          std::string(info.name) + " on " + named.name + ", " + describe(schedule);
      const host::RunResult actual = target.run(request);
      compare(info, expected, actual, where);
      if (HasFailure()) return;
    }
  }
}

// Whatever the number of threads. Variants that add floating numbers as they come are refused.
TEST_P(EveryVariant, RepeatsBitByBitWhenDeterministic) {
  const host::Target& target = targets().at(GetParam());
  const host::ProgramInfo& info = *target.info;
  const graph::Graph graph = random_graph(info, 2500, 4, 3);
  const host::Arguments arguments = arguments_for(info, graph);
  host::RunRequest request{.graph = graph, .arguments = arguments};
  request.deterministic = true;
  for (const Schedule& schedule : schedules_of(info, &request)) {
    request.schedule = schedule;
    host::RunResult first;
    host::RunResult second;
    try {
      omp_set_num_threads(1);
      first = target.run(request);
      omp_set_num_threads(4);
      second = target.run(request);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Usage) << error.message();
      continue;
    }
    for (std::size_t i = 0; i < first.states.size(); ++i)
      EXPECT_EQ(first.states[i].bytes, second.states[i].bytes)
          << info.name << ", " << describe(schedule) << ", " << first.states[i].name;
  }
  request.schedule.clear();
  EXPECT_NO_THROW(target.run(request)) << "some variant of each phase is deterministic";
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& info) {
  return std::string(targets().at(info.param).info->name);
}

INSTANTIATE_TEST_SUITE_P(Examples, EveryVariant, ::testing::Range(std::size_t{0}, targets().size()),
                         name_of);

}  // namespace
}  // namespace vertigo::test
