#include <cstring>
#include <limits>
#include <sstream>

#include "cached_file.h"
#include "support.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/prepare.h"

namespace vertigo::graph {
namespace {

using test::edges_of;

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string cached(Graph graph) {
  const test::Folder folder;
  write_cached(graph, folder / "g");
  return content_of(folder / "g");
}

TEST(Cached, KeepsEverything) {
  const test::Folder folder;
  Graph graph = test::load_text("100 7 0.5\n7 900 1.5\n100 7 2\n").graph;
  build_transpose(graph);
  write_cached(graph, folder / "g");
  const auto [back, report] = load_graph(folder / "g");
  EXPECT_EQ(report.format, Format::Cached);
  EXPECT_EQ(edges_of(back), edges_of(graph));
  ASSERT_TRUE(back.in_adjacency);
  EXPECT_EQ(back.in_adjacency->offsets, graph.in_adjacency->offsets);
  EXPECT_EQ(back.in_adjacency->targets, graph.in_adjacency->targets);
  EXPECT_EQ(back.in_adjacency->weights, graph.in_adjacency->weights);
}

Graph named_graph() {
  return test::load_text("source,target,weight\nUlm,\"New York\",5\nBonn,Ulm,6\n",
                         test::as(Format::Csv))
      .graph;
}

TEST(Cached, KeepsIdsThatAreText) {
  const test::Folder folder;
  Graph graph = named_graph();
  prepare(graph, Preparation::DegreeOrder);
  write_cached(graph, folder / "g");
  const auto [back, report] = load_graph(folder / "g");
  EXPECT_TRUE(report.text_ids);
  EXPECT_EQ(report.last_text, "Ulm");
  EXPECT_EQ(test::named_edges_of(back), test::named_edges_of(graph));
  // Only files with such ids need level 3.
  EXPECT_EQ(cached_level(content_of(folder / "g")[12]), 3);
  EXPECT_EQ(cached_level(cached(generate(parse_generator("path:5")))[12]), 1);
}

TEST(Cached, RefusesTextThatIsChangedCutOrOutOfOrder) {
  const std::string good = cached(named_graph());
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    SCOPED_TRACE(at);
    EXPECT_THROW(test::load_text(bad, test::as(Format::Cached)), Error);
    EXPECT_THROW(test::load_text(good.substr(0, at), test::as(Format::Cached)), Error);
  }
  Graph forged = named_graph();
  const std::string_view words = "UlmBonnNew York";
  const Array<char> text = std::vector<char>(words.begin(), words.end());
  forged.ids = IdMap::text(TextIds(text, {0, 3, 7, 15}));
  test::expect_refused([&] { test::load_text(cached(forged)); }, "", "the ids do not ascend");
  forged.ids = IdMap::text(TextIds(text, {0, 3, 3, 15}));
  test::expect_refused([&] { test::load_text(cached(forged)); }, "", "an id is empty");
}

TEST(Cached, KeepsEveryTypeOfWeights) {
  for (const ScalarKind kind : {ScalarKind::Int32, ScalarKind::Int64, ScalarKind::UInt32,
                                ScalarKind::UInt64, ScalarKind::Float32, ScalarKind::Float64}) {
    const test::Folder folder;
    Graph graph = generate(parse_generator("kron:6:4"));
    convert_weights(graph, kind);
    write_cached(graph, folder / "g");
    const Graph back = load_graph(folder / "g").graph;
    EXPECT_EQ(back.out.weights, graph.out.weights);
    EXPECT_TRUE(back.symmetric);
    EXPECT_EQ(fingerprint(back), fingerprint(graph));
  }
}

TEST(Cached, KeepsGraphsWithoutEdgesOrVertices) {
  const test::Folder folder;
  for (const char* expression : {"empty:0", "empty:5"}) {
    const Graph graph = generate(parse_generator(expression));
    write_cached(graph, folder / "g");
    EXPECT_EQ(load_graph(folder / "g").graph.vertex_count, graph.vertex_count);
  }
}

TEST(Cached, IsRefusedWhenAnyByteIsChanged) {
  Graph graph = test::load_text("100 7 5\n7 900 6\n100 900 7\n").graph;
  build_transpose(graph);
  const std::string good = cached(std::move(graph));
  ASSERT_NO_THROW(test::load_text(good));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char flip : {'\x01', '\x80'}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      SCOPED_TRACE(at);
      EXPECT_THROW(test::load_text(bad, test::as(Format::Cached)), Error);
    }
  }
}

