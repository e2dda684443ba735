#include "core/pipeline/device_names.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace aprscope {

std::optional<NamedGpus> named_gpus(std::string_view device) {
  constexpr std::string_view kBegin = "cuda:";
  constexpr int kMostNumber = 9999;
  if (!device.starts_with(kBegin)) return std::nullopt;
  device.remove_prefix(kBegin.size());
  if (device == "all") return NamedGpus{true, {}};
  NamedGpus named;
  for (;;) {
    const std::string_view one = device.substr(0, device.find(','));
    const char* const end = one.data() + one.size();
    int number = -1;
    const auto parsed = std::from_chars(one.data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end || number < 0 || number > kMostNumber ||
        std::find(named.numbers.begin(), named.numbers.end(), number) != named.numbers.end()) {
      return std::nullopt;
    }
    named.numbers.push_back(number);
    if (one.size() == device.size()) return named;
    device.remove_prefix(one.size() + 1);
  }
}

std::string name_of_gpus(std::span<const int> numbers) {
  std::string name = "cuda:";
  for (const int number : numbers) {
    if (name.back() != ':') name += ',';
    name += std::to_string(number);
  }
  return name;
}

}  // namespace aprscope
