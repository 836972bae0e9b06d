#include "vertigo/graph/edges_on_file.h"

#include <gtest/gtest.h>

#include <random>

#include "support.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/prepare.h"
#include "vertigo/graph/requirements.h"

namespace vertigo::graph {
namespace {

using test::code_of;

ReadOptions staying(std::uint64_t host_memory = 1) {
  ReadOptions options;
  options.may_stay_on_file = true;
  options.host_memory = host_memory;
  return options;
}

// The edges of one direction, read in ranges of random lengths.
template <class W>
void expect_edges(const EdgesOnFile& file, bool in, const Adjacency& expected, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto& weights = std::get<Array<W>>(expected.weights);
  const EdgeIndex all = expected.targets.size();
  for (int times = 0; times < 200; ++times) {
    const EdgeIndex begin = random() % (all + 1);
    const EdgeIndex end = begin + random() % (all + 1 - begin);
    std::vector<Vertex> targets(end - begin);
    std::vector<W> read(end - begin);
    file.read(in, begin, end, targets.data(), reinterpret_cast<std::byte*>(read.data()));
    ASSERT_EQ(Array<Vertex>(targets), expected.targets.slice(begin, end - begin));
    ASSERT_EQ(Array<W>(read), weights.slice(begin, end - begin));
  }
}

void expect_same_report(const IntakeReport& a, const IntakeReport& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.edges, b.edges);
  EXPECT_EQ(a.edges_read, b.edges_read);
  EXPECT_EQ(a.self_loops, b.self_loops);
  EXPECT_EQ(a.duplicates, b.duplicates);
  EXPECT_EQ(a.isolated_vertices, b.isolated_vertices);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.smallest_weight, b.smallest_weight);
  EXPECT_EQ(a.largest_weight, b.largest_weight);
  EXPECT_EQ(a.negative_weights, b.negative_weights);
  EXPECT_EQ(a.zero_weights, b.zero_weights);
  EXPECT_EQ(a.max_out_degree, b.max_out_degree);
  EXPECT_EQ(a.skew, b.skew);
  EXPECT_EQ(a.symmetric, b.symmetric);
  EXPECT_EQ(a.index_base, b.index_base);
  EXPECT_EQ(a.smallest_id, b.smallest_id);
  EXPECT_EQ(a.largest_id, b.largest_id);
  EXPECT_EQ(a.bytes_read, b.bytes_read);
}

TEST(EdgesOnFile, AreReadAsAGraphInMemoryHasThem) {
  const test::Folder folder;
  // The last has some 400,000 edges: their sections are checked in several pieces.
  for (const char* const expression : {"path:2", "star:300", "rmat:9:6", "kron:14:16"}) {
    Graph graph = generate(parse_generator(expression));
    build_transpose(graph);
    write_cached(graph, folder / "g.vgg", OverwriteRule::Force);
    const auto whole = load_graph(folder / "g.vgg");
    const auto [there, report] = load_graph(folder / "g.vgg", staying());
    SCOPED_TRACE(expression);
    expect_same_report(report, whole.report);
    ASSERT_TRUE(there.on_file);
    EXPECT_EQ(there.out.offsets, graph.out.offsets);
    EXPECT_TRUE(there.out.targets.empty());
    EXPECT_EQ(there.has_weights(), graph.has_weights());
    EXPECT_EQ(there.in_adjacency.has_value(), graph.in_adjacency.has_value());
    EXPECT_EQ(there.on_file->edge_bytes(), 8U);
    expect_edges<std::int32_t>(*there.on_file, false, graph.out, 1);
    if (graph.in_adjacency) expect_edges<std::int32_t>(*there.on_file, true, graph.in(), 2);
  }
}

TEST(EdgesOnFile, OfAGraphWithLoopsAndParallelEdgesAreCounted) {
  const test::Folder folder;
  const Graph graph =
      test::load_text("# Nodes: 9\n1 1 -3\n1 2 0\n1 2 4\n1 2 4\n3 1 7\n5 5 0\n").graph;
  write_cached(graph, folder / "g.vgg");
  const auto loaded = load_graph(folder / "g.vgg", staying());
  expect_same_report(loaded.report, load_graph(folder / "g.vgg").report);
  EXPECT_EQ(loaded.report.duplicates, 2U);
  EXPECT_EQ(loaded.report.self_loops, 2U);
  EXPECT_FALSE(loaded.graph.no_duplicates);
}