TEST(Cached, IsRefusedWhenCutOrExtended) {
  const std::string good = cached(generate(parse_generator("rmat:4:4")));
  for (std::size_t size = 0; size < good.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THROW(test::load_text(good.substr(0, size), test::as(Format::Cached)), Error);
  }
  EXPECT_THROW(test::load_text(good + "x", test::as(Format::Cached)), Error);
}

TEST(Cached, ReadsWhatIsWantedAlone) {
  Graph graph = test::load_text("100 7 5\n7 900 6\n100 900 7\n").graph;
  build_transpose(graph);
  std::string bad = cached(std::move(graph));
  CachedHeader header;
  std::memcpy(header.sections.data(), bad.data() + sizeof(CachedPrefix),
              cached_sections(1) * sizeof(CachedSectionEntry));
  using enum CachedSection;
  for (const CachedSection section : {OutWeights, InOffsets, InTargets, InWeights})
    bad[header.section(section).offset] ^= 1;
  ReadOptions options;
  options.ignore_weights = true;
  options.in_edges = false;
  const auto [back, report] = test::load_text(bad, options);
  EXPECT_FALSE(back.has_weights());
  EXPECT_FALSE(back.in_adjacency);
  EXPECT_TRUE(report.weights_ignored);
  EXPECT_LT(report.bytes_read, bad.size());
  options.verify = true;
  test::expect_refused([&] { test::load_text(bad, options); }, "", "is damaged");
}

TEST(Cached, SaysWhatIsDamaged) {
  std::string bad = cached(generate(parse_generator("rmat:4:4")));
  bad.back() = static_cast<char>(bad.back() ^ 1);
  try {
    test::load_text(bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("section 'weights' is damaged"), std::string::npos)
        << error.what();
  }
}

// A file as another program could write it: `change` gets the header and all bytes, then the
// checksums are made right.
template <class Change>
std::string forged(std::string file, const Change& change) {
  CachedHeader header;
  std::memcpy(static_cast<CachedPrefix*>(&header), file.data(), sizeof(CachedPrefix));
  const std::size_t sections = cached_sections(header.version);
  std::memcpy(header.sections.data(), file.data() + sizeof(CachedPrefix),
              sections * sizeof(CachedSectionEntry));
  change(header, file);
  for (CachedSectionEntry& entry : header.sections) {
    if (entry.bytes > 0)
      entry.checksum =
          checksum_of(file.data() + entry.offset, entry.bytes, cached_checksum(header.version));
  }
  const auto image = cached_header_image(header);
  std::memcpy(file.data(), image.data(), image.size());
  return file;
}

// Published values of XXH3, and one of the lanes that files of versions 1 to 6 have.
TEST(Cached, HasTheChecksumsThatItsVersionSays) {
  EXPECT_EQ(checksum_of("", 0), 0x2D06800538D394C2U);
  EXPECT_NE(checksum_of("abc", 3), checksum_of("abc", 3, Checksum::Lanes));
  EXPECT_EQ(cached_checksum(6), Checksum::Lanes);
  EXPECT_EQ(cached_checksum(7), Checksum::Xxh3);
  EXPECT_EQ(cached_level(7), 1);
}

TEST(Cached, ReadsFilesOfVersionsWithTheFormerChecksum) {
  const Graph graph = generate(parse_generator("kron:17:16"));  // lists of several pieces
  const std::string now = cached(graph);
  ASSERT_EQ(now[12], 7);
  const std::string before = forged(
      now, [](CachedHeader& header, std::string& /*file*/) { header.version -= kCachedLevels; });
  ASSERT_EQ(before[12], 1);
  EXPECT_EQ(fingerprint(test::load_text(before).graph), fingerprint(graph));
  std::string bad = before;
  bad[bad.size() / 2] ^= 1;
  test::expect_refused([&] { test::load_text(bad); }, "", "its checksum differs");
  // Either checksum is refused where the version stands for the other.
  bad = before;
  bad[12] = 7;
  test::expect_refused([&] { test::load_text(bad); }, "", "the header is damaged");
}

