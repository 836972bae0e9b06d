#include "vertigo/graph/intake.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "vertigo/core/memory.h"
#include "vertigo/core/number_text.h"
#include "vertigo/graph/id_text.h"
#include "vertigo/graph/read_option_names.h"

namespace vertigo::graph {
namespace {

struct FormatName {
  Format format;
  const char* name;
};
constexpr std::array kFormats = {
    FormatName{Format::MatrixMarket, "matrix-market"},
    FormatName{Format::EdgeList, "edge-list"},
    FormatName{Format::Adjacency, "adjacency"},
    FormatName{Format::Graphalytics, "graphalytics"},
    FormatName{Format::Dimacs, "dimacs"},
    FormatName{Format::Pace, "pace"},
    FormatName{Format::Galois, "galois"},
    FormatName{Format::Gap, "gap"},
    FormatName{Format::Metis, "metis"},
    FormatName{Format::Bel, "bel"},
    FormatName{Format::Csv, "csv"},
    FormatName{Format::Tsv, "tsv"},
    FormatName{Format::GraphMl, "graphml"},
    FormatName{Format::Cached, "cached"},
    FormatName{Format::Konect, "konect"},
    FormatName{Format::Generated, "generated"},
};

const char* name_of(WeightKind kind) {
  switch (kind) {
    case WeightKind::None:
      return "none";
    case WeightKind::Integer:
      return "integer";
    case WeightKind::Real:
      return "real";
  }
  return "";
}

std::string declared(const std::optional<std::uint64_t>& count) {
  return count ? fmt::format("{} declared, ", grouped(*count)) : "";
}

// "3 dropped, 2 merged" from the counts that are not 0; with a lead where there is any.
std::string changes(const IntakeReport& report) {
  std::vector<std::string> parts;
  if (report.self_loops_dropped > 0)
    parts.push_back(counted(report.self_loops_dropped, "self loop") + " dropped");
  if (report.duplicates_merged > 0)
    parts.push_back(counted(report.duplicates_merged, "duplicate") + " merged");
  if (report.reverse_edges_added > 0)
    parts.push_back(counted(report.reverse_edges_added, "reverse edge") + " added");
  if (report.weights_ignored) parts.emplace_back("weights ignored");
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string weights_text(const IntakeReport& report) {
  if (report.weights == WeightKind::None) return "none";
  if (report.edges == 0) return name_of(report.weights);
  return fmt::format("{}, {} to {}, {} negative, {} zero", name_of(report.weights),
                     report.smallest_weight, report.largest_weight,
                     grouped(report.negative_weights), grouped(report.zero_weights));
}

std::string ids_text(const IntakeReport& report) {
  if (report.text_ids) {
    return fmt::format("ids '{}' to '{}' (text, ordered by their bytes)", shown(report.first_text),
                       shown(report.last_text));
  }
  return fmt::format("ids {} to {}{}", report.smallest_id, report.largest_id,
                     report.ids_contiguous ? "" : " with gaps");
}

// At most so many names, and how many more there are.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", shown(names[i]));
  }
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

std::string columns_text(const IntakeReport& report) {
  std::string text;
  if (!report.columns_used.empty()) text = "read " + names_text(report.columns_used);
  if (!report.columns_unused.empty()) {
    text += (text.empty() ? "" : "; ") + ("not used " + names_text(report.columns_unused));
  }
  return text;
}

std::string cache_text(const CacheUse& use) {
  const std::string reason = use.reason.empty() ? "" : "; " + use.reason;
  switch (use.kind) {
    case CacheUse::Kind::None:
      return "";
    case CacheUse::Kind::Read:
      return fmt::format("cache       read from {}\n", use.file);
    case CacheUse::Kind::Stored:
      return fmt::format("cache       stored as {}{}\n", use.file, reason);
    case CacheUse::Kind::NotStored:
      return fmt::format("cache       not stored: {}\n", use.reason);
  }
  return "";
}

std::string reading_text(const Reading& reading) {
  switch (reading.by) {
    case Reading::By::Unsaid:
      return "";
    case Reading::By::Host:
      return fmt::format("read by     the host: {}\n", reading.reason);
    case Reading::By::Device:
      return "read by     the device\n";
  }
  return "";
}

nlohmann::json reading_json(const Reading& reading) {
  if (reading.by == Reading::By::Unsaid) return nullptr;
  const bool on_host = reading.by == Reading::By::Host;
  return {{"by", on_host ? "host" : "device"},
          {"reason", on_host ? nlohmann::json(reading.reason) : nlohmann::json()}};
}

nlohmann::json cache_json(const CacheUse& use) {
  if (use.kind == CacheUse::Kind::None) return nullptr;
  const auto or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::json() : nlohmann::json(text);
  };
  return {{"state", use.kind == CacheUse::Kind::Read     ? "read"
                    : use.kind == CacheUse::Kind::Stored ? "stored"
                                                         : "not stored"},
          {"file", or_null(use.file)},
          {"reason", or_null(use.reason)}};
}

}  // namespace

