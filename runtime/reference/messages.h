#pragma once
// Inboxes: their storage and what combining a value into one means.

#include <map>

#include "context.h"

namespace vertigo::reference {

/// The inboxes of every message of a program, by name.
class MessageTables {
 public:
  explicit MessageTables(Context& context);
  MessageTables(const MessageTables&) = delete;

  MessageTable& table(const std::string& name);
  /// For Combine::Any: choose `column`'s value for a vertex wherever it is among those sent.
  void prefer(const std::string& name, std::vector<ColumnRef> column);

 private:
  std::map<std::string, MessageTable> tables_;
};

/// Loads v's inbox into the message's slots.
inline void load_inbox(const MessageTable& message, Frame& frame, Vertex v) {
  for (std::size_t i = 0; i < message.inbox.size(); ++i)
    frame[message.slot + static_cast<unsigned>(i)] = message.inbox[i].load(v);
}

inline void reset_inbox(const MessageTable& message, Vertex v) {
  for (std::size_t i = 0; i < message.inbox.size(); ++i)
    message.inbox[i].store(v, message.identity[i]);
}
inline bool is_empty(const MessageTable& message, Vertex v) {
  for (std::size_t i = 0; i < message.inbox.size(); ++i)
    if (compare_words(message.inbox[i].kind, message.inbox[i].load(v), message.identity[i]) != 0)
      return false;
  return true;
}

}  // namespace vertigo::reference
