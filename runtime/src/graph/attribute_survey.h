#pragma once
// Which attributes a file's edges have, from all of its values: what a copy in the cached form is
// to keep, while no program says what it needs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::graph {

/// What the values of a column are. They are taken one by one, or as what others have found.
class ColumnKind {
 public:
  void take(std::string_view text);
  /// What comes behind this in the file.
  void take(const ColumnKind& behind);
  /// bool: true and false, or 1 and 0 beside these. int64, or uint64 where that is too small: whole
  /// numbers without point and exponent. float64: finite numbers. Nothing: anything else, or no
  /// values.
  std::optional<ScalarKind> kind() const;
  /// Why there is no kind.
  std::string reason() const;

 private:
  void take_number(std::string_view text);
  bool is_mixed() const { return truths_ && number_; }

  bool any_ = false;
  bool truths_ = false;
  bool number_ = false;  // other than 0 and 1, which may be truth values
  bool whole_ = false;
  bool real_ = false;
  bool negative_ = false;
  bool beyond_int64_ = false;
  std::optional<std::string> odd_;  // the first that is neither
};

/// A column of a table, or data of GraphML's edges.
struct SurveyedColumn {
  std::string name;
  std::optional<ScalarKind> declared;  ///< by the file
  ColumnKind found;
};
using SurveyedColumns = std::vector<SurveyedColumn>;

}  // namespace vertigo::graph
