#pragma once
// A text file as blocks of whole lines, and as single lines for headers. Blocks of plain files are
// read by all threads; what is compressed is read ahead by one block. A byte order mark is skipped.
// Lines end with "\n" or "\r\n", or in all of the file with "\r" alone.

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "input_stream.h"

namespace vertigo::graph {

/// Whole lines: the last byte is '\n' (supplied where the file lacks the final one).
struct TextBlock {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::uint64_t first_line = 1;
  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

/// Views stay valid until the next call of next_block() or next_line().
/// Where a carriage return may stand that no line end follows.
enum class CarriageReturns : std::uint8_t {
  Nowhere,
  Quotes  ///< the caller refuses all others
};

class TextBlocks {
 public:
  explicit TextBlocks(std::unique_ptr<InputStream> stream,
                      CarriageReturns allowed = CarriageReturns::Nowhere);
  /// A first block of about `first_bytes`, where somebody else reads what follows a header.
  TextBlocks(std::unique_ptr<InputStream> stream, std::size_t first_bytes);
  ~TextBlocks();

  /// The next line that is not empty, without its end; nothing at the end of the file.
  std::optional<std::string_view> next_line();
  /// Gives the line that next_line() returned last back, to be read again.
  void unread_line(std::string_view line) {
    cursor_ = line.data();
    --next_line_number_;
  }
  /// Number of the line that next_line() returned last, from 1.
  std::uint64_t line() const { return next_line_number_ - 1; }

  /// What is left of the current block, or the next one; nothing at the end of the file. Lines of a
  /// block that the caller has taken must be reported by `count_lines` for line numbers to stay
  /// right.
  std::optional<TextBlock> next_block();
  void count_lines(std::uint64_t lines) { next_line_number_ += lines; }

  const InputStream& stream() const { return *stream_; }
  /// Where in the text the next line begins; of plain files.
  std::uint64_t offset() const {
    return block_offset_ + static_cast<std::uint64_t>(cursor_ - current_.bytes.get());
  }
  /// Somebody else has read the rest of a plain file.
  void take_rest();

  // Known when everything was read.
  /// Lines end with "\r" alone.
  bool carriage_returns() const { return carriage_returns_; }
  /// The last line has no end, and other lines have one.
  bool last_line_cut() const { return last_line_cut_; }

 private:
  struct Buffer {
    std::unique_ptr<char[]> bytes;
    std::size_t capacity = 0;
    std::size_t used = 0;   // bytes read
    std::size_t whole = 0;  // bytes up to the last line end
    bool last = false;
  };
  void fill(Buffer& buffer, const char* rest, std::size_t rest_size);
  void grow(Buffer& buffer);
  /// Brings the bytes from `begin` on, just read, to the one line end that parsers know.
  void unify_line_ends(Buffer& buffer, std::size_t begin);
  /// Supplies the end of the last line.
  void finish(Buffer& buffer);
  /// Whether any byte of the block is one.
  bool holds_carriage_returns(const Buffer& buffer) const;
  void refuse_carriage_returns(const Buffer& buffer, std::uint64_t position) const;
  void skip_byte_order_mark();
  bool advance();

  std::unique_ptr<InputStream> stream_;
  CarriageReturns allowed_;
  bool in_parallel_;  ///< the file is plain
  std::size_t block_bytes_;
  std::size_t first_bytes_;
  Buffer current_;
  Buffer ahead_;               // of what is compressed
  std::future<void> reading_;  // fills ahead_
  const char* cursor_ = nullptr;
  const char* block_end_ = nullptr;
  std::uint64_t block_offset_ = 0;  ///< of the first byte of current_
  std::uint64_t next_line_number_ = 1;
  bool started_ = false;
  std::size_t longest_line_ = 0;
  // Written by fill(), which runs ahead; read by others at the end only.
  bool any_line_end_ = false;
  bool carriage_returns_ = false;
  bool last_line_cut_ = false;
};

/// Moves past the line ends that follow each other, eight at a time where there are many: a file of
/// blank lines is read as fast as memory. Gives their number.
std::uint64_t skip_line_ends(const char*& at, const char* end);

/// The text cut at line ends into about `parts` pieces; every piece ends with '\n'.
std::vector<std::string_view> split_at_lines(std::string_view text, std::size_t parts);

}  // namespace vertigo::graph
