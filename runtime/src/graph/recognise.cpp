#include "recognise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace vertigo::graph {
namespace {

constexpr std::array kCandidates = {
    Candidate{Format::Cached, Content::Binary, judge_cached},
    Candidate{Format::Bel, Content::Binary, judge_bel},
    Candidate{Format::Galois, Content::Binary, judge_galois},
    Candidate{Format::Gap, Content::Binary, judge_gap},
    Candidate{Format::MatrixMarket, Content::Text, judge_matrix_market},
    Candidate{Format::Dimacs, Content::Text, judge_dimacs},
    Candidate{Format::Pace, Content::Text, judge_pace},
    Candidate{Format::Konect, Content::Text, judge_konect},
    Candidate{Format::GraphMl, Content::Text, judge_graphml},
    Candidate{Format::Csv, Content::Text, judge_csv},
    Candidate{Format::Tsv, Content::Text, judge_tsv},
    Candidate{Format::EdgeList, Content::Text, judge_edge_list},
    Candidate{Format::Metis, Content::Text, judge_metis},
    Candidate{Format::Adjacency, Content::Text, judge_adjacency},
    Candidate{Format::Graphalytics, Content::Text, judge_vertex_list},
};

struct Judged {
  Format format;
  Verdict verdict;
};

// Everything that a sign speaks for, the best first; equal ones in the order of the table.
std::vector<Judged> judge_all(const Sample& sample) {
  std::vector<Judged> judged;
  for (const Candidate& candidate : kCandidates) {
    if (candidate.content == Content::Text && sample.binary()) continue;
    Verdict verdict = candidate.judge(sample);
    if (verdict.score > score::kNone) judged.push_back({candidate.format, std::move(verdict)});
  }
  std::stable_sort(judged.begin(), judged.end(), [](const Judged& a, const Judged& b) {
    return a.verdict.score > b.verdict.score;
  });
  return judged;
}

std::string described(const Judged& judged) {
  return fmt::format("{} ({})", name_of(judged.format), judged.verdict.reason);
}

[[noreturn]] void refuse_unknown(const std::string& path, const Sample& sample,
                                 const std::vector<Judged>& judged) {
  if (sample.utf16()) {
    throw refused_at_line(path, 0, "the text is UTF-16: save it as UTF-8");
  }
  if (sample.binary()) {
    throw refused_at_byte(path, sample.head().find('\0'), "a binary file of no known graph format");
  }
  if (judged.empty()) {
    throw refused_at_line(path, 0,
                          sample.data().empty() && sample.complete()
                              ? "the file holds no edges"
                              : "no known graph format: say which by --format");
  }
  throw refused_at_line(path, judged.front().verdict.line,
                        fmt::format("no known graph format; the nearest is {}: say which by "
                                    "--format",
                                    described(judged.front())));
}

[[noreturn]] void ask(const std::string& path, std::span<const Judged> rivals) {
  std::vector<std::string> descriptions;
  std::vector<std::string> options;
  for (const Judged& judged : rivals) {
    descriptions.push_back(described(judged));
    options.push_back(fmt::format("--format {}", name_of(judged.format)));
  }
  throw refused_at_line(path, 0,
                        fmt::format("the format is not certain, it could be {}: say which by {}",
                                    fmt::join(descriptions, " or "), fmt::join(options, " or ")));
}

}  // namespace

std::span<const Candidate> candidates() { return kCandidates; }

Detection recognise(const std::string& path, const Sample& sample) {
  if (sample.empty()) throw refused_at_line(path, 0, "the file is empty");
  const std::vector<Judged> judged = judge_all(sample);
  if (judged.empty() || judged.front().verdict.score < score::kEnough)
    refuse_unknown(path, sample, judged);
  const Verdict& best = judged.front().verdict;
  const auto far = std::find_if(judged.begin() + 1, judged.end(), [&](const Judged& other) {
    return other.verdict.score < best.score - score::kClose;
  });
  if (far - judged.begin() > 1) ask(path, std::span(judged.begin(), far));
  Detection found{judged.front().format, best.reason, {}};
  if (best.score >= score::kMarked)
    return found;  // a banner leaves no doubt that would be worth a note
  for (auto other = far; other != judged.end(); ++other)
    found.notes.push_back(fmt::format("nearly fitted: {}", described(*other)));
  return found;
}

}  // namespace vertigo::graph
