#pragma once
// Long texts in emitted files: vertigo/core/packed_text.h reads them.

#include <string>
#include <string_view>

namespace vertigo::compiler::emit {

/// The text as a zstd frame in base64; the same bytes for the same text.
std::string packed(std::string_view text);

}  // namespace vertigo::compiler::emit
