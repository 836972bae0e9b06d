#include "cached_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "declared.h"
#include "path_proof.h"
#include "vertigo/core/path_choice.h"

namespace vertigo::graph {
namespace {

std::array<std::uint64_t, 4> totals_of(const PathTotals& totals) {
  return {totals.paths, totals.edges, totals.longest, totals.pieces};
}

PathTotals to_totals(const std::array<std::uint64_t, 4>& stored) {
  return {stored[0], stored[1], stored[2], stored[3]};
}

[[noreturn]] void refuse(const CachedFile& file, CachedSection section, const std::string& what) {
  throw refused_at_byte(file.path(), file.header().section(section).offset,
                        fmt::format("the section '{}' {}", name_of(section), what));
}

template <class T>
std::vector<T> read_values(CachedFile& file, CachedSection section) {
  if (file.header().section(section).bytes % sizeof(T) != 0)
    refuse(file, section, "ends within a value");
  const Array<T> values = file.read<T>(section);
  return {values.begin(), values.end()};
}

bool has(const CachedFile& file, CachedSection section) {
  return file.header().section(section).bytes != 0;
}

bool is_share(double share) { return share > 0 && share <= 1; }  // no NaN is

CachedPaths read_facts(CachedFile& file) {
  if (file.header().section(CachedSection::Paths).bytes != sizeof(CachedPaths))
    refuse(file, CachedSection::Paths, "is not of the right length");
  CachedPaths facts;
  const auto bytes = file.read<std::byte>(CachedSection::Paths);
  std::memcpy(&facts, bytes.data(), sizeof facts);
  const bool symmetric = (file.header().flags & kSymmetric) != 0;
  const bool of_pairs = facts.of == static_cast<std::uint32_t>(PathEdges::Pairs);
  const bool of_arcs = facts.of == static_cast<std::uint32_t>(PathEdges::Arcs);
  const bool right = (of_arcs || (of_pairs && symmetric)) && facts.lanes == kPathLanes &&
                     is_share(facts.hub_share) && is_share(facts.sample_share) &&
                     !std::isnan(facts.hub_importance) && facts.hub_turns > 0 &&
                     facts.hub_turns <= kMostHubTurns && facts.edges_per_part > 0;
  if (!right) refuse(file, CachedSection::Paths, "says what no paths are");
  return facts;
}

}  // namespace

Array<std::byte> image_of(const PathSketch& paths) {
  CachedPaths facts;
  facts.hub_share = paths.hub_share;
  facts.sample_share = paths.sample_share;
  facts.hub_importance = paths.hub_importance;
  facts.edges_per_part = paths.edges_per_part;
  facts.of = static_cast<std::uint32_t>(paths.of);
  facts.hub_turns = paths.hub_turns;
  facts.hub_chunks = paths.hub_chunks;
  facts.lanes = kPathLanes;
  facts.hub = totals_of(paths.hub);
  facts.cold = totals_of(paths.cold);
  std::vector<std::byte> bytes(sizeof facts);
  std::memcpy(bytes.data(), &facts, sizeof facts);
  return bytes;
}

Array<std::byte> image_of(const ColourClasses& classes) {
  const CachedColours head{classes.count(), classes.has_rest ? std::uint64_t{1} : 0};
  const std::vector<std::uint64_t> begins(classes.begins.begin(), classes.begins.end());
  std::vector<std::byte> bytes(sizeof head + begins.size() * sizeof begins[0]);
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, begins.data(), begins.size() * sizeof begins[0]);
  return bytes;
}

std::shared_ptr<const PathSketch> read_paths(CachedFile& file, bool edges) {
  if (!has(file, CachedSection::Paths)) {
    for (const CachedSection section :
         {CachedSection::PathHubs, CachedSection::PathVertices, CachedSection::PathEdgeIds,
          CachedSection::PathBreaks, CachedSection::PathBegins})
      if (has(file, section)) refuse(file, section, "belongs to no paths");
    return nullptr;
  }
  const CachedPaths facts = read_facts(file);
  auto made = std::make_shared<PathSketch>();
  made->of = static_cast<PathEdges>(facts.of);
  made->edges_per_part = facts.edges_per_part;
  made->hub_share = facts.hub_share;
  made->sample_share = facts.sample_share;
  made->hub_turns = facts.hub_turns;
  made->hub_importance = facts.hub_importance;
  made->hub_chunks = facts.hub_chunks;
  made->hub = to_totals(facts.hub);
  made->cold = to_totals(facts.cold);
  made->hubs = read_values<Vertex>(file, CachedSection::PathHubs);
  made->vertices = read_values<Vertex>(file, CachedSection::PathVertices);
  made->breaks = read_values<std::uint32_t>(file, CachedSection::PathBreaks);
  made->begins = read_values<std::uint64_t>(file, CachedSection::PathBegins);
  if (edges) made->edges = read_values<EdgeIndex>(file, CachedSection::PathEdgeIds);
  const std::string problem = shape_problem(*made, static_cast<Vertex>(file.header().vertex_count),
                                            file.header().edge_count, edges);
  if (!problem.empty()) refuse(file, CachedSection::PathVertices, problem);
  return made;
}

std::shared_ptr<const ColourClasses> read_classes(CachedFile& file, CachedSection colours,
                                                  CachedSection vertices) {
  if (!has(file, colours)) {
    if (has(file, vertices)) refuse(file, vertices, "belongs to no colour classes");
    return nullptr;
  }
  const auto words = read_values<std::uint64_t>(file, colours);
  constexpr std::size_t kHead = sizeof(CachedColours) / sizeof(std::uint64_t);
  const bool has_head = words.size() > kHead;
  if (!has_head || words[0] != words.size() - kHead - 1 || words[1] > 1 || words[1] > words[0])
    refuse(file, colours, "does not say how many classes there are");
  auto made = std::make_shared<ColourClasses>();
  made->has_rest = words[1] == 1;
  made->begins.assign(words.begin() + kHead, words.end());
  made->vertices = read_values<Vertex>(file, vertices);
  const bool few = colours == CachedSection::FewColours;
  const bool symmetric = (file.header().flags & kSymmetric) != 0;
  const std::string problem = shape_problem(*made, static_cast<Vertex>(file.header().vertex_count),
                                            file.header().edge_count * (symmetric ? 1 : 2), few);
  if (!problem.empty()) refuse(file, vertices, problem);
  return made;
}

void verify_paths(const CachedFile& file, const Adjacency& lists, const PathSketch& paths) {
  if (const std::string problem = path_problem(lists, paths); !problem.empty())
    refuse(file, CachedSection::PathVertices, problem);
}

void verify_classes(const CachedFile& file, const Adjacency& lists, const ColourClasses& classes,
                    CachedSection vertices) {
  if (const auto found = neighbours_in_a_class(lists, classes))
    refuse(file, vertices,
           fmt::format("has vertices {} and {} in one class, which are neighbours", found->first,
                       found->second));
}

}  // namespace vertigo::graph
