#include "core/pipeline/batch_share.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>

namespace aprscope {
namespace {

namespace fs = std::filesystem;

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t sum = 0;
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code)) {
    std::error_code failed;
    const auto bytes = at->is_regular_file(failed) ? at->file_size(failed) : 0;
    if (!failed) sum += bytes;
  }
  return sum;
}

// The bytes of a file or folder; none if there is nothing of this name.
std::optional<std::uint64_t> bytes_at(const fs::path& path) {
  std::error_code code;
  const auto status = fs::status(path, code);
  if (code || !fs::exists(status)) return std::nullopt;
  if (fs::is_directory(status)) return bytes_below(path);
  const auto bytes = fs::file_size(path, code);
  return code ? 0 : static_cast<std::uint64_t>(bytes);
}

std::uint64_t bytes_of_input(const std::string& input) {
  if (const auto bytes = bytes_at(input)) return *bytes;
  for (auto at = input.find(":/"); at != std::string::npos; at = input.find(":/", at + 1)) {
    if (const auto bytes = at > 0 ? bytes_at(input.substr(0, at)) : std::nullopt) return *bytes;
  }
  return 0;
}

}  // namespace

Result<BatchPart> part_from(const std::string& text) {
  const auto slash = text.find('/');
  if (slash != std::string::npos) {
    const auto number = number_in(std::string_view(text).substr(0, slash));
    const auto of = number_in(std::string_view(text).substr(slash + 1));
    if (number && of && *number >= 1 && *number <= *of && *of <= kMostParts) {
      return BatchPart{*number, *of};
    }
  }
  return Error{"is no part of a batch", text,
               "write K/N, part K of N parts, as 3/8, with K from 1 to N"};
}

std::vector<std::uint64_t> input_bytes(const std::vector<std::string>& inputs) {
  std::vector<std::uint64_t> bytes;
  bytes.reserve(inputs.size());
  for (const std::string& input : inputs) bytes.push_back(bytes_of_input(input));
  return bytes;
}

std::vector<std::vector<std::size_t>> shares(const std::vector<std::uint64_t>& bytes, int parts) {
  std::vector<std::size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
  const auto n = static_cast<std::size_t>(std::max(1, parts));
  std::vector<std::vector<std::size_t>> all(n);
  // The load of each part so far, the least first.
  std::set<std::tuple<std::uint64_t, std::size_t, std::size_t>> loads;
  for (std::size_t part = 0; part < n; ++part) loads.insert({0, 0, part});
  for (const std::size_t input : order) {
    const auto [load, files, part] = *loads.begin();
    loads.erase(loads.begin());
    loads.insert({load + bytes[input], files + 1, part});
    all[part].push_back(input);
  }
  for (auto& share : all) std::sort(share.begin(), share.end());
  return all;
}

std::string name_of_part(const std::string& path, const BatchPart& part) {
  fs::path name = path;
  name.replace_filename(name.stem().string() + ".part" + std::to_string(part.number) +
                        name.extension().string());
  return name.string();
}

}  // namespace aprscope
