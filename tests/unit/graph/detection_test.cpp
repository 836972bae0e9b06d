#include "support.h"

namespace vertigo::graph {
namespace {

using test::expect_text_refused;
using test::load_text;

Format format_of(std::string_view content) { return load_text(content).report.format; }

TEST(Detection, GoesByContentAndNotByName) {
  const test::Folder folder;
  EXPECT_EQ(load_graph(folder.write("a.mtx", "0 1\n1 2\n")).report.format, Format::EdgeList);
  EXPECT_EQ(load_graph(folder.write("a.el", "p tw 2 1\n1 2\n")).report.format, Format::Pace);
  EXPECT_EQ(load_graph(folder.write("b.gr", "p sp 2 1\na 1 2 3\n")).report.format, Format::Dimacs);
}

TEST(Detection, TellsMetisFromAdjacencyLines) {
  EXPECT_EQ(format_of("4 4\n2 3 4\n1 3\n1 2\n1\n"), Format::Metis);
  EXPECT_EQ(format_of("1 2 3\n2 1 3 4\n3\n4 2\n"), Format::Adjacency);
  EXPECT_EQ(format_of("2 3 4\n3 2 4 5 8\n4 2 3\n5 3 8\n8 3 5\n"), Format::Adjacency);
}

// Both are named, so that the user can say which is meant.
void expect_asked(std::string_view content, const std::string& one, const std::string& other) {
  expect_text_refused(content, "graph", "--format " + one);
  expect_text_refused(content, "graph", "--format " + other);
}

TEST(Detection, AsksWhereAFileIsMetisAndAnEdgeList) {
  expect_asked("3 3\n2 3\n1 3\n1 2\n", "edge-list", "metis");  // a triangle
  expect_asked("4 4\n2 4\n1 3\n2 4\n1 3\n", "edge-list", "metis");
  expect_asked("3 0\n\n\n\n", "edge-list", "metis");
  EXPECT_EQ(format_of("1 0\n"), Format::EdgeList);
  EXPECT_EQ(format_of("3 3\n1 2\n2 1\n1 1\n"), Format::EdgeList);
}

TEST(Detection, AsksWhereMetisIsCutShort) {
  expect_asked("5 5\n2 5\n1 3\n2 4\n", "edge-list", "metis");  // a cycle
  expect_asked("3 2\n2\n1 3\n", "adjacency", "metis");         // a path
  expect_asked("6 6\n2 3 4\n1 3\n4 1 2\n3 1\n", "adjacency", "metis");
  expect_asked("6 7\n4 5\n3\n2 4 6\n", "adjacency", "metis");  // no edge has both ends yet
}

TEST(Detection, SaysWhatNearlyFitted) {
  const auto loaded = load_text("4 5\n2 3\n");
  EXPECT_EQ(loaded.report.format, Format::EdgeList);
  ASSERT_EQ(loaded.report.notes.size(), 1u);
  EXPECT_NE(loaded.report.notes[0].find("nearly fitted: metis"), std::string::npos);
}

TEST(Detection, SaysNothingOfOtherFormatsWhereTheFileNamesItsOwn) {
  const auto loaded =
      load_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");
  EXPECT_EQ(loaded.report.format, Format::MatrixMarket);
  EXPECT_TRUE(loaded.report.notes.empty()) << loaded.report.notes[0];
}

TEST(Detection, AsksWhereALineOfAnEdgeListStrays) {
  expect_asked("0 1\n1 2 3 4\n2 3\n", "edge-list", "adjacency");
  expect_asked("0 1 5\n1 2 6 7\n2 3 1\n", "edge-list", "adjacency");
  expect_asked("0 1\n1\n2 3\n", "edge-list", "adjacency");
  expect_asked("1 2\n2 3 4\n", "edge-list", "adjacency");
  expect_text_refused("0 1\n0 2 3 4\n0 3\n", "graph:2", "found '3'");
}

TEST(Detection, AdjacencyLinesAreKnownByEdgesAtBothEnds) {
  EXPECT_EQ(format_of("1 2\n2 1 3\n3 2 4\n4 3\n5 6 7 8\n6 5\n7 5\n8 5\n"), Format::Adjacency);
  EXPECT_EQ(format_of("1 2 3 4\n2 1 3 4\n3 1 2 4\n4 1 2 3\n"), Format::Adjacency);
  expect_asked("1 2 3\n2 1 3\n3 1 2\n", "edge-list", "adjacency");
  EXPECT_EQ(format_of("1 2 3 7\n2 1 3\n3 1 2\n4 5 6\n5 4 6 7\n6 5 7\n7 5 6 8\n8 6\n"),
            Format::Adjacency);  // directed, so that some edges have one end only
  for (const char* weighted : {"1 2 2\n2 1 1\n", "1 2 1\n2 1 2\n", "1 2 3\n2 1 3\n"})
    EXPECT_EQ(format_of(weighted), Format::EdgeList) << weighted;
}

TEST(Detection, AsksWhereAMatrixHasNoBanner) {
  expect_asked("3 3 2\n1 2 5\n3 1 7\n", "edge-list", "matrix-market");
  expect_asked("% a comment\n3 3 2\n1 2\n3 1\n", "edge-list", "matrix-market");
  expect_asked("%MatrixMarket matrix coordinate real general\n9 9 2\n1 2 5\n3 1 7\n", "edge-list",
               "matrix-market");
  EXPECT_EQ(format_of("3 3 7\n1 2 5\n3 1 7\n"), Format::EdgeList);
}

TEST(Detection, AsksWhereKonectHasNoHeader) {
  expect_text_refused("1 2 1 1082040961\n1 3 1 1082155839\n", "graph:1", "konect");
  expect_asked("1 2 1 1082040961\n3 4 1 1082155839\n", "konect", "adjacency");
  EXPECT_EQ(load_text("1 2 5 99\n1 3 6 98\n", test::as(Format::Konect)).graph.edge_count, 2u);
}

TEST(Detection, ReadsPastLongComments) {
  std::string comments;
  while (comments.size() < 700000) comments += "% nothing of interest\n\n";
  EXPECT_EQ(format_of(comments + "4 3\n2 3 4\n1\n1\n1\n"), Format::Metis);
  EXPECT_EQ(format_of("# " + std::string(600000, 'x') + "\n1 2 3\n2 1 3 4\n3\n4 2\n"),
            Format::Adjacency);
  std::string dimacs;
  while (dimacs.size() < 700000) dimacs += "c nothing of interest\n";
  EXPECT_EQ(format_of(dimacs + "p sp 2 1\na 1 2 3\n"), Format::Dimacs);
}

TEST(Detection, TakesTheWordsOfALineLongerThanTheSample) {
  std::string hub = "0";
  for (int v = 1; v < 100000; ++v) hub += " " + std::to_string(v);
  const auto loaded = load_text(hub + "\n1 0\n");
  EXPECT_EQ(loaded.report.format, Format::Adjacency);
  EXPECT_EQ(loaded.graph.edge_count, 100000u);
  expect_text_refused("# " + std::string(600000, 'x') + "\n" + std::string(600000, 'x'), "graph",
                      "no known graph format");
}

TEST(Detection, SkipsAByteOrderMark) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(format_of(mark + "0 1\n1 2\n"), Format::EdgeList);
  EXPECT_EQ(load_text(mark + "# Nodes: 5 Edges: 2\n0 1\n1 2\n").graph.vertex_count, 5u);
  EXPECT_EQ(format_of(mark + "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"),
            Format::MatrixMarket);
  EXPECT_EQ(format_of(mark + "p sp 2 1\na 1 2 3\n"), Format::Dimacs);
  EXPECT_EQ(format_of(mark + "4 3\n2 3 4\n1\n1\n1\n"), Format::Metis);
  expect_text_refused(std::string("\xFF\xFE"
                                  "0\0 \0"
                                  "1\0\n\0",
                                  10),
                      "graph", "UTF-16");
}

TEST(Detection, TakesCarriageReturnsForLineEnds) {
  const auto loaded = load_text("0 1\r1 2\r2 3\r");
  EXPECT_EQ(loaded.report.format, Format::EdgeList);
  EXPECT_EQ(loaded.graph.edge_count, 3u);
  ASSERT_EQ(loaded.report.notes.size(), 1u);
  EXPECT_NE(loaded.report.notes[0].find("carriage returns alone"), std::string::npos);
  expect_text_refused("0 1\n1 2\r2 3\n", "graph: byte 7", "a carriage return within a line",
                      test::as(Format::Adjacency));
}

TEST(Detection, KnowsTablesByTheirHeaderOrShape) {
  EXPECT_EQ(format_of("Source,Target,Type\n1,2,x\n"), Format::Csv);
  EXPECT_EQ(format_of("from;to\n1;2\n2;3\n"), Format::Csv);
  EXPECT_EQ(format_of("1,2,0.5\n2,3,1\n"), Format::Csv);
  EXPECT_EQ(format_of("Ulm,Bonn,5\n\"New York\",Ulm,6\n"), Format::Csv);
  EXPECT_EQ(format_of("src\tdst\n1\t2\n"), Format::Tsv);
  EXPECT_EQ(format_of("New York\tUlm\t5\nUlm\tBonn\t6\n"), Format::Tsv);
  EXPECT_EQ(format_of("1\t2\t5\n2\t3\t6\n"), Format::EdgeList);
  // A bad line is the reader's to name.
  expect_text_refused("source,target\n1,2\n1\n", "graph:3", "1 column, where");
  expect_text_refused("a,b,c\n1,2,3\n", "graph:1", "--columns");
  expect_text_refused("a,b c,d\nb,c a,d\n", "graph", "--format");
}

TEST(Detection, KnowsNamedEdgesAndGraphMl) {
  EXPECT_EQ(format_of("Ulm Bonn 5\nBonn Ulm 6\n"), Format::EdgeList);
  EXPECT_EQ(format_of("# a comment, with commas\nUlm Bonn\nBonn Berlin\n"), Format::EdgeList);
  EXPECT_EQ(format_of("source target weight\n1 2 5\n"), Format::EdgeList);
  EXPECT_EQ(format_of("<?xml version='1.0'?><graphml><graph edgedefault='directed'><node id='a'/>"
                      "</graph></graphml>"),
            Format::GraphMl);
  expect_text_refused("<svg/>\n", "graph", "");
  expect_text_refused("two words\nand three words\n", "graph:2", "which has 3");
}

TEST(Detection, RefusesWhatItCannotTell) {
  expect_text_refused("", "graph", "the file is empty");
  expect_text_refused("\n\n  \n", "graph", "holds no edges");
  expect_text_refused("# only a comment\n", "graph", "holds no edges");
  expect_text_refused("1\n2\n3\n", "graph", "one number per line");
  expect_text_refused("1 2\n2 3 4\n", "graph", "--format adjacency or --format edge-list");
  expect_text_refused("hello world of big graphs\n", "graph", "no known graph format");
  expect_text_refused(std::string("abc\0def", 7), "graph: byte 3", "binary file of no known");
}

TEST(Detection, AFormatCanBeForced) {
  EXPECT_EQ(load_text("3 3\n2 3\n1 3\n1 2\n", test::as(Format::Metis)).graph.vertex_count, 3u);
  EXPECT_EQ(load_text("1 2\n2 3\n", test::as(Format::Adjacency)).report.format, Format::Adjacency);
  EXPECT_EQ(load_text("1 2\n2 3\n", test::as(Format::Adjacency)).report.format_evidence,
            "--format");
}

TEST(Detection, RefusesWhatIsNoFile) {
  const test::Folder folder;
  test::expect_refused([&] { load_graph(folder / "missing"); }, "missing", "cannot open");
  test::expect_refused([&] { load_graph(folder / "."); }, ".", "is a directory");
  test::expect_refused([&] { load_graph("/dev/zero"); }, "/dev/zero", "not a regular file");
  test::expect_refused([&] { load_graph(""); }, "", "cannot open");
}

}  // namespace
}  // namespace vertigo::graph
