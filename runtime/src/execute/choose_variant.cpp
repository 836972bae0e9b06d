#include "vertigo/execute/choose_variant.h"

#include <algorithm>

#include "vertigo/core/error.h"
#include "vertigo/core/substitute.h"

namespace vertigo::execute {
namespace {

int rank(const host::VariantInfo& variant) {
  return rank_as_substitute(read_variant(variant.name).value_or(EngineName{}));
}

[[noreturn]] void refuse_phase(const host::PhaseInfo& phase, const std::string& why) {
  throw Error(ExitCode::Usage, "phase '" + std::string(phase.name) + "'" + why);
}

class Chooser {
 public:
  Chooser(const host::PhaseInfo& phase, const host::RunRequest& request,
          const std::function<Payoff(const host::VariantInfo&)>& payoff)
      : phase_(phase), request_(request), payoff_(payoff) {}

  Chosen pinned(const std::string& name) const {
    const auto found = std::ranges::find(phase_.variants, name, &host::VariantInfo::name);
    if (found == phase_.variants.end()) refuse(" has no schedule '" + name + "'");
    if (const Lack* const lack = lack_of(*found, request_))
      refuse(": '" + name + "' needs " + std::string(lack->need) + "; " + std::string(lack->found));
    if (request_.deterministic && !found->deterministic)
      refuse(": '" + name +
             "' adds floating values in no fixed order, which --deterministic rules out");
    return chosen(*found, "pinned by --schedule");
  }

  Chosen best() const {
    const host::VariantInfo& preferred = preferred_of(phase_, request_);
    const Lack* const lack = lack_of(phase_.variants.at(phase_.preferred), request_);
    Payoff payoff = payoff_of(preferred);
    if (lack != nullptr && payoff.worth) payoff.reason = lack->reason;
    if (is_allowed(preferred) && payoff.worth) return chosen(preferred, payoff.reason);
    const auto pays = [&](const auto& variant) {
      return is_allowed(variant) && payoff_of(variant).worth;
    };
    if (!payoff.worth)
      if (const host::VariantInfo* other = next_best(phase_, pays))
        return chosen(*other, payoff.reason);
    if (is_allowed(preferred))
      return chosen(preferred, lack != nullptr ? lack->reason : Payoff{}.reason);
    const auto other = std::ranges::find_if(
        phase_.variants, [&](const auto& variant) { return is_allowed(variant); });
    if (other == phase_.variants.end()) refuse(" has no schedule that --deterministic permits");
    return chosen(*other, "the first that --deterministic permits");
  }

 private:
  bool is_allowed(const host::VariantInfo& variant) const {
    return (!request_.deterministic || variant.deterministic) &&
           lack_of(variant, request_) == nullptr;
  }
  Payoff payoff_of(const host::VariantInfo& variant) const {
    return payoff_ ? payoff_(variant) : Payoff{};
  }
  Chosen chosen(const host::VariantInfo& variant, std::string_view reason) const {
    return {static_cast<std::size_t>(&variant - phase_.variants.data()), variant.name, reason};
  }
  [[noreturn]] void refuse(const std::string& why) const { refuse_phase(phase_, why); }

  const host::PhaseInfo& phase_;
  const host::RunRequest& request_;
  const std::function<Payoff(const host::VariantInfo&)>& payoff_;
};

}  // namespace

const Lack* lack_of(const host::VariantInfo& variant, const host::RunRequest& request) {
  static constexpr Lack kNegative{
      "weights that are not negative", "the graph has negative ones",
      "the preferred one needs weights and inputs that are not negative"};
  static constexpr Lack kDirected{"a symmetric graph", "this one is not known to be",
                                  "the preferred one needs a symmetric graph"};
  static constexpr Lack kParallel{"a graph without parallel edges",
                                  "this one is not known to be one",
                                  "the preferred one needs a graph without parallel edges"};
  if (variant.non_negative && request.negative_weights) return &kNegative;
  if (variant.symmetric && !request.graph.symmetric) return &kDirected;
  if (variant.no_duplicates && !request.graph.no_duplicates) return &kParallel;
  return nullptr;
}

const host::VariantInfo& preferred_of(const host::PhaseInfo& phase,
                                      const host::RunRequest& request) {
  const host::VariantInfo& preferred = phase.variants.at(phase.preferred);
  const Lack* const lack = lack_of(preferred, request);
  if (lack == nullptr) return preferred;
  const host::VariantInfo* const best = next_best(phase, [&](const host::VariantInfo& variant) {
    return lack_of(variant, request) == nullptr;
  });
  if (best == nullptr)
    refuse_phase(phase, " was compiled with variant=" + std::string(preferred.name) +
                            ", which needs " + std::string(lack->need) + "; " +
                            std::string(lack->found));
  return *best;
}

Chosen choose_variant(const host::PhaseInfo& phase, const host::RunRequest& request,
                      const std::function<Payoff(const host::VariantInfo&)>& payoff) {
  const Chooser chooser(phase, request, payoff);
  const auto pinned = request.schedule.find(std::string(phase.name));
  const bool is_pinned = pinned != request.schedule.end() && !pinned->second.empty();
  return is_pinned ? chooser.pinned(pinned->second) : chooser.best();
}

const host::VariantInfo* next_best(const host::PhaseInfo& phase,
                                   const std::function<bool(const host::VariantInfo&)>& fits) {
  const host::VariantInfo* best = nullptr;
  for (const host::VariantInfo& variant : phase.variants)
    if (fits(variant) && (best == nullptr || rank(variant) < rank(*best))) best = &variant;
  return best;
}

}  // namespace vertigo::execute