template <class T>
void put(std::string& file, const CachedHeader& header, CachedSection section, std::size_t index,
         T value) {
  std::memcpy(file.data() + header.section(section).offset + index * sizeof(T), &value, sizeof(T));
}

void expect_forgery_found(const std::string& file, const std::string& message,
                          bool only_by_check = false) {
  if (only_by_check) {
    EXPECT_NO_THROW(test::load_text(file)) << message;
  } else {
    test::expect_refused([&] { test::load_text(file); }, "", message);
  }
  ReadOptions check;
  check.verify = check.preparations = true;
  test::expect_refused([&] { test::load_text(file, check); }, "", message);
}

std::string cached_with_in_edges() {
  Graph graph = test::load_text("1 2 0.5\n1 3 1.5\n2 3 2.5\n9 1 4.5\n").graph;
  build_transpose(graph);
  return cached(std::move(graph));
}

TEST(Cached, ForgeriesThatCouldBeReadOutOfBoundsAreFoundInEveryLoad) {
  const std::string good = cached_with_in_edges();
  const auto with = [&](CachedSection section, std::size_t index, auto value) {
    return forged(good, [&](const CachedHeader& header, std::string& file) {
      put(file, header, section, index, value);
    });
  };
  using enum CachedSection;
  expect_forgery_found(with(OutTargets, 1, Vertex{4}), "out of range");
  expect_forgery_found(with(InTargets, 1, Vertex{4}), "out of range");
  expect_forgery_found(with(OutOffsets, 1, EdgeIndex{5}), "offsets must ascend");
  expect_forgery_found(with(InOffsets, 2, EdgeIndex{0}), "offsets must ascend");
  expect_forgery_found(with(Ids, 2, std::uint64_t{1}), "the listed ids do not ascend");
  expect_forgery_found(with(OutWeights, 2, std::numeric_limits<double>::quiet_NaN()), "NaN");
  expect_forgery_found(with(InWeights, 2, std::numeric_limits<double>::infinity()), "infinite");
  const std::string path = cached(generate(parse_generator("path:5")));
  expect_forgery_found(forged(path, [](CachedHeader& header,
                                       std::string&) { header.id_base = ~std::uint64_t{0} - 2; }),
                       "beyond 64 bits");
}

TEST(Cached, ForgeriesThatOnlyAWrongAnswerWouldShowAreFoundByCheck) {
  const std::string good = cached_with_in_edges();
  ReadOptions check;
  check.verify = check.preparations = true;
  EXPECT_NO_THROW(test::load_text(good, check));
  EXPECT_NO_THROW(test::load_text(cached(generate(parse_generator("kron:6:4"))), check));
  expect_forgery_found(forged(good,
                              [](CachedHeader& header, std::string&) {
                                header.flags = static_cast<std::uint8_t>(header.flags | kSymmetric);
                              }),
                       "has no reverse edge", true);
  using enum CachedSection;
  expect_forgery_found(
      forged(good, [](const CachedHeader& header,
                      std::string& file) { put(file, header, InTargets, 1, Vertex{1}); }),
      "'in-targets' is not that of the reverse", true);
  expect_forgery_found(
      forged(good, [](const CachedHeader& header,
                      std::string& file) { put(file, header, InWeights, 1, 7.5); }),
      "'in-weights' is not that of the reverse", true);
  expect_forgery_found(forged(good,
                              [](const CachedHeader& header, std::string& file) {
                                put(file, header, OutTargets, 0, Vertex{2});
                                put(file, header, OutTargets, 1, Vertex{1});
                              }),
                       "holds a list that does not ascend", true);
}

TEST(Cached, AFileThatIsCutWhileItIsReadIsRefused) {
  const test::Folder folder;
  const std::string path = folder.write("g", cached(generate(parse_generator("rmat:10:8"))));
  CachedFile file(path);
  std::filesystem::resize_file(path, 4096);
  test::expect_refused([&] { file.read<Vertex>(CachedSection::OutTargets); }, "g",
                       "changed while it was read");
}

}  // namespace
}  // namespace vertigo::graph
