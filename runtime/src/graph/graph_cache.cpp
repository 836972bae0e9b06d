// The key of an entry is everything that decides what a reading gives: the files (where they lie,
// which ones they are, size, times, first and last bytes), all options, and who reads. It names the
// entry by its hash, and stands in the entry as a whole, which is compared. So an entry that is
// taken was made of this file as it is.
#include "vertigo/graph/graph_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "assemble.h"
#include "cached_file.h"
#include "cached_layout.h"
#include "intake_json.h"
#include "readers.h"
#include "vertigo/core/error.h"
#include "vertigo/core/failure.h"
#include "vertigo/core/kept_text.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/names_in_folder.h"
#include "vertigo/core/number_text.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

constexpr std::string_view kEnding = ".vgg";
constexpr std::size_t kNameDigits = 32;
constexpr std::size_t kLookedAt = std::size_t{64} << 10;  // at either end of a file

nanoseconds since_epoch(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

// Lengths before texts, so that no two lists of fields are written alike.
void append(std::string& key, std::string_view field) {
  key += fmt::format("{}:{}\n", field.size(), field);
}
template <class... Numbers>
void append_numbers(std::string& key, Numbers... numbers) {
  ((key += fmt::format("{} ", static_cast<std::uint64_t>(numbers))), ...);
  key += '\n';
}

// Of a default, that it is there: entries hold what the file has.
void append_field(std::string& key, const EdgeField& field) {
  append(key, field.name);
  append_numbers(key, field.kind, field.otherwise.has_value(), field.non_negative);
}

// Fails to compile where ReadOptions has a member that is not among these.
void append_options(std::string& key, const ReadOptions& options) {
  const auto& [format, direction, vertices, ids, columns, self_loops, duplicates, symmetrize,
               ignore_weights, strict, preparations, paths, colours, in_edges, isolated_later,
               host_memory, may_stay_on_file, verify, max_vertices, in_place, read_by,
               reading_device, edge_fields] = options;
  // Of the cached form alone: which parts of a file are read.
  (void)preparations, (void)paths, (void)colours, (void)in_edges, (void)verify;
  // Makes the same graph.
  (void)isolated_later, (void)read_by, (void)reading_device, (void)host_memory,
      (void)may_stay_on_file, (void)in_place;
  append_numbers(key, format ? static_cast<int>(*format) + 1 : 0, direction, vertices, ids,
                 self_loops, duplicates, symmetrize, ignore_weights, strict, max_vertices,
                 columns.size(), edge_fields.size());
  for (const std::string& column : columns) append(key, column);
  for (const EdgeField& field : edge_fields) append_field(key, field);
}

struct LookedAt {
  std::string path;     // without links
  nanoseconds changed;  // its content or anything about it
  bool is_cached_form;
};

// Appends what tells this file from any other, and from itself after a change.
LookedAt append_file(std::string& key, const std::string& path) {
  const auto refuse = [&](const char* action) -> void {
    throw system_failure(ExitCode::InputRefused, action, errno, path);
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) refuse("cannot open");
  if (!S_ISREG(status.st_mode)) throw Error(ExitCode::InputRefused, "is no regular file", path);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const nanoseconds modified = since_epoch(status.st_mtim), changed = since_epoch(status.st_ctim);
  LookedAt found{fs::canonical(path).string(), std::max(modified, changed), false};
  append(key, found.path);
  append_numbers(key, status.st_dev, status.st_ino, size, modified.count(), changed.count());
  std::string bytes(std::min<std::uint64_t>(size, kLookedAt), '\0');
  for (const std::uint64_t at : {std::uint64_t{0}, size - bytes.size()}) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t got = ::pread(file.get(), bytes.data() + done, bytes.size() - done,
                                  static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse("cannot read");
      if (got == 0) throw Error(ExitCode::InputRefused, "the file is being changed", path);
      done += static_cast<std::size_t>(got);
    }
    if (at == 0) found.is_cached_form = bytes.starts_with(kCachedMagic);
    append_numbers(key, checksum_of(bytes.data(), bytes.size()));
  }
  return found;
}

std::uint64_t bytes_of(const Weights& weights) {
  return std::visit(
      [](const auto& column) -> std::uint64_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(column)>, std::monostate>)
          return 0;
        else
          return column.size() * sizeof(column[0]);
      },
      weights);
}

// About what the cached form takes; names and padding are small beside it.
std::uint64_t cached_bytes(const Graph& graph) {
  constexpr std::uint64_t kBeside = 4096;
  const auto of = [](const Adjacency& lists) {
    return lists.offsets.size() * sizeof(EdgeIndex) + lists.targets.size() * sizeof(Vertex) +
           bytes_of(lists.weights);
  };
  const std::uint64_t texts = graph.ids.is_text()
                                  ? graph.ids.texts().bytes().size() +
                                        graph.ids.texts().offsets().size() * sizeof(std::uint64_t)
                                  : 0;
  return kBeside + of(graph.out) + (graph.in_adjacency ? of(*graph.in_adjacency) : 0) +
         graph.ids.ids().size_bytes() + texts + (graph.table ? graph.table->records.size() : 0);
}

