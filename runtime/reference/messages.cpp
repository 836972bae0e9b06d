#include "messages.h"

#include "arithmetic.h"
#include "vertigo/core/error.h"
#include "vertigo/core/value.h"

namespace vertigo::reference {
namespace {

using ir::Combine;

template <class T>
T combine_scalar(Combine combine, T a, T b) {
  switch (combine) {
    case Combine::Min:
      return smaller(a, b);
    case Combine::Max:
      return larger(a, b);
    case Combine::Sum:
      return accumulate(a, b);
    case Combine::Or:
      if constexpr (std::integral<T>) return a | b;
      return a;
    case Combine::And:
      if constexpr (std::integral<T>) return a & b;
      return a;
    case Combine::Xor:
      if constexpr (std::integral<T>) return a ^ b;
      return a;
    case Combine::Any:
    case Combine::Function:
      break;
  }
  return a;
}

template <class T, Combine combine>
bool deliver_scalar(MessageTable& message, Frame&, Vertex u, const Word* value) {
  T& inbox = static_cast<T*>(message.inbox[0].data)[u];
  const T combined = combine_scalar<T>(combine, inbox, from_word<T>(*value));
  if (combined == inbox) return false;
  inbox = combined;
  return true;
}

bool replace_inbox(MessageTable& message, Vertex u, const Word* value) {
  bool changed = false;
  for (std::size_t i = 0; i < message.inbox.size(); ++i) {
    const ColumnRef& column = message.inbox[i];
    changed |= compare_words(column.kind, column.load(u), value[i]) != 0;
    column.store(u, value[i]);
  }
  return changed;
}

template <class Other>
std::partial_ordering compare_value(const MessageTable& message, const Word* value,
                                    const Other& other) {
  return compare_tuples(
      message.inbox.size(), [&](std::size_t i) { return message.inbox[i].kind; },
      [&](std::size_t i) { return value[i]; }, other);
}

/// A tuple that holds NaN stands in no order: it is not even equal to itself.
bool deliver_tuple_extremum(MessageTable& message, Frame&, Vertex u, const Word* value) {
  if (compare_value(message, value, [&](std::size_t i) { return value[i]; }) != 0) return false;
  const std::partial_ordering order =
      compare_value(message, value, [&](std::size_t i) { return message.inbox[i].load(u); });
  const bool better = message.source->combine == Combine::Min ? order < 0 : order > 0;
  return better && replace_inbox(message, u, value);
}

/// Any value that was sent is a right answer. The first is taken, in the order of the senders' ids,
/// unless the preferred one is offered later.
bool deliver_any(MessageTable& message, Frame&, Vertex u, const Word* value) {
  const auto identity = [&](std::size_t i) { return message.identity[i]; };
  if (compare_value(message, value, identity) == 0) return false;
  Word held[8] = {};
  for (std::size_t i = 0; i < message.inbox.size(); ++i) held[i] = message.inbox[i].load(u);
  const bool empty = compare_value(message, held, identity) == 0;
  const bool preferred =
      !message.preferred.empty() && compare_value(message, value, [&](std::size_t i) {
                                      return message.preferred[i].load(u);
                                    }) == 0;
  return (empty || preferred) && replace_inbox(message, u, value);
}

bool deliver_elementwise(MessageTable& message, Frame&, Vertex u, const Word* value) {
  bool changed = false;
  for (std::size_t i = 0; i < message.inbox.size(); ++i)
    with_type(message.inbox[i].kind, [&]<class T>() {
      T& inbox = static_cast<T*>(message.inbox[i].data)[u];
      const T combined = combine_scalar<T>(message.source->combine, inbox, from_word<T>(value[i]));
      changed |= combined != inbox;
      inbox = combined;
    });
  return changed;
}

bool deliver_function(MessageTable& message, Frame& frame, Vertex u, const Word* value) {
  const auto size = static_cast<unsigned>(message.inbox.size());
  Word combined[8] = {};
  for (unsigned i = 0; i < size; ++i) {
    frame[message.function_slots + i] = message.inbox[i].load(u);
    frame[message.function_slots + size + i] = value[i];
  }
  for (unsigned i = 0; i < size; ++i) combined[i] = evaluate(message.function[i], frame);
  return replace_inbox(message, u, combined);
}

template <class T>
MessageTable::Deliver scalar_deliver_of(Combine combine) {
  switch (combine) {
    case Combine::Min:
      return deliver_scalar<T, Combine::Min>;
    case Combine::Max:
      return deliver_scalar<T, Combine::Max>;
    case Combine::Sum:
      return deliver_scalar<T, Combine::Sum>;
    case Combine::Or:
      return deliver_scalar<T, Combine::Or>;
    case Combine::And:
      return deliver_scalar<T, Combine::And>;
    case Combine::Xor:
      return deliver_scalar<T, Combine::Xor>;
    case Combine::Any:
      return deliver_any;
    case Combine::Function:
      break;
  }
  return deliver_function;
}

MessageTable::Deliver deliver_of(const ir::Message& message) {
  if (message.type.is_scalar())
    return with_type(message.type.scalar(),
                     [&]<class T>() { return scalar_deliver_of<T>(message.combine); });
  switch (message.combine) {
    case Combine::Min:
    case Combine::Max:
      return deliver_tuple_extremum;
    case Combine::Any:
      return deliver_any;
    case Combine::Function:
      return deliver_function;
    default:
      return deliver_elementwise;
  }
}

}  // namespace

MessageTables::MessageTables(Context& context) {
  for (const ir::Message& message : context.program.messages) {
    const std::size_t size = message.type.elements.size();
    if (size > 8) throw Error(ExitCode::Other, "a tuple has more than 8 elements");
    MessageTable& table = tables_[message.name];
    table.source = &message;
    table.identity = context.evaluate_now(*message.identity, message.type);
    table.slot = context.resolver.new_slots(size);
    table.deliver = deliver_of(message);
    table.storage.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const ScalarKind kind = message.type.elements[i];
      table.storage[i].resize(context.vertex_count() * size_of(kind));
      table.inbox.push_back({table.storage[i].data(), kind});
    }
    for (Vertex v = 0; v < context.vertex_count(); ++v) reset_inbox(table, v);
    if (message.combine == Combine::Function) {
      const ir::Function* function = context.program.find_function(message.function);
      if (function == nullptr)
        throw Error(ExitCode::Other, "damaged Program IR: no function '" + message.function + "'");
      table.function_slots = context.resolver.new_slots(2 * size);
      table.function = context.resolver.function_body(*function, table.function_slots);
    }
    context.resolver.bind_inbox(message.name, message.type, table.slot);
  }
  context.grow_frame();
}

MessageTable& MessageTables::table(const std::string& name) {
  const auto found = tables_.find(name);
  if (found == tables_.end())
    throw Error(ExitCode::Other, "damaged Program IR: no message '" + name + "'");
  return found->second;
}

void MessageTables::prefer(const std::string& name, std::vector<ColumnRef> column) {
  table(name).preferred = std::move(column);
}

}  // namespace vertigo::reference
