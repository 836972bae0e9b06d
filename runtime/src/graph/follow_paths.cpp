#include "follow_paths.h"

#include <algorithm>

namespace vertigo::graph {

namespace {

/// The edges of a part that no path has yet.
class UnvisitedEdges {
 public:
  UnvisitedEdges(const Adjacency& lists, PathEdges edges, const PathPart& part)
      : lists_(lists),
        part_(part),
        base_(lists.offsets[part.first]),
        next_(lists.offsets.begin() + part.first, lists.offsets.begin() + part.last) {
    if (edges != PathEdges::Pairs) return;
    visited_.resize(lists.offsets[part.last] - base_);
    find_twins();
  }

  bool is_local(Vertex v) const { return v >= part_.first && v < part_.last; }

  /// Whether an edge of v is left; it is then the one that take() gives.
  bool has(Vertex v) {
    if (!is_local(v)) return false;
    EdgeIndex& at = next_[v - part_.first];
    const EdgeIndex end = lists_.offsets[v + 1];
    while (at < end && !is_open(v, at)) ++at;
    return at < end;
  }
  EdgeIndex take(Vertex v) {
    const EdgeIndex edge = next_[v - part_.first]++;
    if (!visited_.empty()) visited_[mark_of(v, edge)] = true;
    return edge;
  }

 private:
  /// Lists ascend. So whoever goes through the vertices in order meets the lower neighbours of each
  /// in the order of its list, and of several edges between two vertices the i-th with the i-th.
  void find_twins() {
    twins_.resize(visited_.size());
    std::vector<EdgeIndex> at;  // of each vertex, the edge to the next lower neighbour in the part
    for (Vertex v = part_.first; v < part_.last; ++v) {
      const auto list = lists_.neighbours(v);
      at.push_back(
          lists_.offsets[v] +
          static_cast<EdgeIndex>(std::ranges::lower_bound(list, part_.first) - list.begin()));
    }
    for (Vertex v = part_.first; v < part_.last; ++v)
      for (EdgeIndex edge = lists_.offsets[v]; edge < lists_.offsets[v + 1]; ++edge) {
        const Vertex u = lists_.targets[edge];
        if (u > v && is_local(u)) twins_[at[u - part_.first]++ - base_] = edge - base_;
      }
  }

  bool is_open(Vertex v, EdgeIndex edge) const {
    if (visited_.empty()) return true;
    const Vertex u = lists_.targets[edge];
    // Of two ends in two parts one takes the pair, about half of them each.
    if (!is_local(u)) return ((u ^ v) & 1) == 0 ? v < u : v > u;
    return !visited_[mark_of(v, edge)];
  }
  /// Where it is noted that a path has the pair: at the lower end, or at the end in this part.
  EdgeIndex mark_of(Vertex v, EdgeIndex edge) const {
    const Vertex u = lists_.targets[edge];
    return u < v && is_local(u) ? twins_[edge - base_] : edge - base_;
  }

  const Adjacency& lists_;
  const PathPart& part_;
  const EdgeIndex base_;
  std::vector<EdgeIndex> next_;   ///< of each vertex, the first edge that may be left
  std::vector<EdgeIndex> twins_;  ///< of pairs, at their higher ends: the edge at the lower one
  std::vector<bool> visited_;     ///< of pairs
};

/// The search in depth: what is on the stack above `begin_` is a path that has not met a hub yet.
class Follower {
 public:
  Follower(const Adjacency& lists, PathEdges edges, const PathPart& part,
           const std::vector<std::uint8_t>& is_hub)
      : lists_(lists), part_(part), is_hub_(is_hub), left_(lists, edges, part) {}

  PartPaths run() {
    for (const bool hubs : {true, false})
      for (Vertex v = part_.first; v < part_.last; ++v)
        if ((is_hub_[v] != 0) == hubs) follow_from(v);
    return std::move(found_);
  }

 private:
  struct Step {
    Vertex vertex;
    EdgeIndex edge;  ///< that led here
  };

  void follow_from(Vertex root) {
    PathList& bridges = is_hub_[root] != 0 ? found_.hub : found_.cold;
    stack_.assign(1, {root, kNoEdge});
    begin_ = 0;
    while (!stack_.empty()) {
      const Vertex v = stack_.back().vertex;
      if (!left_.has(v)) {
        step_back();
        continue;
      }
      const EdgeIndex edge = left_.take(v);
      const Vertex u = lists_.targets[edge];
      stack_.push_back({u, edge});
      if (is_hub_[u] == 0) continue;
      add(bridges, stack_.begin() + static_cast<std::ptrdiff_t>(begin_), stack_.end());
      stack_.pop_back();
      begin_ = stack_.size() - 1;
    }
  }

  /// From a vertex whose edges are all on paths. The way here leads to no hub: it joins the cold
  /// path behind it, which is complete where something else branches off.
  void step_back() {
    if (begin_ + 1 >= stack_.size()) {
      stack_.pop_back();
      begin_ = stack_.empty() ? 0 : stack_.size() - 1;
      return;
    }
    dead_end_.push_back(stack_.back());
    stack_.pop_back();
    if (begin_ + 1 != stack_.size() && !left_.has(stack_.back().vertex)) return;
    dead_end_.push_back({stack_.back().vertex, kNoEdge});
    std::ranges::reverse(dead_end_);
    add(found_.cold, dead_end_.begin(), dead_end_.end());
    dead_end_.clear();
  }

  template <class Steps>
  static void add(PathList& paths, Steps first, Steps last) {
    paths.vertices.push_back(first->vertex);
    paths.edges.push_back(kNoEdge);
    for (++first; first != last; ++first) {
      paths.vertices.push_back(first->vertex);
      paths.edges.push_back(first->edge);
    }
    paths.ends.push_back(paths.vertices.size());
  }

  const Adjacency& lists_;
  const PathPart& part_;
  const std::vector<std::uint8_t>& is_hub_;
  UnvisitedEdges left_;
  std::vector<Step> stack_;
  std::size_t begin_ = 0;
  std::vector<Step> dead_end_;  ///< from its end
  PartPaths found_;
};

}  // namespace

PartPaths follow_paths(const Adjacency& lists, PathEdges edges, const PathPart& part,
                       const std::vector<std::uint8_t>& is_hub) {
  return Follower(lists, edges, part, is_hub).run();
}

}  // namespace vertigo::graph
