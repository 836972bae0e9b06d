#include "vertigo/graph/edges_on_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <type_traits>
#include <vector>

#include "declared.h"
#include "edges_file.h"
#include "vertigo/core/value.h"
#include "weight_fits.h"
#include "weights.h"

namespace vertigo::graph {

namespace {

CachedSection targets_of(bool in) {
  return in ? CachedSection::InTargets : CachedSection::OutTargets;
}
CachedSection weights_of(bool in) {
  return in ? CachedSection::InWeights : CachedSection::OutWeights;
}

/// Of some edges, by one thread.
struct Seen {
  EdgeIndex loops = 0;
  EdgeIndex duplicates = 0;
  EdgeIndex descents = 0;
  Vertex largest = 0;
};

/// The targets of the edges from `first` on. `before`: the target in front of them, of the same
/// list or not.
Seen look_at(const Array<EdgeIndex>& offsets, EdgeIndex first, std::span<const Vertex> targets,
             Vertex before) {
  Seen seen;
  auto v = static_cast<std::size_t>(std::ranges::upper_bound(offsets, first) - offsets.begin()) - 1;
  for (std::size_t i = 0; i < targets.size(); ++i, before = targets[i - 1]) {
    while (offsets[v + 1] <= first + i) ++v;
    seen.largest = std::max(seen.largest, targets[i]);
    seen.loops += targets[i] == v;
    if (first + i == offsets[v]) continue;
    seen.duplicates += before == targets[i];
    seen.descents += before > targets[i];
  }
  return seen;
}

}  // namespace

EdgesOnFile::File::File(CachedFile file, const Array<EdgeIndex>& out, const Array<EdgeIndex>* in,
                        bool weights)
    : file_(std::move(file)), weights_(weights && file_.header().weight_kind != 0) {
  survey(out, false);
  if (in != nullptr) survey(*in, true);
}

void EdgesOnFile::File::survey(const Array<EdgeIndex>& offsets, bool in) {
  bytes_ += file_.header().section(targets_of(in)).bytes;
  survey_targets(offsets, targets_of(in), !in);
  if (!weights_) return;
  bytes_ += file_.header().section(weights_of(in)).bytes;
  with_weight_type(*weights(), [&]<class W>(W) { survey_weights<W>(weights_of(in), !in); });
}

void EdgesOnFile::File::survey_targets(const Array<EdgeIndex>& offsets, CachedSection section,
                                       bool counts) {
  const std::uint64_t vertices = file_.header().vertex_count;
  std::mutex mutex;
  Seen all;
  std::vector<std::uint8_t> has_in_edge(
      counts && (file_.header().flags & kSymmetric) == 0 ? vertices : 0, 0);
  file_.scan(section, [&](std::uint64_t at, const std::byte* bytes, std::size_t size) {
    const std::span targets(reinterpret_cast<const Vertex*>(bytes), size / sizeof(Vertex));
    Vertex before = 0;
    if (at > 0) file_.read_range(section, at - sizeof before, sizeof before, &before);
    const Seen seen = look_at(offsets, at / sizeof(Vertex), targets, before);
    if (seen.largest < vertices && !has_in_edge.empty())
      for (const Vertex target : targets) {
        const std::atomic_ref known(has_in_edge[target]);
        if (known.load(std::memory_order_relaxed) == 0) known.store(1, std::memory_order_relaxed);
      }
    const std::lock_guard lock(mutex);
    all.loops += seen.loops;
    all.duplicates += seen.duplicates;
    all.descents += seen.descents;
    all.largest = std::max(all.largest, seen.largest);
  });
  const std::uint64_t place = file_.header().section(section).offset;
  if (file_.header().edge_count > 0 && all.largest >= vertices)
    throw refused_at_byte(file_.path(), place,
                          fmt::format("the section '{}' names vertex {}, and there are {}",
                                      name_of(section), all.largest, vertices));
  if (all.descents > 0)
    throw refused_at_byte(
        file_.path(), place,
        fmt::format("the section '{}' holds a list that does not ascend", name_of(section)));
  if (!counts) return;
  facts_.self_loops = all.loops;
  facts_.duplicates = all.duplicates;
  for (std::uint64_t v = 0; v < vertices; ++v)
    facts_.isolated_vertices +=
        offsets[v] == offsets[v + 1] && (has_in_edge.empty() || has_in_edge[v] == 0);
}

template <class W>
void EdgesOnFile::File::survey_weights(CachedSection section, bool counts) {
  std::mutex mutex;
  W least = std::numeric_limits<W>::max();
  W greatest = std::numeric_limits<W>::lowest();
  FactsOfEdges all;
  bool finite = true;
  file_.scan(section, [&](std::uint64_t, const std::byte* bytes, std::size_t size) {
    W smallest = std::numeric_limits<W>::max();
    W largest = std::numeric_limits<W>::lowest();
    FactsOfEdges seen;
    bool good = true;
    for (const W weight : std::span(reinterpret_cast<const W*>(bytes), size / sizeof(W))) {
      smallest = std::min(smallest, weight);
      largest = std::max(largest, weight);
      seen.negative_weights += weight < W{};
      seen.zero_weights += weight == W{};
      if constexpr (std::is_floating_point_v<W>) {
        good = good && std::isfinite(weight);
        seen.whole_weights = seen.whole_weights && std::trunc(weight) == weight;
      }
    }
    const std::lock_guard lock(mutex);
    least = std::min(least, smallest);
    greatest = std::max(greatest, largest);
    all.negative_weights += seen.negative_weights;
    all.zero_weights += seen.zero_weights;
    all.whole_weights = all.whole_weights && seen.whole_weights;
    finite = finite && good;
  });
  if (!finite)
    throw refused_at_byte(
        file_.path(), file_.header().section(section).offset,
        fmt::format("the section '{}' holds a weight that is infinite or not a number (NaN)",
                    name_of(section)));
  // Both directions have the same weights, if the file says the truth; what fits is asked of both.
  least_ = counts ? least : std::min(std::get<W>(least_), least);
  greatest_ = counts ? greatest : std::max(std::get<W>(greatest_), greatest);
  facts_.whole_weights = facts_.whole_weights && all.whole_weights;
  facts_.negative_weights = std::max(facts_.negative_weights, all.negative_weights);
  facts_.zero_weights = std::max(facts_.zero_weights, all.zero_weights);
  facts_.has_weights = true;
  facts_.real_weights = std::is_floating_point_v<W>;
  if (file_.header().edge_count == 0) return;
  facts_.smallest_weight = static_cast<double>(std::get<W>(least_));
  facts_.largest_weight = static_cast<double>(std::get<W>(greatest_));
}

std::optional<ScalarKind> EdgesOnFile::File::weights() const {
  static constexpr std::array kKinds = {ScalarKind::Int32,   ScalarKind::Int64,
                                        ScalarKind::UInt32,  ScalarKind::UInt64,
                                        ScalarKind::Float32, ScalarKind::Float64};
  static_assert(kKinds.size() + 1 == std::variant_size_v<Weights>);
  if (!weights_) return std::nullopt;
  return kKinds[file_.header().weight_kind - 1];
}

bool EdgesOnFile::File::weights_fit(ScalarKind kind) const {
  if (file_.header().edge_count == 0) return true;
  return with_weight_type(kind, [&]<class To>(To) {
    return std::visit(
        [&]<class From>(From least) {
          if constexpr (std::is_same_v<From, std::monostate>) {
            return false;
          } else {
            const bool whole = facts_.whole_weights || !std::is_integral_v<To>;
            return whole && fits<To>(least) && fits<To>(std::get<From>(greatest_));
          }
        },
        least_);
  });
}

void EdgesOnFile::File::read_targets(bool in, EdgeIndex begin, EdgeIndex end,
                                     Vertex* targets) const {
  const CachedSection section = targets_of(in);
  file_.read_range(section, begin * sizeof(Vertex), (end - begin) * sizeof(Vertex), targets);
  Vertex largest = 0;
  for (EdgeIndex e = 0; e < end - begin; ++e) largest = std::max(largest, targets[e]);
  if (largest >= file_.header().vertex_count)
    throw refused_at_byte(file_.path(),
                          file_.header().section(section).offset + begin * sizeof(Vertex),
                          "the file changed while it was read: an edge leads to no vertex");
}

void EdgesOnFile::File::read_weights(bool in, EdgeIndex begin, EdgeIndex end, ScalarKind kind,
                                     std::byte* weights) const {
  const CachedSection section = weights_of(in);
  with_weight_type(*this->weights(), [&]<class From>(From) {
    if (kind == *this->weights())
      return file_.read_range(section, begin * sizeof(From), (end - begin) * sizeof(From), weights);
    constexpr EdgeIndex kAtATime = 1 << 14;
    std::vector<From> values(std::min(kAtATime, end - begin));
    for (EdgeIndex at = begin; at < end; at += values.size()) {
      const EdgeIndex count = std::min<EdgeIndex>(values.size(), end - at);
      file_.read_range(section, at * sizeof(From), count * sizeof(From), values.data());
      with_weight_type(kind, [&]<class To>(To) {
        To* const to = reinterpret_cast<To*>(weights) + (at - begin);
        for (EdgeIndex i = 0; i < count; ++i) {
          // Asked of all of them before: a value that does not fit is a new one.
          if (!fits<To>(values[i]))
            throw refused_at_byte(file_.path(), file_.header().section(section).offset,
                                  "the file changed while it was read: a weight does not fit");
          to[i] = static_cast<To>(values[i]);
        }
      });
    }
  });
}

EdgesOnFile::EdgesOnFile(std::shared_ptr<const File> file, std::optional<ScalarKind> weights)
    : file_(std::move(file)), weights_(weights) {}

const std::string& EdgesOnFile::path() const { return file_->cached().path(); }
const FactsOfEdges& EdgesOnFile::facts() const { return file_->facts(); }
std::uint64_t EdgesOnFile::bytes() const { return file_->bytes(); }

unsigned EdgesOnFile::edge_bytes() const {
  const unsigned weight =
      weights_ ? with_weight_type(*weights_, [](auto value) { return unsigned{sizeof value}; }) : 0;
  return sizeof(Vertex) + weight;
}

std::shared_ptr<const EdgesOnFile> EdgesOnFile::with_weights(ScalarKind kind) const {
  if (!file_->weights_fit(kind))
    throw Error(ExitCode::InputRefused,
                fmt::format("not all weights fit {}: they go from {} to {}{}", kind_name(kind),
                            facts().smallest_weight, facts().largest_weight,
                            facts().whole_weights ? "" : ", with fractions"),
                path());
  return std::make_shared<const EdgesOnFile>(file_, kind);
}

void EdgesOnFile::read(bool in, EdgeIndex begin, EdgeIndex end, Vertex* targets,
                       std::byte* weights) const {
  file_->read_targets(in, begin, end, targets);
  if (weights_) file_->read_weights(in, begin, end, *weights_, weights);
  file_->cached().require_unchanged();
}

}  // namespace vertigo::graph
