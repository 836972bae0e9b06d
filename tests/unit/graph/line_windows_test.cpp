// Long plain files are read in windows, by threads that do not wait for each other; the same text
// compressed is read block by block, and is what they are compared with.
#include "line_windows.h"

#include <algorithm>
#include <random>

#include "support.h"
#include "tests/graphs/compressed.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {
namespace {

std::string text_of(std::mt19937& random, std::size_t bytes, const std::string& line_end) {
  std::string text;
  while (text.size() < bytes) {
    const auto kind = random() % 100;
    if (kind == 0)
      text += "# " + std::string(random() % 5000, 'x');
    else if (kind == 1)
      text += std::string(random() % 3, ' ');
    else
      text += std::to_string(random() % 100000) + (kind % 2 == 0 ? " " : "\t") +
              std::to_string(random() % 1000);
    text += line_end;
  }
  return text;
}

TEST(LineWindows, RangesOfAFileHaveEveryLineOnce) {
  const test::Folder folder;
  std::mt19937 random(7);
  const std::string text = text_of(random, 3 * LineWindows::kBytes, "\n");
  const RawFile file(folder.write("text", text));
  for (const std::uint64_t first : {std::uint64_t{0}, text.find('\n', 100) + 1}) {
    for (int round = 0; round < 60; ++round) {
      std::vector<std::uint64_t> cuts{first, text.size()};
      for (int i = round % 7; i > 0; --i) {
        const std::uint64_t cut = first + random() % (text.size() - first);
        cuts.push_back(i % 2 == 0 ? cut : text.find('\n', cut) + 1);  // at the beginning of a line
        cuts.push_back(i % 3 == 0 ? cut : cuts.back());               // an empty range, a short one
      }
      std::sort(cuts.begin(), cuts.end());
      std::string read;
      for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        LineWindows windows(file, first, cuts[i], cuts[i + 1]);
        while (const auto lines = windows.next()) read += *lines;
        EXPECT_FALSE(windows.is_odd());
      }
      ASSERT_EQ(read, text.substr(first));
    }
  }
}

TEST(LineWindows, LongLinesAndCarriageReturnsAreOdd) {
  const auto is_odd = [](const std::string& text) {
    const test::Folder folder;
    const RawFile file(folder.write("text", text));
    LineWindows windows(file, 0, 0, text.size());
    while (windows.next()) continue;
    return windows.is_odd();
  };
  const std::string lines(100000, '\n');
  EXPECT_FALSE(is_odd(lines + "1 2\r\n" + lines));
  EXPECT_FALSE(is_odd(lines + "1 2\r\r\n"));
  EXPECT_TRUE(is_odd(lines + "1\r2\n" + lines));
  EXPECT_TRUE(is_odd(lines + "1 2\r \n"));
  EXPECT_FALSE(is_odd(lines + std::string(LineWindows::kBytes - 1, 'x') + "\n" + lines));
  EXPECT_TRUE(is_odd(lines + std::string(LineWindows::kBytes, 'x') + "\n" + lines));
  EXPECT_TRUE(is_odd(std::string(LineWindows::kBytes, 'x') + "\n"));
}

/// The graph or the refusal, and the notes, of a file.
std::string outcome_of(const std::string& path, const ReadOptions& options) {
  try {
    const auto [graph, report] = load_graph(path, options);
    std::string outcome;
    for (const auto& [source, target, weight] : test::edges_of(graph))
      outcome += std::to_string(source) + " " + std::to_string(target) + "\n";
    for (const std::string& note : report.notes) outcome += note.substr(0, 20);
    return outcome + std::to_string(report.bytes_read);
  } catch (const Error& error) {
    const std::string place = error.place();
    return error.message() + place.substr(place.rfind(':'));
  }
}

TEST(LineWindows, LongFilesAreReadAsCompressedOnesAre) {
  const test::Folder folder;
  std::mt19937 random(8);
  const std::string plain = text_of(random, 6 * LineWindows::kBytes, "\n");
  const std::string middle = plain.substr(0, plain.find('\n', plain.size() / 2) + 1);
  const std::string rest = plain.substr(middle.size());
  for (const std::string& text :
       {plain, text_of(random, 6 * LineWindows::kBytes, "\r\n"), "# Nodes: 100000\n" + plain,
        middle + "1 x\n" + rest, middle + "1 2 3\n" + rest, middle + "1\r2\n" + rest,
        middle + "#" + std::string(2 * LineWindows::kBytes, 'y') + "\n" + rest, plain + "1 2",
        plain + "x", "\xEF\xBB\xBF" + plain}) {
    const std::string path = folder.write("graph", text);
    const std::string compressed =
        folder.write("graph.gz", vertigo::test::gzip(text, vertigo::test::Effort::Least));
    for (const VertexRule rule : {VertexRule::Auto, VertexRule::Range}) {
      ReadOptions options;
      options.vertices = rule;
      options.format = Format::EdgeList;
      EXPECT_TRUE(outcome_of(path, options) == outcome_of(compressed, options))
          << text.substr(0, 40) << ": " << outcome_of(path, options).substr(0, 200);
    }
  }
}

}  // namespace
}  // namespace vertigo::graph
