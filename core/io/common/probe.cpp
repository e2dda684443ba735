#include "core/io/common/probe.hpp"

namespace aprscope {

Result<Probe> Probe::open(const std::filesystem::path& path, std::string dataset,
                          const JobContext& context) {
  auto file = open_regular(path);
  if (!file) return file.error();
  char first = 0;
  const auto got = file->read_at(0, &first, 1);
  if (!got) return got.error();
  if (*got == 0) return Error{"is empty", path.string(), "get the file again from its source"};
  return Probe(*std::move(file), std::move(dataset), context);
}

bool Probe::has(std::uint64_t offset, std::string_view bytes) const {
  std::string there(bytes.size(), '\0');
  const auto got = file_.read_at(offset, there.data(), there.size());
  return got && there == bytes;
}

}  // namespace aprscope
