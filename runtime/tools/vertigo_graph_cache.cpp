#include "vertigo_graph_cache.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/core/kept_text.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/near_miss.h"
#include "vertigo/core/number_text.h"
#include "vertigo/execute/link_rates.h"
#include "vertigo/graph/graph_cache.h"
#include "vertigo/graph/id_text.h"

namespace vertigo::tools {
namespace {

using graph::GraphCache;

std::uint64_t bytes_of(const std::vector<GraphCache::Entry>& entries) {
  std::uint64_t bytes = 0;
  for (const GraphCache::Entry& entry : entries) bytes += entry.bytes;
  return bytes;
}

std::string time_of(const GraphCache::Entry& entry, const char* form) {
  return fmt::format(fmt::runtime(form),
                     fmt::gmtime(std::chrono::system_clock::to_time_t(entry.used)));
}

KeptTexts kept_rates(const graph::CacheSettings& settings) {
  return {settings.folder, execute::kKeptRates};
}

// "" where nothing was measured: most users have no use for it.
std::string and_links(std::size_t links) {
  return links == 0 ? "" : " and the speed of " + counted(links, "link");
}

std::string files_text(const GraphCache::Entry& entry) {
  std::string text;
  for (const std::string& file : GraphCache::files_of(entry))
    text += (text.empty() ? "" : " and ") + graph::shown(file);
  return text.empty() ? "damaged" : text;
}

std::string list(const GraphCache& cache, const graph::CacheSettings& settings) {
  std::string text;
  const auto entries = cache.entries();
  for (const GraphCache::Entry& entry : entries)
    text += fmt::format("{}  {:>9}  {}\n", time_of(entry, "{:%Y-%m-%d %H:%M}"),
                        format_bytes(entry.bytes), files_text(entry));
  const std::size_t links = kept_rates(settings).entries().size();
  return text + fmt::format("{}{} in {}: {} of at most {}\n", counted(entries.size(), "graph"),
                            and_links(links), settings.folder, format_bytes(bytes_of(entries)),
                            format_bytes(settings.most_bytes));
}

std::string list_json(const GraphCache& cache, const graph::CacheSettings& settings) {
  nlohmann::json graphs = nlohmann::json::array();
  const auto entries = cache.entries();
  for (const GraphCache::Entry& entry : entries)
    graphs.push_back({{"path", entry.path},
                      {"bytes", entry.bytes},
                      {"used", time_of(entry, "{:%Y-%m-%dT%H:%M:%SZ}")},
                      {"files", GraphCache::files_of(entry)}});
  const nlohmann::json all = {{"folder", settings.folder},
                              {"bytes", bytes_of(entries)},
                              {"most_bytes", settings.most_bytes},
                              {"links", kept_rates(settings).entries().size()},
                              {"graphs", graphs}};
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string clear(const GraphCache& cache, const graph::CacheSettings& settings, bool json) {
  const auto removed = cache.clear();
  const std::size_t links = kept_rates(settings).clear().size();
  if (json)
    return nlohmann::json({{"folder", settings.folder},
                           {"removed", removed.size()},
                           {"links", links},
                           {"bytes", bytes_of(removed)}})
               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
           "\n";
  return fmt::format("removed {}{} from {}: {}\n", counted(removed.size(), "graph"),
                     and_links(links), settings.folder, format_bytes(bytes_of(removed)));
}

}  // namespace

std::string act_on_cache(const std::string& action, bool json) {
  const std::vector<std::string> actions = {"list", "clear"};
  if (action != actions[0] && action != actions[1]) {
    const auto meant = near_miss(action, actions);
    throw Error(ExitCode::Usage, fmt::format("cache: '{}' is not list or clear{}", action,
                                             meant ? "; did you mean '" + *meant + "'?" : ""));
  }
  const graph::CacheSettings settings = graph::cache_settings();
  if (settings.folder.empty())
    throw Error(ExitCode::Usage, "neither VERTIGO_CACHE, XDG_CACHE_HOME nor HOME names a folder");
  const GraphCache cache(settings.folder, settings.most_bytes);
  if (action == "clear") return clear(cache, settings, json);
  return json ? list_json(cache, settings) : list(cache, settings);
}

}  // namespace vertigo::tools
