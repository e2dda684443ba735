#include "core/io/apr/apr_slabs.hpp"

#include <algorithm>
#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/io/apr/apr_slabs_impl.hpp"

namespace aprscope {
namespace {

using Impl = AprFileSlabs::Impl;

Error at_file(const std::string& where, Error error) {
  if (!error.cancelled()) error.where = where;
  return error;
}

// Turns exceptions into an error: here they can only mean that memory is short.
template <class F>
auto within_memory(const std::string& where, F&& f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::exception&) {
    return Error{"a part of it does not fit into memory", where,
                 "allow more memory, or close other data"};
  }
}

Status read_planes(const AprCells& cells, int first, int last,
                   std::vector<std::vector<std::uint64_t>>& planes, const JobContext& context) {
  planes.resize(static_cast<std::size_t>(last) + 1);
  std::uint64_t before = 0;
  for (int l = first; l <= last; ++l) {
    if (context.stop_requested()) return cancelled_error();
    auto ends = cells.plane_ends(l, context);
    if (!ends) return ends.error();
    if (ends->front() != before) {
      return Error{"its rows are out of order", "", "the file is damaged"};
    }
    before = ends->back();
    planes[static_cast<std::size_t>(l)] = std::move(*ends);
  }
  if (before == cells.count()) return {};
  return Error{"its rows do not fit its particles", "", "the file is damaged"};
}

// The tree, where it has as many rows and cells as it should; without it nothing is lost.
Status open_tree_of(const AprFile& file, Impl& impl, const JobContext& context) {
  FieldCoding coding;
  auto tree = open_apr_tree(file.root, impl.group, impl.header, impl.field, coding);
  if (!tree) return tree.error();
  if (!*tree) return {};
  Status read = read_planes(**tree, 0, impl.header.level_max - 1, impl.tree_planes, context);
  if (!read && read.error().cancelled()) return read;
  if (read) impl.tree = std::move(*tree);
  return impl.group.reader->status();
}

Result<std::unique_ptr<Impl>> open_checked(const SourceInfo& info, const SourceSelection& selection,
                                           FileWatch watch, const JobContext& context) {
  const auto file = open_apr_file(info.path.string(), context.stop_token());
  if (!file) return file.error();
  const std::string* name = file->groups.find(selection.channel, selection.time);
  if (name == nullptr) return std::unique_ptr<Impl>();
  auto opened = open_apr_group(*file, *name);
  if (!opened) return opened.error();
  auto& [where, group, header] = *opened;
  std::string field = main_field_name(header.fields);
  if (header.random_access || field.empty() || header.level_max < 2) return std::unique_ptr<Impl>();
  auto particles = AprCells::open(group, header, 1, header.level_max, field);
  if (!particles) return particles.error();
  if (!*particles || (*particles)->count() != header.particles) return std::unique_ptr<Impl>();
  Apr facts = described_apr(header);
  facts.channel = file->groups.channels[static_cast<std::size_t>(selection.channel)];
  facts.channel_index = selection.channel;
  facts.time = file->groups.times[static_cast<std::size_t>(selection.time)];
  auto impl = std::unique_ptr<Impl>(new Impl{where,
                                             std::move(watch),
                                             group,
                                             header,
                                             std::move(facts),
                                             std::move(field),
                                             *std::move(*particles),
                                             std::nullopt,
                                             {},
                                             {},
                                             0,
                                             {},
                                             {},
                                             {}});
  if (Status read = read_planes(impl->particles, 1, header.level_max, impl->planes, context);
      !read) {
    return at_file(where, read.error());
  }
  if (Status tree = open_tree_of(*file, *impl, context); !tree) return tree.error();
  return impl;
}

}  // namespace

