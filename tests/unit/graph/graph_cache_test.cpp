// The cache of graphs: what it gives is what the file gives, whatever happened to either.
#include "vertigo/graph/graph_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "support.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

using std::chrono::nanoseconds;
using Kind = CacheUse::Kind;

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void put(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}

// What a run sees of a reading, but for times, bytes and the cache's own part.
std::string seen(LoadedGraph loaded) {
  loaded.report.seconds = 0;
  loaded.report.bytes_read = 0;
  loaded.report.cache = {};
  std::string text = to_json(loaded.report).dump() + loaded.graph.name;
  for (const auto& [source, target, weight] : test::named_edges_of(loaded.graph))
    text += "|" + source + " " + target + " " + std::to_string(weight);
  const Graph& graph = loaded.graph;
  return text + std::to_string(graph.symmetric) + std::to_string(graph.out.weights.index()) +
         std::to_string(graph.in_adjacency.has_value()) + std::to_string(graph.vertex_count);
}

// Files of a test have just been written; what that means has a test of its own.
class CacheOfGraphs : public testing::Test {
 protected:
  // Twice through the cache: both readings are what the file gives.
  void expect_second_from_cache(const std::string& source, const ReadOptions& options = {}) {
    SCOPED_TRACE(source);
    const std::string expected = seen(load_graph(source, options));
    const LoadedGraph first = cache.load(source, options);
    EXPECT_EQ(first.report.cache.kind, Kind::Stored) << first.report.cache.reason;
    EXPECT_EQ(seen(first), expected);
    const LoadedGraph second = cache.load(source, options);
    EXPECT_EQ(second.report.cache.kind, Kind::Read) << second.report.cache.reason;
    EXPECT_EQ(second.report.cache.file, first.report.cache.file);
    EXPECT_EQ(seen(second), expected);
  }
  CacheUse use_of(const std::string& source, const ReadOptions& options = {}) const {
    return cache.load(source, options).report.cache;
  }

  test::Folder folder;
  std::string kept = folder / "deep/kept";
  GraphCache cache{kept, kMostCacheBytes, nanoseconds(0)};
  std::string graph = folder.write("g.el", "5 1 7\n1 5 7\n1 1 3\n1 9 -2.5\n1 9 8\n");
};

TEST_F(CacheOfGraphs, GivesWhatTheFileGives) {
  expect_second_from_cache(graph);
  expect_second_from_cache(folder.write("gaps.el", "# Nodes: 9\n1 2\n3 4\n"));
  expect_second_from_cache(folder.write("g.mtx",
                                        "%%MatrixMarket matrix coordinate integer symmetric\n"
                                        "3 3 2\n2 1 5\n3 1 6\n"));
  expect_second_from_cache(
      folder.write("g.csv", "source,target,w\nUlm,\"New York\",5\nBonn,Ulm,6\n"));
  expect_second_from_cache(folder.write("none.mtx",
                                        "%%MatrixMarket matrix coordinate pattern general\n"
                                        "3 3 0\n"));
  folder.write("pair.v", "3\n4\n8\n");
  folder.write("pair.e", "3 4\n4 8\n");
  expect_second_from_cache(folder / "pair");
}

TEST_F(CacheOfGraphs, KeepsReportsThatAreWhole) {
  ReadOptions options;
  options.isolated_later = true;
  const std::string gaps = folder.write("gaps.el", "# Nodes: 9\n1 2\n3 4\n");
  EXPECT_EQ(use_of(gaps, options).kind, Kind::Stored);
  const LoadedGraph found = cache.load(gaps, {});
  EXPECT_EQ(found.report.cache.kind, Kind::Read);
  EXPECT_EQ(found.report.isolated_vertices, 5u);
}

TEST_F(CacheOfGraphs, HoldsAnEntryForEachWayOfReading) {
  std::vector<ReadOptions> ways(9);
  ways[1].self_loops = SelfLoopPolicy::Drop;
  ways[2].duplicates = DuplicatePolicy::Max;
  ways[3].duplicates = DuplicatePolicy::Sum;
  ways[4].ignore_weights = true;
  ways[5].direction = Direction::Undirected;
  ways[5].duplicates = DuplicatePolicy::Min;
  ways[6].symmetrize = true;
  ways[7].vertices = VertexRule::Range;
  ways[8].ids = IdKind::Text;
  for (const ReadOptions& way : ways) expect_second_from_cache(graph, way);
  EXPECT_EQ(cache.entries().size(), ways.size());
  const std::string table = folder.write("t.csv", "a,b,c\n1,2,3\n4,5,6\n");
  for (const std::vector<std::string>& columns :
       {std::vector<std::string>{"a", "b"}, {"b", "a"}, {"a", "b", "c"}}) {
    ReadOptions options;
    options.columns = columns;
    expect_second_from_cache(table, options);
  }
}

