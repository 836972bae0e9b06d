#pragma once
// Engine `solve` on the CPU: a phase whose state accumulates its inbox, and that sends what is
// linear in it, as the linear equations x = b + A x (vertigo/engines/solve/linear_solve.h). Every
// vertex sums over its in-edges in their order, so that results repeat bit by bit on any number of
// threads.

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "vertigo/cpu/parallel.h"
#include "vertigo/engines/solve/linear_solve.h"
#include "vertigo/engines/solve/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::solve {

template <engines::solve::Wanted Program, class Graph>
class Engine {
 public:
  void allocate(const Graph&, const host::RunRequest&, host::RunResult&) {}

  template <class T>
  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph,
           VertexBuffer<T>& state, VertexBuffer<T>& inbox) {
    Solution<T> solution(program, graph, inbox);
    linear::Control& control = solution.control();
    while (phase.next(graph.vertex_count > 0 && control.outcome == linear::Outcome::Running)) {
      const std::uint64_t above = solution.sweep();
      phase.done(above, graph.edge_count);
    }
    if (const char* const problem = linear::failure(control.outcome)) phase.fail(problem);
    T* const states = state;
    T* const inboxes = inbox;
    const T* const found = solution.current();
    for_each_vertex(graph, [=](Vertex v) {
      states[v] += found[v];
      inboxes[v] = 0;
    });
  }

 private:
  using Totals = std::array<double, linear::kTotals>;

  template <class T>
  class Solution {
   public:
    Solution(const Program& program, const Graph& graph, const VertexBuffer<T>& inbox)
        : program_(program),
          graph_(graph),
          edges_(program.sends_back() ? graph.out : graph.in),
          constants_(inbox),
          partials_((graph.vertex_count + kVertexChunk - 1) / kVertexChunk) {
      for (std::vector<T>& iterate : iterates_) iterate.resize(graph.vertex_count);
      for_each_vertex(graph, [this](Vertex v) {
        const T b = constants_[v];
        iterates_[0][v] = iterates_[1][v] = linear::takes_part(T{0}, b, most_kept(v)) ? b : T{0};
      });
      control_.bound = std::numeric_limits<double>::infinity();
      for (const T constant : inbox.values()) control_.cancels |= constant < 0;
      if constexpr (kSentByVertex) {
        outgoing_.resize(graph.vertex_count);
        store_outgoing();
      }
    }

    linear::Control& control() { return control_; }
    const T* current() const { return iterates_[control_.current].data(); }

    /// From the current iterate to the next; how many vertices are not settled.
    std::uint64_t sweep() {
      for (Totals& partial : partials_) partial.fill(0);
      negative_ = false;
      detail::parallel_chunks(graph_.vertex_count, kVertexChunk,
                              [this](std::size_t v) { settle(static_cast<Vertex>(v)); });
      double totals[linear::kTotals] = {};
      for (const Totals& partial : partials_)
        for (unsigned i = 0; i < linear::kTotals; ++i) totals[i] += partial[i];
      if (program_.one_sided() && (negative_ || control_.cancels)) {
        control_.outcome = linear::Outcome::OneSided;
        return 0;
      }
      // There is no list of rows that are left.
      control_.listed = 1;
      linear::decide(control_, totals, static_cast<double>(graph_.edge_count), 0, kNoLimit);
      if (control_.outcome == linear::Outcome::Running &&
          control_.step == linear::Step::Extrapolate)
        extrapolate();
      if constexpr (kSentByVertex) store_outgoing();
      return static_cast<std::uint64_t>(totals[1]);
    }

   private:
    static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

    /// All receivers get the same of a sender: it is computed once a sweep, not once an edge.
    static constexpr bool kSentByVertex = !Program::sent_reads_receiver;

    void store_outgoing() {
      const T* const from = current();
      bool flips = false;
#pragma omp parallel for reduction(|| : flips) if (graph_.vertex_count >= 65536)
      for (Vertex v = 0; v < graph_.vertex_count; ++v) {
        const T x = from[v];
        // What holds nothing sends nothing, whatever its coefficient.
        outgoing_[v] = x == 0 ? T{0} : program_.sent(x, v);
        flips = flips || flips_sign(x, outgoing_[v]);
      }
      outgoing_flips_ = flips;
    }
    /// A negative coefficient: x itself is below zero only where there is one.
    static bool flips_sign(T x, T term) { return (term < 0) != (x < 0) && term != 0; }

    T sent(T x, EdgeIndex e, Vertex receiver) const {
      const Vertex sender = edges_.targets[e];
      if constexpr (!Program::sent_reads_edge)
        return program_.sent(x, sender, receiver);
      else
        return program_.sent(x, sender, receiver,
                             edges_.weights != nullptr ? edges_.weights[e] : graph_.default_weight);
    }
    T most_kept(Vertex v) const {
      if constexpr (Program::threshold_reads_vertex)
        return linear::most_kept(static_cast<T>(program_.guard_threshold(v)), program_.inclusive());
      else
        return linear::most_kept(static_cast<T>(program_.guard_threshold()), program_.inclusive());
    }

    void settle(Vertex v) {
      const T* const from = iterates_[control_.current].data();
      T& to = iterates_[control_.current ^ 1][v];
      T sum = constants_[v];
      T size = std::abs(sum);
      for (EdgeIndex e = edges_.offsets[v]; e < edges_.offsets[v + 1]; ++e) {
        const Vertex sender = edges_.targets[e];
        T term;
        if constexpr (kSentByVertex) {
          term = outgoing_[sender];
          // A sender's sign counts where it has a receiver, and only few programs flip any.
          if (outgoing_flips_ && flips_sign(from[sender], term)) note_negative();
        } else {
          const T x = from[sender];
          if (x == 0) continue;
          term = sent(x, e, v);
          if (flips_sign(x, term)) note_negative();
        }
        sum += term;
        size += std::abs(term);
      }
      const T x = from[v];
      const T tolerated = most_kept(v);
      if (!linear::takes_part(x, sum, tolerated)) {
        to = 0;
        return;
      }
      const T residual = sum - x;
      const T rounding = linear::kRoundings * std::numeric_limits<T>::epsilon() / 2 * size;
      Totals& totals = partials_[current_chunk];
      totals[0] += std::abs(residual);
      if (!(std::abs(residual) <= tolerated + rounding)) totals[1] += 1;
      const T then = x - to;
      totals[3] += static_cast<double>(residual) * residual;
      totals[4] += static_cast<double>(residual) * then;
      totals[5] += static_cast<double>(then) * then;
      to = control_.step == linear::Step::Chebyshev
               ? within_signs(static_cast<T>(control_.omega) * (sum - to) + to)
               : sum;
    }

    void note_negative() { __atomic_store_n(&negative_, true, __ATOMIC_RELAXED); }

    void extrapolate() {
      T* const now = iterates_[control_.current].data();
      const T* const before = iterates_[control_.current ^ 1].data();
      const T factor = static_cast<T>(control_.factor);
      for_each_vertex(graph_, [=, this](Vertex v) {
        now[v] = within_signs(now[v] + factor * (now[v] - before[v]));
      });
    }
    // Without a sign anywhere the solution has none.
    T within_signs(T value) const {
      return !control_.cancels && !negative_ && value < 0 ? T(0) : value;
    }

    const Program& program_;
    const Graph& graph_;
    decltype(std::declval<Graph>().in) edges_;
    const T* constants_;
    std::vector<T> iterates_[2];
    std::vector<T> outgoing_;  // what each vertex sends, of the current iterate
    bool outgoing_flips_ = false;
    std::vector<Totals> partials_;
    linear::Control control_;
    bool negative_ = false;
  };
};

}  // namespace vertigo::cpu::solve
