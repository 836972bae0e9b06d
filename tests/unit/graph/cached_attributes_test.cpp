// Attributes of edges in the cached form: what a table says is what the form gives, column by
// column, and nobody is believed who wrote a file.

#include <algorithm>
#include <cstring>
#include <limits>
#include <sstream>

#include "cached_file.h"
#include "record_values.h"
#include "support.h"
#include "vertigo/graph/cache.h"

namespace vertigo::graph {
namespace {

using test::field;
using test::load_text;
using test::values_of;
using Texts = std::vector<std::string>;

const std::string kTable =
    "from,to,line,departure,duration,operates,Travel Time\n"
    "1,2,S1,10,5,true,2.5\n1,2,S2,-9000000000,4,false,1e3\n2,3,S1,7,6,true,7\n3,1,S1,10,5,true,2."
    "5\n";

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// What `vertigo-graph convert` keeps of a file.
std::string cached(const std::string& text, bool transpose = false, ReadOptions options = {}) {
  const test::Folder folder;
  const std::string source = folder.write("graph", text);
  options.edge_fields = survey_attributes(source, options).fields;
  Graph graph = load_graph(source, options).graph;
  if (transpose) build_transpose(graph);
  write_cached(graph, folder / "g");
  return content_of(folder / "g");
}

LoadedGraph attached(const std::string& file, std::vector<EdgeField> fields,
                     ReadOptions options = {}) {
  options.edge_fields = std::move(fields);
  LoadedGraph loaded = load_text(file, options);
  attach_records(loaded, options.edge_fields);
  return loaded;
}

std::vector<EdgeField> all_fields() {
  return {field("departure", ScalarKind::Int64), field("duration", ScalarKind::Int64),
          field("operates", ScalarKind::Bool), field("Travel_Time", ScalarKind::Float32)};
}

TEST(AttributeSurvey, NamesWhatCanBeKept) {
  const test::Folder folder;
  const std::string path = folder.write(
      "g.csv",
      "from,to,whole,real,truth,large,both,mixed,gap,text,2nd,a b,A-B,L\xC3\xA4nge,Plus\n"
      "1,2,-5,.5,true,18446744073709551615,-1,true,,x,1,1,1,1,+3\n"
      "2,1,9223372036854775807,1,FALSE,0,18446744073709551615,2,4,1,1,1,1,1,4\n"
      "2,1,0,1,1,0,0,1,4,1,1,1,1,1,4\n");
  const AttributeSurvey survey = survey_attributes(path, {});
  Texts kept;
  for (const EdgeField& each : survey.fields)
    kept.push_back(each.name + " " + std::string(kind_name(each.kind)));
  EXPECT_EQ(kept, (Texts{"whole int64", "real float64", "truth bool", "large uint64",
                         "both float64", "Plus int64"}));
  EXPECT_EQ(
      survey.notes,
      (Texts{"'mixed' is not kept: it holds numbers and truth values",
             "'gap' is not kept: an edge has no value",
             "'text' is not kept: 'x' is neither a number, true nor false",
             "'2nd' is not kept: no program can declare an attribute of this name",
             "'a b' is not kept: another one's name means the same",
             "'A-B' is not kept: another one's name means the same",
             "'L\xC3\xA4nge' is not kept: no program can declare an attribute of this name"}));
}

TEST(AttributeSurvey, LooksAtAllPartsOfALongFile) {
  std::string text = "from,to,a,b\n";
  for (int i = 0; i < 60000; ++i)
    text += std::to_string(i) + "," + std::to_string(i + 1) + (i == 59000 ? ",0.5,x\n" : ",7,7\n");
  const test::Folder folder;
  const AttributeSurvey survey = survey_attributes(folder.write("g", text), {});
  ASSERT_EQ(survey.fields.size(), 1U);
  EXPECT_EQ(survey.fields[0].kind, ScalarKind::Float64);
  EXPECT_EQ(survey.notes.size(), 1U);
}

TEST(CachedAttributes, AreThoseOfTheTable) {
  for (const bool transpose : {false, true}) {
    const std::string file = cached(kTable, transpose);
    EXPECT_EQ(cached_level(file[12]), 5);  // the version
    const LoadedGraph loaded = attached(file, all_fields());
    EXPECT_EQ(values_of(loaded.graph),
              (Texts{"1-2:10,5,1,2.500000", "1-2:-9000000000,4,0,1000.000000", "2-3:7,6,1,7.000000",
                     "3-1:10,5,1,2.500000"}));
    EXPECT_EQ(loaded.report.columns_used,
              (Texts{"departure", "duration", "operates", "Travel_Time"}));
    ReadOptions check;
    check.verify = check.preparations = true;
    EXPECT_NO_THROW(load_text(file, check));
  }
}

TEST(CachedAttributes, ARunReadsItsColumnsAlone) {
  const std::string file = cached(kTable);
  const LoadedGraph all = attached(file, all_fields());
  const LoadedGraph one = attached(file, {field("Duration", ScalarKind::Int32)});
  EXPECT_EQ(values_of(one.graph), (Texts{"1-2:5", "1-2:4", "2-3:6", "3-1:5"}));
  EXPECT_EQ(one.report.columns_used, Texts{"duration"});
  EXPECT_EQ(one.report.columns_unused, (Texts{"departure", "operates", "Travel_Time"}));
  // Three records of int64, bool and float64 less.
  EXPECT_EQ(one.report.bytes_read + 3 * (8 + 1 + 8), all.report.bytes_read);
  // A damaged value of another column is not looked at, but by whoever checks all.
  std::string damaged = file;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  EXPECT_NO_THROW(attached(damaged, {field("duration", ScalarKind::Int32)}));
  test::expect_refused([&] { attached(damaged, all_fields()); }, "",
                       "the checksum of 'Travel_Time' differs");
  ReadOptions check;
  check.verify = true;
  EXPECT_ANY_THROW(load_text(damaged, check));
}

// Edges are the same where all attributes are that the program declares, not those of the file.
TEST(CachedAttributes, EdgesAreComparedByWhatIsRead) {
  const std::string file = cached("from,to,a,b\n1,2,7,1\n2,1,7,2\n");
  ReadOptions options;
  options.edge_fields = {field("a", ScalarKind::Int32)};
  LoadedGraph loaded = load_text(file, options);
  EXPECT_NO_THROW(check_requirements(loaded, {.symmetric = true}, options));
  options.edge_fields.push_back(field("b", ScalarKind::Int32));
  const test::Folder folder;
  LoadedGraph both = load_graph(folder.write("g", file), options);
  test::expect_refused([&] { check_requirements(both, {.symmetric = true}, options); }, "edge 1",
                       "has no reverse edge with the same attributes");
  options.symmetrize = true;
  EXPECT_EQ(values_of(attached(file, options.edge_fields, options).graph),
            (Texts{"1-2:7,1", "1-2:7,2", "2-1:7,1", "2-1:7,2"}));
}

TEST(CachedAttributes, ServeAsTheWeight) {
  const std::string file = cached("from,to,weight,b\n1,2,7,0.5\n2,1,9,1.5\n");
  const Graph graph = load_text(file).graph;
  EXPECT_EQ(test::edges_of(graph), (std::vector<test::EdgeTuple>{{1, 2, 7}, {2, 1, 9}}));
  ReadOptions options;
  options.columns = {"b"};
  EXPECT_EQ(test::edges_of(load_text(file, options).graph),
            (std::vector<test::EdgeTuple>{{1, 2, 0.5}, {2, 1, 1.5}}));
  options.columns = {"c"};
  test::expect_text_refused(file, "graph", "no attribute is named 'c'; there are 'weight', 'b'",
                            options);
  EXPECT_FALSE(load_text(cached("from,to,a,b\n1,2,7,1\n")).graph.has_weights());
}

TEST(CachedAttributes, TakeWhatFitsAndRefuseTheRest) {
  const std::string file = cached(
      "from,to,a,b,c,d\n5,7,1,0.5,true,18446744073709551615\n7,5,-2147483649,1e39,false,1\n");
  const auto refused = [&](EdgeField wanted, const std::string& words) {
    test::expect_refused([&] { attached(file, {std::move(wanted)}); }, "", words);
  };
  refused(field("a", ScalarKind::Int32),
          "the edge 7 -> 5 has the 'a' -2147483649, which is out of range, and 'a' is int32");
  refused(field("a", ScalarKind::UInt64), "is out of range");
  refused(field("a", ScalarKind::Bool), "is neither true nor false, 1 nor 0");
  refused(field("b", ScalarKind::Int64),
          "the edge 5 -> 7 has the 'b' 0.5, which is no whole number, and 'b' is int64");
  refused(field("b", ScalarKind::Float32), "is out of range");
  refused(field("c", ScalarKind::Int32), "the 'c' true, which is no number");
  refused(field("d", ScalarKind::Int64), "is out of range");
  refused(field("e", ScalarKind::Int64),
          "no attribute is named 'e', which the program needs of every edge; there are 'a', 'b', "
          "'c', 'd'");
  EdgeField positive = field("a", ScalarKind::Int64);
  positive.non_negative = true;
  positive.reason = "stated by the program";
  refused(positive, "the edge 7 -> 5 has the 'a' -2147483649, which must not be negative (stated");
  EXPECT_EQ(values_of(attached(file, {field("a", ScalarKind::Float32),
                                      field("e", ScalarKind::Bool, {ScalarKind::Bool, true})})
                          .graph),
            (Texts{"5-7:1.000000,1", "7-5:-2147483648.000000,1"}));
  ReadOptions merging;
  merging.duplicates = DuplicatePolicy::Min;
  EXPECT_THROW(attached(file, {field("a", ScalarKind::Int64)}, merging), Error);
}

TEST(CachedAttributes, AnyChangedByteIsFound) {
  const std::string good = cached(kTable, true);
  ReadOptions check;
  check.verify = true;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_THROW(load_text(bad, check), Error) << at;
  }
}

TEST(CachedAttributes, CutFilesAreRefused) {
  const std::string good = cached(kTable);
  for (std::size_t size = 0; size < good.size(); size += 7)
    EXPECT_THROW(attached(good.substr(0, size), all_fields()), Error) << size;
}

// A file as another program could write it, its checksums right.
template <class Change>
std::string forged(std::string file, const Change& change) {
  CachedHeader header;
  std::memcpy(static_cast<CachedPrefix*>(&header), file.data(), sizeof(CachedPrefix));
  std::memcpy(header.sections.data(), file.data() + sizeof(CachedPrefix),
              cached_sections(header.version) * sizeof(CachedSectionEntry));
  change(header, file);
  header.file_bytes = file.size();
  for (CachedSectionEntry& entry : header.sections)
    if (entry.bytes > 0 && entry.offset <= file.size() && entry.bytes <= file.size() - entry.offset)
      entry.checksum =
          checksum_of(file.data() + entry.offset, entry.bytes, cached_checksum(header.version));
  const auto image = cached_header_image(header);
  std::memcpy(file.data(), image.data(), image.size());
  return file;
}

class ForgedAttributes : public testing::Test {
 protected:
  template <class T>
  void expect_refused(CachedSection section, std::size_t at, T value, const std::string& words) {
    const std::string file = forged(good, [&](const CachedHeader& header, std::string& bytes) {
      std::memcpy(bytes.data() + header.section(section).offset + at, &value, sizeof value);
    });
    test::expect_refused([&] { attached(file, {field("a", ScalarKind::Int64)}); }, "", words);
  }
  static constexpr std::size_t entry(std::size_t i) {
    return sizeof(CachedAttributes) + i * sizeof(CachedAttribute);
  }
  static constexpr std::size_t kKind = offsetof(CachedAttribute, kind);

