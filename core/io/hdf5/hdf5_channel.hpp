#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"

// Private to core/io: the channel to the process that runs the HDF5 library on a file.

namespace aprscope {

/// Carries requests (hdf5_wire.hpp) to it and answers back. An error is final: no more can be
/// asked. It names the reason and the path of the file. Not thread-safe.
class Hdf5Channel {
 public:
  virtual ~Hdf5Channel() = default;
  /// The answer to a request. The first one comes by itself, it says whether the file could be
  /// opened: for that the request is empty.
  virtual Result<std::vector<std::uint8_t>> ask(const std::vector<std::uint8_t>& request) = 0;
};

/// `file`, of so many bytes, has to outlive the channel.
using Hdf5ChannelMaker = Result<std::unique_ptr<Hdf5Channel>> (*)(const RegularFile& file,
                                                                  std::uint64_t bytes,
                                                                  const std::stop_token& stop);

/// A channel to a helper process of its own (hdf5_helper.hpp), which ends with the channel.
Result<std::unique_ptr<Hdf5Channel>> start_hdf5_helper(const RegularFile& file, std::uint64_t bytes,
                                                       const std::stop_token& stop);

/// Sets how readers get channels from now on; by default start_hdf5_helper. For fuzzers, which need
/// the library in their own process.
void use_hdf5_channel(Hdf5ChannelMaker maker);

/// Opens a channel by the maker in use.
Result<std::unique_ptr<Hdf5Channel>> open_hdf5_channel(const RegularFile& file, std::uint64_t bytes,
                                                       const std::stop_token& stop);

}  // namespace aprscope