const char* name_of(Format format) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const FormatName& f) { return f.format == format; });
  return found->name;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatName& entry : kFormats) {
    if (entry.format != Format::Generated) names.emplace_back(entry.name);
  }
  return names;
}

std::optional<Format> format_named(const std::string& name) {
  for (const FormatName& entry : kFormats) {
    if (entry.name == name && entry.format != Format::Generated) return entry.format;
  }
  return std::nullopt;
}

const char* name_of(Compression compression) {
  switch (compression) {
    case Compression::None:
      return "none";
    case Compression::Gzip:
      return "gzip";
    case Compression::Zstd:
      return "zstd";
    case Compression::Xz:
      return "xz";
  }
  return "";
}

std::string to_text(const IntakeReport& report) {
  std::string text = fmt::format("graph       {}\n", report.path);
  text += fmt::format(
      "format      {} (from {}){}\n", name_of(report.format), report.format_evidence,
      report.compression == Compression::None ? ""
                                              : fmt::format(", {}", name_of(report.compression)));
  if (const std::string columns = columns_text(report); !columns.empty()) {
    text += fmt::format("columns     {}\n", columns);
  }
  text +=
      fmt::format("vertices    {}{}, {} isolated; {}\n", declared(report.vertices_declared),
                  grouped(report.vertices), grouped(report.isolated_vertices), ids_text(report));
  text +=
      fmt::format("edges       {}{} read, {} in the graph ({})\n", declared(report.edges_declared),
                  grouped(report.edges_read), counted(report.edges, "directed edge"),
                  report.symmetric ? "symmetric" : "directed");
  text += fmt::format("found       {}, {}\n", counted(report.self_loops, "self loop"),
                      counted(report.duplicates, "duplicate"));
  text += fmt::format("changed     {}\n", changes(report));
  text += fmt::format("weights     {}\n", weights_text(report));
  text += fmt::format(
      "degrees     mean {:.2f}, largest {}, skew {:.2f} (share of edges at 1% of vertices)\n",
      report.mean_out_degree, grouped(report.max_out_degree), report.skew);
  for (const std::string& note : report.notes) text += fmt::format("note        {}\n", note);
  text += cache_text(report.cache);
  text += reading_text(report.reading);
  text +=
      fmt::format("read        {} in {:.2f} s", format_bytes(report.bytes_read), report.seconds);
  return text;
}

nlohmann::json to_json(const IntakeReport& report) {
  const auto or_null = [](const std::optional<std::uint64_t>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  const auto id_json = [&](std::uint64_t number, const std::string& text) {
    return report.text_ids ? nlohmann::json(text) : nlohmann::json(number);
  };
  const bool has_range = report.weights != WeightKind::None && report.edges > 0;
  return {
      {"path", report.path},
      {"files", report.files},
      {"format", name_of(report.format)},
      {"format_evidence", report.format_evidence},
      {"compression", name_of(report.compression)},
      {"bytes_read", report.bytes_read},
      {"vertices_declared", or_null(report.vertices_declared)},
      {"edges_declared", or_null(report.edges_declared)},
      {"vertices", report.vertices},
      {"edges_read", report.edges_read},
      {"edges", report.edges},
      {"self_loops", report.self_loops},
      {"duplicates", report.duplicates},
      {"self_loops_dropped", report.self_loops_dropped},
      {"duplicates_merged", report.duplicates_merged},
      {"reverse_edges_added", report.reverse_edges_added},
      {"isolated_vertices", report.isolated_vertices},
      {"columns_used", report.columns_used},
      {"columns_unused", report.columns_unused},
      {"ids", report.text_ids ? "text" : "numbers"},
      {"smallest_id", id_json(report.smallest_id, report.first_text)},
      {"largest_id", id_json(report.largest_id, report.last_text)},
      {"ids_contiguous", report.ids_contiguous},
      {"index_base", report.index_base < 0 ? nlohmann::json() : nlohmann::json(report.index_base)},
      {"symmetric", report.symmetric},
      {"weights", name_of(report.weights)},
      {"weights_ignored", report.weights_ignored},
      {"smallest_weight", has_range ? nlohmann::json(report.smallest_weight) : nlohmann::json()},
      {"largest_weight", has_range ? nlohmann::json(report.largest_weight) : nlohmann::json()},
      {"negative_weights", report.negative_weights},
      {"zero_weights", report.zero_weights},
      {"max_out_degree", report.max_out_degree},
      {"mean_out_degree", report.mean_out_degree},
      {"skew", report.skew},
      {"seconds", report.seconds},
      {"notes", report.notes},
      {"cache", cache_json(report.cache)},
      {"parsed", reading_json(report.reading)},
  };
}

}  // namespace vertigo::graph
