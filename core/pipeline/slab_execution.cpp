#include "core/pipeline/slab_execution.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/base/system.hpp"
#include "core/base/temporary.hpp"
#include "core/io/apr/apr_join.hpp"
#include "core/io/apr/apr_slabs.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/common/part_error.hpp"
#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/file_execution.hpp"
#include "core/pipeline/series.hpp"

namespace aprscope {
namespace {

// Share of free memory to use; the rest is for the system's cache of the files.
constexpr double kShareOfFree = 0.8;

const FileEngine* engine_of(const Operation& step) {
  const OperationType* type = operations().find(step.id);
  return type != nullptr && type->file.run != nullptr ? &type->file : nullptr;
}

Error not_in_slabs(const std::string& path) {
  return {"cannot be worked on by several processes: it is no .apr that can be read in parts", path,
          "convert it with this program first, or leave mpirun out"};
}

// The memory to stay within; 0: nobody knows. Processes of one host share what it has.
Result<std::uint64_t> memory_of(const SlabRun& run) {
  if (run.memory != 0) return run.memory;
  const auto most =
      static_cast<std::uint64_t>(kShareOfFree * static_cast<double>(available_bytes()));
  if (run.hooks.ranks == nullptr) return most;
  const auto each = most / static_cast<std::uint64_t>(run.on_this_host);
  if (each != 0) return each;
  return Error{"does not tell how much memory is free", "this system",
               "say with --memory how much each process may take"};
}

// The most that a step takes in memory. Where that is unknown, as parameters do not fit, the step
// reports it.
std::uint64_t most_bytes(const std::vector<Operation>& steps, const AprFileSlabs& file) {
  std::uint64_t most = 0;
  for (const Operation& step : steps) {
    const auto bytes = engine_of(step)->bytes(step, file);
    if (bytes) most = std::max(most, *bytes);
  }
  return most;
}

// Whether all steps can do without the particles in memory: said before the first of them, which
// may take hours. Size and voxels stay as they are.
Status check_steps(const std::vector<Operation>& steps, const AprFileSlabs& file) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto takes = engine_of(steps[i])->takes;
    if (takes == nullptr) continue;
    if (Status ok = takes(steps[i], file); !ok) {
      return error_of_step(ok.error(), i, steps[i].id, steps.size());
    }
  }
  return {};
}

Result<bool> chosen_tree(const SlabRun& run, const AprFileSlabs& file, const std::string& path,
                         std::uint64_t memory) {
  if (!run.file.with_tree.value_or(false) || file.tree_count() != 0) {
    return run.file.with_tree.value_or(has_tree_by_default(file.size())) && file.tree_count() != 0;
  }
  const std::string why =
      run.hooks.ranks != nullptr ? "by several processes" : "within " + format_bytes(memory);
  return Error{"has no tree, which a run " + why + " would need", path,
               "convert the image with --tree, or leave --tree out"};
}

Result<std::optional<AprFileSlabs>> open_again(const std::filesystem::path& path,
                                               const JobContext& context) {
  const auto info = inspect(path.string(), context);
  if (!info) return info.error();
  return AprFileSlabs::open(*info, {}, context);
}

// Runs the steps one after the other; `file` is that of the first.
Status run_steps(const std::vector<Operation>& steps, AprFileSlabs file,
                 const FileRunOptions& options, const std::filesystem::path& output,
                 const JobContext& context, SlabExecution& out) {
  std::optional<PartsFolder> parts;
  std::optional<AprFileSlabs> source(std::move(file));
  std::filesystem::path before;
  if (steps.size() > 1) {
    const auto target = resolve_target(output);
    if (!target) return target.error();
    auto folder = PartsFolder::create(*target);
    if (!folder) return folder.error();
    parts.emplace(*std::move(folder));
  }
  const auto count = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const bool last = i + 1 == steps.size();
    const auto to = last ? output : parts->path() / (std::to_string(i + 1) + ".apr");
    const auto at = static_cast<double>(i);
    auto done = engine_of(steps[i])->run(steps[i], *source, options, to,
                                         context.part(at / count, (at + 1.0) / count));
    if (!done) return error_of_step(done.error(), i, steps[i].id, steps.size());
    out.steps.push_back(*std::move(done));
    source.reset();
    std::error_code ignored;
    if (!before.empty()) std::filesystem::remove(before, ignored);
    if (!last) {
      auto next = open_again(to, JobContext(context.stop_token()));
      if (!next) return next.error();
      if (!*next) return not_in_slabs(to.string());
      source = std::move(*next);
      before = to;
    }
    out.seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return {};
}

}  // namespace

