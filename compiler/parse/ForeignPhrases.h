#pragma once
// Private to this folder: what other languages for graphs, C and Python say in several words, where
// this one has a word or another order.

#include <set>
#include <string>

#include "compiler/parse/MendedTokens.h"

namespace vertigo::compiler::parse {

class ForeignPhrases {
 public:
  explicit ForeignPhrases(MendedTokens& tokens);

  /// To be called for every token in order.
  void look(std::size_t i);
  /// What follows cannot be told apart.
  bool unclear() const { return unclear_; }

 private:
  /// Whether the text declares a state, a parameter or a function of that name: then it is no word
  /// of another language, whatever it looks like.
  bool is_declared(std::size_t i) const { return declared_.contains(tokens_.text(i).str()); }
  /// Reports `first` to `last` as foreign, and replaces them in the fix.
  void replace(std::size_t first, std::size_t last, const std::string& ours);

  bool infinity_of_python(std::size_t i);
  bool lambda(std::size_t i);
  bool attribute_of_edge(std::size_t i);
  bool state_in_output(std::size_t i);
  bool type_of_two_words(std::size_t i);
  bool vertex_parameter(std::size_t i);
  bool list_of_declarations(std::size_t i);
  bool degree_as_function(std::size_t i);
  bool number_of_vertices(std::size_t i);
  bool receivers(std::size_t i);
  bool combination(std::size_t i);
  bool condition_of_update(std::size_t i);
  bool adverb(std::size_t i);
  bool undirected(std::size_t i);
  bool start_at(std::size_t i);
  bool times(std::size_t i);
  bool mutable_variable(std::size_t i);

  MendedTokens& tokens_;
  std::set<std::string> declared_;
  bool unclear_ = false;
};

}  // namespace vertigo::compiler::parse
