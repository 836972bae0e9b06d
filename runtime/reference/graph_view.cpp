#include "graph_view.h"

#include "arithmetic.h"
#include "vertigo/core/value.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

template <class T>
constexpr bool matches(ScalarKind kind) {
  return with_type(kind, []<class U>() { return std::is_same_v<T, U>; });
}

/// The weights in the program's type: the graph's own where they have it, else converted.
const void* typed_weights(const graph::Weights& weights, ScalarKind kind,
                          std::vector<std::byte>& storage) {
  return std::visit(
      [&]<class Stored>(const Stored& stored) -> const void* {
        if constexpr (std::is_same_v<Stored, std::monostate>) {
          return nullptr;
        } else {
          using From = typename Stored::value_type;
          if (matches<From>(kind)) return stored.data();
          storage.resize(stored.size() * size_of(kind) + 1);
          with_type(kind, [&]<class To>() {
            auto* out = reinterpret_cast<To*>(storage.data());
            for (std::size_t e = 0; e < stored.size(); ++e) out[e] = convert<To>(stored[e]);
          });
          return storage.data();
        }
      },
      weights);
}

}  // namespace

const EdgeSide& GraphView::out() const {
  // A default-constructed graph has no offsets; one zero makes the empty graph walkable.
  static const EdgeIndex kNoEdges[1] = {0};
  if (!out_) {
    out_ = side_of(graph_->out, owned_.out_weights);
    if (vertex_count() == 0) out_->offsets = kNoEdges;
  }
  return *out_;
}

const EdgeSide& GraphView::in() const {
  if (graph_->symmetric || vertex_count() == 0) return out();
  if (!in_)
    in_ = graph_->in_adjacency ? side_of(*graph_->in_adjacency, owned_.in_weights) : transposed();
  return *in_;
}

EdgeSide GraphView::side_of(const graph::Adjacency& adjacency,
                            std::vector<std::byte>& storage) const {
  EdgeSide side{adjacency.offsets.data(), adjacency.targets.data(), nullptr};
  if (!adjacency.records.empty()) side.weights = adjacency.records.data();
  if (weight_) side.weights = typed_weights(adjacency.weights, *weight_, storage);
  return side;
}

std::size_t GraphView::weight_size() const {
  if (weight_ && graph_->has_weights()) return size_of(*weight_);
  return edge_count() == 0 ? 0 : graph_->out.records.size() / edge_count();
}

EdgeSide GraphView::transposed() const {
  const EdgeSide& from = out();
  const std::size_t size = weight_size();
  const Vertex n = vertex_count();
  owned_.offsets.assign(std::size_t{n} + 2, 0);
  owned_.targets.resize(edge_count());
  owned_.in_weights.resize(edge_count() * size);
  // Counted two places up, so that the offsets are right after the fill has advanced them.
  for (EdgeIndex e = 0; e < edge_count(); ++e) ++owned_.offsets[std::size_t{from.targets[e]} + 2];
  for (std::size_t i = 2; i < owned_.offsets.size(); ++i)
    owned_.offsets[i] += owned_.offsets[i - 1];
  const auto* weights = static_cast<const std::byte*>(from.weights);
  for (Vertex v = 0; v < n; ++v)
    for (EdgeIndex e = from.offsets[v]; e < from.offsets[v + 1]; ++e) {
      const EdgeIndex at = owned_.offsets[std::size_t{from.targets[e]} + 1]++;
      owned_.targets[at] = v;
      if (size != 0) std::memcpy(owned_.in_weights.data() + at * size, weights + e * size, size);
    }
  return {owned_.offsets.data(), owned_.targets.data(),
          size != 0 ? owned_.in_weights.data() : nullptr};
}

bool reads_in_neighbours(const ir::Program& program) {
  bool found = false;
  walk_program(
      program, [&](const ir::Stmt& s) { found |= s.direction != ir::EdgeDirection::Out; },
      [&](const ir::Expr& e) {
        found |= e.direction != ir::EdgeDirection::Out || e.op == ir::Op::InDegree ||
                 e.op == ir::Op::Degree;
      });
  return found;
}

}  // namespace vertigo::reference
