#pragma once
/// \file
/// Standard input, output and errors that the caller has closed, as cron jobs and daemons do.

namespace electret::app {

/// Gives each standard stream that is closed a place from which nothing can be read, or to which nothing can
/// be written. Without it the next file or pipe that is opened would get the stream's number, and messages
/// would be written into it. Call it before anything is opened.
void hold_closed_streams();

/// Whether the caller had closed standard input.
[[nodiscard]] bool is_standard_input_closed();

}  // namespace electret::app