bool can_run_in_slabs(const std::vector<Operation>& steps) {
  return !steps.empty() && std::all_of(steps.begin(), steps.end(), engine_of);
}

Result<std::optional<SlabExecution>> execute_in_slabs(
    const std::vector<Operation>& steps, const SourceInfo& info, const SourceSelection& selection,
    const SlabRun& run, const std::filesystem::path& output, const JobContext& context) {
  const bool shared = run.hooks.ranks != nullptr;
  const bool can = info.is_apr && can_run_in_slabs(steps) &&
                   (!shared || (steps.size() == 1 && engine_of(steps.front())->shared));
  if (!can && shared) return not_in_slabs(info.path.string());
  const auto memory = memory_of(run);
  if (!memory) return memory.error();
  if (!can || *memory == 0) return std::optional<SlabExecution>();
  std::vector<Operation> whole;
  for (const Operation& step : steps) {
    auto one = complete(step);
    if (!one) return one.error();
    whole.push_back(*std::move(one));
  }
  auto file = AprFileSlabs::open(info, selection, JobContext(context.stop_token()));
  if (!file) return file.error();
  if (!*file && shared) return not_in_slabs(info.path.string());
  if (!*file) return std::optional<SlabExecution>();
  if (run.voxel) (*file)->set_voxel(run.voxel((*file)->facts().voxel));
  if (!shared && most_bytes(whole, **file) <= *memory) return std::optional<SlabExecution>();
  // What is free is an estimate: steps that need all particles are tried in memory then.
  if (Status ok = check_steps(whole, **file); !ok) {
    if (run.memory == 0 && !shared) return std::optional<SlabExecution>();
    return ok.error();
  }
  const auto with_tree = chosen_tree(run, **file, info.path.string(), *memory);
  if (!with_tree) return with_tree.error();
  if (run.begins) run.begins();
  SlabExecution out;
  out.size = (*file)->size();
  out.voxel = (*file)->facts().voxel;
  out.particles = (*file)->count();
  if (Status done =
          run_steps(whole, *std::move(*file),
                    {*memory, *with_tree, run.hooks, run.file.for_looking}, output, context, out);
      !done) {
    return done.error();
  }
  return std::optional(std::move(out));
}

namespace {

Result<AppliedPart> apply(const std::vector<Operation>& steps, const SourceInfo& info,
                          const SourceSelection& selection, const SlabRun& run,
                          const Backend& backend, const std::filesystem::path& output,
                          const JobContext& context) {
  constexpr double kRunShare = 0.9;
  const auto in_slabs = execute_in_slabs(steps, info, selection, run, output, context);
  if (!in_slabs) return in_slabs.error();
  if (*in_slabs) {
    return AppliedPart{(*in_slabs)->particles,
                       static_cast<std::int64_t>((*in_slabs)->steps.back().slabs)};
  }
  std::optional<VoxelSize> voxel;
  if (run.voxel) voxel = run.voxel(info.voxel);
  RunContext in_memory(context.part(0.0, kRunShare));
  // What can run in slabs, and did not, fits.
  if (!can_run_in_slabs(steps)) in_memory.memory = run.memory;
  const auto made = execute_file(steps, info, selection, backend, in_memory, voxel);
  if (!made) return made.error();
  if (!made->data->is_apr()) {
    return Error{"gives no particles", info.path.string(), "apply it to data in memory"};
  }
  const Apr& apr = made->data->apr();
  if (Status written = write_apr(apr, output, run.file, context.part(kRunShare, 1)); !written) {
    return written.error();
  }
  return AppliedPart{apr.access->count(), 0};
}

// Whether all steps can run slab by slab on their parts, whose results can then be joined.
Result<bool> can_be_read_in_slabs(std::span<const PartSteps> parts, const SourceInfo& info,
                                  const JobContext& context) {
  if (!info.is_apr) return false;
  for (const PartSteps& one : parts) {
    if (!can_run_in_slabs(one.steps)) return false;
    const auto file = AprFileSlabs::open(info, one.part, JobContext(context.stop_token()));
    if (!file) return in_part(file.error(), one.part);
    if (!*file) return false;
  }
  return true;
}

// Each part to a file of its own, one after the other, which are joined at the end.
Result<std::vector<AppliedPart>> apply_and_join(std::span<const PartSteps> parts,
                                                const SourceInfo& info, const SlabRun& run,
                                                const Backend& backend,
                                                const std::filesystem::path& output,
                                                const JobContext& context) {
  constexpr double kMadeShare = 0.95;
  const auto target = resolve_target(output);
  if (!target) return target.error();
  const auto folder = PartsFolder::create(*target);
  if (!folder) return folder.error();
  const JobContext making = context.part(0.0, kMadeShare);
  const double n = static_cast<double>(parts.size());
  std::vector<AprPartFile> files;
  std::vector<AppliedPart> done;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SourceSelection& part = parts[i].part;
    const auto file = folder->path() / (std::to_string(i) + ".apr");
    const auto made =
        apply(parts[i].steps, info, part, run, backend, file,
              making.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n));
    if (!made) return in_part(made.error(), part);
    done.push_back(*made);
    auto written = inspect(file.string(), JobContext(context.stop_token()));
    if (!written) return written.error();
    files.push_back({*std::move(written), part.channel});
  }
  Status joined = join_apr_files(files, output, run.file, context.part(kMadeShare, 1.0));
  if (!joined) return joined.error();
  return done;
}