AprFileSlabs::AprFileSlabs(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AprFileSlabs::AprFileSlabs(AprFileSlabs&&) noexcept = default;
AprFileSlabs& AprFileSlabs::operator=(AprFileSlabs&&) noexcept = default;
AprFileSlabs::~AprFileSlabs() = default;

Result<std::optional<AprFileSlabs>> AprFileSlabs::open(const SourceInfo& info,
                                                       const SourceSelection& selection,
                                                       const JobContext& context) {
  using Opened = Result<std::optional<AprFileSlabs>>;
  return within_memory(info.path.string(), [&]() -> Opened {
    auto watch = FileWatch::begin(info.path);
    if (!watch) return watch.error();
    const FileWatch since = *watch;
    auto impl = open_checked(info, selection, std::move(*watch), context);
    // An error of reading may come from a change of the file: report the change instead.
    if (Status same = since.unchanged(); !same && (impl || !impl.error().cancelled())) {
      return same.error();
    }
    if (!impl) return impl.error();
    if (!*impl) return std::optional<AprFileSlabs>();
    return std::optional(AprFileSlabs(std::move(*impl)));
  });
}

const Apr& AprFileSlabs::facts() const { return impl_->facts; }
void AprFileSlabs::set_voxel(const VoxelSize& voxel) { impl_->facts.voxel = voxel; }
const Size3& AprFileSlabs::size() const { return impl_->header.size; }
int AprFileSlabs::level_max() const { return impl_->header.level_max; }
std::uint64_t AprFileSlabs::count() const { return impl_->header.particles; }
const std::string& AprFileSlabs::field() const { return impl_->field; }
bool AprFileSlabs::whole_numbers() const {
  // Types of floating point come last in FieldValues.
  static_assert(std::is_same_v<std::variant_alternative_t<8, FieldValues>, std::vector<float>>);
  return impl_->particles.value_type() < 8;
}
std::uint64_t AprFileSlabs::tree_count() const { return impl_->tree ? impl_->tree->count() : 0; }

std::uint64_t AprFileSlabs::first_in_plane(int level, std::int64_t z) const {
  return impl_->planes[static_cast<std::size_t>(level)][static_cast<std::size_t>(z)];
}

std::uint64_t AprFileSlabs::first_of_tree(int level, std::int64_t z) const {
  return impl_->tree_planes[static_cast<std::size_t>(level)][static_cast<std::size_t>(z)];
}

Status AprFileSlabs::read_coarse(int coarsest, const JobContext& context) {
  return within_memory(impl_->where, [&]() -> Status {
    std::vector<std::uint16_t> y;
    std::vector<std::uint64_t> xz_end{0};
    std::vector<float> values;
    const auto count =
        static_cast<std::size_t>(impl_->planes[static_cast<std::size_t>(coarsest)].back());
    y.reserve(count);
    values.reserve(count);
    for (int l = 1; l <= coarsest; ++l) {
      const std::int64_t nz = level_grid(size(), level_max(), l).z;
      auto rows = impl_->particles.read(l, 0, nz, impl_->header.coding, context);
      if (!rows) return rows.error();
      y.insert(y.end(), rows->y.begin(), rows->y.end());
      values.insert(values.end(), rows->values.begin(), rows->values.end());
      xz_end.insert(xz_end.end(), rows->ends.begin() + 1, rows->ends.end());
    }
    auto cells =
        LinearAccess::create(size(), level_max(), 1, coarsest, std::move(y), std::move(xz_end));
    if (!cells) return at_file(impl_->where, cells.error());
    impl_->coarsest = coarsest;
    impl_->coarse = std::move(*cells);
    impl_->coarse_values = std::move(values);
    return {};
  });
}

const LinearAccess& AprFileSlabs::coarse_cells() const { return impl_->coarse; }
std::span<const float> AprFileSlabs::coarse_values() const {
  if (impl_->others.empty()) return impl_->coarse_values;
  return impl_->others.first(impl_->coarse_values.size());
}

void AprFileSlabs::use_values(std::span<const float> values) { impl_->others = values; }

Result<AprPart> AprFileSlabs::slab(std::int64_t begin, std::int64_t end, std::int64_t keep_begin,
                                   std::int64_t keep_end, const JobContext& context) const {
  CellRows rows;
  const auto slices = [&](int level, std::int64_t z0, std::int64_t z1) -> Result<LevelSlices> {
    rows = {};
    const bool others = !impl_->others.empty();
    auto read = others ? impl_->particles.read_cells(level, z0, z1, context)
                       : impl_->particles.read(level, z0, z1, impl_->header.coding, context);
    if (!read) return read.error();
    rows = std::move(*read);
    if (!others) return LevelSlices{rows.ends, rows.y, rows.values};
    return LevelSlices{rows.ends, rows.y, impl_->others.subspan(rows.ends.front(), rows.count())};
  };
  SlabSource source{size(), level_max(), &impl_->coarse, coarse_values(), slices};
  source.origins = !impl_->others.empty();
  // The coarsest level may get as many cells as its grid has, since coarser ones are repeated.
  source.expected_cells = static_cast<std::uint64_t>(
      level_grid({end - begin, size().x, size().y}, level_max(), impl_->coarsest).count());
  for (int l = impl_->coarsest + 1; l <= level_max(); ++l) {
    const int shift = level_max() - l;
    source.expected_cells +=
        first_in_plane(l, ((end - 1) >> shift) + 1) - first_in_plane(l, begin >> shift);
  }
  return within_memory(impl_->where, [&]() -> Result<AprPart> {
    auto part = slab_of(source, impl_->coarsest, begin, end, keep_begin, keep_end);
    if (!part && part.error().where == "particles") return at_file(impl_->where, part.error());
    return part;
  });
}

Result<CellRows> AprFileSlabs::rows(int level, std::int64_t z0, std::int64_t z1,
                                    const JobContext& context, bool with_values) const {
  return within_memory(impl_->where, [&]() -> Result<CellRows> {
    if (!with_values) return impl_->particles.read_cells(level, z0, z1, context);
    return impl_->particles.read(level, z0, z1, impl_->header.coding, context);
  });
}

Status AprFileSlabs::read_field(std::uint64_t begin, std::span<float> out,
                                const JobContext& context) const {
  return within_memory(impl_->where, [&]() -> Status {
    const auto values =
        impl_->particles.read_floats(begin, out.size(), impl_->header.coding, context);
    if (!values) return values.error();
    std::ranges::copy(*values, out.begin());
    return {};
  });
}

Status AprFileSlabs::unchanged() const { return impl_->watch.unchanged(); }

}  // namespace aprscope
