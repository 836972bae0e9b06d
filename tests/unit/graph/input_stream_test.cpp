#include "input_stream.h"

#include <chrono>
#include <cstring>

#include "support.h"
#include "tests/graphs/compressed.h"

namespace vertigo::graph {
namespace {

std::string gzip(const std::string& text) { return vertigo::test::gzip(text); }
std::string zstd(const std::string& text) { return vertigo::test::zstd(text); }
std::string xz(const std::string& text) { return vertigo::test::xz(text); }

std::string read_all(const std::string& content) {
  const test::Folder folder;
  const auto stream = InputStream::open(folder.write("f", content));
  std::string text;
  char buffer[100];
  for (std::size_t got = 1; got > 0;) {
    got = stream->read(buffer, sizeof buffer);
    text.append(buffer, got);
  }
  return text;
}

const std::string& sample() {
  static const std::string text = [] {
    std::string edges;
    for (int i = 0; i < 50000; ++i)
      edges += std::to_string(i) + " " + std::to_string(i * 7 % 50000) + "\n";
    return edges;
  }();
  return text;
}

TEST(InputStream, ReadsEveryCompression) {
  for (const auto& compress : {gzip, zstd, xz}) EXPECT_EQ(read_all(compress(sample())), sample());
  EXPECT_EQ(read_all(sample()), sample());
  EXPECT_EQ(read_all(""), "");
}

TEST(InputStream, ReadsJoinedFiles) {
  for (const auto& compress : {gzip, zstd, xz}) {
    EXPECT_EQ(read_all(compress("one ") + compress("two")), "one two");
    EXPECT_EQ(read_all(compress("") + compress("x")), "x");
  }
}

TEST(InputStream, RefusesCutAndDamagedData) {
  for (const auto& compress : {gzip, zstd, xz}) {
    const std::string whole = compress(sample().substr(0, 3000));
    for (std::size_t size = 7; size < whole.size(); size += 13) {
      SCOPED_TRACE(size);
      EXPECT_THROW(read_all(whole.substr(0, size)), Error);
    }
    EXPECT_THROW(read_all(whole + "garbage"), Error);
  }
  std::string bad = gzip(sample());
  bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 0x55);
  EXPECT_THROW(read_all(bad), Error);
}

TEST(InputStream, RefusesALyingWindow) {
  // A frame header that asks for a window of 2 GiB.
  const std::string frame("\x28\xB5\x2F\xFD\x00\xA8\x01\x00\x00", 9);
  test::expect_refused([&] { read_all(frame); }, "", "zstd data is damaged");
}

TEST(InputStream, RefusesBombs) {
  std::string bomb;
  const std::string part = zstd(std::string(std::size_t{64} << 20, '1'));
  for (int i = 0; i < 16; ++i) bomb += part;
  test::expect_text_refused(bomb, "graph", "decompress to more than 200 times as many",
                            test::as(Format::Adjacency));
  test::expect_text_refused(bomb, "graph", "no known graph format");  // after half a sample
  const std::string blank = zstd(std::string(std::size_t{64} << 20, '\n'));
  test::expect_text_refused(blank + blank, "graph", "decompress to more than");
}

TEST(InputStream, RefusesALineOutOfProportion) {
  std::string noise;
  for (std::uint64_t i = 1; noise.size() < 250000; ++i)
    noise += std::to_string(i * 0x9E3779B97F4A7C15u) + " ";
  std::string line = "7 ";
  while (line.size() < (std::size_t{20} << 20)) line += noise;
  test::expect_text_refused(zstd(line + "\n"), "", "a line is longer than 16.0 MiB",
                            test::as(Format::Adjacency));
  EXPECT_NO_THROW(test::load_text(line + "\n", test::as(Format::Adjacency)));
}

TEST(InputStream, RefusesAFileThatChangesWhileItIsRead) {
  const test::Folder folder;
  for (const int change : {-1, 0, 1}) {
    const std::string path = folder.write("f", sample());
    const auto stream = InputStream::open(path);
    char buffer[4096];
    stream->read(buffer, sizeof buffer);
    if (change == 0) {
      std::filesystem::last_write_time(
          path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(1));
    } else {
      std::filesystem::resize_file(path, sample().size() + change * 10000);
    }
    test::expect_refused(
        [&] {
          while (stream->read(buffer, sizeof buffer) > 0) {
          }
        },
        "f", "the file changed while it was read");
  }
}

TEST(InputStream, CountsBlankLines) {
  test::expect_text_refused("0 1\n" + std::string(3000001, '\n') + "0 x\n", "graph:3000003",
                            "found 'x'");
  EXPECT_EQ(test::load_text(std::string(3000001, '\n') + "0 1\n").graph.edge_count, 1u);
}

TEST(InputStream, GraphsComeOutTheSame) {
  const test::Folder folder;
  const auto plain = test::edges_of(load_graph(folder.write("plain", sample())).graph);
  EXPECT_EQ(test::edges_of(load_graph(folder.write("a", gzip(sample()))).graph), plain);
  EXPECT_EQ(test::edges_of(load_graph(folder.write("b", zstd(sample()))).graph), plain);
  EXPECT_EQ(test::edges_of(load_graph(folder.write("c", xz(sample()))).graph), plain);
  EXPECT_EQ(load_graph(folder / "b").report.compression, Compression::Zstd);
  EXPECT_EQ(load_graph(folder / "b").report.bytes_read, sample().size());
}

}  // namespace
}  // namespace vertigo::graph
