// GraphML: node and edge elements, and keys that say what their data are. One plain graph a file:
// nested graphs, hyperedges and ports are refused. Node ids are text; where all are numbers, they
// are those numbers.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "declared.h"
#include "edge_field.h"
#include "graphml_keys.h"
#include "readers.h"
#include "scan.h"
#include "table_layout.h"
#include "vertigo/core/record_layout.h"
#include "vertigo/graph/id_text.h"
#include "xml_events.h"

namespace vertigo::graph {
namespace {

constexpr std::string_view kGraphMlSpace = "http://graphml.graphdrawing.org/xmlns";
// Runs are worked on in parallel later.
constexpr std::size_t kEdgesPerRun = std::size_t{1} << 20;

bool truth_of(std::string_view attribute, std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  throw LineError{fmt::format("{}='{}' is neither true nor false", attribute, shown(text))};
}

std::string_view required(const XmlAttributes& attributes, const char* element, const char* name) {
  if (const auto value = attributes.find(name)) return *value;
  throw LineError{fmt::format("<{}> has no attribute '{}'", element, name)};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

class GraphMlReader final : public XmlHandler {
 public:
  explicit GraphMlReader(const ReadContext& context) : context_(context) {
    raw_.ids = IdSource::Named;
    raw_.number_texts = context.options.ids != IdKind::Text;
  }

  void start(const XmlName& name, const XmlAttributes& attributes, std::uint64_t line) override {
    line_ = line;
    if (skipped_ > 0) {
      ++skipped_;
      return;
    }
    const bool foreign = !name.space.empty() && !name.space.starts_with(kGraphMlSpace);
    if (inside_.empty() && (foreign || name.local != "graphml")) {
      throw LineError{fmt::format("the root is <{}>, not <graphml>", shown(name.local))};
    }
    if (foreign || !enter(name.local, attributes)) skipped_ = 1;
  }

  void end() override {
    if (skipped_ > 0) {
      --skipped_;
      return;
    }
    const Element element = inside_.back();
    inside_.pop_back();
    if (element == Element::Edge) finish_edge();
    if (element == Element::Default) keys_.back().otherwise = trimmed(text_);
    if (element == Element::Weight) {
      std::optional<std::string>& datum = edge_.data[reading_];
      if (datum)
        throw LineError{by_name()
                            ? fmt::format("the edge has '{}' twice", shown(slots_[reading_].name))
                            : "the edge has two weights"};
      datum = trimmed(text_);
    }
  }

  void text(std::string_view piece) override {
    constexpr std::size_t kLongestWeight = 256;
    if (skipped_ > 0 || inside_.empty()) return;
    if (inside_.back() == Element::Weight || inside_.back() == Element::Default) {
      text_ += piece;
      if (text_.size() <= kLongestWeight) return;
      if (context_.survey == nullptr && reads_text())
        throw LineError{"the text of a weight is too long"};
      text_.resize(kLongestWeight);  // it is no number already
    } else if (trimmed(piece).size() > 0) {
      throw LineError{fmt::format("text stands between elements: {}", quote_word(trimmed(piece)))};
    }
  }

  // What only the whole file shows.
  RawGraph finish() {
    if (!seen_graph_) throw refused_at_line(context_.path, 0, "the file holds no <graph>");
    if (!undeclared_.empty()) {
      const auto first =
          std::min_element(undeclared_.begin(), undeclared_.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      throw refused_at_line(context_.path, first->second,
                            fmt::format("an edge names '{}', and there is no such node",
                                        shown(raw_.texts[first->first])));
    }
    if (run_.size() > 0) raw_.runs.push_back(std::move(run_));
    require_counts();
    if (context_.options.ids == IdKind::Numbers && !raw_.texts.as_numbers()) {
      for (std::uint64_t i = 0; i < raw_.texts.size(); ++i) {
        if (printed_number(raw_.texts[i])) continue;
        throw refused_at_line(context_.path, 0,
                              fmt::format("the id '{}' is no number", shown(raw_.texts[i])));
      }
    }
    raw_.undirected = undirected_.value_or(undirected_default_);
    return std::move(raw_);
  }

 private:
  struct ReadField {
    std::size_t field;
    unsigned offset;
  };
  enum class Element : std::uint8_t { GraphMl, Key, Default, Graph, Node, Edge, Weight };
  struct Edge {
    Vertex source = 0;
    Vertex target = 0;
    std::uint64_t line = 0;
    std::vector<std::optional<std::string>> data;  // of each slot
  };

  // Enters an element; false where what is in it does not concern us.
  bool enter(std::string_view name, const XmlAttributes& attributes) {
    if (name == "desc") return false;
    if (name == "hyperedge" || name == "port" || name == "locator") {
      throw LineError{fmt::format("<{}> is not supported: a graph has nodes and edges", name)};
    }
    const Element parent = inside_.empty() ? Element::GraphMl : inside_.back();
    if (inside_.empty()) return push(Element::GraphMl);
    if (parent == Element::GraphMl && name == "key") return enter_key(attributes);
    if (parent == Element::GraphMl && name == "graph") return enter_graph(attributes);
    if (parent == Element::Key && name == "default") return push(Element::Default);
    if (parent == Element::Graph && name == "node") return enter_node(attributes);
    if (parent == Element::Graph && name == "edge") return enter_edge(attributes);
    if (parent == Element::Edge && name == "data") {
      if (slots_.empty()) return false;
      const std::string_view key = required(attributes, "data", "key");
      reading_ = 0;
      while (reading_ < slots_.size() && slots_[reading_].id != key) ++reading_;
      return reading_ < slots_.size() && push(Element::Weight);
    }
    if (name == "data" &&
        (parent == Element::GraphMl || parent == Element::Graph || parent == Element::Node)) {
      return false;
    }
    if (name == "graph") throw LineError{"<graph> inside of a node or edge is not supported"};
    throw LineError{fmt::format("<{}> has no place here", shown(name))};
  }

  bool push(Element element) {
    inside_.push_back(element);
    text_.clear();
    return true;
  }

  bool enter_key(const XmlAttributes& attributes) {
    if (seen_graph_) throw LineError{"a <key> behind the graph whose data it would declare"};
    const std::string_view domain = attributes.find("for").value_or("all");
    if (domain != "edge" && domain != "all") return false;
    EdgeKey key;
    key.id = required(attributes, "key", "id");
    key.name = attributes.find("attr.name").value_or(key.id);
    key.type = attributes.find("attr.type").value_or("");
    keys_.push_back(std::move(key));
    return push(Element::Key);
  }

  bool enter_graph(const XmlAttributes& attributes) {
    if (seen_graph_) throw LineError{"a second <graph>: one file holds one graph"};
    seen_graph_ = true;
    raw_.header_line = line_;
    const auto direction = attributes.find("edgedefault");
    if (direction && *direction != "directed" && *direction != "undirected") {
      throw LineError{
          fmt::format("edgedefault='{}' is neither directed nor undirected", shown(*direction))};
    }
    if (!direction && context_.options.direction == Direction::AsFile) {
      throw LineError{"<graph> has no edgedefault: say --directed or --undirected"};
    }
    undirected_default_ = direction == "undirected";
    raw_.vertices_declared = declared_count(attributes, "parse.nodes");
    raw_.edges_declared = declared_count(attributes, "parse.edges");
    if (context_.survey != nullptr)
      choose_all();
    else if (by_name())
      choose_fields();
    else
      choose_weight();
    return push(Element::Graph);
  }

  static std::optional<std::uint64_t> declared_count(const XmlAttributes& attributes,
                                                     const char* name) {
    const auto text = attributes.find(name);
    if (!text) return std::nullopt;
    if (const auto count = printed_number(*text)) return count;
    throw LineError{fmt::format("{}='{}' is no whole number", name, shown(*text))};
  }

  // The key that --columns names, or one with a usual name; what other keys declare is not read.
  void choose_weight() {
    const auto& wanted = context_.options.columns;
    if (wanted.size() > 1) throw LineError{"--columns: of GraphML it names the weight alone"};
    for (const EdgeKey& key : keys_) {
      const bool match =
          wanted.empty() ? usual_role(key.name) == Role::Weight : key.name == wanted[0];
      if (!match) {
        context_.report.columns_unused.push_back(key.name);
        continue;
      }
      if (!slots_.empty()) {
        throw LineError{
            fmt::format("'{}' and '{}' could both be the weight: say which by --columns",
                        shown(slots_[0].name), shown(key.name))};
      }
      slots_.push_back(key);
    }
    if (!slots_.empty()) context_.report.columns_used = {slots_[0].name};
    if (slots_.empty() && !wanted.empty()) {
      throw LineError{fmt::format("--columns: no <key> of edges is named '{}'", shown(wanted[0]))};
    }
    raw_.real_weights =
        !slots_.empty() && (slots_[0].type == "double" || slots_[0].type == "float");
  }

  bool by_name() const { return !context_.options.edge_fields.empty(); }

  // The key of each attribute that the program reads, by its name.
  void choose_fields() {
    const std::vector<EdgeField>& fields = context_.options.edge_fields;
    std::vector<ScalarKind> kinds;
    for (const EdgeField& field : fields) kinds.push_back(field.kind);
    const RecordLayout layout = layout_of(kinds);
    record_.resize(layout.bytes);
    std::vector<bool> given, used(keys_.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto key = key_of(keys_, fields[i]);
      given.push_back(key.has_value());
      if (!key) {
        store_field(*fields[i].otherwise, fields[i].kind, record_.data() + layout.offsets[i]);
        continue;
      }
      if (used[*key])
        throw LineError{fmt::format("'{}' is another attribute's already, and '{}' would be it",
                                    shown(keys_[*key].name), fields[i].name)};
      used[*key] = true;
      slots_.push_back(keys_[*key]);
      places_.push_back({i, layout.offsets[i]});
      context_.report.columns_used.push_back(keys_[*key].name);
    }
    for (std::size_t k = 0; k < keys_.size(); ++k)
      if (!used[k]) context_.report.columns_unused.push_back(keys_[k].name);
    if (slots_.empty()) return;  // all attributes have their defaults
    refuse_merging(context_.options.duplicates);
    raw_.weighted = true;
    raw_.record_fields_given = std::move(given);
  }

  // All keys whose data can be numbers or truth values.
  void choose_all() {
    for (const EdgeKey& key : keys_) {
      if (key.type == "string") continue;
      slots_.push_back(key);
      context_.survey->push_back({key.name, declared_kind(key.type), {}});
    }
  }

  // Whether the text at hand is of something that is read.
  bool reads_text() const {
    return inside_.back() == Element::Weight || keys_.back().type != "string";
  }

  bool enter_node(const XmlAttributes& attributes) {
    const std::string_view id = required(attributes, "node", "id");
    const Vertex node = intern(id);
    if (declared_[node]) throw LineError{fmt::format("the node '{}' is there twice", shown(id))};
    declared_[node] = true;
    undeclared_.erase(node);
    return push(Element::Node);
  }

  bool enter_edge(const XmlAttributes& attributes) {
    if (attributes.find("sourceport") || attributes.find("targetport")) {
      throw LineError{"an edge between ports is not supported"};
    }
    edge_.line = line_;
    edge_.data.assign(slots_.size(), std::nullopt);
    edge_.source = intern(required(attributes, "edge", "source"));
    edge_.target = intern(required(attributes, "edge", "target"));
    for (const Vertex node : {edge_.source, edge_.target}) {
      if (!declared_[node]) undeclared_.emplace(node, line_);
    }
    const auto directed = attributes.find("directed");
    const bool undirected = directed ? !truth_of("directed", *directed) : undirected_default_;
    if (undirected_.value_or(undirected) != undirected) {
      throw LineError{
          "directed and undirected edges in one graph are not supported: write an undirected edge "
          "as "
          "two directed ones"};
    }
    undirected_ = undirected;
    return push(Element::Edge);
  }

  Vertex intern(std::string_view id) {
    if (const char* const problem = id_problem(id)) {
      throw LineError{fmt::format("the id '{}' {}", shown(id), problem)};
    }
    const Vertex number = raw_.texts.intern(id);
    if (number == kNoVertex) throw LineError{fmt::format("more than {} nodes", kMostVertices)};
    if (number == declared_.size()) declared_.push_back(false);
    return number;
  }

  void finish_edge() {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (!edge_.data[i]) edge_.data[i] = slots_[i].otherwise;
    if (context_.survey != nullptr) {
      for (std::size_t i = 0; i < slots_.size(); ++i)
        (*context_.survey)[i].found.take(edge_.data[i].value_or(""));
    } else if (!by_name()) {
      require_like_the_first();
    }
    run_.add(edge_.source, edge_.target);
    if (context_.survey == nullptr && !slots_.empty()) add_data();
    if (context_.record_lines) run_.add_line(edge_.line);
    if (run_.size() == kEdgesPerRun) {
      raw_.runs.push_back(std::move(run_));
      run_ = EdgeRun();
    }
  }

  // All edges have a weight, or none.
  void require_like_the_first() {
    const bool weighted = !slots_.empty() && edge_.data[0].has_value();
    const bool first = run_.size() == 0 && raw_.runs.empty();
    if (first) raw_.weighted = weighted;
    if (raw_.weighted != weighted) {
      throw LineError{raw_.weighted ? "the edge has no weight, and those before it have"
                                    : "the edge has a weight, and those before it have none"};
    }
  }

  // The weight of the edge, or the number of its record.
  void add_data() {
    if (!by_name()) {
      if (edge_.data[0]) add_weight_word(*edge_.data[0], run_);
      return;
    }
    for (std::size_t i = 0; i < slots_.size(); ++i)
      read_field(edge_.data[i].value_or(""), context_.options.edge_fields[places_[i].field],
                 record_.data() + places_[i].offset);
    const Vertex number =
        raw_.records.intern({reinterpret_cast<const char*>(record_.data()), record_.size()});
    if (number == kNoVertex)
      throw LineError{fmt::format("more than {} different edges", kMostVertices)};
    run_.add_weight(std::int64_t{number});
  }

  void require_counts() {
    require_edge_count(context_, raw_, raw_.edge_count(), "edges");
    if (raw_.vertices_declared && *raw_.vertices_declared != raw_.texts.size()) {
      throw refused_at_line(context_.path, raw_.header_line,
                            fmt::format("the graph declares {} nodes, the file holds {}",
                                        *raw_.vertices_declared, raw_.texts.size()));
    }
  }

  RawGraph raw_;
  const ReadContext& context_;
  EdgeRun run_;
  std::uint64_t line_ = 0;
  std::vector<Element> inside_;
  int skipped_ = 0;  // depth inside of an element that does not concern us
  std::string text_;
  std::vector<EdgeKey> keys_;
  std::vector<EdgeKey> slots_;     // the keys that are read
  std::vector<ReadField> places_;  // of each in the record, where attributes are read by name
  std::vector<std::byte> record_;
  std::size_t reading_ = 0;  // the slot whose text comes
  bool seen_graph_ = false;
  bool undirected_default_ = false;
  std::optional<bool> undirected_;                        // of the edges
  std::vector<bool> declared_;                            // of each id, whether its node has come
  std::unordered_map<Vertex, std::uint64_t> undeclared_;  // and where the others were named first
  Edge edge_;
};

}  // namespace

RawGraph read_graphml(StreamPtr stream, const ReadContext& context) {
  context.report.columns_used.clear();
  context.report.columns_unused.clear();
  GraphMlReader reader(context);
  read_xml(*stream, reader);
  return reader.finish();
}

}  // namespace vertigo::graph
