#include "support.h"

namespace vertigo::graph {
namespace {

using test::load_text;

template <class W>
std::vector<W> converted(std::string_view content, ScalarKind kind) {
  Graph graph = load_text(content).graph;
  build_transpose(graph);
  convert_weights(graph, kind);
  EXPECT_TRUE(std::holds_alternative<Array<W>>(graph.in_adjacency->weights));
  return std::get<Array<W>>(std::move(graph.out.weights)).take();
}

void expect_misfit(std::string_view content, ScalarKind kind, const std::string& message) {
  SCOPED_TRACE(content);
  Graph graph = load_text(content).graph;
  test::expect_refused([&] { convert_weights(graph, kind); }, "graph", message);
}

TEST(ConvertWeights, KeepsWhatFits) {
  EXPECT_EQ(converted<std::int32_t>("1 2 -2147483648\n2 1 2147483647\n", ScalarKind::Int32),
            (std::vector<std::int32_t>{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(converted<std::uint32_t>("1 2 4294967295\n", ScalarKind::UInt32),
            (std::vector<std::uint32_t>{UINT32_MAX}));
  EXPECT_EQ(converted<double>("1 2 3\n", ScalarKind::Float64), (std::vector<double>{3}));
  EXPECT_EQ(converted<float>("1 2 0.1\n", ScalarKind::Float32), (std::vector<float>{0.1F}));
  EXPECT_EQ(converted<std::int64_t>("1 2 5.0\n", ScalarKind::Int64),
            (std::vector<std::int64_t>{5}));
}

TEST(ConvertWeights, RefusesWhatDoesNotNamingTheEdge) {
  expect_misfit("1 2 5\n7 9 2147483648\n", ScalarKind::Int32,
                "the edge 7 -> 9 has the weight 2147483648, which does not fit int32");
  expect_misfit("1 2 -1\n", ScalarKind::UInt64, "does not fit uint64");
  expect_misfit("1 2 0.5\n", ScalarKind::Int32, "does not fit int32");
  expect_misfit("1 2 9223372036854775808.0\n", ScalarKind::Int64, "does not fit int64");
  expect_misfit("1 2 1e300\n", ScalarKind::Float32, "does not fit float32");
}

TEST(ConvertWeights, LeavesAGraphWithoutWeights) {
  Graph graph = load_text("1 2\n").graph;
  convert_weights(graph, ScalarKind::Int32);
  EXPECT_FALSE(graph.has_weights());
  EXPECT_THROW(convert_weights(graph, ScalarKind::Bool), Error);
}

}  // namespace
}  // namespace vertigo::graph
