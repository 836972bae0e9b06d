// The search for improving cycles as targets ask for it: with columns of their own.
#include <optional>
#include <utility>

#include "certify.h"
#include "improving_cycles.h"
#include "phase_code.h"
#include "read_verified.h"
#include "vertigo/reference/reference.h"

namespace vertigo::reference {
namespace {

class CycleSearch : public host::CycleSearch {
 public:
  explicit CycleSearch(std::string_view program_ir) : program_ir_(program_ir) {}

  std::string find(const host::RunRequest& request,
                   const host::CycleQuestion& question) const override {
    const ir::Program program = read_verified(program_ir_);
    const auto phase = moving(program, question.phase);
    if (!phase) return "";
    Context context(program, request);
    const StateStorage initial(context);
    const std::vector<ColumnRef> before =
        columns_of(question.before, *phase->state, context.vertex_count());
    if (!bind(context, *phase, question.now) || before.size() != phase->state->type.elements.size())
      return "";
    return improving_cycle(context, *phase, before);
  }

  std::string find_at_rest(const host::RunRequest& request,
                           const host::RestQuestion& question) const override {
    const ir::Program program = read_verified(program_ir_);
    const auto phase = moving(program, question.phase);
    // In other programs the state may have been written before the phase began.
    if (!phase || only_phase(program) != phase->source) return "";
    Context context(program, request);
    const StateStorage storage(context);
    const std::vector<ColumnRef> initial = context.resolver.state(phase->state->name).current;
    if (!bind(context, *phase, question.now)) return "";
    return improving_cycle_at_rest(context, *phase, initial);
  }

 private:
  static std::optional<MovingPhase> moving(const ir::Program& program, std::string_view name) {
    const ir::Phase* phase = program.find_phase(std::string(name));
    if (phase == nullptr) return std::nullopt;
    // The host's variables are known where the phase is the only one.
    return recognise_moving(program, *phase, only_phase(program) == phase);
  }

  /// False where a column of the phase's state is missing.
  static bool bind(Context& context, const MovingPhase& phase, const std::vector<Column>& now) {
    bool is_complete = false;
    for (const ir::State& state : context.program.states) {
      std::vector<ColumnRef> columns = columns_of(now, state, context.vertex_count());
      if (columns.size() != state.type.elements.size()) continue;
      StateColumns& bound = context.resolver.state(state.name);
      bound.current = bound.own = std::move(columns);
      is_complete |= &state == phase.state;
    }
    if (only_phase(context.program) == phase.source) bind_host_variables(context);
    return is_complete;
  }

  std::string_view program_ir_;
};

}  // namespace

std::unique_ptr<host::CycleSearch> search_cycles(std::string_view program_ir) {
  return std::make_unique<CycleSearch>(program_ir);
}

}  // namespace vertigo::reference
