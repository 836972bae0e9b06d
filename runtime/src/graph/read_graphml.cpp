// GraphML: node and edge elements, and keys that say what their data are. One plain graph a file:
// nested graphs, hyperedges and ports are refused. Node ids are text; where all are numbers, they
// are those numbers.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "declared.h"
#include "readers.h"
#include "scan.h"
#include "table_layout.h"
#include "vertigo/graph/id_text.h"
#include "xml_events.h"

namespace vertigo::graph {
namespace {

constexpr std::string_view kGraphMlSpace = "http://graphml.graphdrawing.org/xmlns";
// Runs are worked on in parallel later.
constexpr std::size_t kEdgesPerRun = std::size_t{1} << 20;

/// What <key> declares of the data of edges.
struct EdgeKey {
  std::string id;
  std::string name;  // attr.name, or the id where there is none
  std::string type;
  std::optional<std::string> otherwise;  // <default>
};

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
      if (edge_.weight) throw LineError{"the edge has two weights"};
      edge_.weight = trimmed(text_);
    }
  }

  void text(std::string_view piece) override {
    constexpr std::size_t kLongestWeight = 256;
    if (skipped_ > 0 || inside_.empty()) return;
    if (inside_.back() == Element::Weight || inside_.back() == Element::Default) {
      text_ += piece;
      if (text_.size() > kLongestWeight) throw LineError{"the text of a weight is too long"};
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
  enum class Element : std::uint8_t { GraphMl, Key, Default, Graph, Node, Edge, Weight };
  struct Edge {
    Vertex source = 0;
    Vertex target = 0;
    std::uint64_t line = 0;
    std::optional<std::string> weight;
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
      return weight_key_ && required(attributes, "data", "key") == weight_key_->id &&
             push(Element::Weight);
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
      if (weight_key_) {
        throw LineError{
            fmt::format("'{}' and '{}' could both be the weight: say which by --columns",
                        shown(weight_key_->name), shown(key.name))};
      }
      weight_key_ = key;
    }
    if (weight_key_) context_.report.columns_used = {weight_key_->name};
    if (!weight_key_ && !wanted.empty()) {
      throw LineError{fmt::format("--columns: no <key> of edges is named '{}'", shown(wanted[0]))};
    }
    raw_.real_weights =
        weight_key_ && (weight_key_->type == "double" || weight_key_->type == "float");
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
    edge_.weight.reset();
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
    if (!edge_.weight && weight_key_) edge_.weight = weight_key_->otherwise;
    const bool first = run_.size() == 0 && raw_.runs.empty();
    if (first) raw_.weighted = edge_.weight.has_value();
    if (raw_.weighted != edge_.weight.has_value()) {
      throw LineError{raw_.weighted ? "the edge has no weight, and those before it have"
                                    : "the edge has a weight, and those before it have none"};
    }
    run_.add(edge_.source, edge_.target);
    if (edge_.weight) add_weight_word(*edge_.weight, run_);
    if (context_.record_lines) run_.add_line(edge_.line);
    if (run_.size() == kEdgesPerRun) {
      raw_.runs.push_back(std::move(run_));
      run_ = EdgeRun();
    }
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
  std::optional<EdgeKey> weight_key_;
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
