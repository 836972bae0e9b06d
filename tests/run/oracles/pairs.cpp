// Rounds among neighbours that are left, spelt out.
#include <algorithm>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

/// tests/run/programs/settled.vg: its three loops.
class Settled {
 public:
  explicit Settled(const OracleGraph& graph) : graph_(graph), n_(graph.size()) {}

  void pair() {
    for (bool go = true; go;) {
      go = false;
      std::vector<std::size_t> want(n_, kNobody);
      for (std::size_t v = 0; v < n_; ++v)
        for (const Arc& arc : graph_.out[v])
          if (mate[v] == kNobody && mate[arc.to] == kNobody && arc.to != v)
            want[v] = std::min(want[v], arc.to);
      for (std::size_t v = 0; v < n_; ++v)
        if (want[v] != kNobody && want[want[v]] == v) mate[v] = want[v];
      for (std::size_t v = 0; v < n_; ++v) go = go || (mate[v] == kNobody && want[v] != kNobody);
    }
  }

  void leave() {
    const auto some = [&] {
      for (std::size_t v = 0; v < n_; ++v)
        if (!gone[v] && near[v] > 0) return true;
      return false;
    };
    for (; some(); ++turn_) {
      for (std::size_t v = 0; v < n_; ++v)
        if (!gone[v])
          near[v] = static_cast<double>(std::ranges::count_if(graph_.out[v], [&](const Arc& arc) {
            return !gone[arc.to] && arc.to != v && graph_.out[arc.to].size() > 1;
          }));
      for (std::size_t v = 0; v < n_; ++v)
        if (!gone[v] && near[v] > 0 && graph_.out[v].size() % 3 == turn_ % 3) gone[v] = true;
    }
  }

  void shut_all() {
    for (unsigned round = 0; round < 5; ++round, ++turn_) {
      for (std::size_t v = 0; v < n_; ++v)
        if (!shut[v])
          open[v] = std::ranges::any_of(graph_.out[v], [&](const Arc& arc) {
            return arc.to != v && !shut[arc.to] && !gone[arc.to];
          });
      for (std::size_t v = 0; v < n_; ++v)
        if (open[v] && !shut[v] && graph_.out[v].size() % 2 == turn_ % 2) shut[v] = true;
    }
  }

  Answer answer() const {
    const auto alone = static_cast<double>(std::ranges::count(mate, kNobody));
    std::vector<double> state(n_);
    for (std::size_t v = 0; v < n_; ++v)
      state[v] = near[v] + (gone[v] ? 100 : 0) + (open[v] ? 1000 : 0) + (shut[v] ? 10000 : 0) +
                 alone * 100000;
    return {{state}, {mate}, {}};
  }

 private:
  const OracleGraph& graph_;
  const std::size_t n_;
  unsigned turn_ = 0;
  std::vector<std::size_t> mate = std::vector<std::size_t>(n_, kNobody);
  std::vector<bool> gone = std::vector<bool>(n_), shut = gone, open = std::vector<bool>(n_, true);
  std::vector<double> near = std::vector<double>(n_, 1);
};

/// tests/run/programs/asked_first.vg: its three loops.
class AskedFirst {
 public:
  explicit AskedFirst(const OracleGraph& graph) : graph_(graph), n_(graph.size()) {}

  double colour_all() {
    int rounds = 0;
    for (; std::ranges::find(colour, -1) != colour.end(); ++rounds)
      step(colour, rounds, [&](std::size_t v, std::size_t u) {
        return u != v && colour[u] < 0 && std::pair(degree(u), u) > std::pair(degree(v), v);
      });
    return rounds;
  }
  void go() {
    for (int round = 1; round <= 30; ++round)
      step(gone, round, [&](std::size_t v, std::size_t u) {
        return degree(v) >= 2 * static_cast<std::size_t>(round) ||
               (gone[u] < 0 && std::pair(colour[u], u) > std::pair(colour[v], v));
      });
    // Who has no neighbour at all has nobody in the way, and a degree below 2.
  }
  void fall_quiet() {
    for (int round = 1; round <= 12; ++round)
      step(quiet, round, [&](std::size_t v, std::size_t u) {
        return (gone[u] == round && u == v) || (quiet[u] < 0 && colour[u] < colour[v]);
      });
  }

  Answer answer(double rounds) const {
    std::vector<double> state(n_);
    for (std::size_t v = 0; v < n_; ++v) state[v] = quiet[v] * 10000 + gone[v] * 100;
    return {{{colour.begin(), colour.end()}, state}, {}, {{"colours", rounds}}};
  }

 private:
  /// Who is left and has nobody in the way gets the value.
  template <class InTheWay>
  void step(std::vector<int>& states, int value, const InTheWay& is_in_the_way) {
    std::vector<std::size_t> free;
    for (std::size_t v = 0; v < n_; ++v)
      if (states[v] < 0 &&
          std::ranges::none_of(
              graph_.out[v], [&](const Arc& arc) { return is_in_the_way(v, arc.to); }))
        free.push_back(v);
    for (const std::size_t v : free) states[v] = value;
  }
  std::size_t degree(std::size_t v) const { return graph_.out[v].size(); }

  const OracleGraph& graph_;
  const std::size_t n_;
  std::vector<int> colour = std::vector<int>(n_, -1), gone = colour, quiet = colour;
};

}  // namespace

Answer asked_first(const OracleGraph& graph, const Request&) {
  AskedFirst rounds(graph);
  const double colours = rounds.colour_all();
  rounds.go();
  rounds.fall_quiet();
  return rounds.answer(colours);
}

Answer settled(const OracleGraph& graph, const Request&) {
  Settled rounds(graph);
  rounds.pair();
  rounds.leave();
  rounds.shut_all();
  return rounds.answer();
}

}  // namespace vertigo::oracle
