#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aprscope {

/// GPUs by their numbers, none twice.
struct NamedGpus {
  /// Whether all GPUs are meant; `numbers` is empty then.
  bool all = false;
  std::vector<int> numbers;
};

/// The GPUs that "cuda:1", "cuda:0,1" (in this order) or "cuda:all" stands for; nothing where it is
/// no such name, or names one twice.
std::optional<NamedGpus> named_gpus(std::string_view device);

/// The name of some GPUs: "cuda:0,1".
std::string name_of_gpus(std::span<const int> numbers);

}  // namespace aprscope
