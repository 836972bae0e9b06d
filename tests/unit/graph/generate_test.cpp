#include "vertigo/graph/generate.h"

#include <omp.h>

#include "support.h"
#include "vertigo/graph/statistics.h"

namespace vertigo::graph {
namespace {

std::uint64_t fingerprint_of(const std::string& expression) {
  return fingerprint(generate(parse_generator(expression)));
}

// The values that the benchmark's own generator prints for the same arguments.
TEST(Generate, EqualsTheBenchmarkGraphs) {
  EXPECT_EQ(fingerprint_of("generate:kron:12:16"), 0x7bcfd3ade6e8b913u);
  EXPECT_EQ(fingerprint_of("generate:rmat:12:16"), 0x2ce85e67bae344a4u);
  EXPECT_EQ(fingerprint_of("generate:urand:12:8"), 0x8eefc0a99cd4a970u);
  EXPECT_EQ(fingerprint_of("generate:road:100x70"), 0x635bd442fb3b4068u);
}

TEST(Generate, DoesNotDependOnTheNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (const int count : {1, 5}) {
    omp_set_num_threads(count);
    EXPECT_EQ(fingerprint_of("kron:12:16"), 0x7bcfd3ade6e8b913u);
  }
  omp_set_num_threads(threads);
}

TEST(Generate, HasNoLoopsOrDuplicatesAndBalancedWeights) {
  for (const char* expression : {"kron:9:8", "rmat:9:8", "urand:9:8", "road:30x17", "path:6",
                                 "cycle:6", "star:6", "complete:6"}) {
    SCOPED_TRACE(expression);
    LoadedGraph loaded = load_graph("generate:" + std::string(expression));
    const auto& weights = std::get<Array<std::int32_t>>(loaded.graph.out.weights);
    EXPECT_GE(*std::min_element(weights.begin(), weights.end()), 1);
    EXPECT_LE(*std::max_element(weights.begin(), weights.end()), 64);
    Requirements requirements{.symmetric = false,
                              .non_negative_weights = true,
                              .no_duplicates = true,
                              .no_self_loops = true};
    check_requirements(loaded, requirements);
    if (loaded.graph.symmetric) {
      EXPECT_EQ(find_asymmetry(loaded.graph.vertex_count, loaded.graph.out), std::nullopt);
    }
  }
}

TEST(Generate, MakesTheShapesItNames) {
  const auto edges = [](const char* expression) {
    return generate(parse_generator(expression)).edge_count;
  };
  EXPECT_EQ(edges("path:10"), 18u);
  EXPECT_EQ(edges("path:1"), 0u);
  EXPECT_EQ(edges("cycle:10"), 20u);
  EXPECT_EQ(edges("star:10"), 18u);
  EXPECT_EQ(edges("complete:10"), 90u);
  EXPECT_EQ(edges("empty:10"), 0u);
  Graph path = generate(parse_generator("path:10"));
  EXPECT_EQ(compute_statistics(path).diameter_at_least, 9u);
  EXPECT_EQ(generate(parse_generator("empty:0")).vertex_count, 0u);
}

TEST(Generate, ReadsItsExpressions) {
  EXPECT_EQ(to_string(parse_generator("road:3:4")), "generate:road:3x4");
  EXPECT_EQ(to_string(parse_generator("generate:kron:18:48")), "generate:kron:18:48");
  EXPECT_TRUE(is_generator_expression("generate:x"));
  EXPECT_FALSE(is_generator_expression("road.gr"));
  for (const char* bad :
       {"generate:", "generate:kron", "generate:kron:5", "generate:kron:5:", "generate:kron:5:6:7",
        "generate:kron:0:6", "generate:kron:40:6", "generate:road:0x5", "generate:road:99999x99999",
        "generate:nope:5", "generate:path:-1", "generate:path:99999999999", "generate:cycle:2",
        "generate:path:184467440737095516160", "generate:kron:5:99999999999"}) {
    try {
      parse_generator(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Usage) << bad;
    }
  }
}

TEST(Generate, IsReadAsOptionsSay) {
  ReadOptions strict;
  strict.strict = strict.symmetrize = true;
  test::expect_refused([&] { load_graph("generate:rmat:5:4", strict); }, "generate:rmat:5:4",
                       "has no reverse edge of the same weight; --strict refuses to change it");
  EXPECT_EQ(load_graph("generate:kron:5:4", strict).report.reverse_edges_added, 0u);
  strict.symmetrize = false;
  EXPECT_FALSE(load_graph("generate:rmat:5:4", strict).graph.symmetric);

  ReadOptions named;
  named.format = Format::Metis;
  try {
    load_graph("generate:kron:5:4", named);
    ADD_FAILURE() << "a generated graph has no format";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
  }
}

}  // namespace
}  // namespace vertigo::graph
