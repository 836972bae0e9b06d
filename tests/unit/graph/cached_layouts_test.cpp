// Paths and colour classes that are kept with a graph: what is read is what was made, what another
// program could have written never leads out of the graph, and the check proves the rest.

#include <cmath>
#include <cstring>
#include <sstream>

#include "cached_layout.h"
#include "path_sketch_check.h"
#include "support.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/prepare.h"

namespace vertigo::graph {
namespace {

constexpr std::array kLayouts = {Preparation::Paths, Preparation::Colours, Preparation::FewColours};

Graph made(const char* generator) { return generate(parse_generator(generator)); }

Graph prepared(Graph graph) {
  for (const Preparation layout : kLayouts) prepare(graph, layout, {.hub_share = 0.25});
  return graph;
}

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string cached(const Graph& graph) {
  const test::Folder folder;
  write_cached(graph, folder / "g");
  return content_of(folder / "g");
}

ReadOptions with_layouts() {
  ReadOptions options;
  options.paths = options.colours = true;
  return options;
}

ReadOptions checking() {
  ReadOptions options;
  options.verify = options.preparations = true;
  return options;
}

void expect_same(const PathSketch& a, const PathSketch& b) {
  EXPECT_EQ(a.of, b.of);
  EXPECT_EQ(a.hub_share, b.hub_share);
  EXPECT_EQ(a.sample_share, b.sample_share);
  EXPECT_EQ(a.hub_turns, b.hub_turns);
  EXPECT_EQ(a.hub_importance, b.hub_importance);
  EXPECT_EQ(a.hubs, b.hubs);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.edges, b.edges);
  EXPECT_EQ(a.breaks, b.breaks);
  EXPECT_EQ(a.begins, b.begins);
  EXPECT_EQ(a.hub_chunks, b.hub_chunks);
  EXPECT_EQ(a.hub.edges, b.hub.edges);
  EXPECT_EQ(a.cold.longest, b.cold.longest);
}

void expect_same(const ColourClasses& a, const ColourClasses& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.begins, b.begins);
  EXPECT_EQ(a.has_rest, b.has_rest);
}

TEST(CachedLayouts, AreReadAsTheyWereMade) {
  for (const char* generator :
       {"kron:8:8", "rmat:8:6", "road:20x17", "star:40", "path:5", "empty:3", "empty:0"}) {
    SCOPED_TRACE(generator);
    const Graph graph = prepared(made(generator));
    const std::string file = cached(graph);
    EXPECT_EQ(cached_level(file[12]), 6);
    EXPECT_NO_THROW(test::load_text(file, checking()));
    const Graph back = test::load_text(file, with_layouts()).graph;
    ASSERT_NE(back.prepared.paths, nullptr);
    expect_same(*back.prepared.paths, *graph.prepared.paths);
    expect_same(*back.prepared.all_colours, *graph.prepared.all_colours);
    expect_same(*back.prepared.few_colours, *graph.prepared.few_colours);
    EXPECT_EQ(prepared_names(back), (std::vector<std::string>{"paths", "colours", "few-colours"}));
  }
}

TEST(CachedLayouts, AreReadAndSaidOnlyWhereTheyAreThere) {
  Graph graph = made("kron:6:4");
  prepare(graph, Preparation::FewColours);
  const auto [back, report] = test::load_text(cached(graph), with_layouts());
  EXPECT_EQ(prepared_names(back), std::vector<std::string>{"few-colours"});
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(report.notes[0].starts_with("prepared: few-colours ("));
  EXPECT_TRUE(prepared_names(test::load_text(cached(graph)).graph).empty());
  EXPECT_EQ(cached_level(cached(made("kron:6:4"))[12]), 1);
}

TEST(CachedLayouts, PathsWithoutEdgesServeThoseWithoutWeights) {
  ReadOptions options = with_layouts();
  options.ignore_weights = true;
  const Graph back = test::load_text(cached(prepared(made("kron:6:4"))), options).graph;
  EXPECT_TRUE(back.prepared.paths->edges.empty());
  EXPECT_FALSE(back.prepared.paths->vertices.empty());
}

