#pragma once

namespace aprscope {

/// From now on a program in which memory runs out where no error can be returned ends with one
/// sentence on stderr, "PROGRAM: there is not enough memory; …", and exit code 1 instead of an
/// abort: the destructors of nlohmann::json take memory, and so may those of other libraries. Files
/// that are being written stay as they were, see write_atomically(). `program` must outlive the
/// process. Other exceptions that nobody catches abort as before.
void end_with_a_sentence_without_memory(const char* program);

}  // namespace aprscope
