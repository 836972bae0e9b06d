#pragma once
// How a pass records a choice: the candidates in order of preference, each with its reason; the
// user's pin overrules the preference, never the law.

#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"
#include "compiler/passes/PassContext.h"

namespace vertigo::compiler::passes {

inline constexpr const char* kWholeProgram = "program";

/// The path in which a vertex may wait for its inbox to be worth more (choose-priority).
inline constexpr ExecutionPath kWaitingPath{Timing::Asynchronous, Direction::Push,
                                            Activation::DataDriven};

/// Why a coloured phase that sends is no pull.
inline constexpr const char* kSendsToOne =
    "a message goes to a vertex that is a value, along no edge";
inline constexpr const char* kColouredSends =
    "a vertex of a colour class sends at once, and later classes take what it sent";
inline constexpr const char* kPullsStates =
    "a pull that is not synchronous reads the states of neighbours: ";

struct Candidate {
  std::string value;
  bool legal = true;
  std::string reason;  ///< why to take it; of an illegal one: the rule that forbids it
};

/// Takes the pinned candidate or, where nothing is pinned, the first legal one; adds the Decision
/// and returns its value. A pin that is not legal is reported, with the rule that it breaks.
std::string decide(plan::Plan& plan, PassContext& context, const std::string& pass,
                   const std::string& subject, const std::string& key,
                   const std::vector<Candidate>& candidates);

/// The values that may be used: the pinned one alone, or all legal ones, the decided one first.
std::vector<std::string> allowed(const plan::Plan& plan, const std::string& subject,
                                 const std::string& key);
/// Whether nothing but `value` is left of the decision.
bool is_only_allowed(const plan::Plan& plan, const std::string& subject, const std::string& key,
                     const std::string& value);

/// What infer-algebra found out about a phase of the program.
const ir::Algebra& algebra_of(const plan::Plan& plan, const std::string& phase);

/// Proved by infer-algebra, or asserted by the user.
bool is_order_free(const plan::Plan& plan, const std::string& phase);
bool sends(const plan::Plan& plan, const std::string& phase);
bool gathers(const plan::Plan& plan, const std::string& phase);

/// Spelling that pins the value: "main.direction=pull", "transfer=resident".
std::string pin_of(const plan::Decision& decision, const std::string& value);

}  // namespace vertigo::compiler::passes