TEST(EdgesOnFile, ComeWithWeightsOfTheKindThatIsAskedFor) {
  const test::Folder folder;
  Graph graph = test::load_text("0 1 1\n0 2 200\n1 2 70000\n2 0 0\n").graph;
  write_cached(graph, folder / "g.vgg");
  for (const ScalarKind kind : {ScalarKind::Int32, ScalarKind::Int64, ScalarKind::UInt32,
                                ScalarKind::UInt64, ScalarKind::Float32, ScalarKind::Float64}) {
    Graph whole = graph;
    Graph there = load_graph(folder / "g.vgg", staying()).graph;
    convert_weights(whole, kind);
    convert_weights(there, kind);
    EXPECT_EQ(there.out.weights.index(), whole.out.weights.index());
    std::visit(
        [&]<class T>(const T&) {
          if constexpr (!std::is_same_v<T, std::monostate>)
            expect_edges<typename T::value_type>(*there.on_file, false, whole.out, 3);
        },
        whole.out.weights);
  }
  ReadOptions unweighted = staying();
  unweighted.ignore_weights = true;
  const Graph there = load_graph(folder / "g.vgg", unweighted).graph;
  EXPECT_FALSE(there.has_weights());
  EXPECT_EQ(there.on_file->edge_bytes(), 4U);
}

TEST(EdgesOnFile, WithWeightsThatDoNotFitAreRefused) {
  const test::Folder folder;
  const auto refused = [&](const char* text, ScalarKind kind) {
    write_cached(test::load_text(text).graph, folder / "g.vgg", OverwriteRule::Force);
    Graph there = load_graph(folder / "g.vgg", staying()).graph;
    return code_of([&] { convert_weights(there, kind); });
  };
  EXPECT_EQ(refused("0 1 5\n1 2 -1\n", ScalarKind::UInt32), ExitCode::InputRefused);
  EXPECT_EQ(refused("0 1 5\n1 2 5000000000\n", ScalarKind::Int32), ExitCode::InputRefused);
  EXPECT_EQ(refused("0 1 5\n1 2 1.5\n2 0 7\n", ScalarKind::Int64), ExitCode::InputRefused);
  EXPECT_EQ(refused("0 1 5\n1 2 1e300\n", ScalarKind::Float32), ExitCode::InputRefused);
  EXPECT_EQ(refused("0 1 5\n1 2 1.5\n2 0 7\n", ScalarKind::Float32), ExitCode::Done);
}

TEST(EdgesOnFile, StayOnlyWhereTheyAreMoreThanIsAllowed) {
  const test::Folder folder;
  const Graph graph = generate(parse_generator("kron:8:8"));
  write_cached(graph, folder / "g.vgg");
  const std::uint64_t bytes = graph.edge_count * 8;
  EXPECT_TRUE(load_graph(folder / "g.vgg", staying(bytes - 1)).graph.on_file);
  EXPECT_FALSE(load_graph(folder / "g.vgg", staying(bytes)).graph.on_file);
  EXPECT_FALSE(load_graph(folder / "g.vgg", staying(0)).graph.on_file);
  ReadOptions unweighted = staying(bytes / 2);
  unweighted.ignore_weights = true;
  EXPECT_FALSE(load_graph(folder / "g.vgg", unweighted).graph.on_file);
  ReadOptions in_memory = staying();
  in_memory.may_stay_on_file = false;
  EXPECT_EQ(code_of([&] { load_graph(folder / "g.vgg", in_memory); }), ExitCode::OutOfMemory);
}

