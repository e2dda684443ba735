#include "core/io/hdf5_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/io/hdf5_messages.hpp"

namespace aprscope {
namespace {

constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
constexpr std::size_t kSuperblockBytes = 96;
constexpr std::size_t kEntryBytes = 40;  // one symbol of a group
constexpr std::uint64_t kMostObjects = 20000;
constexpr std::uint64_t kLargestPiece = 64U << 20U;
constexpr std::uint64_t kMostBytes = 1U << 30U;  // then the walk ends: it may not take long
constexpr int kDeepestTree = 32;

enum Message : std::uint64_t {
  kDataspace = 0x01,
  kDatatype = 0x03,
  kLayout = 0x08,
  kAttribute = 0x0C,
  kContinuation = 0x10,
  kSymbolTable = 0x11
};

class MetadataCheck {
 public:
  explicit MetadataCheck(const std::filesystem::path& path) : in_(path, std::ios::binary) {
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    file_bytes_ = code ? 0 : size;
  }

  // The first offence, "" if there is none.
  std::string run() {
    const auto block = piece(0, kSuperblockBytes);
    if (!block || !std::equal(kSignature.begin(), kSignature.end(), block->begin())) return "";
    ByteReader in(*block);
    in.skip(kSignature.size());
    const std::uint64_t version = in.number(1);
    if (version > 1) return "";  // has checksums
    in.skip(4);
    // Addresses and lengths of other sizes do not occur in practice; the library takes them.
    if (in.number(1) != 8 || in.number(1) != 8) return "";
    in.skip(1);
    leaf_rank_ = in.number(2);
    tree_rank_ = in.number(2);
    in.skip(version == 1 ? 8 : 4);     // flags and, in version 1, the rank of chunk trees
    if (in.number(8) != 0) return "";  // addresses count from elsewhere
    in.skip(3 * 8 + 8);
    pending_.push_back(in.number(8));
    while (!pending_.empty() && offence_.empty()) {
      const std::uint64_t address = pending_.back();
      pending_.pop_back();
      if (seen_.size() >= kMostObjects) break;
      if (seen_.insert(address).second) check_object(address);
    }
    return read_bytes_ > kMostBytes ? "" : offence_;
  }

 private:
  bool fail(const std::string& what, std::uint64_t address) {
    if (offence_.empty()) offence_ = what + " at byte " + std::to_string(address);
    return false;
  }

  std::optional<std::vector<std::uint8_t>> piece(std::uint64_t address, std::uint64_t bytes) {
    if (bytes > kLargestPiece || address > file_bytes_ || bytes > file_bytes_ - address) {
      return std::nullopt;
    }
    read_bytes_ += bytes;
    if (read_bytes_ > kMostBytes) return std::nullopt;
    std::vector<std::uint8_t> out(bytes);
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(address));
    in_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(bytes));
    if (!in_) return std::nullopt;
    return out;
  }

  // A block that starts with a four-letter name.
  std::optional<std::vector<std::uint8_t>> named(const char* name, std::uint64_t address,
                                                 std::uint64_t bytes) {
    auto out = piece(address, bytes);
    if (!out || !std::equal(name, name + 4, out->begin())) return std::nullopt;
    return out;
  }

