#pragma once
// What the phases of a program have to do with each other: who runs how often, who meets whose
// messages, who writes whose states. Looked up once for a program, as passes ask it of every phase.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

/// Messages whose inboxes the guard or the body reads.
std::set<std::string> messages_read(const Phase& phase);
/// The same, and those that the phase sends or starts with.
std::set<std::string> messages_of(const Phase& phase);
/// Messages that the body sends.
std::set<std::string> messages_sent(const Phase& phase);
/// Edges along which the body sends, and along which the guard or the body gathers.
std::set<EdgeDirection> sent_along(const Phase& phase);
/// Whether some message goes to a vertex that is a value, along no edge.
bool sends_to_one(const Phase& phase);
/// Whether a state is read of a vertex that is a value.
bool reads_of_values(const Phase& phase);
std::set<EdgeDirection> gathered_along(const Phase& phase);
/// States that the body assigns.
std::set<std::string> states_written(const Phase& phase);
bool writes(const Phase& phase, const std::string& state);

/// Of the program as it was when this was made. Questions about a phase that it did not have throw
/// std::out_of_range.
class Uses {
 public:
  Uses() = default;
  explicit Uses(const Program& program);

  /// At most one statement runs the phase, and it stands in no loop.
  bool runs_once(const std::string& phase) const;
  /// The `for` whose body is nothing but the phase, where nothing else runs it; else null. It
  /// belongs to the program.
  const Stmt* loop_of(const std::string& phase) const;
  /// That loop stands in no other.
  bool loop_runs_once(const std::string& phase) const;
  /// Another phase that assigns the state; "" where none does.
  std::string other_writer(const std::string& phase, const std::string& state) const;
  /// No other phase writes the states that this one writes, nor sends, starts or reads its
  /// messages.
  bool alone(const Phase& phase) const;
  /// Whether a phase that reads, sends or starts `message` may run after `phase` has ended, be it
  /// `phase` itself in the next round of a loop.
  bool met_after(const std::string& phase, const std::string& message) const;
  /// Whether no other phase reads, sends or starts `message`.
  bool belongs_to(const std::string& phase, const std::string& message) const;

 private:
  using Place = std::size_t;  // of a phase's statement, in the order of the text
  struct Runs {
    unsigned statements = 0;
    Place last = 0;  ///< the last of them
    bool in_loop = false;
    const Stmt* loop = nullptr;
    bool loop_in_loop = false;
  };

  void find_loops(const std::vector<StmtPtr>& body, bool in_loop);
  void number(const std::vector<StmtPtr>& body, bool in_loop, Place& next);
  void run_again(const std::vector<StmtPtr>& loop, Place from);

  std::map<std::string, Runs> runs_;
  std::map<std::string, std::set<std::string>> users_;    // message -> phases
  std::map<std::string, std::set<std::string>> writers_;  // state -> phases
  std::map<std::string, Place> last_use_;  // message -> the last statement that runs a user of it
  std::map<std::string, Place> first_after_;  // phase -> the first statement that may run after it
};

}  // namespace vertigo::ir
