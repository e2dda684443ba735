#pragma once

#include <cstdint>

// Private to core/io: takes rights from the calling process.

namespace aprscope {

/// For a process with one thread that is about to work on untrusted bytes. From now on it can read
/// the two descriptors (and write to them), take `more_bytes` of memory beyond what it has, and
/// end; it cannot open a file, start a program, reach a network or signal another process. Signals
/// end it, except those that a terminal sends to a whole group. Descriptors other than the two are
/// closed. The system calls are limited with seccomp: where the kernel has none (or the build runs
/// under a sanitizer, which needs more calls) that part is left out.
void confine(int first, int second, std::uint64_t more_bytes);

/// Ends the calling process after this much computing time from now on (waiting for a disk does not
/// count).
void end_after(double seconds);

}  // namespace aprscope
