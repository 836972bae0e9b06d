#pragma once
// Private to this folder: statements and declarations of other languages.

#include <vector>

#include "compiler/parse/MendedTokens.h"

namespace vertigo::compiler::parse {

/// The type of this language that C and others call `word`; "" where it is none.
std::string type_of_c(llvm::StringRef word);

class ForeignStatements {
 public:
  explicit ForeignStatements(MendedTokens& tokens) : tokens_(tokens) {}

  /// To be called for every token in order; acts on those that begin a statement.
  void look(std::size_t i);
  /// A block without braces was met: what follows cannot be told apart.
  bool unclear() const { return unclear_; }

 private:
  void follow_blocks(std::size_t i);
  bool in_body() const { return !bodies_.empty() && bodies_.back(); }

  bool misspelt_else(std::size_t i);
  bool jump(std::size_t i);
  bool loop(std::size_t i);
  bool function(std::size_t i);
  bool function_of_c(std::size_t i);
  bool variable(std::size_t i);
  bool block_of_python(std::size_t i);
  bool branch_without_braces(std::size_t i);
  void report_function(std::size_t first, std::size_t open, std::size_t name);

  MendedTokens& tokens_;
  std::vector<bool> bodies_;  ///< of the open braces: is it in an update or a start?
  std::size_t head_ = 0;      ///< type of the first token of this statement
  bool unclear_ = false;
};

}  // namespace vertigo::compiler::parse
