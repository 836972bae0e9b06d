// What the device reads is the graph, the report and the refusal that the host makes of it, to the
// last bit: texts of every kind that is parsed there and of every kind that is not, random ones,
// lists of binary files, sound and damaged, and the files that are named on the command line. Exit
// code 1, and one line for each difference, where that is not so.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "reading_device.h"
#include "vertigo/core/error.h"
#include "vertigo/graph/bounded_search.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/degrees.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/reader.h"
#include "vertigo/graph/requirements.h"
#include "vertigo/graph/writer.h"

namespace {

using namespace vertigo;
using namespace vertigo::graph;

int failures = 0;

void fail(const std::string& what) {
  std::printf("%s\n", what.c_str());
  ++failures;
}

template <class T>
std::string bytes_of(const Array<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

struct Outcome {
  std::string graph;   // all of it, or the refusal
  std::string report;  // without times, and without who parsed
  std::string made;    // what is made of the lists
  bool by_device = false;
};

std::string bytes_of(const Adjacency& lists) {
  return bytes_of(lists.offsets) + bytes_of(lists.targets) + std::to_string(lists.weights.index()) +
         std::visit(
             []<class Values>(const Values& weights) -> std::string {
               if constexpr (std::is_same_v<Values, std::monostate>)
                 return "";
               else
                 return bytes_of(weights);
             },
             lists.weights);
}

/// What the offsets tell.
std::string facts_of(const Adjacency& lists) {
  const bool were_away = !lists.offsets.is_there();
  const auto vertices = static_cast<Vertex>(lists.list_count());
  const DegreeCounts counts = degree_counts(lists);
  std::string facts = std::to_string(lists.longest_list()) + " of ";
  for (const auto& numbers : {counts.lists, counts.longer, filled_lists(lists)})
    facts += bytes_of(Array<std::uint64_t>(numbers)) + ";";
  if (vertices > 0) facts += std::to_string(first_longest(lists)) + " ";
  std::vector<EdgeIndex> edges;
  for (EdgeIndex e = 0; e < lists.targets.size(); e += 3) edges.push_back(e);
  facts += bytes_of(Array<Vertex>(sources_at(lists, edges)));
  std::vector<Vertex> some;
  for (Vertex v = 0; v < vertices; v += 5) some.push_back(v);
  for (const ListPlace& place : places_of(lists, some))
    facts += std::to_string(place.begin) + "-" + std::to_string(place.end) + " ";
  for (const Vertex v : {Vertex{0}, vertices / 2, vertices})
    facts += std::to_string(edges_before(lists, v)) + " ";
  if (were_away && lists.offsets.is_there()) fail("all offsets were fetched for a few facts");
  return facts;
}

/// What runs make of the lists: what lengths tell, whether they are symmetric, weights of other
/// kinds, their transpose; or refusals.
std::string made_of(const LoadedGraph& loaded, ScalarKind kind) {
  std::string made;
  const auto try_it = [&](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      made += "refused: " + error.message() + " in " + error.place() + "\n";
    }
  };
  Graph graph = loaded.graph;
  made += facts_of(graph.out);
  std::vector<EdgeIndex> some;
  for (EdgeIndex e = 0; e < graph.edge_count; e += 3) some.push_back(e);
  made += bytes_of(Array<Vertex>(targets_at(graph.out, some)));
  std::visit(
      [&]<class Values>(const Values&) {
        if constexpr (!std::is_same_v<Values, std::monostate>)
          made += bytes_of(Values(weights_at<typename Values::value_type>(graph.out, some)));
      },
      graph.out.weights);
  if (graph.vertex_count > 0)
    for (const SearchBounds& most : {SearchBounds{.edges = 1}, SearchBounds{.edges = 40},
                                     SearchBounds{.levels = 2}, SearchBounds{}}) {
      const BoundedSearch search = search_within(graph.out, graph.vertex_count / 2, most);
      made += std::to_string(search.levels) + " " + std::to_string(search.vertices) +
              (search.ended_early ? "!" : " ");
    }
  made += std::to_string(count_isolated(graph));
  made += is_symmetric(graph.vertex_count, graph.out) ? "s" : "d";
  for (const Requirements& each :
       {Requirements{.symmetric = true}, Requirements{.non_negative_weights = true},
        Requirements{.no_self_loops = true}, Requirements{.no_duplicates = true}})
    try_it([&] { check_requirements(graph, each); });
  if (graph.has_weights()) try_it([&] { convert_weights(graph, kind); });
  build_transpose(graph);
  if (!graph.symmetric) made += facts_of(*graph.in_adjacency) + bytes_of(*graph.in_adjacency);
  made += std::to_string(count_isolated(graph));
  made += bytes_of(graph.out);
  return made;
}

bool is_text(Format format) {
  return format == Format::EdgeList || format == Format::MatrixMarket || format == Format::Dimacs;
}

Outcome outcome_of(const std::string& path, const ReadOptions& options) {
  Outcome outcome;
  try {
    const LoadedGraph loaded = load_graph(path, options);
    const Graph& graph = loaded.graph;
    // What a device has parsed stays there. Who is strict looks at the edges.
    if (is_text(loaded.report.format) && graph.out.on_device != nullptr && !options.strict &&
        graph.out.offsets.is_there())
      fail("the offsets of " + path + " came to the host before anybody had asked for them");
    static unsigned turn = 0;
    constexpr ScalarKind kKinds[] = {ScalarKind::Int32,   ScalarKind::Float32, ScalarKind::UInt32,
                                     ScalarKind::Float64, ScalarKind::Int64,   ScalarKind::UInt64};
    // Both ways of loading a file ask for the same kind, and the lists have not been fetched yet.
    outcome.made = made_of(loaded, kKinds[turn++ / 2 % 6]);
    outcome.graph = bytes_of(graph.out) + (graph.symmetric ? "s" : "d");
    for (Vertex v = 0; v < graph.vertex_count; ++v)
      outcome.graph += std::to_string(graph.ids.to_input(v)) + " ";
    nlohmann::json report = to_json(loaded.report);
    report.erase("seconds");
    report.erase("parsed");
    outcome.report = report.dump();
    outcome.by_device = loaded.report.reading.by == Reading::By::Device;
  } catch (const Error& error) {
    outcome.graph = "refused: " + error.message() + " in " + error.place();
  }
  return outcome;
}

/// Loads the file in both ways. Whether the device parsed it.
bool compare(const std::string& path, const std::string& shown, ReadOptions options) {
  static const std::shared_ptr<ReadingDevice> device = gpu::make_reading_device(0);
  const Outcome host = outcome_of(path, options);
  options.reading_device = device;
  options.read_by = ReadBy::Device;
  const Outcome both = outcome_of(path, options);
  if (both.graph != host.graph)
    fail("another graph of " + shown +
         (host.graph.starts_with("refused") ? ": the host " + host.graph : ""));
  else if (both.made != host.made)
    fail("something else is made of " + shown);
  else if (both.report != host.report)
    fail("another report of " + shown + ":\n  " + host.report + "\n  " + both.report);
  return both.by_device;
}

std::vector<ReadOptions> ways() {
  std::vector<ReadOptions> ways(9);
  ways[1].ignore_weights = true;
  ways[2].symmetrize = true;
  ways[3].direction = Direction::Undirected;
  ways[3].duplicates = DuplicatePolicy::Min;
  ways[4].self_loops = SelfLoopPolicy::Drop;
  ways[4].duplicates = DuplicatePolicy::First;
  ways[5].duplicates = DuplicatePolicy::Sum;
  ways[6].vertices = VertexRule::Range;
  ways[7].vertices = VertexRule::Seen;
  ways[8].strict = true;
  ways[8].self_loops = SelfLoopPolicy::Drop;
  return ways;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vertigo-text-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(std::string_view text) const {
    const std::string path = (path_ / "graph").string();
    std::ofstream(path, std::ios::binary)
        .write(text.data(), static_cast<std::streamsize>(text.size()));
    return path;
  }
  std::string path(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string quoted(const std::string& text) {
  return nlohmann::json(text.substr(0, 300))
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

struct Case {
  std::string text;
  bool by_device;  ///< as it is, where nothing of it is refused or changed
};

std::vector<Case> cases() {
  const std::string mm = "%%MatrixMarket matrix coordinate ";
  std::string long_text;
  for (int i = 0; i < 3000; ++i)
    long_text += std::to_string(i * 7919 % 1000) + " " + std::to_string(i * 104729 % 1000) + "\n";
  std::string spread;
  for (int i = 0; i < 200; ++i) spread += std::to_string(i * 1000) + " " + std::to_string(i) + "\n";
  return {
      {"0 1\n1 2\n", true},
      {"# a comment\n0 1\n\n1\t2\n% another\n 2 0 \n", true},
      {"0 1\r\n\r\n# c\r\n1 2\r\n", true},
      {"0 1 5\r\r\n1 2 6\r\n", true},
      {"0 1 5\n1 2 6", false},
      {"0 1\n1 2\r", false},
      {"0 1\r1 2\r", false},
      {"0 1\n1\r2\n", false},
      {"0 1\n# a\rb\n1 2\n", false},
      {"0 1\n\r \n1 2\n", false},
      {"\xEF\xBB\xBF# begins\n0 1\n1 2\n", true},
      {"0 1\n\xEF\xBB\xBF 1 2\n", false},
      {"0 1 -5\n1 0 +7\n", true},
      {"0 1 -0\n1 0 0\n", true},
      {"0 1 5\n1 2 1e2\n2 0 -0.5\n3 0 -0\n4 0 -0.0\n", true},
      {"0 1 0.1\n1 2 1.5E-3\n2 0 123456.789e+4\n", true},
      {"0 1 0.1234567890123456\n1 2 1\n", false},
      {"0 1 1e23\n1 2 1\n", false},
      {"0 1 5.\n1 2 .5\n", false},
      {"0 1 nan\n", false},
      {"0 1 1e999\n", false},
      {"0 1 +-5\n", false},
      {"0 1 --5\n", false},
      {"0 1 999999999999999999\n1 2 -999999999999999999\n2 3 -0000000000000000000000007\n", true},
      {"0 1 1000000000000000000\n", false},
      {"0 1 9223372036854775807\n1 0 -9223372036854775808\n", false},
      {"0 1 9999999999999999999\n", false},
      {"0000000012 5\n", true},
      {"0000000000000000000000000012 5\n", false},
      {"4294967295 4294967294\n", false},  // leaves large gaps
      {"4294967296 1\n", false},
      {"100 7\n7 18446744073709551615\n", false},
      {"0 1\n1 18446744073709551616\n", false},
      {"5 5\n5 5\n6 5\n5 6\n", true},
      {"1 0\n0 1\n1 0\n", true},
      {"3 9 1\n3 9 2\n3 2 7\n3 9 0\n", true},
      {"17 3\n900 17\n3 900\n", true},
      // Edges whose reverses are there, missing, or of another weight.
      {"0 1\n1 0\n0 2\n2 2\n3 1\n", true},
      {"0 1 4\n1 0 4\n0 2 5\n2 0 7\n2 2 1\n3 1 9\n4 0 7\n0 4 5\n", true},
      {"0 1 0.5\n1 0 0.25\n0 2 -0.0\n2 0 0\n2 2 1\n3 1 9e-3\n0 3 0\n3 0 -0.0\n", true},
      {"# Nodes: 9 Edges: 2\n0 1\n1 2\n", true},
      {"# Nodes: 9 Edges: 3\n0 1\n1 2\n", false},
      {"# Nodes: 2\n1 2\n2 1\n", true},
      {"# Nodes: 2\n0 1\n1 2\n", false},
      {"# Nodes: 5 Ids from: 10\n10 14\n12 11\n", true},
      {"0 1\n1 -2\n", false},
      {"0 1\n1 x\n", false},
      {"0 1\n1\n", false},
      {"0 1\n1 2 3\n", false},
      {"0 1 2\n1 2\n", false},
      {"0 1\n1 2 # behind\n", false},
      {"0 1\n1,2\n", false},
      {"a b\nb c\n", false},
      {"0 1\na b\n", false},
      {std::string("0 1\n1 2\0\n", 9), false},
      {std::string("0 1\n#\0\n1 2\n", 11), false},
      {"# nothing\n", false},
      {"# Nodes: 3\n", false},
      {"", false},
      {"0 1\n" + std::string(100000, ' ') + "1 2\n", false},
      {"0 1\n#" + std::string(100000, 'x') + "\n1 2\n", false},
      {"0 1\n#" + std::string(5000, 'x') + "\n1 2\n" + std::string(300, '\n') + "2 0\n", true},
      {long_text, true},
      {spread, true},
      {"# " + std::string(70000, 'y') + "\n0 1\n1 2\n", true},
      {mm + "pattern general\n% c\n3 3 2\n1 2\n% c\n\n3 1\n", true},
      {mm + "pattern symmetric\n3 3 2\n2 1\n3 1\n", true},
      {mm + "integer general\n3 3 3\n1 2 4\n3 1 -1\n1 2 4\n", true},
      {mm + "integer general\n3 3 2\n1 2 4\n3 1 1.5\n", false},
      {mm + "real general\n3 3 3\n1 2 4\n3 1 1.5\n3 2 -0\n", true},
      {mm + "real symmetric\n3 3 2\n2 1 4\n3 1 1.5\n", true},
      {mm + "integer skew-symmetric\n3 3 1\n2 1 4\n", false},
      {mm + "pattern general\n3 3 2\n1 2\n", false},
      {mm + "pattern general\n3 3 1\n1 4\n", false},
      {mm + "pattern general\n3 3 1\n0 1\n", false},
      {mm + "pattern general\n3 3 1\n# 1 2\n1 2\n", false},
      {mm + "pattern general\n3 3 0\n", false},
      {mm + "pattern general\n3 3 0\n% only this\n", true},
      {"c road\np sp 3 2\na 1 2 7\nc more\na 3 1 0\n", true},
      {"c road\np sp 3 2\na 1 2 7\na 3 1 0.5\n", true},
      {"p sp 3 2\na 1 2 7\n", false},
      {"p sp 3 1\na 1 4 7\n", false},
      {"p sp 3 1\na 1 2\n", false},
      {"p sp 3 1\nb 1 2 3\n", false},
      {"p sp 3 1\np sp 3 1\na 1 2 3\n", false},
      {"p sp 3 1\na1 2 3\n", false},
  };
}

/// A line of an edge list, most of them plain, some of them not.
std::string random_line(std::mt19937& random, bool weighted, std::uint32_t ids, bool odd) {
  const auto draw = [&](std::uint32_t below) { return random() % below; };
  const auto blanks = [&] {
    return draw(8) == 0 ? std::string(" \t ") : std::string(1, draw(9) == 0 ? '\t' : ' ');
  };
  const auto id = [&] {
    return std::string(draw(20) == 0 ? "00" : "") + std::to_string(draw(ids));
  };
  if (draw(25) == 0) return draw(2) == 0 ? "" : " \t";
  if (draw(25) == 0) return (draw(2) == 0 ? "# " : " %") + id();
  std::string line = (draw(15) == 0 ? " " : "") + id() + blanks() + id();
  if (weighted) {
    line += blanks();
    const std::uint32_t kind = draw(12);
    line += kind == 0 ? "-" : kind == 1 ? "+" : "";
    line += std::to_string(draw(100));
    if (odd && draw(6) == 0) line += "." + std::to_string(draw(1000));
    if (odd && draw(9) == 0) line += "e-" + std::to_string(draw(9));
  }
  if (draw(15) == 0) line += "  ";
  return line;
}

std::string random_text(std::mt19937& random) {
  const auto draw = [&](std::uint32_t below) { return random() % below; };
  const bool weighted = draw(2) == 0;
  const bool odd = draw(3) == 0;
  const std::uint32_t ids = std::uint32_t{3} << draw(18);
  const std::string end = draw(4) == 0 ? "\r\n" : "\n";
  std::string text;
  if (draw(4) == 0) text = "# Nodes: " + std::to_string(draw(2 * ids)) + end;
  const std::uint32_t lines = 1 + draw(draw(8) == 0 ? 2000 : 60);
  for (std::uint32_t i = 0; i < lines; ++i) text += random_line(random, weighted, ids, odd) + end;
  // What is cut, and a byte that is another one.
  if (draw(6) == 0)
    text.resize(text.size() -
                draw(static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), 9))));
  if (draw(4) == 0 && !text.empty())
    text[draw(static_cast<std::uint32_t>(text.size()))] = "0 9\n\r-+.e,a#%\t\0\""[draw(16)];
  return text;
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The form of Galois, which this library does not write. `edge_bytes`: of a weight.
std::string galois_of(const Graph& graph, std::uint64_t version, std::uint64_t edge_bytes) {
  std::string bytes;
  for (const std::uint64_t word :
       {version, edge_bytes, std::uint64_t{graph.vertex_count}, graph.edge_count})
    append(bytes, word);
  for (Vertex v = 0; v < graph.vertex_count; ++v) append(bytes, graph.out.offsets[v + 1]);
  for (const Vertex target : graph.out.targets)
    version == 1 ? append(bytes, target) : append(bytes, std::uint64_t{target});
  if (version == 1 && graph.edge_count % 2 == 1) append(bytes, std::uint32_t{0});
  for (EdgeIndex e = 0; edge_bytes != 0 && e < graph.edge_count; ++e)
    edge_bytes == 4 ? append(bytes, static_cast<std::uint32_t>(7 * e))
                    : append(bytes, std::uint64_t{7} * e);
  return bytes;
}

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Random edges as lists in binary files of every form, some of them damaged. How many the device
/// took.
unsigned compare_binary(const Folder& folder, std::mt19937& random) {
  const auto draw = [&](std::uint32_t below) { return random() % below; };
  unsigned by_device = 0;
  for (unsigned i = 0; i < 60; ++i) {
    const std::uint32_t ids = 2 + draw(draw(2) == 0 ? 30 : 3000);
    std::string lines = "# Nodes: " + std::to_string(ids) + "\n";
    for (std::uint32_t e = draw(4000); e > 0; --e)
      lines += std::to_string(draw(ids)) + " " + std::to_string(draw(ids)) + " " +
               std::to_string(draw(9)) + (i % 3 == 0 && i % 2 == 0 ? ".5" : "") + "\n";
    ReadOptions made;
    made.symmetrize = i % 4 == 1;
    made.ignore_weights = i % 5 == 4;
    Graph graph = load_graph(folder.write(lines), made).graph;
    if (i % 2 == 0) build_transpose(graph);
    const std::string plain = folder.path("lists");
    std::vector<std::string> forms = {galois_of(graph, 1, 0), galois_of(graph, 1, 4),
                                      galois_of(graph, 1, 8), galois_of(graph, 2, 4)};
    for (const OutputFormat format :
         {OutputFormat::Cached, OutputFormat::Gap, OutputFormat::WeightedGap, OutputFormat::Bel}) {
      try {
        write_graph(graph, plain, {.format = format});
      } catch (const Error&) {
        continue;  // its weights have no place there
      }
      forms.push_back(bytes_of_file(plain));
    }
    const std::vector<ReadOptions> all = ways();
    for (std::size_t f = 0; f < forms.size(); ++f) {
      std::string bytes = forms[f];
      if (draw(3) == 0 && !bytes.empty())
        bytes[draw(static_cast<std::uint32_t>(bytes.size()))] ^= static_cast<char>(1u << draw(8));
      if (draw(9) == 0) bytes.resize(draw(static_cast<std::uint32_t>(bytes.size() + 1)));
      const std::string path = folder.write(bytes);
      ReadOptions options = all[(i + f) % all.size()];
      if (f < 4) options.format = Format::Galois;
      by_device +=
          compare(path, "binary file " + std::to_string(i) + "." + std::to_string(f), options);
    }
  }
  return by_device;
}

/// Lists of the lengths that are counted in other ways: two equal ones of more edges than there are
/// counters, and one in between.
std::string text_of_hubs() {
  std::string text;
  const auto add = [&](Vertex hub, Vertex edges) {
    for (Vertex e = 0; e < edges; ++e)
      text += std::to_string(hub) + " " + std::to_string(e % 5000) + "\n";
  };
  add(7, 2000);
  add(9, DegreeCounts::kCounted + 3);
  add(8, DegreeCounts::kCounted + 3);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const Folder folder;
  for (const Case& each : cases()) {
    const std::string path = folder.write(each.text);
    for (const ReadOptions& options : ways()) compare(path, quoted(each.text), options);
    if (compare(path, quoted(each.text), {}) != each.by_device)
      fail(quoted(each.text) + (each.by_device ? " is the device's" : " is the host's"));
  }
  if (!compare(folder.write(text_of_hubs()), "text of hubs", {}))
    fail("a text of hubs is the host's");
  std::mt19937 random(18);
  const std::vector<ReadOptions> all = ways();
  unsigned by_device = 0;
  constexpr unsigned kTexts = 300;
  for (unsigned i = 0; i < kTexts; ++i) {
    const std::string text = random_text(random);
    const std::string path = folder.write(text);
    by_device += compare(path, quoted(text), all[i % all.size()]);
    ReadOptions as_list = all[(i + 1) % all.size()];
    as_list.format = Format::EdgeList;
    compare(path, quoted(text), as_list);
  }
  if (by_device < kTexts / 3)
    fail("the device parsed no more than " + std::to_string(by_device) + " random texts");
  const unsigned lists_there = compare_binary(folder, random);
  if (lists_there < 100)
    fail("the device took the lists of no more than " + std::to_string(lists_there) + " files");
  for (int i = 1; i < argc; ++i)
    for (const ReadOptions& options : ways()) compare(argv[i], argv[i], options);
  std::printf("%d differences; %u of %u random texts and %u binary files were the device's\n",
              failures, by_device, kTexts, lists_there);
  return failures == 0 ? 0 : 1;
}
