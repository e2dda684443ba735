#include "core/pipeline/part_maker.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "core/apr/convert/structure_union.hpp"
#include "core/io/common/part_error.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope {
namespace {

// Seeing which cells the channels need, of all that is done for the first of them.
constexpr double kCellsShare = 0.6;
// Until a channel has been read and prepared once more, of all that is done for it then.
constexpr double kPreparedShare = 0.7;

// The data alone, which keep the whole data set alive.
std::shared_ptr<const Data> data_of(std::shared_ptr<const Dataset> dataset) {
  const Data* const data = &dataset->data();
  return {std::move(dataset), data};
}

struct Parts {
  std::vector<Operation> steps;
  const SourceInfo& info;
  std::vector<SourceSelection> all;
  std::optional<VoxelSize> voxel;
  const Backend& backend;
  std::uint64_t memory;

  [[nodiscard]] RunContext context(const JobContext& job) const {
    RunContext run(job);
    run.memory = memory;
    return run;
  }
};

// The steps around the conversion whose cells channels share.
class SharedParts {
 public:
  SharedParts(Parts parts, std::size_t conversion)
      : parts_(std::move(parts)),
        to_cells_(steps(0, conversion + 1)),
        before_(steps(0, conversion)),
        after_(steps(conversion + 1, parts_.steps.size())) {}

  Result<std::shared_ptr<const Data>> make(const SourceSelection& part, const JobContext& context) {
    double from = 0.0;
    if (!access_ || time_ != part.time) {
      from = kCellsShare;
      if (Status chosen = choose(part.time, context.part(0.0, from)); !chosen) {
        return chosen.error();
      }
    }
    const auto own = own_.find(part.channel);
    // With no other channel it has cells of its own.
    if (own == own_.end()) return run(parts_.steps, part, context);
    return at_shared_cells(part, own->second, context.part(from, 1.0));
  }

 private:
  [[nodiscard]] std::vector<Operation> steps(std::size_t begin, std::size_t end) const {
    const auto first = parts_.steps.begin();
    return {first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)};
  }

  Result<std::shared_ptr<const Data>> run(const std::vector<Operation>& some,
                                          const SourceSelection& part,
                                          const JobContext& context) const {
    auto done = execute_file(some, parts_.info, part, parts_.backend, parts_.context(context),
                             parts_.voxel);
    if (!done) return in_part(done.error(), part);
    return data_of(std::move(done->data));
  }

  // The union of the cells that the channels of a time point need.
  Status choose(int time, const JobContext& context) {
    access_.reset();
    own_.clear();
    time_ = time;
    std::vector<SourceSelection> channels;
    std::copy_if(parts_.all.begin(), parts_.all.end(), std::back_inserter(channels),
                 [time](const SourceSelection& part) { return part.time == time; });
    if (channels.size() < 2) return {};
    std::optional<StructureUnion> all;
    const double n = static_cast<double>(channels.size());
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const SourceSelection& part = channels[i];
      const auto made =
          run(to_cells_, part,
              context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n));
      if (!made) return made.error();
      Apr own = std::get<Apr>(**made);
      if (!all) all.emplace(own.access->size());
      if (Status added = all->add(*own.access, JobContext(context.stop_token())); !added) {
        return in_part(added.error(), part);
      }
      own.access.reset();
      own.fields.clear();
      own.labels.reset();
      own_.emplace(part.channel, std::move(own));
    }
    auto access = all->access(JobContext(context.stop_token()));
    if (!access) return access.error();
    access_ = *std::move(access);
    return {};
  }

  Result<std::shared_ptr<const Data>> at_shared_cells(const SourceSelection& part, const Apr& own,
                                                      const JobContext& context) const {
    const bool goes_on = !after_.empty();
    const double prepared = goes_on ? kPreparedShare / 2.0 : kPreparedShare;
    const double sampled = goes_on ? 0.5 : 1.0;
    const auto image = execute_file(before_, parts_.info, part, parts_.backend,
                                    parts_.context(context.part(0.0, prepared)), parts_.voxel);
    if (!image) return in_part(image.error(), part);
    auto made = particles_at(own, access_, *image->data, context.part(prepared, sampled));
    if (!made) return in_part(made.error(), part);
    if (!goes_on) return std::make_shared<const Data>(*std::move(made));
    RunContext rest = parts_.context(context.part(sampled, 1.0));
    rest.steps_before = to_cells_.size();
    auto done = execute(after_, Dataset::create(*std::move(made)), parts_.backend, rest);
    if (!done) return in_part(done.error(), part);
    return data_of(std::move(done->data));
  }

  Parts parts_;
  std::vector<Operation> to_cells_, before_, after_;
  // Of one time point: the cells, and what each channel's own conversion says of itself.
  int time_ = 0;
  std::shared_ptr<const AprAccess> access_;
  std::map<int, Apr> own_;
};

Error no_memory(const SourceInfo& info) {
  return {"not enough memory to share a structure", info.path.string(), "close other data"};
}

}  // namespace

MakePart part_maker(const std::vector<Operation>& steps, const SourceInfo& info,
                    std::span<const SourceSelection> parts, const std::optional<VoxelSize>& voxel,
                    const Backend& backend, std::uint64_t memory) {
  Parts all{steps, info, {parts.begin(), parts.end()}, voxel, backend, memory};
  if (const auto conversion = shared_conversion(steps)) {
    const auto shared = std::make_shared<SharedParts>(std::move(all), *conversion);
    return [shared, &info](const SourceSelection& part,
                           const JobContext& context) -> Result<std::shared_ptr<const Data>> {
      try {
        return shared->make(part, context);
      } catch (const std::bad_alloc&) {
        return in_part(no_memory(info), part);
      }
    };
  }
  return [all = std::move(all)](const SourceSelection& part,
                                const JobContext& context) -> Result<std::shared_ptr<const Data>> {
    // Of a file that is larger than memory, no more than a first crop needs.
    auto run =
        execute_file(all.steps, all.info, part, all.backend, all.context(context), all.voxel);
    if (!run) return in_part(run.error(), part);
    return data_of(std::move(run->data));
  };
}

}  // namespace aprscope