TEST(EdgesOnFile, WhatNeedsAllOfThemAtOnceIsRefusedForMemory) {
  const test::Folder folder;
  write_cached(test::load_text("0 0 1\n0 1 1\n0 1 2\n").graph, folder / "g.vgg");
  const auto with = [&](auto change) {
    ReadOptions options = staying();
    change(options);
    return code_of([&] { load_graph(folder / "g.vgg", options); });
  };
  EXPECT_EQ(with([](ReadOptions& o) { o.self_loops = SelfLoopPolicy::Drop; }),
            ExitCode::OutOfMemory);
  EXPECT_EQ(with([](ReadOptions& o) { o.duplicates = DuplicatePolicy::First; }),
            ExitCode::OutOfMemory);
  EXPECT_EQ(with([](ReadOptions& o) { o.symmetrize = true; }), ExitCode::OutOfMemory);
  EXPECT_EQ(with([](ReadOptions& o) { o.direction = Direction::Undirected; }),
            ExitCode::OutOfMemory);
  EXPECT_EQ(with([](ReadOptions& o) { o.edge_fields = {{.name = "weight"}, {.name = "cost"}}; }),
            ExitCode::OutOfMemory);
  LoadedGraph there = load_graph(folder / "g.vgg", staying());
  const auto requires_of = [&](Requirements wanted) {
    return code_of([&] { check_requirements(there, wanted, staying()); });
  };
  EXPECT_EQ(requires_of({.symmetric = true}), ExitCode::OutOfMemory);
  EXPECT_EQ(requires_of({.no_duplicates = true}), ExitCode::InputRefused);
  EXPECT_EQ(requires_of({.no_self_loops = true}), ExitCode::InputRefused);
  EXPECT_EQ(requires_of({.non_negative_weights = true}), ExitCode::Done);
  write_cached(generate(parse_generator("kron:6:4")), folder / "h.vgg");
  there = load_graph(folder / "h.vgg", staying());
  EXPECT_EQ(requires_of({.symmetric = true, .no_duplicates = true, .no_self_loops = true}),
            ExitCode::Done);
  ReadOptions nothing_to_do = staying();
  nothing_to_do.symmetrize = true;
  nothing_to_do.self_loops = SelfLoopPolicy::Drop;
  EXPECT_EQ(code_of([&] { load_graph(folder / "h.vgg", nothing_to_do); }), ExitCode::Done);
}

TEST(EdgesOnFile, EveryDamagedByteIsRefused) {
  const test::Folder folder;
  write_cached(generate(parse_generator("rmat:4:3")), folder / "g.vgg");
  std::ifstream file(folder / "g.vgg", std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t at = 8; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 64);
    const std::string path = folder.write("bad.vgg", bad);
    EXPECT_EQ(code_of([&] { load_graph(path, staying()); }), ExitCode::InputRefused) << at;
    folder.write("bad.vgg", good.substr(0, at));
    EXPECT_EQ(code_of([&] { load_graph(path, staying()); }), ExitCode::InputRefused) << at;
  }
}

TEST(EdgesOnFile, AFileThatChangesMeanwhileIsRefused) {
  const test::Folder folder;
  const Graph graph = generate(parse_generator("kron:8:8"));
  for (const bool cut : {true, false}) {
    write_cached(graph, folder / "g.vgg", OverwriteRule::Force);
    const Graph there = load_graph(folder / "g.vgg", staying()).graph;
    std::vector<Vertex> targets(graph.edge_count);
    std::vector<std::int32_t> weights(graph.edge_count);
    const auto read = [&](EdgeIndex begin, EdgeIndex end) {
      return code_of([&] {
        there.on_file->read(false, begin, end, targets.data(),
                            reinterpret_cast<std::byte*>(weights.data()));
      });
    };
    ASSERT_EQ(read(0, graph.edge_count), ExitCode::Done);
    if (cut) {
      std::filesystem::resize_file(folder / "g.vgg", 4096);
      EXPECT_EQ(read(graph.edge_count - 1, graph.edge_count), ExitCode::InputRefused);
    } else {
      std::fstream file(folder / "g.vgg", std::ios::binary | std::ios::in | std::ios::out);
      file.seekp(-4, std::ios::end);
      file.write("\xff\xff\xff\xff", 4);
      file.flush();
      std::filesystem::last_write_time(
          folder / "g.vgg",
          std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
    }
    EXPECT_EQ(read(0, 4), ExitCode::InputRefused);
  }
}

}  // namespace
}  // namespace vertigo::graph
