#pragma once

namespace aprscope::cli {

/// The whole program. Returns the exit code: 0 done, 1 failed (one line on stderr), 2 wrong usage
/// (one line on stderr).
int run(int argc, char** argv);

}  // namespace aprscope::cli
