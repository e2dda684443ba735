#include "core/base/scratch_floats.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>

#include "core/base/nameless_file.hpp"
#include "core/base/system.hpp"

namespace aprscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAdvice = "set TMPDIR to a folder on a disk with more room";

Error refused(const fs::path& folder, const std::string& what, int code) {
  return {what + " (" + std::strerror(code) + ")", folder.string(), kAdvice};
}

}  // namespace

Result<ScratchFloats> ScratchFloats::create(std::uint64_t count) {
  ScratchFloats made;
  if (count == 0) return made;
  const fs::path folder = folder_for_scratch();
  const std::uint64_t bytes = count * sizeof(float);
  const auto in_memory = lies_in_memory(folder);
  if (!in_memory) return refused(folder, "no temporary file can be made", errno);
  if (*in_memory) {
    return Error{"lies in memory, which is too small already", folder.string(), kAdvice};
  }
  const auto file = NamelessFile::create(folder, kAdvice);
  if (!file) return file.error();
  // Room that is missing shows now: a page that cannot be written later would end the program.
  const int code = ::posix_fallocate(file->get(), 0, static_cast<off_t>(bytes));
  if (code != 0) {
    return refused(folder, "has no room for a temporary file of " + format_bytes(bytes), code);
  }
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->get(), 0);
  if (memory == MAP_FAILED && errno == ENOMEM) {
    return Error{"there is no room in the address space for " + format_bytes(bytes) + " of a file",
                 folder.string(), "allow the program more memory (ulimit -v)"};
  }
  if (memory == MAP_FAILED) {
    return refused(folder, "a temporary file of " + format_bytes(bytes) + " cannot be mapped",
                   errno);
  }
  made.data_ = static_cast<float*>(memory);
  made.count_ = count;
  return made;
}

ScratchFloats::~ScratchFloats() {
  if (data_ != nullptr) ::munmap(data_, count_ * sizeof(float));
}

void ScratchFloats::leave() {
  // Of a file that is shared with the system this drops the pages here, and no value.
  if (data_ != nullptr) ::madvise(data_, count_ * sizeof(float), MADV_DONTNEED);
}

void ScratchFloats::swap(ScratchFloats& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(count_, other.count_);
}

}  // namespace aprscope
