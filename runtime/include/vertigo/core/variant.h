#pragma once
// The ways to run a phase, and their names. The compiler lists those that are legal, the runtime
// chooses among them; both spell and read a name here.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace vertigo {

/// Coloured: asynchronous, one colour class after the other, so that neighbours never run together
/// (Frog, section 3).
enum class Timing : std::uint8_t { Synchronous, Asynchronous, Coloured };
enum class Direction : std::uint8_t { Push, Pull };
enum class Activation : std::uint8_t { DataDriven, TopologyDriven };

/// How each step of a phase runs: one of the eight execution paths (SEP-Graph, section 3), or
/// coloured over all vertices.
struct ExecutionPath {
  Timing timing = Timing::Synchronous;
  Direction direction = Direction::Push;
  Activation activation = Activation::DataDriven;
  bool operator==(const ExecutionPath&) const = default;
};

/// All of them, in the order in which they are listed.
inline constexpr std::array<ExecutionPath, 10> kExecutionPaths = [] {
  std::array<ExecutionPath, 10> paths{};
  for (std::size_t i = 0; i < 8; ++i)
    paths[i] = {static_cast<Timing>(i / 4), static_cast<Direction>(i / 2 % 2),
                static_cast<Activation>(i % 2)};
  paths[8] = {Timing::Coloured, Direction::Push, Activation::TopologyDriven};
  paths[9] = {Timing::Coloured, Direction::Pull, Activation::TopologyDriven};
  return paths;
}();

/// A controller changes between paths from step to step (SEP-Graph, section 4.3).
struct Hybrid {
  bool operator==(const Hybrid&) const = default;
};

/// An algorithm of the runtime runs the phase as a whole.
struct EngineName {
  std::string name;
  bool operator==(const EngineName&) const = default;
};

/// What a variant of a phase is, as its name says it.
using VariantKind = std::variant<ExecutionPath, Hybrid, EngineName>;

inline constexpr const char* kHybridName = "hybrid";

/// "sync-push-data", "hybrid", the name of an engine.
std::string spelling(const VariantKind& kind);

/// The kind that is spelled so; none where no variant can be called that. A word that is neither a
/// path nor "hybrid" is taken for an engine: which engines there are, the compiler knows.
std::optional<VariantKind> read_variant(std::string_view name);

/// The path that a name spells; none for an engine and for "hybrid".
std::optional<ExecutionPath> read_path(std::string_view name);

/// A choice that a path is made of, as --schedule spells it: timing=async.
struct AxisValue {
  std::string_view axis;   ///< "timing", "direction" or "activation"
  std::string_view value;  ///< "data-driven", not "data"
  bool operator==(const AxisValue&) const = default;
};

inline constexpr std::array<std::string_view, 3> kAxes{"timing", "direction", "activation"};

/// The three choices of a path, in the order of kAxes.
std::array<AxisValue, 3> choices_of(const ExecutionPath& path);

/// What `text` says on an axis, spelled as `choices_of` does; none where it says nothing. Short
/// forms are understood, and long ones: "data", "asynchronous".
std::optional<std::string_view> read_axis_value(std::string_view axis, std::string_view text);

}  // namespace vertigo