TEST_F(CacheOfGraphs, SeesEveryChangeOfTheFile) {
  ASSERT_EQ(use_of(graph).kind, Kind::Stored);
  struct stat before{};
  ASSERT_EQ(stat(graph.c_str(), &before), 0);
  // As long as before, in the same file, and with the same time of modification.
  put(graph, "5 1 7\n1 5 7\n1 1 3\n1 9 -2.5\n1 9 9\n");
  const timespec times[2] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, graph.c_str(), times, 0), 0);
  const LoadedGraph changed = cache.load(graph, {});
  EXPECT_EQ(changed.report.cache.kind, Kind::Stored);
  EXPECT_EQ(seen(changed), seen(load_graph(graph)));
  // Another file in its place.
  const std::string other = folder.write("other", content_of(graph));
  ASSERT_EQ(rename(other.c_str(), graph.c_str()), 0);
  EXPECT_EQ(use_of(graph).kind, Kind::Stored);
  // The same file by another name is the same file.
  const std::string link = folder / "link.el";
  ASSERT_EQ(symlink(graph.c_str(), link.c_str()), 0);
  const LoadedGraph linked = cache.load(link, {});
  EXPECT_EQ(linked.report.cache.kind, Kind::Read);
  EXPECT_EQ(linked.report.path, link);
}

TEST_F(CacheOfGraphs, DoesNotKeepWhatMayStillBeChanging) {
  const GraphCache careful(kept);
  const LoadedGraph loaded = careful.load(graph, {});
  EXPECT_EQ(loaded.report.cache.kind, Kind::NotStored);
  EXPECT_EQ(loaded.report.cache.reason, "the file was changed less than two seconds before");
  EXPECT_EQ(seen(loaded), seen(load_graph(graph)));
  EXPECT_TRUE(careful.entries().empty());
}

TEST_F(CacheOfGraphs, DiscardsWhatIsDamaged) {
  const std::string entry = use_of(graph).file;
  const std::string good = content_of(entry);
  const std::string expected = seen(load_graph(graph));
  const auto expect_anew = [&](std::string_view content, const std::string& why) {
    put(entry, content);
    const LoadedGraph loaded = cache.load(graph, {});
    EXPECT_EQ(loaded.report.cache.kind, Kind::Stored);
    EXPECT_NE(loaded.report.cache.reason.find("what was there was discarded: "), std::string::npos);
    EXPECT_NE(loaded.report.cache.reason.find(why), std::string::npos)
        << loaded.report.cache.reason;
    EXPECT_EQ(seen(loaded), expected);
    EXPECT_EQ(use_of(graph).kind, Kind::Read);
  };
  for (std::size_t at = 0; at < good.size(); at += 7) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    expect_anew(bad, "");
  }
  expect_anew(good.substr(0, good.size() / 2), "the header declares");
  expect_anew("", "the file ends within its header");
}

TEST_F(CacheOfGraphs, TakesNoEntryOfAnotherGraph) {
  const std::string entry = use_of(graph).file;
  const std::string expected = seen(load_graph(graph));
  const std::string other = folder.write("other.el", "1 2\n");
  const std::string its_entry = use_of(other).file;
  put(entry, content_of(its_entry));
  LoadedGraph loaded = cache.load(graph, {});
  EXPECT_NE(loaded.report.cache.reason.find("it is of another file"), std::string::npos);
  EXPECT_EQ(seen(loaded), expected);
  // A cached form that does not say what it was made of.
  write_cached(load_graph(other).graph, entry);
  loaded = cache.load(graph, {});
  EXPECT_NE(loaded.report.cache.reason.find("what it was made of"), std::string::npos);
  EXPECT_EQ(seen(loaded), expected);
  // A link is no entry, and stays what it is.
  unlink(entry.c_str());
  ASSERT_EQ(symlink(its_entry.c_str(), entry.c_str()), 0);
  loaded = cache.load(graph, {});
  EXPECT_EQ(loaded.report.cache.kind, Kind::NotStored);
  EXPECT_EQ(seen(loaded), expected);
}

