#include "core/io/common/probe.hpp"

#include <system_error>

namespace aprscope {

Result<Probe> Probe::open(const std::filesystem::path& path, std::string dataset,
                          const JobContext& context) {
  Probe probe(path, std::move(dataset), context);
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return probe;
  auto file = open_regular(path);
  if (!file) return file.error();
  char first = 0;
  const auto got = file->read_at(0, &first, 1);
  if (!got) return got.error();
  if (*got == 0) return Error{"is empty", path.string(), "get the file again from its source"};
  probe.file_ = *std::move(file);
  return probe;
}

bool Probe::has(std::uint64_t offset, std::string_view bytes) const {
  if (!file_) return false;
  std::string there(bytes.size(), '\0');
  const auto got = file_->read_at(offset, there.data(), there.size());
  return got && there == bytes;
}

std::string Probe::head(std::size_t most) const {
  if (!file_) return {};
  std::string there(most, '\0');
  const auto got = file_->read_at(0, there.data(), there.size());
  there.resize(got ? *got : 0);
  return there;
}

}  // namespace aprscope
