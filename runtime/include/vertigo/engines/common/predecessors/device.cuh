#pragma once
// Witnesses after values: phases whose messages are pairs (value, witness), where the value that is
// sent depends on the value that arrived alone, and the witness on the sender alone. An engine
// finds the values; then every vertex takes the best witness among its start, its first state and
// the messages of those in-neighbours whose value is its own. Values are final by then, so a
// message can be computed again from the sender's, and one pass over in-edges is enough; nobody
// writes what another one reads, so it needs no atomics. docs/decisions/witnesses-after-values.md
// has the proof.
//
// Lists are shared out by length: the first edges of each to one lane, the next ones to a warp, the
// rest to a block. A list is left early where its order says that nothing better can follow: at the
// first match where ids ascend and the witness is the sender (no combination takes the largest
// vertex), at the first weight that is too bad where weights are sorted.

#include "vertigo/device/prepare.cuh"
#include "vertigo/engines/common/predecessors/lookup.cuh"

namespace vertigo::gpu::predecessors {

/// What an engine for pairs has besides the one for its values.
template <class Operators>
class Witnesses {
  using Pair = decltype(Operators{}.initial());
  using Value = decltype(get<0>(Pair{}));

 public:
  /// `ordered`: lists are long enough to look whether their ids ascend.
  void declare(Session& session, bool ordered) {
    session.declare(log_, "log of predecessors");
    session.declare(values_, "values");
    session.declare(start_values_, "start values");
    session.declare(words_, 1, "predecessors (counters)");
    session.declare(long_lists_, session.edge_count() / kLongList + 1, "predecessors (long lists)");
    is_ordered_ = ordered;
    if (ordered) session.declare(descents_, 1, "predecessors (order of lists)");
  }
  void prepare(Session& session, const EdgeIndex* offsets, const Vertex* targets) {
    if (!is_ordered_) return;
    const prepare::Neighbours lists{offsets, targets, session.vertex_count(), session.edge_count()};
    prepare::count_descents(session.stream(), lists, descents_);
  }

  template <class Inbox>
  void begin(Session& session, const Operators& operators, const Inbox* starts) {
    session.clear(words_, 1);
    detail::take_first_elements<Operators, Pair><<<session.blocks(), kBlock, 0, session.stream()>>>(
        operators, session.vertex_count(), starts, values_, start_values_, words_);
    session.launched("take_first_elements");
  }
  Value* values() const { return values_; }
  const Value* start_values() const { return start_values_; }
  const unsigned long long* descents() const { return descents_; }
  Words* words() const { return words_; }
  const StepLog& log() const { return log_; }

  /// After phase.begin(log()).
  template <class Lists, class Inbox>
  void find(Phase& phase, const Operators& operators, const Lists& lists, const Inbox* starts,
            Pair* states) {
    Session& session = phase.session();
    const Task<Operators, Lists, Inbox> task{
        operators,   lists, session.vertex_count(), values_, start_values_, starts, states, words_,
        long_lists_, log_};
    const auto kernel = detail::find_predecessors<Task<Operators, Lists, Inbox>>;
    const unsigned most = most_resident_blocks(kernel, kLookupThreads);
    const unsigned wanted = session.vertex_count() / kLookupThreads + 1;
    launch_cooperative(kernel, wanted < most ? wanted : most, kLookupThreads, session.stream(),
                       task);
    session.launched("find_predecessors");
  }
  void finish(Phase& phase) {
    phase.finish(log_, {"predecessors"}, "who sent the values that were found");
  }

 private:
  StepLog log_;
  bool is_ordered_ = false;
  Value* values_ = nullptr;
  Value* start_values_ = nullptr;
  Words* words_ = nullptr;
  Vertex* long_lists_ = nullptr;
  unsigned long long* descents_ = nullptr;
};

}  // namespace vertigo::gpu::predecessors
