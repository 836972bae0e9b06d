#pragma once
// Ctrl-C, SIGTERM and a closed terminal end a run at once and leave nothing half written.

namespace vertigo::host {

/// Must be called before any thread is started: every thread inherits the mask that leaves these
/// signals to one waiting thread, which removes unfinished files and ends the process by the same
/// signal.
void clean_up_when_interrupted();

}  // namespace vertigo::host