  std::string good = cached("from,to,a,b,c\n1,2,7,0.5,true\n2,1,8,1.5,false\n");
  using S = CachedSection;
};

TEST_F(ForgedAttributes, NumbersOfRecordsThatAreNotThere) {
  expect_refused(S::OutWeights, 4, std::uint32_t{2}, "the edge 1 has the record 2 of 2");
  expect_refused(S::OutWeights, 0, ~std::uint32_t{0}, "has the record 4294967295 of 2");
}

TEST_F(ForgedAttributes, Counts) {
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{4},
                                    std::uint64_t{1} << 57, ~std::uint64_t{0}})
    expect_refused(S::Attributes, 8, count, "the number of attributes is not that of their names");
  expect_refused(S::Attributes, 0, std::uint64_t{1}, "take");
  expect_refused(S::Attributes, 0, std::uint64_t{3}, "take");
  expect_refused(S::Attributes, 0, std::uint64_t{kNoVertex}, "");
  expect_refused(S::Attributes, 0, ~std::uint64_t{0}, "more records than can be");
  expect_refused(S::Attributes, 0, std::uint64_t{1} << 61, "more records than can be");
}

TEST_F(ForgedAttributes, Names) {
  expect_refused(S::Attributes, entry(1), 'a', "two attributes are named 'a'");
  expect_refused(S::Attributes, entry(1), 'A', "two attributes are named 'A'");
  for (const char c : {'\0', '9', ' ', '\n', '_', '\xC3'})
    expect_refused(S::Attributes, entry(1), c, "no identifier");
  expect_refused(S::Attributes, entry(1) + 2, 'x', "no identifier");  // behind the zero
  expect_refused(S::Attributes, entry(1) + 111, 'x', "no identifier");
}

