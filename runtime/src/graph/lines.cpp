#include "vertigo/graph/lines.h"

#include "text_blocks.h"

namespace vertigo::graph {

LineReader::LineReader(const std::string& path)
    : blocks_(std::make_unique<TextBlocks>(InputStream::open(path))) {}

LineReader::~LineReader() = default;

std::optional<std::string_view> LineReader::next() { return blocks_->next_line(); }

std::uint64_t LineReader::line() const { return blocks_->line(); }

}  // namespace vertigo::graph
