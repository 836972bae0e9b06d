// The report page: one file with its data, styles and script inside, that needs no network.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trace/html_page.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::trace {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Number of `name` in `names`, which grows where it is new.
std::size_t number_of(std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.emplace_back(name);
  return names.size() - 1;
}

// One row per iteration: [phase, variant, reason, step, active, edges, start, duration, predicted,
// out_edges, in_edges, moved]; the three names as numbers, because a million rows repeat them.
// Moved is left out, or a list of [way, partitions, bytes, read].
std::string data_of(const std::vector<Iteration>& iterations, const std::string& link) {
  std::vector<std::string> phases, variants, reasons;
  nlohmann::json rows = nlohmann::json::array();
  for (const Iteration& iteration : iterations) {
    rows.push_back({number_of(phases, iteration.phase), number_of(variants, iteration.variant),
                    number_of(reasons, iteration.reason), iteration.step, iteration.active_vertices,
                    iteration.edges, iteration.start, iteration.duration, iteration.predicted,
                    iteration.out_edges, iteration.in_edges});
    if (iteration.moved.empty()) continue;
    nlohmann::json ways = nlohmann::json::array();
    for (const Moved& moved : iteration.moved)
      ways.push_back({moved.way, moved.partitions, moved.bytes, moved.read});
    rows.back().push_back(std::move(ways));
  }
  const nlohmann::json data{{"phases", phases},
                            {"variants", variants},
                            {"reasons", reasons},
                            {"rows", rows},
                            {"link", link}};
  std::string text = data.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  // `</script>` inside a string would end the script.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string Recorder::to_html(std::string_view title) const {
  constexpr std::string_view kTitle = "@TITLE@", kData = "@DATA@";
  std::string page;
  // One walk over the page: a title that contains a mark stays what it is.
  for (std::string_view rest = kHtmlPage; !rest.empty();) {
    if (rest.starts_with(kTitle)) {
      page += escaped(title);
      rest.remove_prefix(kTitle.size());
    } else if (rest.starts_with(kData)) {
      page += data_of(iterations_, link_);
      rest.remove_prefix(kData.size());
    } else {
      const std::size_t next = rest.find('@', 1);
      page += rest.substr(0, next);
      rest.remove_prefix(std::min(next, rest.size()));
    }
  }
  return page;
}

}  // namespace vertigo::trace
