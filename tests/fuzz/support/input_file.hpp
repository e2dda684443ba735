#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace aprscope::fuzz {

/// One path that holds the bytes of the input at hand: a file in memory where the system has
/// /dev/shm, in a folder of this process that is removed when it ends.
class InputFile {
 public:
  /// `name` with the extension that programs go by, in a folder of its own where it has a "/".
  explicit InputFile(const std::string& name);

  /// The path, which now holds these bytes. Ends the program where they cannot be written.
  const std::string& with(const std::uint8_t* data, std::size_t size) const;

 private:
  std::string path_;
};

}  // namespace aprscope::fuzz
