// Messages to vertices that are values.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

constexpr auto kEmpty = -kUnreached;

/// tests/run/programs/common_receivers.vg: whom each vertex names, and what everyone gets.
class CommonReceivers {
 public:
  CommonReceivers(const OracleGraph& graph, std::size_t source)
      : graph_(graph), source_(source), n_(graph.size()) {
    for (std::size_t v = 0; v < n_; ++v)
      for (const std::vector<Arc>* arcs : {&graph.out[v], &graph.in[v]})
        for (const Arc& arc : *arcs)
          if (arc.to < v) up[v] = std::min(up[v], arc.to);
    for (std::size_t v = 0; v < n_; ++v) {
      root[v] = v;
      for (unsigned step = 0; step < 8 && up[root[v]] != kNobody; ++step) root[v] = up[root[v]];
      const std::size_t key = graph.in[v].size() % 3;
      named[v] = key == 0 ? source : key == 1 ? root[v] : up[v];
    }
  }

  void send() {
    for (std::size_t v = 0; v < n_; ++v) {
      const double in = in_degree(v), out = out_degree(v), both = in + out;
      total[root[v]] += both - 3;
      if (up[v] != kNobody) number[up[v]] += 2;
      share[root[v]] += both / 2;
      width[root[v]] += out;
      light[root[v]] = light[root[v]] || both > 3;
      if (both > 0) send_of_joined(v);
      if (named[v] == kNobody) continue;
      number[named[v]] += 1;
      part[named[v]] += in;
      all_lit[named[v]] = all_lit[named[v]] && both > 1;
    }
  }

  /// From the last to the first, since whom a vertex names stands before it.
  void count_below() {
    for (std::size_t v = n_; v-- > 0;) {
      below[v] += 1;
      if (up[v] != kNobody) below[up[v]] += below[v];
    }
  }

  void cancel() {
    std::vector<int> inbox(n_);
    for (std::vector<bool> is_asked(n_, true);
         std::ranges::find(is_asked, true) != is_asked.end();) {
      std::vector<std::size_t> active;
      for (std::size_t v = 0; v < n_; ++v)
        if (is_asked[v] && asked[v] < 4 && inbox[v] % 2 == 0) active.push_back(v);
      for (const std::size_t v : active) {
        inbox[v] = 0;
        asked[v] += 1;
      }
      is_asked.assign(n_, false);
      for (const std::size_t v : active) {
        if (named[v] == kNobody) continue;
        inbox[named[v]] += std::fmod(in_degree(v) + out_degree(v), 2) == 0 ? 1 : -1;
        is_asked[named[v]] = true;
      }
    }
  }

  Answer answer() const {
    std::vector<double> flags(n_), time(n_), way(n_), low(n_);
    std::vector<std::size_t> low_by(n_), last_by(n_);
    for (std::size_t v = 0; v < n_; ++v) {
      flags[v] = (light[v] ? 1 : 0) + (all_lit[v] ? 2 : 0) + (anyone[v] ? 4 : 0);
      std::tie(low[v], low_by[v]) = least[v];
      std::tie(time[v], last_by[v], way[v]) = last[v];
    }
    double rooted = 0;
    for (std::size_t v = 0; v < n_; ++v) rooted += root[v] == v;
    return {{total, number, share, part, width, flags, bits(), odd(), low, most_degree(),
             most_way(), far, time, way, below, asked},
            {low_by, last_by},
            {{"rooted", rooted}}};
  }

 private:
  double in_degree(std::size_t v) const { return static_cast<double>(graph_.in[v].size()); }
  double out_degree(std::size_t v) const { return static_cast<double>(graph_.out[v].size()); }

  void send_of_joined(std::size_t v) {
    const double in = in_degree(v), out = out_degree(v), both = in + out;
    set_[root[v]] |= std::uint64_t{1} << (static_cast<unsigned>(both) & 31u);
    least[root[v]] = std::min(least[root[v]], {out, v});
    double& furthest = far[root[v]];
    const double here = in - out;
    if (std::abs(here) > std::abs(furthest) ||
        (std::abs(here) == std::abs(furthest) && here > furthest))
      furthest = here;
    last[source_] = std::max(last[source_], {both * 3, up[v], in});
    anyone[root[v]] = true;
    if (named[v] == kNobody) return;
    odd_[named[v]] ^= static_cast<std::uint32_t>(out) * 5;
    most_[named[v]] = std::max(most_[named[v]], {both, in});
  }

  std::vector<double> bits() const { return {set_.begin(), set_.end()}; }
  std::vector<double> odd() const { return {odd_.begin(), odd_.end()}; }
  std::vector<double> most_degree() const { return element(0); }
  std::vector<double> most_way() const { return element(1); }
  std::vector<double> element(unsigned place) const {
    std::vector<double> values;
    for (const auto& [degree, way] : most_) values.push_back(place == 0 ? degree : way);
    return values;
  }

  const OracleGraph& graph_;
  const std::size_t source_, n_;
  std::vector<std::size_t> up = std::vector<std::size_t>(n_, kNobody), root = up, named = up;
  std::vector<double> total = std::vector<double>(n_), number = total, share = total, part = total;
  std::vector<double> width = total, far = total, below = total, asked = total;
  std::vector<bool> light = std::vector<bool>(n_), anyone = light;
  std::vector<bool> all_lit = std::vector<bool>(n_, true);
  std::vector<std::uint64_t> set_ = std::vector<std::uint64_t>(n_);
  std::vector<std::uint32_t> odd_ = std::vector<std::uint32_t>(n_);
  std::vector<std::pair<double, std::size_t>> least{n_, std::pair{kUnreached, kNobody}};
  std::vector<std::pair<double, double>> most_{n_, std::pair{kEmpty, kEmpty}};
  std::vector<std::tuple<double, std::size_t, double>> last{n_, std::tuple{kEmpty, kNobody, 0.0}};
};

}  // namespace

Answer common_receivers(const OracleGraph& graph, const Request& request) {
  CommonReceivers sent(graph, graph.index_of(std::stoull(request.text("source"))));
  sent.send();
  sent.count_below();
  sent.cancel();
  return sent.answer();
}

}  // namespace vertigo::oracle
