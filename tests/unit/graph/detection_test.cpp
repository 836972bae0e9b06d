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

TEST(Detection, TakesAFileThatFitsBothForAnEdgeListAndSaysSo) {
  const auto loaded = load_text("3 3\n2 3\n1 3\n1 2\n");  // a triangle in METIS
  EXPECT_EQ(loaded.report.format, Format::EdgeList);
  ASSERT_EQ(loaded.report.notes.size(), 1u);
  EXPECT_NE(loaded.report.notes[0].find("--format metis"), std::string::npos);
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
  expect_text_refused("source,target\n1,2\n1\n", "graph:3", "1 columns");
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
  expect_text_refused("two words\nand three words\n", "graph:2", "3 columns");
}

TEST(Detection, RefusesWhatItCannotTell) {
  expect_text_refused("", "graph", "the file is empty");
  expect_text_refused("\n\n  \n", "graph", "holds no edges");
  expect_text_refused("# only a comment\n", "graph", "holds no edges");
  expect_text_refused("1\n2\n3\n", "graph", "one number per line");
  expect_text_refused("1 2\n2 3 4\n", "graph", "--format edge-list or --format adjacency");
  expect_text_refused("hello world of graphs\n", "graph", "no known graph format");
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