TEST_F(CacheOfGraphs, IsBoundedAndOldestUseGoesFirst) {
  const std::string second = folder.write("second.el", "1 2\n");
  const std::string third = folder.write("third.el", "1 3\n");
  // An entry is reckoned with 4 KiB at least: two fit beside the one that comes.
  const std::string of_first = use_of(graph).file, of_second = use_of(second).file;
  const timespec old[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, of_first.c_str(), old, 0), 0);
  EXPECT_EQ(use_of(graph).kind, Kind::Read);  // used now: the other one is older
  const timespec older[2] = {{2000, 0}, {2000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, of_second.c_str(), older, 0), 0);
  const std::uint64_t first_bytes = content_of(of_first).size();
  const GraphCache small(kept, first_bytes + 4500, nanoseconds(0));
  EXPECT_EQ(small.load(third, {}).report.cache.kind, Kind::Stored);
  EXPECT_EQ(small.load(graph, {}).report.cache.kind, Kind::Read);
  EXPECT_EQ(cache.entries().size(), 2);
  EXPECT_NE(access(of_second.c_str(), F_OK), 0);
  const GraphCache tiny(kept, 100, nanoseconds(0));
  const CacheUse use = tiny.load(second, {}).report.cache;
  EXPECT_EQ(use.kind, Kind::NotStored);
  EXPECT_NE(use.reason.find("that the cache may hold"), std::string::npos) << use.reason;
}

TEST_F(CacheOfGraphs, IsNoReasonForAFailure) {
  const GraphCache nowhere(folder / "g.el/below", kMostCacheBytes, nanoseconds(0));
  const LoadedGraph loaded = nowhere.load(graph, {});
  EXPECT_EQ(loaded.report.cache.kind, Kind::NotStored);
  EXPECT_NE(loaded.report.cache.reason.find("Not a directory"), std::string::npos)
      << loaded.report.cache.reason;
  EXPECT_EQ(seen(loaded), seen(load_graph(graph)));
  EXPECT_EQ(GraphCache("").load(graph, {}).report.cache.kind, Kind::NotStored);
  // What is wrong with a file is said as without a cache.
  const std::string bad = folder.write("bad.el", "1 2\n3\n");
  test::expect_refused([&] { cache.load(bad, test::as(Format::EdgeList)); }, "bad.el:2", "");
  test::expect_refused([&] { cache.load(folder / "absent", {}); }, "absent", "cannot open");
  EXPECT_TRUE(cache.entries().empty());
}

TEST_F(CacheOfGraphs, KeepsNothingWhereOthersMayWrite) {
  ASSERT_EQ(use_of(graph).kind, Kind::Stored);
  using std::filesystem::perms, std::filesystem::perm_options, std::filesystem::permissions;
  permissions(kept, perms::others_write, perm_options::add);
  const CacheUse use = use_of(graph);
  EXPECT_EQ(use.kind, Kind::NotStored);
  EXPECT_EQ(use.reason, kept + ": everybody may write there");
  permissions(kept, perms::others_write, perm_options::remove);
  EXPECT_EQ(use_of(graph).kind, Kind::Read);
  if (::geteuid() != 0) return;  // root alone gives a folder away
  ASSERT_EQ(::chown(kept.c_str(), 1, 1), 0);
  EXPECT_EQ(use_of(graph).reason, kept + ": it belongs to another user");
}

TEST_F(CacheOfGraphs, LeavesOutWhatIsNotReadFaster) {
  EXPECT_EQ(use_of("generate:path:5").reason, "a generated graph is made, not read");
  write_cached(load_graph(graph).graph, folder / "g.vgg");
  EXPECT_EQ(use_of(folder / "g.vgg").reason, "the file is a cached form itself");
}

TEST_F(CacheOfGraphs, MayBeUsedByManyAtOnce) {
  const std::string expected = seen(load_graph(graph));
  std::vector<std::string> got(8);
  std::vector<std::thread> threads;
  for (std::string& each : got)
    threads.emplace_back([&] {
      for (int times = 0; times < 20; ++times) {
        each = seen(cache.load(graph, {}));
        if (each != expected) return;
        if (times % 5 == 0) cache.clear();
      }
    });
  for (std::thread& each : threads) each.join();
  for (const std::string& each : got) EXPECT_EQ(each, expected);
}

TEST_F(CacheOfGraphs, SaysWhatItHolds) {
  use_of(graph);
  put(kept + "/notes.txt", "not an entry");
  const auto entries = cache.entries();
  ASSERT_EQ(entries.size(), 1);
  const std::vector<std::string> files = GraphCache::files_of(entries[0]);
  ASSERT_EQ(files.size(), 1);
  EXPECT_EQ(files[0], std::filesystem::canonical(graph).string());
  struct stat status{};
  ASSERT_EQ(stat(kept.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_EQ(cache.clear().size(), 1);
  EXPECT_TRUE(cache.entries().empty());
  EXPECT_EQ(content_of(kept + "/notes.txt"), "not an entry");
}

}  // namespace
}  // namespace vertigo::graph