// What stands in an entry about the graph in it.
struct Contents {
  std::string key;
  nlohmann::json intake;
};

Contents contents_of(const std::string& path) {
  CachedFile file(path);
  Contents found{file.text(CachedSection::Origin), nullptr};
  found.intake = nlohmann::json::parse(file.text(CachedSection::Intake), nullptr, false);
  if (!found.intake.is_object())
    throw Error(ExitCode::InputRefused, "it does not say what it was made of", path);
  return found;
}

LoadedGraph read_entry(const std::string& path, const std::string& key,
                       const ReadOptions& options) {
  const Contents contents = contents_of(path);
  if (contents.key != key) throw Error(ExitCode::InputRefused, "it is of another file", path);
  LoadedGraph loaded;
  try {
    loaded.report = intake_of(contents.intake);
  } catch (const nlohmann::json::exception&) {
    throw Error(ExitCode::InputRefused, "its report is damaged", path);
  }
  ReadOptions as_it_is;
  as_it_is.format = Format::Cached;
  as_it_is.ignore_weights = options.ignore_weights;
  as_it_is.in_edges = options.in_edges;
  as_it_is.edge_fields = options.edge_fields;
  as_it_is.max_vertices = kNoVertex;  // a file is as long as it says
  IntakeReport counted;
  const ReadContext context{path, as_it_is, counted};
  RawGraph raw = read_cached(InputStream::open(path), context);
  std::shared_ptr<const EdgeTable> table = take_table(raw, as_it_is);
  loaded.graph = assemble(std::move(raw), context);
  loaded.graph.table = std::move(table);
  if (loaded.graph.vertex_count != loaded.report.vertices ||
      loaded.graph.edge_count != loaded.report.edges)
    throw Error(ExitCode::InputRefused, "its report is of another graph", path);
  loaded.report.bytes_read = counted.bytes_read;
  return loaded;
}

bool is_entry_name(const std::string& name) {
  return name.size() == kNameDigits + kEnding.size() && name.ends_with(kEnding) &&
         name.find_first_not_of("0123456789abcdef") == kNameDigits;
}

