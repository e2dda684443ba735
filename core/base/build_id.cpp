#include "core/base/build_id.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <elf.h>
#include <link.h>

namespace aprscope {
namespace {

// The notes of one segment, as the linker lays them out: header, name, description, each padded.
std::string id_in(const char* notes, std::size_t bytes) {
  constexpr char kOwner[] = "GNU";
  const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const std::size_t name = padded(header.n_namesz);
    const std::size_t description = padded(header.n_descsz);
    if (name > bytes - sizeof header || description > bytes - sizeof header - name) return {};
    const char* const owner = notes + sizeof header;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof kOwner &&
        std::memcmp(owner, kOwner, sizeof kOwner) == 0) {
      constexpr char kDigits[] = "0123456789abcdef";
      std::string id;
      for (std::size_t i = 0; i < header.n_descsz; ++i) {
        const auto byte = static_cast<unsigned char>(owner[name + i]);
        id += kDigits[byte >> 4U];
        id += kDigits[byte & 15U];
      }
      return id;
    }
    notes += sizeof header + name + description;
    bytes -= sizeof header + name + description;
  }
  return {};
}

struct Search {
  std::uintptr_t here = 0;
  std::string id;
};

// Looks at one of the files that are loaded; ends the search with the one that this code is in.
int look_into(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool is_here = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && search.here >= begin &&
        search.here - begin < segment.p_memsz) {
      is_here = true;
    }
  }
  for (int i = 0; is_here && i < info->dlpi_phnum && search.id.empty(); ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes =
        reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);  // NOLINT: an address
    search.id = id_in(notes, segment.p_memsz);
  }
  return is_here ? 1 : 0;
}

}  // namespace

std::string build_id() {
  Search search;
  search.here = reinterpret_cast<std::uintptr_t>(&look_into);
  ::dl_iterate_phdr(look_into, &search);
  return search.id;
}

}  // namespace aprscope