  bool check_object(std::uint64_t address) {
    const auto prefix = piece(address, 16);
    if (!prefix) return fail("an object lies outside the file", address);
    ByteReader in(*prefix);
    if (in.number(1) != 1) return true;  // version 2 has checksums, others the library refuses
    in.skip(1 + 2 + 4);
    // Blocks of messages: the first, then those that continuation messages name.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks = {{address + 16, in.number(4)}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (i > 0 && !seen_.insert(blocks[i].first).second) {
        return fail("an object's header turns in a circle", address);
      }
      const auto bytes = piece(blocks[i].first, blocks[i].second);
      if (!bytes) return fail("an object's header lies outside the file", address);
      ByteReader messages(*bytes);
      while (messages.left() >= 8) {
        const std::uint64_t type = messages.number(2);
        const std::uint64_t size = messages.number(2);
        const std::uint64_t flags = messages.number(1);
        messages.skip(3);
        ByteReader body = messages.part(size);
        if (!messages.valid()) return fail("an object's header is longer than its block", address);
        const bool shared = (flags & 2U) != 0;  // the body only says where the message lies
        if (!shared && !check_message(type, body, blocks)) {
          return fail("an object has a damaged header", address);
        }
      }
    }
    return true;
  }

  bool check_message(std::uint64_t type, ByteReader body,
                     std::vector<std::pair<std::uint64_t, std::uint64_t>>& blocks) {
    switch (type) {
      case kDataspace:
        return dataspace_fits(body);
      case kDatatype:
        return datatype_fits(body);
      case kLayout:
        return layout_fits(body);
      case kAttribute:
        return attribute_fits(body);
      case kContinuation: {
        const std::uint64_t address = body.number(8);
        blocks.emplace_back(address, body.number(8));
        return body.valid();
      }
      case kSymbolTable: {
        const std::uint64_t tree = body.number(8);
        const std::uint64_t heap = body.number(8);
        return body.valid() && check_group(tree, heap);
      }
      default:
        return true;
    }
  }

  bool check_group(std::uint64_t tree, std::uint64_t heap) {
    const auto head = named("HEAP", heap, 32);
    if (!head) return fail("the names of a group are missing", heap);
    ByteReader in(*head);
    in.skip(8);
    const std::uint64_t bytes = in.number(8);
    in.skip(8);
    const auto names = piece(in.number(8), bytes);
    if (!names) return fail("the names of a group lie outside the file", heap);
    return check_tree(tree, *names, 0);
  }

  [[nodiscard]] static bool name_fits(const std::vector<std::uint8_t>& names, std::uint64_t at) {
    return at < names.size() && std::find(names.begin() + static_cast<std::ptrdiff_t>(at),
                                          names.end(), 0) != names.end();
  }

  bool check_tree(std::uint64_t address, const std::vector<std::uint8_t>& names, int depth) {
    const auto head = named("TREE", address, 24);
    if (!head || depth > kDeepestTree || !seen_.insert(address).second)
      return fail("the list of a group is damaged", address);
    ByteReader in(*head);
    in.skip(4);
    const std::uint64_t kind = in.number(1);
    const std::uint64_t level = in.number(1);
    const std::uint64_t used = in.number(2);
    const auto body = piece(address + 24, used * 16 + 8);
    if (kind != 0 || used > 2 * tree_rank_ || !body) {
      return fail("the list of a group is damaged", address);
    }
    ByteReader entries(*body);
    for (std::uint64_t i = 0; i < used; ++i) {
      const std::uint64_t key = entries.number(8);
      const std::uint64_t child = entries.number(8);
      if (!name_fits(names, key)) return fail("a name of a group is damaged", address);
      const bool fine = level > 0 ? check_tree(child, names, depth + 1) : check_leaf(child, names);
      if (!fine) return false;
    }
    return used == 0 || name_fits(names, entries.number(8)) ||
           fail("a name of a group is damaged", address);
  }

  bool check_leaf(std::uint64_t address, const std::vector<std::uint8_t>& names) {
    const auto head = named("SNOD", address, 8);
    if (!head || !seen_.insert(address).second)
      return fail("the list of a group is damaged", address);
    ByteReader in(*head);
    in.skip(6);
    const std::uint64_t count = in.number(2);
    const auto body = piece(address + 8, count * kEntryBytes);
    if (count > 2 * leaf_rank_ || !body) return fail("the list of a group is damaged", address);
    ByteReader entries(*body);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t name = entries.number(8);
      const std::uint64_t object = entries.number(8);
      const std::uint64_t cached = entries.number(4);
      entries.skip(4);
      const std::uint64_t link = entries.number(4);
      entries.skip(12);
      const bool soft = cached == 2;
      if (!name_fits(names, name) || (soft && !name_fits(names, link))) {
        return fail("a name of a group is damaged", address);
      }
      if (!soft) pending_.push_back(object);
    }
    return true;
  }

  std::ifstream in_;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t read_bytes_ = 0;
  std::uint64_t leaf_rank_ = 0;
  std::uint64_t tree_rank_ = 0;
  std::vector<std::uint64_t> pending_;
  std::set<std::uint64_t> seen_;
  std::string offence_;
};

}  // namespace

Status check_hdf5_metadata(const std::filesystem::path& path) {
  const std::string offence = MetadataCheck(path).run();
  if (offence.empty()) return {};
  return Error{offence, path.string(), "the file is damaged, get another copy of it"};
}

}  // namespace aprscope
