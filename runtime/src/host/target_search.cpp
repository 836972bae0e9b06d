#include "host/target_search.h"

#include <exception>
#include <iterator>
#include <system_error>
#include <utility>

namespace vertigo::host {

void TargetSearch::begin(std::function<TargetChoice()> choose, unsigned device, Where where) {
  choice_ = promise_.get_future().share();
  if (where == Where::Here) promise_.set_value(choose());
  const auto search = [this, choose = std::move(choose), device, where] {
    try {
      if (where == Where::Aside) {
        const trace::StageScope stage(stages_, "find device");
        promise_.set_value(choose());
      }
    } catch (...) {
      failed_ = true;
      promise_.set_exception(std::current_exception());
      return;
    }
    start(choice_.get(), device);
  };
  if (where == Where::Here && choice_.get().target->start == nullptr) return;
  try {
    thread_ = std::thread(search);
  } catch (const std::system_error&) {
    search();
  }
}

void TargetSearch::start(const TargetChoice& choice, unsigned device) {
  if (choice.target->start == nullptr) return;
  try {
    const trace::StageScope stage(stages_, "start device");
    choice.target->start(device);
  } catch (const std::exception&) {
    // The run will say it.
  }
}

TargetChoice TargetSearch::choice() { return choice_.get(); }

void TargetSearch::finish(std::vector<trace::Stage>& stages) {
  join();
  std::move(stages_.begin(), stages_.end(), std::back_inserter(stages));
  stages_.clear();
}

}  // namespace vertigo::host
