#pragma once
// The attributes of edges in a file of the cached form: which there are, and the columns that a run
// needs. Each distinct record of attributes is there once; the weights of the file's edges are
// numbers of records.

#include <optional>
#include <string_view>
#include <vector>

#include "cached_file.h"
#include "raw_graph.h"

namespace vertigo::graph {

class AttributeColumns {
 public:
  /// Of a file that has attributes. Throws ExitCode::InputRefused where what is said of them is not
  /// true or could not be a program's.
  explicit AttributeColumns(CachedFile& file);

  const std::vector<RecordField>& fields() const { return fields_; }
  /// The column that a program means by this name; nothing where there is none. Throws
  /// ExitCode::InputRefused where it could be two.
  std::optional<std::size_t> find(std::string_view name) const;
  /// The one that serves as the weight: `wanted`, or where that is empty the one that is named so.
  std::optional<std::size_t> weight(const std::vector<std::string>& wanted) const;

  /// Numbers of records become what the options ask for: numbers of records of their fields, which
  /// then are raw.table, or weights. Nothing is left where neither is there.
  void attach(RawGraph& raw, const ReadContext& context);
  /// Refuses edges whose number is none of a record.
  void check_numbers(const Adjacency& adjacency, CachedSection section) const;
  /// Reads and checks all values, and that no two records are the same.
  void verify();

 private:
  void read_names(const Array<std::byte>& said);
  std::optional<std::size_t> usual_weight() const;
  void check_values(std::size_t column, const Array<std::byte>& values) const;
  Array<std::byte> read(std::size_t column);
  void attach_weights(RawGraph& raw, std::size_t column);
  void attach_table(RawGraph& raw, const std::vector<EdgeField>& wanted,
                    const std::vector<std::optional<std::size_t>>& columns);
  void convert_column(const RawGraph& raw, std::size_t column, const EdgeField& field,
                      std::byte* first, std::size_t stride);

  CachedFile& file_;
  std::uint64_t records_ = 0;
  std::vector<RecordField> fields_;
  std::vector<std::uint64_t> begins_;  // of each column in the values' section
  std::vector<std::uint64_t> checksums_;
};

}  // namespace vertigo::graph
