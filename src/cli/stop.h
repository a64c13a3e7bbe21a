// The first SIGINT or SIGTERM asks a run to stop where it can be taken up again; a second one ends the program at once.
#pragma once

namespace cli {

void catch_stop_signals();
void let_stop_signals_end_the_program();

// The signal that asked to stop, 0 if none did.
int stop_signal();

}  // namespace cli