TEST(CachedLayouts, AreTakenWhereTheyAreWhatIsAskedFor) {
  const Graph back = test::load_text(cached(prepared(made("kron:8:8"))), with_layouts()).graph;
  const auto is_stored = [&](PathEdges edges, const SketchOptions& options) {
    const WalkedPaths paths(back, back.out, edges, options);
    return &*paths == back.prepared.paths.get();
  };
  EXPECT_TRUE(is_stored(PathEdges::Pairs, {.hub_share = 0.25, .keep_edges = true}));
  EXPECT_TRUE(is_stored(PathEdges::Pairs, {.hub_share = 0.25, .hub_turns = 7}));
  EXPECT_FALSE(is_stored(PathEdges::Pairs, {}));
  EXPECT_FALSE(is_stored(PathEdges::Arcs, {.hub_share = 0.25}));
  EXPECT_FALSE(is_stored(PathEdges::Pairs, {.hub_share = 0.25, .sample_share = 0.5}));
  EXPECT_FALSE(is_stored(PathEdges::Pairs, {.hub_share = 0.25, .edges_per_part = 100}));
  const auto importance = [](const void* const*, Vertex, EdgeIndex, EdgeIndex) { return 1.0; };
  EXPECT_FALSE(is_stored(PathEdges::Pairs, {.importance = {importance}, .hub_share = 0.25}));
  EXPECT_EQ(WalkedPaths(back, back.out, PathEdges::Pairs, {.hub_share = 0.25, .hub_turns = 7})
                .hub_turns(),
            7u);
  Graph other = back;
  other.out.offsets = other.out.offsets.slice(0, other.out.offsets.size());
  const WalkedPaths elsewhere(back, other.out, PathEdges::Pairs, {.hub_share = 0.25});
  EXPECT_NE(&*elsewhere, back.prepared.paths.get());
  EXPECT_EQ(stored_classes(back, 3), nullptr);
  EXPECT_NE(stored_classes(back, kAllColours), nullptr);
  expect_same(colour_classes(back, kDerivedColours), *back.prepared.few_colours);
}

TEST(CachedLayouts, PoliciesThatChangeTheGraphDropThem) {
  const std::string file = cached(prepared(test::load_text("0 0\n0 1\n0 1\n2 1\n").graph));
  EXPECT_EQ(prepared_names(test::load_text(file, with_layouts()).graph).size(), 3u);
  ReadOptions options = with_layouts();
  options.self_loops = SelfLoopPolicy::Drop;
  EXPECT_TRUE(prepared_names(test::load_text(file, options).graph).empty());
}

TEST(CachedLayouts, AreRefusedWhenAnyByteIsChangedOrCut) {
  const std::string good = cached(prepared(made("path:5")));
  ASSERT_NO_THROW(test::load_text(good, with_layouts()));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    SCOPED_TRACE(at);
    EXPECT_THROW(test::load_text(bad, checking()), Error);
    EXPECT_THROW(test::load_text(good.substr(0, at), with_layouts()), Error);
  }
}

// A file as another program could write it: the checksums are right.
template <class Change>
std::string forged(std::string file, const Change& change) {
  CachedHeader header;
  std::memcpy(static_cast<CachedPrefix*>(&header), file.data(), sizeof(CachedPrefix));
  std::memcpy(header.sections.data(), file.data() + sizeof(CachedPrefix),
              cached_sections(header.version) * sizeof(CachedSectionEntry));
  change(header, file);
  for (CachedSectionEntry& entry : header.sections)
    if (entry.bytes > 0)
      entry.checksum =
          checksum_of(file.data() + entry.offset, entry.bytes, cached_checksum(header.version));
  const auto image = cached_header_image(header);
  std::memcpy(file.data(), image.data(), image.size());
  return file;
}

template <class T>
std::string with(const std::string& good, CachedSection section, std::size_t at, T value) {
  return forged(good, [&](const CachedHeader& header, std::string& file) {
    std::memcpy(file.data() + header.section(section).offset + at, &value, sizeof value);
  });
}

void expect_found(const std::string& file, const char* message, bool only_by_check = false) {
  if (only_by_check)
    EXPECT_NO_THROW(test::load_text(file, with_layouts())) << message;
  else
    test::expect_refused([&] { test::load_text(file, with_layouts()); }, "", message);
  test::expect_refused([&] { test::load_text(file, checking()); }, "", message);
  EXPECT_NO_THROW(test::load_text(file)) << "nobody looks at them: " << message;
}

TEST(CachedLayouts, ForgeriesThatCouldLeadOutOfTheGraphAreFoundInEveryLoad) {
  const Graph graph = prepared(made("kron:5:4"));
  const std::string good = cached(graph);
  const Vertex beyond = graph.vertex_count;
  using enum CachedSection;
  expect_found(with(good, PathVertices, 4, beyond), "out of range");
  expect_found(with(good, PathHubs, 0, beyond), "out of range");
  expect_found(with(good, PathEdgeIds, 8 * kPathLanes, graph.edge_count), "edge that is out of");
  expect_found(with(good, PathBegins, 0, std::uint64_t{32}), "is not cut into chunks");
  expect_found(with(good, PathBegins, 8, std::uint64_t{33}), "is not cut into chunks");
  expect_found(
      with(good, PathBegins, 8 * (graph.prepared.paths->begins.size() - 1), std::uint64_t{1} << 40),
      "is not cut into chunks");
  expect_found(with(good, PathBreaks, 0, graph.prepared.paths->breaks[0] & ~1u),
               "without a first vertex");
  const std::size_t chunks = offsetof(CachedPaths, hub_chunks);
  expect_found(with(good, Paths, chunks, std::uint32_t{1000}), "another number of chunks");
  expect_found(with(good, Paths, offsetof(CachedPaths, lanes), std::uint32_t{64}), "no paths are");
  expect_found(with(good, Paths, offsetof(CachedPaths, of), std::uint32_t{2}), "no paths are");
  expect_found(with(good, Paths, offsetof(CachedPaths, hub_turns), std::uint32_t{0}),
               "no paths are");
  expect_found(with(good, Paths, offsetof(CachedPaths, hub_share), std::nan("")), "no paths are");
  expect_found(with(good, AllColourVertices, 0, beyond), "out of range");
  expect_found(with(good, FewColourVertices, 0, graph.prepared.few_colours->vertices[1]),
               "in two classes");
  expect_found(with(good, AllColours, 0, std::uint64_t{1} << 60), "how many classes");
  expect_found(with(good, AllColours, 8, std::uint64_t{1}), "more classes than there can be");
  expect_found(with(good, AllColours, 24, std::uint64_t{0}), "has an empty class");
  expect_found(with(good, AllColours, 16, std::uint64_t{1}), "does not have all vertices");
  const std::string arcs = cached(prepared(made("rmat:5:4")));
  expect_found(with(arcs, Paths, offsetof(CachedPaths, of), std::uint32_t{1}), "no paths are");
}

