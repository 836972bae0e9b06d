#pragma once
// How the parts of a plan are written in textual Plan IR; one table each for printer and reader.

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

template <class Kind, std::size_t size>
using Spellings = std::array<std::pair<Kind, std::string_view>, size>;

inline constexpr Spellings<KernelOp, 21> kKernelOps = {{{KernelOp::Let, "let"},
                                                        {KernelOp::Accumulator, "var"},
                                                        {KernelOp::Accumulate, "accumulate"},
                                                        {KernelOp::Store, "store"},
                                                        {KernelOp::CombineInto, "combine"},
                                                        {KernelOp::Take, "take"},
                                                        {KernelOp::If, "if"},
                                                        {KernelOp::ForEdges, "edges"},
                                                        {KernelOp::ForMessages, "messages"},
                                                        {KernelOp::LeaveEdges, "leave"},
                                                        {KernelOp::Vote, "vote"},
                                                        {KernelOp::Distinguish, "distinguish"},
                                                        {KernelOp::Append, "append"},
                                                        {KernelOp::SetBit, "set_bit"},
                                                        {KernelOp::ClearBit, "clear_bit"},
                                                        {KernelOp::Raise, "raise"},
                                                        {KernelOp::Count, "count"},
                                                        {KernelOp::ReduceInto, "reduce"},
                                                        {KernelOp::Sample, "sample"},
                                                        {KernelOp::Uncount, "uncount"},
                                                        {KernelOp::Alone, "alone"}}};

inline constexpr Spellings<Sharing, 8> kSharings = {{{Sharing::Warp, "by_warp"},
                                                     {Sharing::Block, "by_block"},
                                                     {Sharing::Mixed, "mixed"},
                                                     {Sharing::Edge, "by_edge"},
                                                     {Sharing::Auto, "auto"},
                                                     {Sharing::AutoAll, "auto_all"},
                                                     {Sharing::Grid, "grid"},
                                                     {Sharing::Rows, "rows"}}};

inline constexpr Spellings<KernelArgument::Kind, 7> kArguments = {
    {{KernelArgument::Kind::Graph, "graph"},
     {KernelArgument::Kind::Buffer, "buffer"},
     {KernelArgument::Kind::Parameter, "value"},
     {KernelArgument::Kind::List, "list"},
     {KernelArgument::Kind::Part, "part"},
     {KernelArgument::Kind::Step, "step"},
     {KernelArgument::Kind::Start, "start"}}};

inline constexpr Spellings<Caller, 3> kCallers = {
    {{Caller::Host, "host"}, {Caller::Loop, "loop"}, {Caller::Both, "both"}}};

inline constexpr Spellings<BufferRole, 18> kBufferRoles = {{{BufferRole::State, "state"},
                                                            {BufferRole::EdgeState, "edge_state"},
                                                            {BufferRole::Snapshot, "snapshot"},
                                                            {BufferRole::Inbox, "inbox"},
                                                            {BufferRole::Payload, "payload"},
                                                            {BufferRole::Bitmap, "bitmap"},
                                                            {BufferRole::Worklist, "worklist"},
                                                            {BufferRole::Flag, "flag"},
                                                            {BufferRole::Counter, "counter"},
                                                            {BufferRole::Scalar, "scalar"},
                                                            {BufferRole::Threshold, "threshold"},
                                                            {BufferRole::Order, "order"},
                                                            {BufferRole::Slots, "slots"},
                                                            {BufferRole::Messages, "messages"},
                                                            {BufferRole::Classes, "classes"},
                                                            {BufferRole::Ballots, "ballots"},
                                                            {BufferRole::Sorted, "sorted"},
                                                            {BufferRole::Hubs, "hubs"}}};

inline constexpr Spellings<ActionKind, 15> kActions = {{{ActionKind::Launch, "launch"},
                                                        {ActionKind::ClearBuffer, "clear"},
                                                        {ActionKind::ClearListed, "clear_listed"},
                                                        {ActionKind::FillWorklist, "fill"},
                                                        {ActionKind::RaiseFlag, "raise"},
                                                        {ActionKind::CopyBuffer, "copy"},
                                                        {ActionKind::Swap, "swap"},
                                                        {ActionKind::LoadInput, "load_input"},
                                                        {ActionKind::ForParts, "for_parts"},
                                                        {ActionKind::ForRest, "for_rest"},
                                                        {ActionKind::Renew, "renew"},
                                                        {ActionKind::Barrier, "barrier"},
                                                        {ActionKind::EachBlock, "each_block"},
                                                        {ActionKind::EndStep, "end_step"},
                                                        {ActionKind::EndUpdate, "end_update"}}};

/// Of Reach::Some nothing is written.
inline constexpr Spellings<Reach, 2> kReaches = {
    {{Reach::AllVertices, "over_all_vertices"}, {Reach::AllEdges, "over_all_edges"}}};

inline constexpr Spellings<Placement, 3> kPlacements = {{{Placement::Owned, "owned"},
                                                         {Placement::Replicated, "replicated"},
                                                         {Placement::Whole, "whole"}}};

/// Whether the action is about a kernel or buffer.
inline bool has_symbol(ActionKind kind) {
  return kind != ActionKind::Barrier && kind != ActionKind::EachBlock &&
         kind != ActionKind::EndUpdate;
}

inline constexpr Spellings<Balance, 8> kBalances = {{{Balance::Thread, "thread"},
                                                     {Balance::Warp, "warp"},
                                                     {Balance::Block, "block"},
                                                     {Balance::Mixed, "mixed"},
                                                     {Balance::Edge, "edge"},
                                                     {Balance::Sorted, "sorted"},
                                                     {Balance::Auto, "auto"},
                                                     {Balance::Rows, "rows"}}};

/// Whether a buffer of the role belongs to the edges of one direction.
inline bool has_direction(BufferRole role) {
  return role == BufferRole::Order || role == BufferRole::Slots || role == BufferRole::Ballots ||
         role == BufferRole::Hubs;
}

/// Whether a buffer of the role is filled by the graph before the runs.
inline bool is_prepared(BufferRole role) {
  return role == BufferRole::Order || role == BufferRole::Slots || role == BufferRole::Classes ||
         role == BufferRole::Hubs;
}

/// Whether a variant that needs a prepared buffer of the role runs without, too.
inline bool is_optional(BufferRole role) { return role == BufferRole::Hubs; }

/// Whether a buffer of the role asks the graph how much room it takes.
inline bool is_sized_by_graph(BufferRole role) {
  return has_direction(role) || role == BufferRole::Classes;
}

template <class Kind, std::size_t size>
std::string_view spelling(const Spellings<Kind, size>& table, Kind kind) {
  for (const auto& [known, text] : table)
    if (known == kind) return text;
  return "";
}

template <class Kind, std::size_t size>
std::optional<Kind> find_spelling(const Spellings<Kind, size>& table, std::string_view text) {
  for (const auto& [kind, known] : table)
    if (known == text) return kind;
  return std::nullopt;
}

}  // namespace vertigo::plan