// The exception at hand in one line.
std::string in_words() {
  const Failure failure = current_failure();
  return failure.place.empty() ? failure.message : failure.place + ": " + failure.message;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

struct GraphCache::Key {
  std::string text;
  std::vector<std::string> files;
  nanoseconds looked{};   ///< when the files were looked at
  nanoseconds changed{};  ///< the last of them
};

bool cache_is_wanted() { return !variable("VERTIGO_CACHE").empty(); }

CacheSettings cache_settings() {
  CacheSettings settings{variable("VERTIGO_CACHE"), kMostCacheBytes};
  // What is not absolute is to be ignored, says the XDG specification.
  for (const auto& [root, below] : {std::pair{variable("XDG_CACHE_HOME"), "/vertigo"},
                                    std::pair{variable("HOME"), "/.cache/vertigo"}})
    if (settings.folder.empty() && root.starts_with('/')) settings.folder = root + below;
  if (const std::string size = variable("VERTIGO_CACHE_SIZE"); !size.empty()) {
    const auto bytes = parse_size(size);
    if (!bytes)
      throw Error(ExitCode::Usage, "VERTIGO_CACHE_SIZE: '" + size +
                                       "' is no size; write 8GiB, 500MB or a number of bytes");
    settings.most_bytes = *bytes;
  }
  return settings;
}

GraphCache::GraphCache(std::string folder, std::uint64_t most_bytes, nanoseconds settled)
    : folder_(std::move(folder)), most_bytes_(most_bytes), settled_(settled) {}

std::optional<GraphCache::Key> GraphCache::key_of(const std::string& source,
                                                  const ReadOptions& options,
                                                  std::string& why_not) const {
  if (folder_.empty()) {
    why_not = "neither VERTIGO_CACHE, XDG_CACHE_HOME nor HOME names a folder";
    return std::nullopt;
  }
  if (const std::string who = who_else_writes(folder_); !who.empty()) {
    why_not = folder_ + ": " + who;
    return std::nullopt;
  }
  const std::vector<std::string> files = source_files(source, options);
  if (files.empty()) {
    why_not = "a generated graph is made, not read";
    return std::nullopt;
  }
  Key key;
  append(key.text, "graph cache 1, vertigo " VERTIGO_VERSION);
  append_numbers(key.text, ::geteuid(), files.size());
  append_options(key.text, options);
  key.looked = std::chrono::system_clock::now().time_since_epoch();
  for (const std::string& file : files) {
    const LookedAt found = append_file(key.text, file);
    if (found.is_cached_form) {
      why_not = "the file is a cached form itself";
      return std::nullopt;
    }
    key.files.push_back(found.path);
    key.changed = std::max(key.changed, found.changed);
  }
  return key;
}

std::string GraphCache::place_of(const Key& key) const {
  const std::string other = "other\n" + key.text;
  return fmt::format("{}/{:016x}{:016x}{}", folder_, checksum_of(key.text.data(), key.text.size()),
                     checksum_of(other.data(), other.size()), kEnding);
}

std::optional<LoadedGraph> GraphCache::find(const Key& key, const std::string& source,
                                            const ReadOptions& options,
                                            std::string& discarded) const {
  const auto start = std::chrono::steady_clock::now();
  const std::string path = place_of(key);
  if (!is_own_file(path)) return std::nullopt;
  try {
    LoadedGraph loaded = read_entry(path, key.text, options);
    (void)::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // used last; where not, it goes earlier
    loaded.graph.name = loaded.report.path = source;
    loaded.report.files = source_files(source, options);
    loaded.report.cache = {CacheUse::Kind::Read, path, ""};
    loaded.report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return loaded;
  } catch (const Error& error) {
    if (error.code() == ExitCode::OutOfMemory) throw;
    discarded = "what was there was discarded: " + error.message();
    (void)::unlink(path.c_str());
  }
  return std::nullopt;
}

CacheUse GraphCache::store(const Key& key, const std::string& source, const ReadOptions& options,
                           const LoadedGraph& loaded) const {
  const auto not_stored = [](std::string reason) {
    return CacheUse{CacheUse::Kind::NotStored, "", std::move(reason)};
  };
  if (key.looked - key.changed < settled_)
    return not_stored("the file was changed less than two seconds before");
  const std::uint64_t bytes = cached_bytes(loaded.graph);
  if (bytes > most_bytes_)
    return not_stored(
        fmt::format("{} are more than the {} that the cache may hold (VERTIGO_CACHE_SIZE)",
                    format_bytes(bytes), format_bytes(most_bytes_)));
  try {
    std::string why_not;
    const auto after = key_of(source, options, why_not);
    if (!after || after->text != key.text) return not_stored("the file changed while it was read");
    nlohmann::json intake = to_json(loaded.report);
    intake["files"] = key.files;
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
    make_cache_folder(folder_);
    make_room(bytes);
    const std::string path = place_of(key);
    write_cached(loaded.graph, path, {key.text, intake.dump(-1, ' ', false, kReplace)});
    return {CacheUse::Kind::Stored, path, ""};
  } catch (const std::exception&) {
    return not_stored(in_words());
  }
}

LoadedGraph GraphCache::load(const std::string& source, const ReadOptions& options) const {
  std::optional<Key> key;
  std::string why_not, discarded;
  try {
    key = key_of(source, options, why_not);
  } catch (const std::exception&) {
    why_not = in_words();
  }
  if (!key) {
    LoadedGraph loaded = load_graph(source, options);
    loaded.report.cache = {CacheUse::Kind::NotStored, "", why_not};
    return loaded;
  }
  if (auto found = find(*key, source, options, discarded)) return std::move(*found);
  // The report that is kept serves runs that build no in-edges, too.
  ReadOptions counted = options;
  counted.isolated_later = false;
  LoadedGraph loaded = load_graph(source, counted);
  loaded.report.cache = store(*key, source, options, loaded);
  std::string& reason = loaded.report.cache.reason;
  if (!discarded.empty()) reason += (reason.empty() ? "" : "; ") + discarded;
  return loaded;
}

std::vector<GraphCache::Entry> GraphCache::entries() const {
  std::vector<Entry> found;
  for (const std::string& name : names_in_folder(folder_)) {
    const std::string path = folder_ + "/" + name;
    struct stat status{};
    if (!is_entry_name(name) || ::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    const auto used = std::chrono::duration_cast<std::chrono::system_clock::duration>(
        since_epoch(status.st_mtim));
    found.push_back({path, static_cast<std::uint64_t>(status.st_size),
                     std::chrono::system_clock::time_point(used)});
  }
  std::ranges::sort(found, std::greater{}, &Entry::used);
  return found;
}

void GraphCache::make_room(std::uint64_t bytes) const {
  std::uint64_t kept = bytes;
  for (const Entry& entry : entries())
    if ((kept += entry.bytes) > most_bytes_) (void)::unlink(entry.path.c_str());
}

std::vector<GraphCache::Entry> GraphCache::clear() const {
  std::vector<Entry> removed = entries();
  for (const Entry& entry : removed)
    if (::unlink(entry.path.c_str()) != 0 && errno != ENOENT)
      throw system_failure(ExitCode::OutputFailed, "cannot remove", errno, entry.path);
  return removed;
}

std::vector<std::string> GraphCache::files_of(const Entry& entry) {
  try {
    return contents_of(entry.path).intake.at("files");
  } catch (const nlohmann::json::exception&) {
    return {};
  } catch (const Error& error) {
    if (error.code() == ExitCode::OutOfMemory) throw;
    return {};
  }
}

}  // namespace vertigo::graph
