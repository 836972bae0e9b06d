#pragma once
// Removes a folder with all that is in it, without memory or descriptors that a process which ends
// for want of them would not get.

namespace vertigo {

/// `folder` is open for reading at `path`. False where something is left. Links are removed, not
/// followed.
bool remove_folder(int folder, const char* path) noexcept;

}  // namespace vertigo
