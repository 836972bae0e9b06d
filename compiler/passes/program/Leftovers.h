#pragma once
// What a phase leaves in inboxes when it ends, and who could find it there. A phase `update … when`
// empties what it reads, unless the message is kept: what was sent but not taken depends on the
// order of activations.

#include <map>
#include <set>
#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// Messages whose inboxes the guard or the body reads.
std::set<std::string> messages_read(const ir::Phase& phase);
/// The same, and those that the phase sends or starts with.
std::set<std::string> messages_of(const ir::Phase& phase);

/// Which phases have to do with a message, and whether they may run after another one.
class MessageUses {
 public:
  explicit MessageUses(const ir::Program& program);

  /// Whether a phase that reads, sends or starts `message` may run after `phase` has ended, be it
  /// `phase` itself in the next round of a loop.
  bool met_after(const std::string& phase, const std::string& message) const;
  /// Whether no other phase reads, sends or starts `message`.
  bool belongs_to(const std::string& phase, const std::string& message) const;

 private:
  using Place = std::size_t;  // of a phase's statement, in the order of the text

  void number(const std::vector<ir::StmtPtr>& body, Place& next);
  void run_again(const std::vector<ir::StmtPtr>& loop, Place from);

  std::map<std::string, std::set<std::string>> users_;  // message -> phases
  std::map<std::string, Place> last_run_;               // phase -> its last statement
  std::map<std::string, Place> first_after_;  // phase -> the first statement that may run after it
};

/// True where the phase leaves nothing in the inboxes of `message` once no vertex is active: it
/// alone has to do with the message, and its guard holds wherever an inbox is not empty.
bool takes_all(const ir::Program& program, const ir::Phase& phase, const MessageUses& uses,
               const std::string& message);

}  // namespace vertigo::compiler::passes
