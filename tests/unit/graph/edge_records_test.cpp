// Attributes of edges that are read by name from the columns of a table.

#include "vertigo/graph/edge_records.h"

#include <cstring>

#include "record_values.h"
#include "support.h"
#include "vertigo/core/record_layout.h"
#include "vertigo/graph/graph_cache.h"
#include "vertigo/graph/part.h"
#include "vertigo/graph/read_option_names.h"

namespace vertigo::graph {
namespace {

using test::expect_text_refused;
using test::field;
using test::load_text;
using test::value_at;
using test::values_of;

/// departure: int64 and duration: int32, which must be there; operates: bool, else true.
std::vector<EdgeField> timetable() {
  return {field("departure", ScalarKind::Int64), field("duration", ScalarKind::Int32),
          field("operates", ScalarKind::Bool, {ScalarKind::Bool, true})};
}

ReadOptions table(std::vector<EdgeField> fields = timetable(),
                  std::vector<std::string> columns = {}, Format format = Format::Csv) {
  ReadOptions options = test::as(format);
  options.edge_fields = std::move(fields);
  options.columns = std::move(columns);
  return options;
}

LoadedGraph attached(std::string_view text, const ReadOptions& options = table()) {
  LoadedGraph loaded = load_text(text, options);
  attach_records(loaded, options.edge_fields);
  return loaded;
}

std::vector<std::string> edges_of(const LoadedGraph& loaded) { return values_of(loaded.graph); }
using Edges = std::vector<std::string>;

TEST(RecordLayout, IsThatOfAStructWithItsLargestMembersFirst) {
  const ScalarKind kinds[] = {ScalarKind::Bool, ScalarKind::Float64, ScalarKind::Int32,
                              ScalarKind::Bool, ScalarKind::UInt64};
  struct Record {
    double b;
    std::uint64_t e;
    std::int32_t c;
    bool a, d;
  };
  const RecordLayout layout = layout_of(kinds);
  EXPECT_EQ(layout.bytes, sizeof(Record));
  EXPECT_EQ(layout.offsets,
            (std::vector<unsigned>{offsetof(Record, a), offsetof(Record, b), offsetof(Record, c),
                                   offsetof(Record, d), offsetof(Record, e)}));
  EXPECT_EQ(layout.order, (std::vector<std::size_t>{1, 4, 2, 0, 3}));
  const ScalarKind flag[] = {ScalarKind::Bool};
  EXPECT_EQ(layout_of(flag).bytes, 1U);
}

TEST(EdgeRecords, AreReadFromTheColumnsOfTheirNames) {
  const LoadedGraph loaded = attached(
      "From,Line,DURATION,to,Operates,departure\n"
      "1,S1,5,2,true,10\n1,S2,4,2,0,9223372036854775807\n2,S1,+6,3,FALSE,-7\n3,S1,2e2,1,1,7.0\n");
  EXPECT_EQ(edges_of(loaded),
            (Edges{"1-2:10,5,1", "1-2:9223372036854775807,4,0", "2-3:-7,6,0", "3-1:7,200,1"}));
  EXPECT_EQ(loaded.report.columns_used, (Edges{"From", "to", "departure", "DURATION", "Operates"}));
  EXPECT_EQ(loaded.report.columns_unused, Edges{"Line"});
  EXPECT_EQ(loaded.report.weights, WeightKind::None);
  EXPECT_FALSE(loaded.graph.has_weights());
  EXPECT_EQ(loaded.graph.out.records.size(), 4U * 16);
}

TEST(EdgeRecords, OfSeparatorsTabsTextIdsAndManyThreads) {
  EXPECT_EQ(edges_of(attached("from;to;departure;duration\nUlm;Bonn;1;2\n")),
            (Edges{"Ulm-Bonn:1,2,1"}));
  EXPECT_EQ(edges_of(attached("from\tto\tdeparture\tduration\nUlm\tBonn\t1\t2\n",
                              table(timetable(), {}, Format::Tsv))),
            (Edges{"Ulm-Bonn:1,2,1"}));
  std::string text = "from,to,departure,duration\n";
  for (int i = 0; i < 60000; ++i)
    text += std::to_string(i) + "," + std::to_string(i + 1) + "," + std::to_string(i % 977) + "," +
            std::to_string(i % 31) + "\n";
  const LoadedGraph loaded = attached(text);
  const Edges edges = edges_of(loaded);
  ASSERT_EQ(edges.size(), 60000U);
  for (int i = 0; i < 60000; ++i)
    ASSERT_EQ(edges[static_cast<std::size_t>(i)], std::to_string(i) + "-" + std::to_string(i + 1) +
                                                      ":" + std::to_string(i % 977) + "," +
                                                      std::to_string(i % 31) + ",1");
}

TEST(EdgeRecords, StandInEveryAttributesType) {
  const std::vector<EdgeField> all = {field("a", ScalarKind::UInt64),
                                      field("b", ScalarKind::Float32),
                                      field("c", ScalarKind::Bool)};
  EXPECT_EQ(edges_of(attached("from,to,a,b,c\n1,2,18446744073709551615,-0.5,True\n", table(all))),
            (Edges{"1-2:18446744073709551615,-0.500000,1"}));
}

TEST(EdgeRecords, HostileValuesAreRefusedWithTheirLine) {
  const std::string head = "from,to,departure,duration,operates\n1,2,3,4,true\n";
  const auto refused = [&](const std::string& row, const std::string& words) {
    expect_text_refused(head + row + "\n", "graph:3", words, table());
  };
  refused("1,2,,4,true", "'departure' is missing");
  refused("1,2,3, ,true", "'duration' is missing");
  refused("1,2,3,4,", "'operates' is missing");
  refused("1,2,9223372036854775808,4,true", "is out of range, and 'departure' is int64");
  refused("1,2,-9223372036854775809,4,true", "is out of range, and 'departure' is int64");
  refused("1,2,3,2147483648,true", "'2147483648' is out of range, and 'duration' is int32");
  refused("1,2,3,-2147483649,true", "is out of range, and 'duration' is int32");
  refused("1,2,3,1e10,true", "is out of range, and 'duration' is int32");
  refused("1,2,3,1e999,true", "is out of range, and 'duration' is int32");
  refused("1,2,3,4.5,true", "is no whole number, and 'duration' is int32");
  refused("1,2,3,nan,true", "is not a finite number");
  refused("1,2,3,-inf,true", "is not a finite number");
  refused("1,2,3,4x,true", "'4x' is no number");
  refused("1,2,3,--4,true", "is no number");
  refused("1,2,3,+-4,true", "is no number");
  refused("1,2,3,4,2", "is neither true nor false, 1 nor 0, and 'operates' is bool");
  refused("1,2,3,4,yes", "is neither true nor false");
  refused("1,2,3,4,\"true \"", "is neither true nor false");
  refused("1,2,3,4", "4 columns, where the first line has 5");
  refused("1,2,3,\x1b[2J,true", "is no number");
  const std::vector<EdgeField> reals = {field("a", ScalarKind::Float32),
                                        field("b", ScalarKind::UInt32)};
  expect_text_refused("from,to,a,b\n1,2,1e39,1\n", "graph:2", "'1e39' is out of range",
                      table(reals));
  expect_text_refused("from,to,a,b\n1,2,inf,1\n", "graph:2", "not a finite number", table(reals));
  expect_text_refused("from,to,a,b\n1,2,1,-1\n", "graph:2", "is out of range", table(reals));
  expect_text_refused("from,to,a,b\n1,2,1,4294967296\n", "graph:2", "is out of range",
                      table(reals));
}

TEST(EdgeRecords, OfWhichSomeMayNotBeNegative) {
  std::vector<EdgeField> fields = timetable();
  fields[1].non_negative = true;
  fields[1].reason = "stated by the program";
  EXPECT_EQ(edges_of(attached("from,to,departure,duration\n1,2,-3,0\n", table(fields))),
            (Edges{"1-2:-3,0,1"}));
  expect_text_refused("from,to,departure,duration\n1,2,3,4\n2,1,-3,-1\n", "graph:3",
                      "'duration' is -1, and must not be negative (stated by the program)",
                      table(fields));
}

TEST(EdgeRecords, ColumnsThatAreMissingOrThereTwiceAreRefused) {
  expect_text_refused("from,to,departure\n1,2,3\n", "graph:1",
                      "no column is named 'duration', which the program needs of every edge; there "
                      "are 'from', 'to', 'departure'",
                      table());
  expect_text_refused("from,to,departure,Duration,duration_\n1,2,3,4,5\n", "graph:1",
                      "'Duration' and 'duration_' could both be 'duration'", table());
  expect_text_refused("1,2,3,4\n", "graph:1",
                      "4 columns without names: say which are source, target and "
                      "departure,duration,operates by --columns",
                      table());
  expect_text_refused("1,2\n", "graph:1", "no column is named 'departure'", table());
}

TEST(EdgeRecords, ColumnsMayBeChosen) {
  const std::string text = "a,b,ab,an,ok\n1,2,10,5,0\n";
  const Edges expected = {"1-2:10,5,0"};
  EXPECT_EQ(edges_of(attached(text, table(timetable(), {"a", "b", "ab", "an", "ok"}))), expected);
  EXPECT_EQ(edges_of(attached("1,2,10,5,0\n", table(timetable(), {"1", "2", "3", "4", "5"}))),
            expected);
  EXPECT_EQ(edges_of(attached("1 2 10 5 0\n",
                              table(timetable(), {"1", "2", "3", "4", "5"}, Format::EdgeList))),
            expected);
  EXPECT_EQ(
      edges_of(attached("a,b,departure,duration\n1,2,10,5\n", table(timetable(), {"a", "b"}))),
      (Edges{"1-2:10,5,1"}));
  expect_text_refused("a,b,departure,duration\n1,2,10,5\n", "graph:1",
                      "the column of 'duration' is another one's already",
                      table({field("a_b", ScalarKind::Int32), field("duration", ScalarKind::Int32)},
                            {"a", "duration", "b", "duration"}));
  const std::vector<std::string> names = {"departure", "duration"};
  EXPECT_EQ(columns_of("a,b,c,d", names), (Edges{"a", "b", "c", "d"}));
  EXPECT_EQ(columns_of("a,b", names), (Edges{"a", "b"}));
  for (const char* const wrong : {"a", "a,b,c", "a,b,c,d,e"}) try {
      columns_of(wrong, names);
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Usage);
      EXPECT_EQ(error.message(),
                "--columns: expected SOURCE,TARGET or SOURCE,TARGET,departure,duration");
    }
}

std::string graphml(const std::string& keys, const std::string& edges) {
  return "<graphml>" + keys + "<graph edgedefault=\"directed\"><node id=\"1\"/><node id=\"2\"/>\n" +
         edges + "</graph></graphml>";
}
std::string key(const std::string& name, const std::string& type, const std::string& content = "") {
  return "<key id=\"k" + name + "\" for=\"edge\" attr.name=\"" + name + "\" attr.type=\"" + type +
         "\">" + content + "</key>";
}
std::string edge(const std::string& data) {
  return "<edge source=\"1\" target=\"2\">" + data + "</edge>\n";
}
std::string datum(const std::string& name, const std::string& value) {
  return "<data key=\"k" + name + "\">" + value + "</data>";
}

TEST(EdgeRecords, AreReadFromTheDataOfGraphMl) {
  const std::string keys = key("note", "string") + key("Departure", "long") +
                           key("duration", "int", "<default>3</default>") +
                           key("operates", "boolean");
  const std::string text = graphml(
      keys,
      edge(datum("note", "hi") + datum("Departure", "5") + datum("operates", "0")) +
          edge(datum("operates", " true ") + datum("duration", "9") + datum("Departure", "-6")));
  const LoadedGraph loaded = attached(text, table(timetable(), {}, Format::GraphMl));
  EXPECT_EQ(edges_of(loaded), (Edges{"1-2:5,3,0", "1-2:-6,9,1"}));
  EXPECT_EQ(loaded.report.columns_used, (Edges{"Departure", "duration", "operates"}));
  EXPECT_EQ(loaded.report.columns_unused, Edges{"note"});
  EXPECT_EQ(loaded.report.weights, WeightKind::None);
  // The program's default serves where no key is there.
  const std::string two = key("departure", "long") + key("duration", "int");
  EXPECT_EQ(edges_of(attached(graphml(two, edge(datum("departure", "1") + datum("duration", "2"))),
                              table(timetable(), {}, Format::GraphMl))),
            Edges{"1-2:1,2,1"});
}

TEST(EdgeRecords, OfGraphMlAreRefusedWithTheirLine) {
  const std::string keys = key("departure", "long") + key("duration", "int");
  ReadOptions options = table(timetable(), {}, Format::GraphMl);
  const auto refused = [&](const std::string& all, const std::string& data, int line,
                           const std::string& words) {
    expect_text_refused(graphml(all, edge(data)), "graph:" + std::to_string(line), words, options);
  };
  refused(keys, datum("departure", "5"), 2, "'duration' is missing");
  refused(keys, datum("departure", "5") + datum("duration", ""), 2, "'duration' is missing");
  refused(keys, datum("departure", "5") + datum("duration", "2.5"), 2,
          "'2.5' is no whole number, and 'duration' is int32");
  refused(keys, datum("departure", "5") + datum("duration", "2147483648"), 2, "is out of range");
  refused(keys, datum("departure", "5") + datum("departure", "5"), 2,
          "the edge has 'departure' twice");
  refused(key("departure", "long"), "", 1,
          "no <key> of edges is named 'duration', which the program needs of every edge; there are "
          "'departure'");
  refused(keys + key("Departure_", "long"), "", 1,
          "'departure' and 'Departure_' could both be 'departure'");
  options.edge_fields[1].non_negative = true;
  refused(keys, datum("departure", "5") + datum("duration", "-1"), 2,
          "'duration' is -1, and must not be negative");
  options.duplicates = DuplicatePolicy::Sum;
  EXPECT_THROW(load_text(graphml(keys, ""), options), Error);
}

TEST(EdgeRecords, GraphMlHasNoColumnsForThem) {
  try {
    load_text(graphml(key("open", "boolean"), edge(datum("open", "true"))),
              table({field("open", ScalarKind::Bool)}, {"open"}, Format::GraphMl));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_EQ(error.message(),
              "--columns: the program reads data of GraphML's edges by their names");
  }
}

// `start` is a usual name of the source, but here it is an attribute.
TEST(EdgeRecords, ANameMayBeOneThatUsuallyMeansAnEnd) {
  const std::vector<EdgeField> fields = {field("start", ScalarKind::Int32),
                                         field("end", ScalarKind::Int32)};
  EXPECT_EQ(edges_of(attached("start,from,end,to\n7,1,9,2\n", table(fields))), (Edges{"1-2:7,9"}));
}

TEST(EdgeRecords, GoWithTheirEdgesIntoTheTranspose) {
  LoadedGraph loaded = attached(
      "from,to,departure,duration\n1,3,10,1\n2,3,20,2\n3,1,30,3\n1,3,40,4\n2,1,50,5\n3,2,10,1\n");
  build_transpose(loaded.graph);
  EXPECT_EQ(
      values_of(loaded.graph, *loaded.graph.in_adjacency, true),
      (Edges{"2-1:50,5,1", "3-1:30,3,1", "3-2:10,1,1", "1-3:10,1,1", "1-3:40,4,1", "2-3:20,2,1"}));
}

TEST(EdgeRecords, AreCutWithTheLists) {
  const LoadedGraph loaded = attached("from,to,departure,duration\n1,2,10,1\n2,3,20,2\n3,1,30,3\n");
  const AdjacencySlice slice = slice_of(loaded.graph.out, {1, 2});
  ASSERT_EQ(slice.records.size(), 16U);
  EXPECT_EQ(value_at<std::int64_t>(slice.records.data(), 0), 20);
}

// Two edges are equal where all their attributes are.
TEST(EdgeRecords, SymmetryLooksAtAllOfThem) {
  const std::string same = "from,to,departure,duration\n1,2,10,1\n2,1,10,1\n";
  const std::string other = "from,to,departure,duration\n1,2,10,1\n2,1,10,2\n";
  ReadOptions options = table();
  LoadedGraph loaded = load_text(same, options);
  EXPECT_NO_THROW(check_requirements(loaded, {.symmetric = true}, options));
  attach_records(loaded, options.edge_fields);
  EXPECT_TRUE(loaded.graph.symmetric);

  const test::Folder folder;
  loaded = load_graph(folder.write("graph", other), options);
  try {
    check_requirements(loaded, {.symmetric = true}, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the edge 1 -> 2 has no reverse edge with the same attributes");
    EXPECT_TRUE(error.place().ends_with("graph:2")) << error.place();
  }
  options.symmetrize = true;
  EXPECT_EQ(edges_of(attached(same, options)), (Edges{"1-2:10,1,1", "2-1:10,1,1"}));
  EXPECT_EQ(edges_of(attached(other, options)),
            (Edges{"1-2:10,1,1", "1-2:10,2,1", "2-1:10,1,1", "2-1:10,2,1"}));
}

TEST(EdgeRecords, ParallelEdgesStayOrTheFirstDoes) {
  const std::string text = "from,to,departure,duration\n1,2,10,1\n1,2,5,7\n2,2,1,1\n";
  ReadOptions options = table();
  options.duplicates = DuplicatePolicy::First;
  options.self_loops = SelfLoopPolicy::Drop;
  EXPECT_EQ(edges_of(attached(text, options)), (Edges{"1-2:10,1,1"}));
  options.duplicates = DuplicatePolicy::Min;
  try {
    load_text(text, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_EQ(error.message(),
              "--duplicates: edges have attributes that are read by name; say keep or first");
  }
}

// What knows a weight alone gives it to the attribute that is named like one.
TEST(EdgeRecords, AWeightIsTheAttributeThatIsNamedLikeOne) {
  const std::vector<EdgeField> fields = {field("weight", ScalarKind::Int32),
                                         field("open", ScalarKind::Bool, {ScalarKind::Bool, true})};
  EXPECT_EQ(edges_of(attached("1 2 5\n2 1 -6\n", table(fields, {}, Format::EdgeList))),
            (Edges{"1-2:5,1", "2-1:-6,1"}));
  EXPECT_EQ(edges_of(attached("from,to,w,open\n1,2,5,0\n", table(fields))), (Edges{"1-2:5,0"}));
  EXPECT_THROW(attached("1 2 2147483648\n", table(fields, {}, Format::EdgeList)), Error);

  const std::vector<EdgeField> optional = {
      field("cost", ScalarKind::Int32, {ScalarKind::Int32, std::int64_t{4}}), fields[1]};
  const LoadedGraph loaded = attached("1 2 5\n", table(optional, {}, Format::EdgeList));
  EXPECT_TRUE(loaded.graph.out.records.empty());
  EXPECT_FALSE(loaded.graph.has_weights());
  ASSERT_FALSE(loaded.report.notes.empty());
  EXPECT_EQ(loaded.report.notes.back(),
            "the weights are not read: the program has no attribute named weight");
  try {
    attached("1 2 5\n", table(timetable(), {}, Format::EdgeList));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::InputRefused);
    EXPECT_EQ(error.message(),
              "the graph has no attribute 'departure', and the program needs it of every edge; "
              "columns of CSV and TSV files, data of GraphML and attributes of the cached form "
              "have names");
  }
  const std::vector<EdgeField> truth = {field("weight", ScalarKind::Bool)};
  EXPECT_THROW(attached("1 2 1\n", table(truth, {}, Format::EdgeList)), Error);
}

TEST(EdgeRecords, ADefaultMayNotBeNegativeEither) {
  std::vector<EdgeField> fields = {
      field("duration", ScalarKind::Int32, {ScalarKind::Int32, std::int64_t{-1}}),
      field("open", ScalarKind::Bool, {ScalarKind::Bool, true})};
  fields[0].non_negative = true;
  EXPECT_THROW(attached("1 2\n", table(fields, {}, Format::EdgeList)), Error);
  EXPECT_EQ(edges_of(attached("from,to,duration\n1,2,3\n", table(fields))), (Edges{"1-2:3,1"}));
  EXPECT_THROW(attached("from,to,open\n1,2,0\n", table(fields)), Error);
}

TEST(EdgeRecords, AreKeptByTheCacheOfGraphs) {
  const test::Folder folder;
  const GraphCache cache(folder / "cache", kMostCacheBytes, std::chrono::nanoseconds(0));
  const std::string path =
      folder.write("graph", "from,to,departure,duration,more\n1,2,3,4,5\n1,2,-3,4,5\n2,1,3,4,6\n");
  const auto twice = [&](const ReadOptions& options) {
    LoadedGraph expected = load_graph(path, options);
    LoadedGraph first = cache.load(path, options);
    LoadedGraph second = cache.load(path, options);
    EXPECT_EQ(first.report.cache.kind, CacheUse::Kind::Stored) << first.report.cache.reason;
    EXPECT_EQ(second.report.cache.kind, CacheUse::Kind::Read) << second.report.cache.reason;
    EXPECT_EQ(second.report.columns_used, expected.report.columns_used);
    EXPECT_EQ(second.report.columns_unused, expected.report.columns_unused);
    for (LoadedGraph* const each : {&expected, &first, &second})
      attach_records(*each, options.edge_fields);
    EXPECT_EQ(edges_of(first), edges_of(expected));
    EXPECT_EQ(edges_of(second), edges_of(expected));
  };
  twice(table());
  twice(table({field("more", ScalarKind::Float32)}));
  // Other types and what may not be negative are other entries.
  ReadOptions strict = table({field("departure", ScalarKind::Int32)});
  twice(strict);
  strict.edge_fields[0].non_negative = true;
  EXPECT_THROW(cache.load(path, strict), Error);
  // Nothing of the table is an attribute: all have their defaults.
  twice(table({field("none", ScalarKind::Int32, {ScalarKind::Int32, std::int64_t{7}})}));
}

TEST(EdgeRecords, WithoutWeightsThereAreNone) {
  ReadOptions options =
      table({field("cost", ScalarKind::Int32, {ScalarKind::Int32, std::int64_t{4}}),
             field("open", ScalarKind::Bool, {ScalarKind::Bool, true})});
  options.ignore_weights = true;
  const LoadedGraph loaded = attached("from,to,cost\n1,2,3\n", options);
  EXPECT_TRUE(loaded.graph.out.records.empty());
  EXPECT_TRUE(loaded.report.weights_ignored);
}

}  // namespace
}  // namespace vertigo::graph
