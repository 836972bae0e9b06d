#pragma once
// Private to check: the names that are visible at a place.

#include <map>
#include <string>
#include <vector>

#include "compiler/ast/Stmt.h"

namespace vertigo::compiler::check {

/// Nested scopes. A name has one meaning at a place: no scope may redeclare a name of one around
/// it. Where one does all the same, the inner meaning holds there.
class Scopes {
 public:
  Scopes() { push(); }

  void push() { levels_.emplace_back(); }
  void pop() { levels_.pop_back(); }

  const ast::Decl* find(const std::string& name) const {
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
      if (auto found = level->find(name); found != level->end()) return found->second;
    return nullptr;
  }
  /// What the program declares: states and messages are told apart from locals by how they are
  /// written, so that these hide none.
  const ast::Decl* find_of_program(const std::string& name) const {
    const auto found = levels_.front().find(name);
    return found == levels_.front().end() ? nullptr : found->second;
  }
  bool is_outermost() const { return levels_.size() == 1; }
  void add(const ast::Decl& decl) { levels_.back()[decl.name.text] = &decl; }

  /// Every visible name, for suggestions.
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& level : levels_)
      for (const auto& [name, decl] : level) result.push_back(name);
    return result;
  }

 private:
  std::vector<std::map<std::string, const ast::Decl*>> levels_;
};

/// Opens a scope for as long as it lives.
class ScopeGuard {
 public:
  explicit ScopeGuard(Scopes& scopes) : scopes_(scopes) { scopes_.push(); }
  ~ScopeGuard() { scopes_.pop(); }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Scopes& scopes_;
};

}  // namespace vertigo::compiler::check
