// Updates that go on in rounds, spelt out.
#include <algorithm>

#include "oracle_graph.h"

namespace vertigo::oracle {

/// tests/run/programs/told_once.vg
Answer told_once(const OracleGraph& graph, const Request&) {
  const std::size_t n = graph.size();
  std::vector<std::int64_t> heat(n, 0);
  std::vector<bool> cold(n), warned(n), done(n), met(n);
  Answer answer;
  answer.numbers = {std::vector<double>(n, -1), std::vector<double>(n, 0),
                    std::vector<double>(n, -1), std::vector<double>(n, -1)};
  const auto some = [](const std::vector<Arc>& arcs, const auto& holds) {
    return std::any_of(arcs.begin(), arcs.end(), [&](const Arc& arc) { return holds(arc.to); });
  };
  for (std::int64_t round = 0; round < 8; ++round) {
    for (std::size_t v = 0; v < n; ++v) {
      const auto out = static_cast<std::int64_t>(graph.out[v].size());
      const auto in = static_cast<std::int64_t>(graph.in[v].size());
      if (!cold[v]) heat[v] = std::max(heat[v], (round * 7 + out * 3 + in * 5) % 11);
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (cold[v] || !some(graph.in[v], [&](std::size_t u) { return heat[u] > 6; })) continue;
      cold[v] = true;
      answer.numbers[0][v] = static_cast<double>(round);
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (warned[v] || heat[v] <= 1 ||
          !some(graph.out[v], [&](std::size_t u) { return heat[u] > 8; }))
        continue;
      warned[v] = true;
      answer.numbers[1][v] = static_cast<double>(2 * round + 1);
    }
    const auto is_wanted = [&](std::size_t u) { return heat[u] > 3 && cold[u]; };
    for (std::size_t v = 0; v < n; ++v) {
      if (done[v] || !(some(graph.out[v], is_wanted) || some(graph.in[v], is_wanted))) continue;
      done[v] = true;
      answer.numbers[2][v] = static_cast<double>(round);
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (met[v] || !some(graph.out[v], [&](std::size_t u) { return u != v && warned[u]; }))
        continue;
      met[v] = true;
      answer.numbers[3][v] = static_cast<double>(round);
    }
  }
  return answer;
}

}  // namespace vertigo::oracle