// One part in memory at a time, as its steps need all of it. Channels may share a structure.
Result<std::vector<AppliedPart>> apply_in_memory(std::span<const PartSteps> parts,
                                                 const SourceInfo& info, const SlabRun& run,
                                                 const Backend& backend,
                                                 const std::filesystem::path& output,
                                                 const JobContext& context) {
  std::optional<VoxelSize> voxel;
  if (run.voxel) voxel = run.voxel(info.voxel);
  // Parts of the same steps have one maker.
  const auto maker_for = [&](std::size_t i) {
    std::vector<SourceSelection> alike;
    for (const PartSteps& one : parts) {
      if (one.steps == parts[i].steps) alike.push_back(one.part);
    }
    return part_maker(parts[i].steps, info, alike, voxel, backend, run.memory);
  };
  MakePart part;
  std::vector<AppliedPart> done;
  const MakeApr make = [&](std::size_t i, const JobContext& each) -> Result<Apr> {
    if (i == 0 || parts[i].steps != parts[i - 1].steps) part = maker_for(i);
    auto apr = particles_of_part(part, info, parts[i].part, each);
    if (apr) done.push_back({apr->access->count(), 0});
    return apr;
  };
  Status written = write_apr_parts(parts.size(), make, output, run.file, context);
  if (!written) return written.error();
  return done;
}

}  // namespace

Result<std::uint64_t> apply_to_file(const std::vector<Operation>& steps, const SourceInfo& info,
                                    const SourceSelection& selection, const SlabRun& run,
                                    const Backend& backend, const std::filesystem::path& output,
                                    const JobContext& context) {
  if (is_same_file(output, info.path.string())) {
    return Error{"is the source itself", output.string(), "choose another name"};
  }
  const auto done = apply(steps, info, selection, run, backend, output, context);
  if (!done) return done.error();
  return done->particles;
}

Result<std::vector<AppliedPart>> apply_to_parts(std::span<const PartSteps> parts,
                                                const SourceInfo& info, const SlabRun& run,
                                                const Backend& backend,
                                                const std::filesystem::path& output,
                                                const JobContext& context) {
  if (is_same_file(output, info.path.string())) {
    return Error{"is the source itself", output.string(), "choose another name"};
  }
  std::vector<SourceSelection> all;
  for (const PartSteps& one : parts) all.push_back(one.part);
  if (Status distinct = check_parts(info, all); !distinct) return distinct.error();
  const auto in_slabs = can_be_read_in_slabs(parts, info, context);
  if (!in_slabs) return in_slabs.error();
  return *in_slabs ? apply_and_join(parts, info, run, backend, output, context)
                   : apply_in_memory(parts, info, run, backend, output, context);
}

Result<std::vector<AppliedPart>> apply_to_parts(const std::vector<Operation>& steps,
                                                const SourceInfo& info,
                                                std::span<const SourceSelection> parts,
                                                const SlabRun& run, const Backend& backend,
                                                const std::filesystem::path& output,
                                                const JobContext& context) {
  std::vector<PartSteps> all;
  for (const SourceSelection& part : parts) all.push_back({part, steps});
  return apply_to_parts(all, info, run, backend, output, context);
}

}  // namespace aprscope
