#pragma once
// Which format a file has. Every format that content can show is a candidate: a function that looks
// at the first lines and gives a score with its reason. The best score wins where no other is
// close; where two are, the user is asked for --format. A new format adds one line to the table in
// recognise.cpp and one function. docs/graph-formats.md states the rules for users.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input_stream.h"
#include "vertigo/graph/intake.h"

namespace vertigo::graph {

/// What a score means. Scores within kClose of each other are too close to choose.
namespace score {
inline constexpr int kNone = 0;      ///< no sign of the format
inline constexpr int kHint = 30;     ///< worth a word in the report
inline constexpr int kSuspect = 40;  ///< its shape, without the header that would say so
inline constexpr int kDamaged = 50;  ///< its shape, but a line breaks it, or it ends too early
inline constexpr int kFits = 55;     ///< every line fits, as the lines of other formats may
inline constexpr int kShaped = 65;   ///< every line fits, and few other formats look like that
inline constexpr int kCounted = 80;  ///< and what the file says about itself is true
inline constexpr int kMarked = 100;  ///< a magic number, a banner

inline constexpr int kEnough = kDamaged;  ///< below, a format is never taken unasked
inline constexpr int kClose = 15;
}  // namespace score

struct Verdict {
  int score = score::kNone;
  std::string reason;      ///< completes "edge-list (...)"
  std::uint64_t line = 0;  ///< that the reason speaks of; 0: none
};

/// A line that is not a comment. Blank lines have no words; they mean something in METIS.
struct SampleLine {
  std::uint64_t number = 0;  ///< in the file, from 1
  std::span<const std::string_view> words;
};

/// The beginning of a file, as candidates see it: a byte order mark skipped, carriage returns taken
/// as line ends where there are no others. Comments and blank lines in front of the data are read
/// past, however many there are.
class Sample {
 public:
  explicit Sample(InputStream& stream);
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  /// The first bytes.
  std::string_view head() const { return head_; }
  /// `lines` reach the end of the file.
  bool complete() const { return complete_; }
  bool empty() const { return head_.empty(); }
  /// Size of the file, decompressed, where it is known without reading all of it.
  std::optional<std::uint64_t> size() const { return size_; }
  /// A zero byte shows that this is no text.
  bool binary() const { return binary_; }
  /// Lines that begin with # or % within the first bytes, whole.
  const std::vector<std::string_view>& comments() const { return comments_; }
  /// All other lines; at most 20,000.
  const std::vector<SampleLine>& lines() const { return lines_; }
  /// Those that are not blank.
  const std::vector<SampleLine>& data() const { return data_; }
  /// The first line begins the file, so it may be a header.
  std::string_view first_line() const { return first_line_; }
  bool utf16() const { return utf16_; }

 private:
  void normalise(std::string& text);
  void read_past_comments(InputStream& stream);
  void split(std::string_view text);

  std::string head_;
  std::string later_;  // instead of head_, where that holds nothing but comments
  std::uint64_t first_number_ = 1;
  std::string_view first_line_;
  std::optional<std::uint64_t> size_;
  bool complete_ = false;
  bool binary_ = false;
  bool utf16_ = false;
  bool carriage_returns_ = false;
  std::vector<std::string_view> comments_;
  std::vector<std::string_view> words_;
  std::vector<SampleLine> lines_;
  std::vector<SampleLine> data_;
};

/// A whole number below 2^64, or nothing.
std::optional<std::uint64_t> whole_number(std::string_view word);

/// How a file of a format can look like: candidates for text are not asked about binary files.
enum class Content : std::uint8_t { Text, Binary };

struct Candidate {
  Format format;
  Content content;
  Verdict (*judge)(const Sample& sample);
};
std::span<const Candidate> candidates();

// Judges by marks: magic numbers, banners, headers (recognise_marks.cpp).
Verdict judge_cached(const Sample& sample);
Verdict judge_bel(const Sample& sample);
Verdict judge_galois(const Sample& sample);
Verdict judge_gap(const Sample& sample);
Verdict judge_matrix_market(const Sample& sample);
Verdict judge_dimacs(const Sample& sample);
Verdict judge_pace(const Sample& sample);
Verdict judge_konect(const Sample& sample);
// Judges by separators, names of columns and elements (recognise_tables.cpp).
Verdict judge_csv(const Sample& sample);
/// Nothing where lines of words mean the same in an edge list.
Verdict judge_tsv(const Sample& sample);
Verdict judge_graphml(const Sample& sample);
// Judges by the numbers on the lines (recognise_numbers.cpp).
Verdict judge_edge_list(const Sample& sample);
Verdict judge_adjacency(const Sample& sample);
Verdict judge_metis(const Sample& sample);
Verdict judge_vertex_list(const Sample& sample);

/// What was taken, and why.
struct Detection {
  Format format = Format::EdgeList;
  std::string evidence;
  std::vector<std::string> notes;  ///< for the report: what nearly fitted
};

/// Throws ExitCode::InputRefused where nothing fits, or where more than one format does.
Detection recognise(const std::string& path, const Sample& sample);

}  // namespace vertigo::graph
