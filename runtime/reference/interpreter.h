#pragma once
// Runs a program: host statements, phases, and how a phase proceeds.

#include <map>
#include <string>
#include <vector>

#include "phase_code.h"
#include "recognise.h"
#include "vertigo/reference/reference.h"

namespace vertigo::reference {

class Interpreter {
 public:
  Interpreter(const ir::Program& program, const host::RunRequest& request);

  /// Where a program leaves something open, takes what the given result shows: of messages with
  /// `combine any` what was chosen, if it is among those sent; of an accumulation with a threshold
  /// what it came to, if start and messages balance. A right result is then reproduced.
  void follow(const host::RunResult& result);
  /// Whether that worked, after the run. Of the message: a state shows what each vertex took.
  bool follows(const ir::Message& message) const { return followed_.contains(message.name); }
  bool follows(const ir::Phase& phase) const { return accumulations_.contains(phase.name); }
  /// What was found of the accumulations that were followed.
  const CheckReport& followed_report() const { return followed_report_; }
  host::RunResult run();
  /// How often an integer left its type while it ran, and became inf.
  std::uint64_t saturated() const { return context_.frame.saturated; }

 private:
  // Host level.
  std::vector<HostAction> resolve_host(const std::vector<ir::StmtPtr>& statements);
  HostAction resolve_host_statement(const ir::Stmt& statement);
  void run_host(const std::vector<HostAction>& actions);
  void run_for(const HostAction& action);
  std::int64_t host_integer(const Node* node, const ir::Type& type);

  // One phase.
  void run_phase(const PhaseCode& phase);
  /// Drops what the phase has left in the inboxes that it reads and that are not kept.
  void empty_inboxes(const PhaseCode& phase);
  void run_starts(const PhaseCode& phase);
  void start_vertex(const StartCode& start, Vertex v);
  void run_synchronous(const PhaseCode& phase);
  void run_serializable(const PhaseCode& phase);
  const std::vector<Vertex>& serial_order();
  void run_sweep(const PhaseCode& phase);
  /// Asks the candidates; those whose guard holds become active and have their inboxes taken.
  void take_active(const PhaseCode& phase);
  void take_inbox(const MessageTable& message, Vertex v);
  void run_active(const PhaseCode& phase);
  bool is_active(const PhaseCode& phase, Vertex v);
  bool limit_reached(const PhaseCode& phase, std::uint64_t step);
  void commit(const PhaseCode& phase, const std::vector<Vertex>& vertices);
  void next_candidates();
  void begin_step(const PhaseCode& phase, std::uint64_t step);
  void end_step(const PhaseCode& phase, std::uint64_t active);

  // Bodies.
  void run_actions(const Actions& actions, Vertex v);
  void assign(const Action& action, Vertex v);
  void update_edges(const Action& action, Vertex v);
  void send(const Action& action, Vertex v);
  void deliver(MessageTable& message, Vertex receiver, const Word* value);
  void mark_pending(Vertex v);

  // What is open, where a result is followed.
  void follow_choices_of(const host::RunResult& result);
  void follow_accumulations_of(const host::RunResult& result);
  /// In the place of running the phase; false where it has to be run.
  bool take_result(const PhaseCode& phase);
  void note_choice(const MessageTable& message, Vertex v);

  // Programs that have no fixed point.
  void watch_convergence(const PhaseCode& phase, std::uint64_t step);
  void begin_watch(const PhaseCode& phase, bool is_first_run);
  void end_watch(const PhaseCode& phase);

  Context context_;
  MessageTables messages_;
  StateStorage states_;
  std::map<std::string, PhaseCode> phases_;
  struct HostVariable {
    ir::Type type;
    unsigned slot = 0;
  };
  std::map<std::string, HostVariable> host_variables_;
  host::RunResult result_;
  std::map<std::string, std::size_t> summaries_;
  host::PhaseSummary* summary_ = nullptr;

  std::vector<Vertex> candidates_;     ///< asked in this step, ascending
  std::vector<Vertex> next_;           ///< of which an inbox changed, in any order
  std::vector<std::uint8_t> pending_;  ///< stands in next_, or was started
  std::vector<Vertex> active_;
  std::vector<Vertex> serial_order_;  ///< of serializable phases; empty until one runs
  std::vector<Word> taken_;           ///< inboxes of active_, in its order
  std::uint64_t edges_before_step_ = 0;
  double run_begin_ = 0;
  double step_begin_ = 0;

  /// Of a phase that may improve values round a cycle: its state when it began, where nobody wrote
  /// it before, and when a cycle was last sought.
  std::vector<std::vector<std::byte>> initial_, before_;
  std::uint64_t next_search_ = 0;  ///< so many activations are to come until then

  /// Messages whose choices are followed, and which vertices have taken one.
  std::map<std::string, std::vector<std::uint8_t>> followed_;
  struct FollowedPhase {
    LinearPhase phase;
    std::vector<ColumnRef> shown;
  };
  std::map<std::string, FollowedPhase> accumulations_;
  CheckReport followed_report_;
};

}  // namespace vertigo::reference
