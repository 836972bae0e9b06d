#include "host/summary.h"

#include <algorithm>
#include <cmath>

#include "host/text.h"
#include "host/timeline.h"
#include "host/values.h"
#include "vertigo/core/memory.h"

namespace vertigo::host {
namespace {

/// The finite values: how many, the least and the greatest.
template <class T>
struct Range {
  std::uint64_t finite = 0;
  T least{};
  T greatest{};
  void add(const Range& other) {
    if (other.finite == 0) return;
    least = finite == 0 ? other.least : std::min(least, other.least);
    greatest = finite == 0 ? other.greatest : std::max(greatest, other.greatest);
    finite += other.finite;
  }
};

// Whether a value is finite follows no rule that a processor would learn: the loop asks without a
// jump.
template <class T>
Range<T> range_of_piece(std::span<const T> values) {
  const auto first = std::ranges::find_if(values, [](T value) { return is_finite(value); });
  if (first == values.end()) return {};
  Range<T> range{0, *first, *first};
  for (const T value : std::span(first, values.end())) {
    const bool counts = is_finite(value);
    const T shown = counts ? value : *first;
    range.finite += counts ? 1 : 0;
    range.least = std::min(range.least, shown);
    range.greatest = std::max(range.greatest, shown);
  }
  return range;
}

template <class T>
Range<T> range_of(std::span<const T> values) {
  constexpr std::size_t kPiece = 1 << 16;
  const std::size_t pieces = (values.size() + kPiece - 1) / kPiece;
  std::vector<Range<T>> ranges(pieces);
#pragma omp parallel for schedule(static) if (pieces > 1)
  for (std::size_t p = 0; p < pieces; ++p)
    ranges[p] =
        range_of_piece(values.subspan(p * kPiece, std::min(kPiece, values.size() - p * kPiece)));
  Range<T> all;
  for (const Range<T>& range : ranges) all.add(range);
  return all;
}

template <class T>
void scan(const Column& column, const graph::IdMap& ids, ColumnFacts& facts) {
  if constexpr (std::is_same_v<T, bool>) {
    // Of truth values the interesting number is how many are true.
    facts.finite = static_cast<std::uint64_t>(std::ranges::count(column.as<bool>(), true));
  } else {
    const auto [finite, least, greatest] = range_of<T>(column.as<T>());
    facts.finite = finite;
    if (finite == 0) return;
    const auto text = [&](T value) {
      std::string result;
      if (column.kind == ScalarKind::Vertex)
        result = ids.label(static_cast<Vertex>(value));
      else
        append_value(result, value);
      return result;
    };
    facts.least = text(least);
    facts.greatest = text(greatest);
  }
}

std::string columns_text(const Summary& summary) {
  std::string text;
  for (const ColumnFacts& column : summary.columns) {
    text += "\nresult      " + column.name + " (" + std::string(kind_name(column.kind)) +
            "): " + grouped(column.finite) +
            (column.kind == ScalarKind::Bool     ? " true"
             : column.kind == ScalarKind::Vertex ? " with a vertex"
                                                 : " finite");
    if (!column.least.empty()) text += ", " + column.least + " .. " + column.greatest;
  }
  return text;
}

std::string reason_text(const Summary& summary, const PhaseSummary& phase) {
  const auto replaced = summary.replaced.find(phase.phase);
  if (replaced != summary.replaced.end()) return " (step by step: " + replaced->second + ")";
  return phase.reason.empty() ? "" : " (" + std::string(phase.reason) + ")";
}

std::string agreement_text(const Comparison& row) {
  if (!row.converged) return "not converged";
  if (!row.difference.empty()) return "NO: " + row.difference;
  std::string text = "yes";
  for (const auto& [phase, reason] : row.replaced)
    text += "; " + phase + " ran step by step: " + reason;
  return text;
}

/// "a, b"
std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

ColumnFacts column_facts(const Column& column, const graph::IdMap& ids) {
  ColumnFacts facts{column.name, column.kind, 0, "", ""};
  with_kind(column.kind, [&]<class T>(T) { scan<T>(column, ids, facts); });
  return facts;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string summary_text(const Summary& summary, const graph::IdMap& ids) {
  std::string text = "target      " + summary.target;
  if (!summary.device.empty()) text += ", " + summary.device;
  if (!summary.target_reason.empty()) text += " (" + summary.target_reason + ")";
  for (const PhaseSummary& phase : summary.phases)
    text += "\nphase       " + phase.phase + ": " + phase.schedule + ", " +
            counted(phase.steps, "step") + ", " + counted(phase.edges, "edge") + " visited" +
            reason_text(summary, phase);
  if (!summary.balance.empty()) text += "\nbalance     " + summary.balance;
  if (!summary.colours.empty()) text += "\ncolours     " + summary.colours;
  if (!summary.paths.empty()) text += "\npaths       " + summary.paths;
  if (!summary.placement.empty()) text += "\nmemory      " + summary.placement;
  if (!summary.moved.empty()) text += "\nedges       " + summary.moved;
  if (!summary.link.empty()) text += "\nlink        " + summary.link;
  text += columns_text(summary);
  for (const auto& [name, value] : summary.reports)
    text += "\nreport      " + name + (value ? " = " + to_text(*value, ids) : " was not reached");
  if (summary.runs.size() > 1) {
    const auto [least, greatest] = std::ranges::minmax(summary.runs);
    text += "\nruns        " + std::to_string(summary.runs.size()) + ": minimum " +
            format_seconds(least) + ", median " + format_seconds(median(summary.runs)) +
            ", maximum " + format_seconds(greatest);
  }
  if (summary.checked) {
    for (const std::string& line : summary.checked->checked) text += "\nchecked     " + line;
    text += summary.checked->passed ? "\ncheck       passed" : "\ncheck       FAILED";
  }
  text += "\ntime        load " + format_seconds(summary.load) + ", preprocess " +
          format_seconds(summary.preprocess) + ", preparation " +
          format_seconds(summary.preparation) + ", transfer " + format_seconds(summary.transfer) +
          ", run " + format_seconds(summary.run);
  if (summary.checked) text += ", check " + format_seconds(summary.check);
  if (!summary.output_path.empty()) text += ", output " + format_seconds(summary.output);
  return text + "\n" + timeline_text(summary.stages, summary.wall);
}

std::string comparison_table(const Summary& summary) {
  std::vector<std::vector<std::string>> rows{
      {"schedule", "rounds", "edges", "bytes moved", "time", "agrees"}};
  for (const Comparison& row : summary.comparisons)
    if (!row.refused.empty())
      rows.push_back({row.schedule, "", "", "", "", "does not fit: " + row.refused});
    else
      rows.push_back({row.schedule, grouped(row.steps), grouped(row.edges), format_bytes(row.bytes),
                      format_seconds(row.seconds), agreement_text(row)});
  std::string text = format_table(rows, {false, true, true, true, true, false});
  if (!summary.compared_all)
    text += "(the combinations are too many: each phase was varied with the others as preferred)\n";
  if (!summary.open.empty()) {
    std::set<std::string> names = summary.open.outputs;
    names.insert(summary.open.reports.begin(), summary.open.reports.end());
    text += "(right results may differ in " + joined(names) +
            ": each schedule's was checked as --check does, not compared)\n";
  }
  return text;
}

}  // namespace vertigo::host
