#pragma once
// Records of separated fields (RFC 4180): fields in double quotes may hold separators, line ends
// and doubled quotes; blanks around a field do not belong to it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text_blocks.h"

namespace vertigo::graph {

/// Separates fields by any run of blanks; quotes are then closed on their line.
inline constexpr char kBlanks = ' ';

struct Field {
  std::string_view text;  ///< in the text that is scanned, or in the scratch of next_field()
  bool last = false;      ///< of its record
};

/// Walks over a text of whole records; its last byte is '\n'. Throws LineErrors.
class RecordScanner {
 public:
  RecordScanner(std::string_view text, char separator)
      : at_(text.data()), end_(at_ + text.size()), separator_(separator) {}

  /// Moves over blank lines, and over comments where blanks separate; false at the end of the text.
  bool next_record();
  /// `scratch` takes a field that holds doubled quotes.
  Field next_field(std::string& scratch);
  /// Line ends passed.
  std::uint64_t lines() const { return lines_; }
  /// What follows the records that were scanned.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

 private:
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  void skip_blanks();
  std::string_view quoted_field(std::string& scratch);
  std::string_view plain_field();
  bool end_field();

  const char* at_;
  const char* end_;
  char separator_;
  std::uint64_t lines_ = 0;
};

/// All fields of the next record; nothing at the end of the text. Throws a LineError where there
/// are more than kMostFields.
inline constexpr std::size_t kMostFields = 4096;
std::optional<std::vector<std::string>> scan_record(RecordScanner& scanner);

/// A file as pieces of whole records: each of many records, or of one that spans blocks of the
/// file.
class RecordBlocks {
 public:
  /// `separator` kBlanks: every line is a record, and `blocks` may be some lines into its file.
  RecordBlocks(TextBlocks& blocks, char separator)
      : blocks_(blocks), separator_(separator), line_(blocks.line() + 1) {}
  /// Valid until the next call; nothing at the end of the file.
  std::optional<TextBlock> next();

 private:
  std::string_view finish_spanning();

  TextBlocks& blocks_;
  char separator_;
  std::string spanning_;   // a record that began in an earlier block
  std::string_view left_;  // of the current block
  std::uint64_t line_;     // of what comes next
};

/// Cuts a text of whole records into about `parts` pieces of whole records.
std::vector<std::string_view> split_at_records(std::string_view text, std::size_t parts,
                                               char separator);

}  // namespace vertigo::graph
