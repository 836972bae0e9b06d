#pragma once
// What interpreter and certificates share: the graph as the program sees it, its parameters, and
// the resolver of its expressions.

#include <map>
#include <string>
#include <vector>

#include "resolve.h"
#include "vertigo/host/program.h"

namespace vertigo::reference {

class Context {
 public:
  /// Throws Error(InputRefused) where a parameter is missing, ill-typed or names no vertex.
  Context(const ir::Program& program, const host::RunRequest& request);
  Context(const Context&) = delete;

  const ir::Program& program;
  const host::RunRequest& request;
  GraphView graph;
  Resolver resolver;
  Frame frame;  ///< holds the parameters
  std::map<std::string, std::vector<Vertex>> lists;

  Vertex vertex_count() const { return graph.vertex_count(); }
  /// Makes room for slots that were given out since.
  void grow_frame();
  /// Evaluates an expression at host level.
  std::vector<Word> evaluate_now(const ir::Expr& expr, const ir::Type& type);
  std::string input_name(Vertex v) const;

 private:
  void bind_parameters();
  Word parameter_word(const ir::Parameter& parameter);
  void check_vertex(const ir::Parameter& parameter, Vertex v) const;
};

/// The value as a word of `kind`.
Word word_of(const Value& value, ScalarKind kind);
/// The word as a Value, for reports.
Value value_of(Word word, ScalarKind kind);
/// A scalar in the spelling of the language; a vertex by its internal id.
std::string describe_number(ScalarKind kind, Word word);
/// Readable form of the words of one value: "5", "inf", "(3, 7)"; vertices by their input ids.
std::string describe(const Context& context, const ir::Type& type, const Word* words);

}  // namespace vertigo::reference