TEST(CachedLayouts, ForgeriesThatOnlyAWrongAnswerWouldShowAreFoundByCheck) {
  const Graph graph = prepared(made("kron:5:4"));
  const std::string good = cached(graph);
  const PathSketch& paths = *graph.prepared.paths;
  std::size_t slot = kPathLanes;
  while (paths.edges[slot] == kNoEdge) ++slot;
  using enum CachedSection;
  // An edge that does not lead there, an edge that is lost, one that is there twice.
  expect_found(with(good, PathVertices, 4 * slot, paths.vertices[slot] ^ 1u), "what is no edge",
               true);
  expect_found(with(good, PathEdgeIds, 8 * slot, kNoEdge), "begins where an edge leads on", true);
  const std::string cut = with(good, PathEdgeIds, 8 * slot, kNoEdge);
  const std::size_t column = slot % kPathLanes;
  const std::size_t row = slot / kPathLanes;
  ASSERT_LT(row, paths.rows(0));
  expect_found(with(cut, PathBreaks, 4 * column, paths.breaks[column] | 1u << row),
               "another number of edges", true);
  // A vertex and its neighbour change places with others.
  const ColourClasses& classes = *graph.prepared.all_colours;
  Vertex v = 0;
  while (graph.out.degree(v) == 0) ++v;
  ColourClasses wrong = classes;
  const auto place_of = [&](Vertex wanted) { return std::ranges::find(wrong.vertices, wanted); };
  const auto first = wrong.vertices.begin();
  std::iter_swap(place_of(v), first);
  std::iter_swap(place_of(graph.out.neighbours(v)[0]), first + 1);
  Graph forged_graph = graph;
  forged_graph.prepared.all_colours = std::make_shared<const ColourClasses>(wrong);
  expect_found(cached(forged_graph), "in one class, which are neighbours", true);
  // Edges of a directed graph: one is left out by the head of another.
  const Graph directed = prepared(made("rmat:5:4"));
  Graph lost = directed;
  PathSketch fewer = *directed.prepared.paths;
  slot = kPathLanes;
  while (fewer.edges[slot] == kNoEdge) ++slot;
  fewer.edges[slot] = kNoEdge;
  fewer.breaks[slot % kPathLanes] |= 1u << slot / kPathLanes;
  --(fewer.hub.edges > 0 ? fewer.hub.edges : fewer.cold.edges);
  lost.prepared.paths = std::make_shared<const PathSketch>(fewer);
  expect_found(cached(lost), "leaves out an edge", true);
}

// A proof that counts all of them anew for each would take a minute.
TEST(CachedLayouts, ManyParallelEdgesAreCheckedAtATime) {
  std::string text;
  for (int i = 0; i < 1 << 16; ++i) text += "0 1\n";
  ReadOptions both_ways;
  both_ways.symmetrize = true;
  const Graph graph = prepared(test::load_text(text, both_ways).graph);
  ASSERT_EQ(graph.prepared.paths->of, PathEdges::Pairs);
  EXPECT_NO_THROW(test::load_text(cached(graph), checking()));
}

TEST(CachedLayouts, SectionsThatBelongToNothingAreRefused) {
  const Graph graph = prepared(made("kron:5:4"));
  Graph without = graph;
  without.prepared.all_colours = nullptr;
  const std::string good = cached(without);
  ASSERT_NO_THROW(test::load_text(good, with_layouts()));
  using enum CachedSection;
  const auto lose = [&](CachedSection section) {
    return forged(good, [&](CachedHeader& header, std::string& file) {
      CachedSectionEntry& entry = header.sections[static_cast<std::size_t>(section)];
      std::memset(file.data() + entry.offset, 0, entry.bytes);
      entry = {};
    });
  };
  for (const CachedSection section : {Paths, PathBreaks, PathBegins, FewColours})
    EXPECT_THROW(test::load_text(lose(section), with_layouts()), Error);
  const std::string older = forged(good, [](CachedHeader& header, std::string&) {
    header.flags = static_cast<std::uint8_t>(header.flags & ~kHasLayouts);
  });
  EXPECT_THROW(test::load_text(older), Error);
}

}  // namespace
}  // namespace vertigo::graph
