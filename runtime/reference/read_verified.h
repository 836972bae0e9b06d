#pragma once
// Program IR from text that may be damaged.

#include <string_view>

#include "compiler/ir/program/Program.h"

namespace vertigo::reference {

/// Throws Error(Other) where the text is no IR or the verifier finds it wrong.
ir::Program read_verified(std::string_view text);

}  // namespace vertigo::reference