TEST_F(ForgedAttributes, Types) {
  expect_refused(S::Attributes, entry(1) + kKind, std::uint32_t{7}, "the type of 'b' is not known");
  expect_refused(S::Attributes, entry(1) + kKind, ~std::uint32_t{0}, "the type of 'b'");
  expect_refused(S::Attributes, entry(1) + kKind + 4, std::uint32_t{1}, "the type of 'b'");
  // Narrower values than there are bytes.
  expect_refused(S::Attributes, entry(2) + kKind, std::uint32_t{1}, "take");
}

TEST_F(ForgedAttributes, ValuesAndPadding) {
  expect_refused(S::AttributeValues, 20, 'x', "the padding is damaged");
  expect_refused(S::AttributeValues, 0, std::int64_t{9}, "the checksum of 'a' differs");
  ReadOptions check;
  check.verify = true;
  const auto with_value = [&](std::size_t column, std::size_t at, auto value) {
    return forged(good, [&](const CachedHeader& header, std::string& bytes) {
      char* const values = bytes.data() + header.section(S::AttributeValues).offset + 64 * column;
      std::memcpy(values + at, &value, sizeof value);
      const std::uint64_t sum = checksum_of(values, column == 2 ? 2 : 16);
      std::memcpy(bytes.data() + header.section(S::Attributes).offset + entry(column) +
                      offsetof(CachedAttribute, checksum),
                  &sum, sizeof sum);
    });
  };
  const std::string twice = with_value(2, 0, char{2});
  const std::string infinite = with_value(1, 8, std::numeric_limits<double>::infinity());
  const std::string nan = with_value(1, 0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_NO_THROW(attached(twice, {field("a", ScalarKind::Int64)}));
  test::expect_refused([&] { attached(twice, {field("c", ScalarKind::Bool)}); }, "",
                       "the value 0 of 'c' is none of bool");
  test::expect_refused([&] { attached(infinite, {field("b", ScalarKind::Float64)}); }, "",
                       "the value 1 of 'b' is none of float64");
  test::expect_refused([&] { load_text(nan, check); }, "", "the value 0 of 'b'");
}

TEST_F(ForgedAttributes, RecordsThatAreThereTwiceAndFalseSymmetryAreFoundByCheck) {
  ReadOptions check;
  check.verify = true;
  const std::string other = cached("from,to,a,b\n1,2,7,1\n2,1,8,1\n");
  const std::string same = forged(other, [&](const CachedHeader& header, std::string& bytes) {
    char* const values = bytes.data() + header.section(S::AttributeValues).offset;
    std::memcpy(values + 8, values, 8);
    const std::uint64_t sum = checksum_of(values, 16);
    std::memcpy(bytes.data() + header.section(S::Attributes).offset + entry(0) +
                    offsetof(CachedAttribute, checksum),
                &sum, sizeof sum);
  });
  EXPECT_NO_THROW(attached(same, {field("a", ScalarKind::Int64)}));
  test::expect_refused([&] { load_text(same, check); }, "", "the record 1 is there twice");
  const std::string symmetric = forged(other, [&](CachedHeader& header, std::string&) {
    header.flags = static_cast<std::uint8_t>(header.flags | kSymmetric);
  });
  test::expect_refused([&] { load_text(symmetric, check); }, "",
                       "the edge 1 -> 2 has no reverse edge with the same attributes");
}

TEST_F(ForgedAttributes, FlagsAndWidths) {
  const auto refused = [&](auto change) {
    EXPECT_THROW(attached(forged(good, [&](CachedHeader& header, std::string&) { change(header); }),
                          {field("a", ScalarKind::Int64)}),
                 Error);
  };
  refused([](CachedHeader& header) { header.weight_kind = 1; });
  refused([](CachedHeader& header) { header.weight_kind = 0; });
  refused([](CachedHeader& header) { header.flags |= kDegreeOrdered; });
  refused([](CachedHeader& header) { header.flags |= kWeightSorted; });
  refused([](CachedHeader& header) { header.flags |= 128; });
  refused([](CachedHeader& header) {  // attributes that nobody announces
    header.flags = static_cast<std::uint8_t>(header.flags & ~kHasAttributes);
  });
  refused([](CachedHeader& header) {
    header.sections[static_cast<std::size_t>(S::AttributeValues)].bytes -= 1;
  });
  refused([](CachedHeader& header) {
    header.sections[static_cast<std::size_t>(S::Attributes)].offset = std::uint64_t{1} << 40;
  });
}

TEST(CachedAttributes, OfGraphsWithoutEdges) {
  ReadOptions options;
  options.self_loops = SelfLoopPolicy::Drop;
  const std::string file = cached("from,to,a,b\n1,1,7,1\n", false, options);
  const LoadedGraph loaded = attached(file, {field("a", ScalarKind::Int32)});
  EXPECT_EQ(loaded.graph.edge_count, 0U);
  EXPECT_EQ(loaded.report.columns_used, Texts{"a"});
}

}  // namespace
}  // namespace vertigo::graph
