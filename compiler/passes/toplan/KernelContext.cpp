#include "compiler/passes/toplan/KernelContext.h"

#include <algorithm>
#include <iterator>

#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/toplan/ChooseCounts.h"
#include "compiler/passes/toplan/ChooseDomain.h"

namespace vertigo::compiler::toplan {

KernelContext::KernelContext(plan::Plan& plan) : plan_(plan) {
  const ir::Program& program = plan.program;
  for (const auto& parameter : program.parameters) names_.insert(parameter.name);
  for (const auto& state : program.states) names_.insert(state.name);
  for (const auto& column : program.edge_columns) names_.insert(column.name);
  for (const auto& state : program.edge_states) names_.insert(state.name);
  for (const auto& function : program.functions) names_.insert(function.name);
  const auto host_names = [&](auto& self, const std::vector<ir::StmtPtr>& body) -> void {
    for (const ir::StmtPtr& stmt : body) {
      if (stmt->kind == ir::StmtKind::HostLet || stmt->kind == ir::StmtKind::For)
        names_.insert(stmt->symbol);
      self(self, stmt->body);
      self(self, stmt->otherwise);
    }
  };
  host_names(host_names, program.body);
  shared_lists_ = shared_lists(plan);
  for (const ir::Phase& phase : program.phases)
    if (passes::has_sliced_domain(plan, phase.name))
      slices_[phase.name] =
          std::make_shared<const passes::SlicedDomain>(passes::find_sliced_domain(program, phase));
  if (passes::keeps_counts(plan)) kept_choice_ = passes::find_falling_choice(program);
}

const passes::FallingChoice* KernelContext::kept_choice() const {
  return kept_choice_ ? &*kept_choice_ : nullptr;
}

std::string KernelContext::kept_counts() {
  return edge_array("common", ir::ScalarKind::Int32,
                    "neighbours that the ends of an edge share over edges that count");
}

std::string KernelContext::counted() {
  return edge_array("counted", ir::ScalarKind::Bool, "which edges these numbers are over");
}

std::string KernelContext::edge_array(const std::string& wanted, const ir::Type& type,
                                      const std::string& reason) {
  const auto found = shared_.find("edges " + wanted);
  if (found != shared_.end()) return found->second;
  const std::string name = claim(wanted);
  plan_.buffers.push_back({.name = name,
                           .role = plan::BufferRole::EdgeState,
                           .type = type,
                           .of = "",
                           .reason = reason});
  shared_.emplace("edges " + wanted, name);
  return name;
}

std::string KernelContext::claim(const std::string& wanted) {
  std::string name = wanted;
  // A name once taken stays so: the numbers tried before need not be tried again.
  for (unsigned& number = next_.try_emplace(wanted, 2).first->second; names_.contains(name);
       ++number)
    name = wanted + "_" + std::to_string(number);
  names_.insert(name);
  return name;
}

std::string KernelContext::inbox(const std::string& message) {
  const auto found = shared_.find("inbox " + message);
  if (found != shared_.end()) return found->second;
  const ir::Message& declared = *program().find_message(message);
  const std::string name =
      add_buffer({.name = message + "_inbox",
                  .role = plan::BufferRole::Inbox,
                  .type = declared.type,
                  .of = message,
                  .packed = declared.type.is_tuple(),
                  .reason = "messages wait here until their vertex is active"});
  shared_.emplace("inbox " + message, name);
  return name;
}

std::string KernelContext::snapshot(const std::string& state) {
  const auto found = shared_.find("snapshot " + state);
  if (found != shared_.end()) return found->second;
  const std::string name =
      add_buffer({.name = state + "_before",
                  .role = plan::BufferRole::Snapshot,
                  .type = program().find_state(state)->type,
                  .of = state,
                  .reason = "neighbours read the values from before the step"});
  shared_.emplace("snapshot " + state, name);
  return name;
}

std::string KernelContext::edge_snapshot(const std::string& state) {
  const auto found = shared_.find("snapshot " + state);
  if (found != shared_.end()) return found->second;
  const std::string name = claim(state + "_before");
  plan_.buffers.push_back({.name = name,
                           .role = plan::BufferRole::EdgeState,
                           .type = program().find_edge_state(state)->kind,
                           .of = state,
                           .reason = "edges look at others as these were before the step"});
  shared_.emplace("snapshot " + state, name);
  return name;
}

std::string KernelContext::for_neighbours(const std::string& purpose, const std::string& wanted,
                                          const ir::Type& type) {
  const auto found = shared_.find("for neighbours " + purpose);
  if (found != shared_.end()) return found->second;
  const std::string name = add_buffer({.name = wanted,
                                       .role = plan::BufferRole::Payload,
                                       .type = type,
                                       .of = "",
                                       .reason = "computed once a vertex, read along every edge"});
  shared_.emplace("for neighbours " + purpose, name);
  return name;
}

std::string KernelContext::remembered(const std::string& phase) {
  const auto found = shared_.find("remembered " + phase);
  if (found != shared_.end()) return found->second;
  const std::string name = add_buffer(
      {.name = "objectors",
       .role = plan::BufferRole::Payload,
       .type = ir::ScalarKind::Vertex,
       .of = "",
       .reason = "the neighbour that was in the way the last time, which is asked first"});
  shared_.emplace("remembered " + phase, name);
  return name;
}

std::string KernelContext::order(ir::EdgeDirection direction) {
  const bool both = direction == ir::EdgeDirection::Both;
  const std::string wanted =
      both ? "by_degree" : "by_" + std::string(ir::to_string(direction)) + "_degree";
  const auto found = shared_.find("order " + wanted);
  if (found != shared_.end()) return found->second;
  const std::string name = add_buffer({.name = wanted,
                                       .role = plan::BufferRole::Order,
                                       .type = {},
                                       .of = "",
                                       .packed = false,
                                       .direction = direction,
                                       .reason = "gives the threads of a warp lists of about the "
                                                 "same length"});
  shared_.emplace("order " + wanted, name);
  return name;
}

std::string KernelContext::sorted_by(const std::string& state, unsigned loop) {
  const auto found = shared_.find("sorted " + state);
  const std::string name =
      found != shared_.end()
          ? found->second
          : add_buffer({.name = "by_" + state,
                        .role = plan::BufferRole::Sorted,
                        .type = program().find_state(state)->type,
                        .of = state,
                        .packed = false,
                        .reason = "rounds of a loop look at vertices of one value"});
  shared_.emplace("sorted " + state, name);
  const plan::Sorting sorting{name, loop};
  if (std::ranges::find(plan_.sortings, sorting) == plan_.sortings.end())
    plan_.sortings.push_back(sorting);
  return name;
}

std::vector<plan::Sorting> KernelContext::sortings_at_hand() const {
  std::vector<plan::Sorting> found;
  std::ranges::copy_if(plan_.sortings, std::back_inserter(found), [&](const plan::Sorting& each) {
    return std::ranges::find(loops_, each.loop) != loops_.end();
  });
  return found;
}

std::string KernelContext::slots(ir::EdgeDirection direction, bool once_if_symmetric) {
  const std::string wanted =
      "slots_along_" + std::string(ir::to_string(direction)) + (once_if_symmetric ? "_once" : "");
  const auto found = shared_.find("slots " + wanted);
  if (found != shared_.end()) return found->second;
  const std::string name =
      add_buffer({.name = wanted,
                  .role = plan::BufferRole::Slots,
                  .type = {},
                  .of = "",
                  .packed = false,
                  .direction = direction,
                  .once_if_symmetric = once_if_symmetric,
                  .reason = "every edge's message has a place of its own, column by column for 32 "
                            "receivers on a GPU"});
  shared_.emplace("slots " + wanted, name);
  return name;
}

std::string KernelContext::ballots(const ir::Type& value, ir::EdgeDirection direction) {
  const bool both = direction == ir::EdgeDirection::Both;
  const std::string known = "ballots " + to_string(value) + std::string(ir::to_string(direction));
  const auto found = shared_.find(known);
  if (found != shared_.end()) return found->second;
  const std::string name = add_buffer({.name = "ballots",
                                       .role = plan::BufferRole::Ballots,
                                       .type = value,
                                       .of = "",
                                       .packed = false,
                                       .direction = direction,
                                       .once_if_symmetric = both,
                                       .reason = "the values of a long list are counted here"});
  shared_.emplace(known, name);
  return name;
}

std::string KernelContext::messages(const std::string& purpose, const std::string& wanted,
                                    const ir::Message& message, const std::string& slots) {
  const auto found = shared_.find("messages " + purpose);
  if (found != shared_.end()) return found->second;
  const std::string name = add_buffer({.name = wanted,
                                       .role = plan::BufferRole::Messages,
                                       .type = message.type,
                                       .of = message.name,
                                       .packed = false,
                                       .slots = slots,
                                       .reason = "messages wait here to be combined"});
  shared_.emplace("messages " + purpose, name);
  return name;
}

std::string KernelContext::few_classes(const std::string& colours) {
  const auto found = shared_.find("few classes " + colours);
  if (found != shared_.end()) return found->second;
  const std::string name = add_buffer(
      {.name = "few_classes",
       .role = plan::BufferRole::Classes,
       .type = {},
       .of = "",
       .packed = false,
       .colours = colours,
       .reason = "no two vertices of a class are neighbours; those of no class are the rest"});
  shared_.emplace("few classes " + colours, name);
  return name;
}

std::string KernelContext::shared(plan::BufferRole role, const std::string& wanted,
                                  const std::string& reason) {
  const auto found = shared_.find(wanted);
  if (found != shared_.end()) return found->second;
  const std::string name = add_buffer(
      {.name = wanted,
       .role = role,
       .type = {},
       .of = role == plan::BufferRole::Counter || role == plan::BufferRole::Flag ? wanted : "",
       .packed = false,
       .reason = reason});
  shared_.emplace(wanted, name);
  return name;
}

std::string KernelContext::add_buffer(plan::Buffer buffer) {
  const bool named =
      buffer.role == plan::BufferRole::State || buffer.role == plan::BufferRole::EdgeState;
  if (!named) buffer.name = claim(buffer.name);
  plan_.buffers.push_back(std::move(buffer));
  return plan_.buffers.back().name;
}

std::string KernelContext::add_kernel(plan::Kernel kernel) {
  kernel.name = claim(kernel.name);
  plan_.kernels.push_back(std::move(kernel));
  return plan_.kernels.back().name;
}

std::string KernelContext::kernel(const std::string& name,
                                  const std::function<plan::Kernel()>& make) {
  const auto found = shared_.find("kernel " + name);
  if (found != shared_.end()) return found->second;
  const std::string made = add_kernel(make());
  shared_.emplace("kernel " + name, made);
  return made;
}

void KernelContext::refuse(const ir::Location& location, const std::string& construct,
                           const std::string& reason) {
  for (const Refusal& known : refusals_)
    if (known.location == location && known.construct == construct) return;
  refusals_.push_back({location, construct, reason});
}

std::string LocalNames::fresh(const std::string& wanted) {
  std::string name = wanted;
  // A name once taken stays so: the numbers tried before need not be tried again.
  for (unsigned& number = next_.try_emplace(wanted, 2).first->second;
       !context_->is_free(name) || used_.contains(name); ++number)
    name = wanted + "_" + std::to_string(number);
  used_.insert(name);
  return name;
}

}  // namespace vertigo::compiler::toplan
