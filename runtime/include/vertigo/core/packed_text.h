#pragma once
// Texts that an emitted file carries: the program and its plan, compressed, because nobody reads
// them there. The compiler packs them (compiler/emit/common/PackedText.h).

#include <string_view>

namespace vertigo {

/// The text that `packed`, a zstd frame in base64, holds. It lives as long as the process. Throws
/// Error(Other) where `packed` is something else.
std::string_view unpacked(std::string_view packed);

}  // namespace vertigo
