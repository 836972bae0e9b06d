#pragma once
// What a device does of the reading of a file: it parses text, lines of two or three numbers, and
// takes lists as they stand in binary files. It does what it is sure of. Whatever else it meets is
// a doubt, and the readers of this library then read the file from the beginning, so that there is
// one place that knows what is refused and in which words.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vertigo/core/scalar.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/trace/stage.h"

namespace vertigo::graph {

/// Thrown where a device does not take a file, or does not go on with it.
struct DeviceDoubt {
  std::string reason;  ///< in words that go on from "the host read it: "
};

/// What the weights of a text are.
enum class TextWeights : std::uint8_t {
  None,
  Any,  ///< integers, or real numbers for all where one has a fraction or an exponent
  Integers,
  Reals,
};

/// Takes the pieces of an array, in no order and from the threads of one parallel region.
class PieceSink {
 public:
  /// Bytes of a piece, at most.
  static constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  virtual ~PieceSink() = default;
  /// Where the calling thread writes its next piece.
  virtual std::byte* take() = 0;
  /// What it wrote there is bytes [at, at + bytes) of the array. It may be read until the thread
  /// takes another piece.
  virtual void send(std::uint64_t at, std::size_t bytes) = 0;
};
/// Brings an array to whom it is given.
using Deliver = std::function<void(PieceSink& sink)>;

/// Lines "source target" or "source target weight" between comments and blank lines; the last one
/// has an end.
struct EdgeText {
  std::uint64_t bytes = 0;  ///< a line begins with the first
  Deliver deliver;
  std::array<char, 2> comments{'#', '%'};  ///< what a comment begins with
  char mark = 0;                           ///< the first word of a line with an edge; 0: none
  std::uint32_t first_id = 0;              ///< is taken off every id
  TextWeights weights = TextWeights::None;
  bool keep_weights = false;                    ///< else they are only looked at
  std::vector<trace::Stage>* stages = nullptr;  ///< what took how long
};

/// How ids become vertices.
struct IdNumbers {
  Vertex vertices = 0;
  bool by_rank = false;     ///< the place among the ids that appear
  std::uint32_t shift = 0;  ///< else this less
};

/// What one pass over the lists of a device tells.
struct ListFacts {
  EdgeIndex self_loops = 0;
  EdgeIndex duplicates = 0;
};

/// The edges of a text in the memory of a device.
class DeviceEdges {
 public:
  virtual ~DeviceEdges() = default;
  virtual std::uint64_t count() const = 0;
  /// Ids that edges name, where there is an edge.
  virtual std::uint32_t smallest_id() const = 0;
  virtual std::uint32_t largest_id() const = 0;
  virtual bool has_reals() const = 0;
  /// Bit i is set where an edge names the id i, up to the largest.
  virtual std::vector<std::uint64_t> ids_that_appear() = 0;
  /// Sorts the edges by source and target; parallel ones keep their order. To be called once.
  virtual ListFacts sort(const IdNumbers& numbers) = 0;
  /// The sorted edges as lists. None are left here.
  virtual std::shared_ptr<const DeviceLists> keep() = 0;
};

struct StoredWeights {
  ScalarKind stored;
  ScalarKind kept;  ///< holds all values of the other
  Deliver deliver;  ///< as many as edges
};

/// Lists that stand in a file as they are kept, list by list.
struct StoredLists {
  Array<EdgeIndex> offsets;  ///< one more than vertices; they are right
  Deliver deliver_targets;
  /// A target of 32 bits and a signed weight of 32 bits in turn: the weights have nobody else who
  /// delivers them.
  bool has_cells = false;
  std::optional<StoredWeights> weights = std::nullopt;  ///< nothing: none are kept
};

struct TakenLists {
  std::shared_ptr<const DeviceLists> lists;
  ListFacts facts;
};

class ReadingDevice {
 public:
  virtual ~ReadingDevice() = default;
  /// Throws DeviceDoubt, and what delivering the text throws.
  virtual std::unique_ptr<DeviceEdges> parse(const EdgeText& text) = 0;
  /// Throws DeviceDoubt where a target is out of range, a list does not ascend or a weight is
  /// infinite or no number, and what delivering throws.
  virtual TakenLists take(const StoredLists& stored) = 0;
};

}  // namespace vertigo::graph
