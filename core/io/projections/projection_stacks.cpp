#include "core/io/projections/projection_stacks.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "core/io/em/mrc_header.hpp"
#include "core/io/em/spider_header.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// Folders that names of stacks may be relative to: the project's, the table's, those above it, and
// the working directory, as in other programs of the field.
std::vector<fs::path> starting_points(const fs::path& table_path, const fs::path& root) {
  std::vector<fs::path> folders;
  if (!root.empty()) folders.push_back(root);
  std::error_code code;
  fs::path folder = fs::absolute(table_path, code).parent_path();
  if (code) folder = table_path.parent_path();
  while (true) {
    folders.push_back(folder);
    const fs::path above = folder.parent_path();
    if (above == folder || above.empty()) break;
    folder = above;
  }
  if (const fs::path here = fs::current_path(code); !code) folders.push_back(here);
  return folders;
}

bool is_file(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

// Strips the format from names like "stack.stk:mrcs", which RELION and Xmipp allow.
fs::path without_format(const fs::path& name) {
  const std::string text = name.string();
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return name;
  for (const char* format : {"mrc", "mrcs", "spi", "stk"}) {
    if (text.compare(colon + 1, std::string::npos, format) == 0) return text.substr(0, colon);
  }
  return name;
}

class Finder {
 public:
  explicit Finder(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

  // The first that is there; where none is, beside the table (or in the root).
  fs::path find(const fs::path& name) {
    if (name.is_absolute()) return is_file(name) ? name : without_format(name);
    for (const fs::path& variant : {name, without_format(name)}) {
      // Stacks of a project lie together: what held the last one first, then in order.
      if (is_file(folders_[last_] / variant)) return folders_[last_] / variant;
      for (std::size_t i = 0; i < folders_.size(); ++i) {
        if (!is_file(folders_[i] / variant)) continue;
        last_ = i;
        return folders_[i] / variant;
      }
      if (variant == without_format(name)) break;
    }
    return folders_.front() / name;
  }

 private:
  std::vector<fs::path> folders_;
  std::size_t last_ = 0;
};

Status read_header(ProjectionStack& stack) {
  const auto file = open_regular(stack.path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  stack.state = *state;
  std::array<std::uint8_t, kEmHeaderBytes> bytes{};
  const auto got = file->read_at(0, bytes.data(), bytes.size());
  if (!got) return got.error();
  if (*got < bytes.size()) return Error{"is too short for a stack", stack.path.string(), ""};
  const bool mrc = is_mrc(bytes, state->bytes);
  if (!mrc && !is_spider(bytes)) {
    return Error{"is no MRC or SPIDER stack", stack.path.string(), ""};
  }
  const auto header =
      mrc ? parse_mrc(bytes, state->bytes, stack.path) : parse_spider(bytes, stack.path);
  if (!header) return header.error();
  stack.planes = header->planes;
  stack.pixel_size = header->voxel[0];
  stack.images = stack.planes.sections_in(state->bytes);
  if (!header->stack && stack.planes.sections > 1) {
    return Error{"is a map, not a stack of images", stack.path.string(), ""};
  }
  if (stack.planes.columns != stack.planes.rows) {
    return Error{"holds images of " + std::to_string(stack.planes.columns) + " × " +
                     std::to_string(stack.planes.rows) + " pixels, which are not square",
                 stack.path.string(), ""};
  }
  return {};
}

}  // namespace

Result<std::vector<ProjectionStack>> open_stacks(const std::vector<fs::path>& names,
                                                 const fs::path& table_path, const fs::path& root,
                                                 const JobContext& context) {
  Finder finder(starting_points(table_path, root));
  std::vector<ProjectionStack> stacks(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (context.stop_requested()) return cancelled_error();
    stacks[i].path = finder.find(names[i]);
    if (!is_file(stacks[i].path)) {
      stacks[i].problem = "is not there";
      continue;
    }
    if (const Status read = read_header(stacks[i]); !read) {
      stacks[i].problem = read.error().what;
      stacks[i].images = 0;
    }
    if (i % 64 == 0) {
      context.report(static_cast<double>(i) / static_cast<double>(names.size()),
                     "looking at stacks");
    }
  }
  return stacks;
}

}  // namespace aprscope
