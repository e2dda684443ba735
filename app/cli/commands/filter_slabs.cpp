#include "app/cli/commands/filter_slabs.hpp"

#include <algorithm>

#include "core/base/system.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/operations/filter/file_filter.hpp"
#include "core/operations/filter/filter_plan.hpp"

namespace aprscope::cli {
namespace {

// Share of free memory to use; the rest is for the system's cache of the files.
constexpr double kShareOfFree = 0.8;

Error not_in_slabs(const std::string& path) {
  return {"cannot be filtered by several processes: it is no .apr that can be read in parts", path,
          "convert it with this program first, or leave mpirun out"};
}

}  // namespace

void add_memory_option(CLI::App& command, std::uint64_t& memory) {
  command
      .add_option(
          "--memory", memory,
          "Filter an .apr slab by slab within this much memory, as 4GB, if it does not fit; "
          "without it, within what is free")
      ->transform(CLI::AsSizeValue(true))
      ->type_name("SIZE");
}

Result<bool> filter_in_slabs(const SlabFilterOptions& options, Session& session) {
  const auto info = inspect_input(options.input, session.context());
  if (!info) return info.error();
  if (!info->is_apr || !is_filter(options.operation)) {
    if (session.ranks() != nullptr) return not_in_slabs(options.input.path);
    return false;
  }
  const std::uint64_t free = available_bytes();
  Ranks* const ranks = session.ranks();
  std::uint64_t memory = options.memory;
  if (ranks != nullptr && memory == 0) {
    // Processes of one host share what it has.
    memory = free / static_cast<std::uint64_t>(ranks->place().local_count) / 5 * 4;
    if (memory == 0) {
      return Error{"does not tell how much memory is free", "this system",
                   "say with --memory how much each process may take"};
    }
  }
  if (memory == 0) memory = static_cast<std::uint64_t>(kShareOfFree * static_cast<double>(free));
  // If the system does not report free memory, try the whole data in memory.
  if (memory == 0) return false;
  auto file = session.timed("read", [&] {
    return AprFileSlabs::open(*info, {options.input.channel, options.input.time},
                              session.context());
  });
  if (!file) return file.error();
  if (ranks != nullptr && !*file) return not_in_slabs(options.input.path);
  if (!*file || (ranks == nullptr && bytes_to_filter(**file) <= memory)) return false;
  if (options.with_tree.value_or(false) && !(*file)->has_tree()) {
    const std::string why =
        ranks != nullptr ? "by several processes" : "within " + format_bytes(memory);
    return Error{"has no tree, which a filter " + why + " would need", options.input.path,
                 "convert the image with --tree, or leave --tree out"};
  }
  const bool with_tree =
      options.with_tree.value_or(has_tree_by_default((*file)->size()) && (*file)->has_tree());
  (*file)->set_voxel(chosen_voxel_size(options.input, (*file)->facts().voxel));
  const auto done = session.timed("filter", [&] {
    return filter_apr_file(options.operation, **file, {memory, with_tree, ranks}, options.output,
                           session.context());
  });
  if (!done) return done.error();
  Json& report = session.report();
  report["size"] = to_json((*file)->size());
  report["voxel_size"] = to_json((*file)->facts().voxel);
  report["particles"] = (*file)->count();
  report["slabs"] = done->slabs;
  report["slices_around"] = done->around;
  describe_output(options.output, session);
  return true;
}

}  // namespace aprscope::cli
