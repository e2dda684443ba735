#include "core/operations/filter/slab_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "core/apr/structure/tree.hpp"
#include "core/image/volume.hpp"

namespace aprscope {
namespace {

// The slices that are kept of a slab, in cells of a level of the slab.
struct KeptPlanes {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  static KeptPlanes of(const Region& kept, int shift) {
    return {kept.begin.z >> shift, ((kept.end.z - 1) >> shift) + 1};
  }
};

void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  const std::size_t at = to.size();
  to.resize(at + bytes.size());
  std::ranges::copy(bytes, to.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class T>
void append(std::vector<std::byte>& to, const std::vector<T>& values) {
  const std::uint64_t count = values.size();
  append(to, std::as_bytes(std::span(&count, 1)));
  append(to, std::as_bytes(std::span(values)));
}

template <class T>
bool take(std::span<const std::byte>& from, std::vector<T>& values) {
  std::uint64_t count = 0;
  if (from.size() < sizeof count) return false;
  std::memcpy(&count, from.data(), sizeof count);
  from = from.subspan(sizeof count);
  if (count > from.size() / sizeof(T)) return false;
  values.resize(count);
  if (count > 0) std::memcpy(values.data(), from.data(), count * sizeof(T));
  from = from.subspan(count * sizeof(T));
  return true;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::byte> bytes_of(const CoarseShare& share) {
  std::vector<std::byte> bytes;
  append(bytes, share.runs);
  append(bytes, share.results);
  append(bytes, share.y);
  append(bytes, share.row_ends);
  append(bytes, share.before);
  append(bytes, share.after);
  return bytes;
}

Result<CoarseShare> coarse_share_of(std::span<const std::byte> bytes) {
  CoarseShare share;
  const bool fine = take(bytes, share.runs) && take(bytes, share.results) && take(bytes, share.y) &&
                    take(bytes, share.row_ends) && take(bytes, share.before) &&
                    take(bytes, share.after) && bytes.empty();
  std::uint64_t results = 0;
  for (const CoarseShare::Run& run : share.runs) results += run.count;
  if (!fine || results != share.results.size() || share.before.size() != share.y.size()) {
    return not_a_result();
  }
  return share;
}

Error not_a_result() {
  return {"sent a result that is not one", "another process",
          "start all processes with the same program"};
}

Status SlabFilter::check_source(std::span<const float> values, std::int64_t begin,
                                std::int64_t end) const {
  if (work_.checked_as.empty()) return {};
  const auto bad =
      std::count_if(values.begin(), values.end(), [](float value) { return !is_usable(value); });
  if (bad == 0) return {};
  return Error{"holds values that are not finite (NaN or infinity) or beyond ±1e18, " +
                   std::to_string(bad) + " of them in slices " + std::to_string(begin) + " to " +
                   std::to_string(end - 1),
               file_.facts().name, "replace them, or scale the image, first"};
}

Status SlabFilter::check_result(std::span<const float> values) const {
  if (work_.checked_as.empty()) return {};
  const auto bad = std::count_if(values.begin(), values.end(),
                                 [](float value) { return !std::isfinite(value); });
  if (bad == 0) return {};
  return Error{work_.checked_as + " makes values that are too large for 32 bit floats",
               file_.facts().name, "scale the image or the weights down"};
}

Status SlabFilter::check_coarse() const {
  return check_source(file_.coarse_values(), 0, file_.size().z);
}

Result<CoarseShare> SlabFilter::slab(std::int64_t index, AprValueSink& sink,
                                     const JobContext& context) const {
  const std::int64_t begin = slabs_.cuts[static_cast<std::size_t>(index)];
  const std::int64_t end = slabs_.cuts[static_cast<std::size_t>(index) + 1];
  const std::int64_t from = std::max<std::int64_t>(begin - slabs_.around, 0);
  const std::int64_t to = std::min(file_.size().z, end + slabs_.around);
  const JobContext quiet(context.stop_token());
  SlabRoom own(0);
  SlabRoom& room = work_.room != nullptr ? *work_.room : own;
  std::optional<AprPart> part = room.part(index, work_.values);
  if (!part) {
    auto read = file_.slab(from, to, begin, end, quiet);
    if (!read) return read.error();
    part = *std::move(read);
  }
  if (Status fine = check_source(part->values, from, to); !fine) return fine.error();
  context.report(0.3, "filtering");
  const AprAccess& access = *part->access;
  const Size3& size = access.size();
  const Region kept{{begin - from, 0, 0}, {end - from, size.x, size.y}};
  const std::span<float> tree = room.tree(access.tree().count());
  if (Status filled = fill_tree(access, part->values, Reduction::mean, tree, quiet); !filled) {
    return filled.error();
  }
  const std::span<float> out = room.results(part->values.size());
  if (Status done = work_.filter(*part, tree, kept, out, context.part(0.35, 0.8)); !done) {
    return done.error();
  }
  context.report(0.8, "writing");
  CoarseShare share;
  if (Status done = put(*part, out, &sink, share); !done) return done.error();
  if (Status done = keep_interior(*part, kept, begin, tree, out, sink, share, quiet); !done) {
    return done.error();
  }
  room.give(index, *std::move(part));
  return share;
}

// Results go to the file; those of the coarse levels when all of them are known.
Status SlabFilter::put(const AprPart& part, std::span<const float> out, AprValueSink* sink,
                       CoarseShare& share) const {
  const std::uint64_t coarse_count = file_.coarse_values().size();
  for (const AprPart::Run& run : part.kept) {
    const auto values = out.subspan(run.from, run.count);
    if (Status fine = check_result(values); !fine) return fine;
    // A run may go on from the coarsest level to the next.
    const std::uint64_t at = std::min<std::uint64_t>(run.to, coarse_count);
    const std::uint64_t coarse = std::min<std::uint64_t>(coarse_count - at, run.count);
    if (coarse > 0) {
      share.runs.push_back({at, coarse});
      const auto results = values.first(coarse);
      share.results.insert(share.results.end(), results.begin(), results.end());
    }
    if (coarse == run.count || sink == nullptr) continue;
    if (Status done = sink->put(run.to + coarse, values.subspan(coarse)); !done) return done;
  }
  return {};
}

// The interior cells of the coarsest level become particles of the coarse part; with them come
// the means of the result.
Status SlabFilter::keep_interior(const AprPart& part, const Region& kept, std::int64_t first_slice,
                                 std::span<float> tree, std::span<const float> out,
                                 AprValueSink& sink, CoarseShare& share,
                                 const JobContext& context) const {
  const LinearAccess& cells = part.access->tree();
  const int level_max = part.access->level_max();
  const int coarsest = slabs_.coarsest - part.level_shift;
  const KeptPlanes planes = KeptPlanes::of(kept, level_max - coarsest);
  if (coarsest < level_max) {
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
      for (std::int64_t x = 0; x < cells.grid(coarsest).x; ++x) {
        const ParticleRange row = cells.row(coarsest, z, x);
        const auto y = cells.y().subspan(row.begin, row.count());
        const auto means = tree.subspan(row.begin, row.count());
        share.y.insert(share.y.end(), y.begin(), y.end());
        share.before.insert(share.before.end(), means.begin(), means.end());
        share.row_ends.push_back(share.y.size());
      }
    }
  }
  if (!work_.with_tree) return {};
  // Cells outside what is kept get means of nothing, and are not looked at.
  if (Status filled = fill_tree(*part.access, out, Reduction::mean, tree, context); !filled) {
    return filled;
  }
  for (int l = coarsest; l < level_max; ++l) {
    const int level = l + part.level_shift;
    const int shift = level_max - l;
    const KeptPlanes here = KeptPlanes::of(kept, shift);
    const auto at = [&](std::int64_t z) {
      return z < cells.grid(l).z ? cells.row(l, z, 0).begin : cells.level(l).end;
    };
    const auto means = tree.subspan(at(here.begin), at(here.end) - at(here.begin));
    const std::int64_t z0 = first_slice >> shift;
    const std::uint64_t first = file_.first_of_tree(level, z0);
    if (file_.first_of_tree(level, z0 + here.end - here.begin) - first != means.size()) {
      return Error{"its tree does not belong to its particles", file_.facts().name,
                   "leave the tree out, or write the file again with --tree"};
    }
    if (l == coarsest) {
      share.after.insert(share.after.end(), means.begin(), means.end());
    } else if (Status done = sink.put_tree(first, means); !done) {
      return done;
    }
  }
  return {};
}

// The levels up to the coarsest of slabs, put together from what slabs know of them.
class SlabFilter::Coarse {
 public:
  Coarse(const SlabFilter& filter, std::vector<CoarseShare> shares)
      : filter_(filter), file_(filter.file_), out_(file_.coarse_values().size()) {
    for (CoarseShare& share : shares) {
      keep_results(share);
      for (const std::uint64_t end : share.row_ends) xz_end_.push_back(y_.size() + end);
      append(y_, share.y);
      append(before_, share.before);
      append(after_, share.after);
      share = CoarseShare();
    }
  }

  Status put(AprValueSink& sink, const JobContext& context) {
    if (xz_end_.size() > 1) {
      const int coarsest = filter_.slabs_.coarsest;
      auto interior = LinearAccess::create(file_.size(), file_.level_max(), coarsest, coarsest,
                                           std::move(y_), std::move(xz_end_));
      if (!interior) return interior.error();
      const auto part =
          coarse_part_of(file_.coarse_cells(), file_.coarse_values(), *interior, before_, coarsest);
      if (!part) return part.error();
      if (Status done = filter(*part, context); !done) return done;
      if (filter_.work_.with_tree) {
        if (Status done = put_tree(*interior, sink, context); !done) return done;
      }
    }
    return out_.empty() ? Status() : sink.put(0, out_);
  }

 private:
  void keep_results(const CoarseShare& share) {
    auto from = share.results.begin();
    for (const CoarseShare::Run& run : share.runs) {
      const auto count = static_cast<std::ptrdiff_t>(run.count);
      std::copy(from, from + count, out_.begin() + static_cast<std::ptrdiff_t>(run.to));
      from += count;
    }
  }

  Status filter(const AprPart& part, const JobContext& context) {
    if (part.kept.empty()) return {};
    const AprAccess& access = *part.access;
    auto tree = fill_tree(access, part.values, Reduction::mean, context);
    if (!tree) return tree.error();
    std::vector<float> out(part.values.size());
    if (Status done = filter_.work_.filter(part, *tree, whole(access.size()), out, context);
        !done) {
      return done;
    }
    CoarseShare share;
    if (Status done = filter_.put(part, out, nullptr, share); !done) return done;
    keep_results(share);
    return {};
  }

  Status put_tree(const LinearAccess& interior, AprValueSink& sink, const JobContext& context) {
    const int coarsest = filter_.slabs_.coarsest;
    const auto result = coarse_part_of(file_.coarse_cells(), out_, interior, after_, coarsest);
    if (!result) return result.error();
    auto tree = fill_tree(*result->access, result->values, Reduction::mean, context);
    if (!tree) return tree.error();
    if (tree->size() != file_.first_of_tree(coarsest, 0)) {
      return Error{"its tree does not belong to its particles", file_.facts().name,
                   "leave the tree out, or write the file again with --tree"};
    }
    if (Status done = sink.put_tree(0, *tree); !done) return done;
    return sink.put_tree(tree->size(), after_);
  }

  const SlabFilter& filter_;
  const AprFileSlabs& file_;
  std::vector<float> out_;
  std::vector<std::uint16_t> y_;
  std::vector<std::uint64_t> xz_end_{0};
  std::vector<float> before_, after_;
};

Status SlabFilter::coarse(std::vector<CoarseShare> shares, AprValueSink& sink,
                          const JobContext& context) const {
  const std::uint64_t count = file_.coarse_values().size();
  for (const CoarseShare& share : shares) {
    for (const CoarseShare::Run& run : share.runs) {
      if (run.to > count || run.count > count - run.to) return not_a_result();
    }
  }
  return Coarse(*this, std::move(shares)).put(sink, context);
}

Status SlabFilter::run(AprValueSink& sink, const JobContext& context,
                       const std::function<void()>& after) const {
  std::vector<CoarseShare> shares;
  const auto all = static_cast<double>(count());
  for (std::int64_t i = 0; i < count(); ++i) {
    if (context.stop_requested()) return cancelled_error();
    const JobContext part = context.part(kShareOfSlabs * static_cast<double>(i) / all,
                                         kShareOfSlabs * static_cast<double>(i + 1) / all);
    part.report(0.0, "filtering");
    auto share = slab(i, sink, part);
    if (!share) return share.error();
    shares.push_back(*std::move(share));
    if (after) after();
  }
  return coarse(std::move(shares), sink, context.part(kShareOfSlabs, 1.0));
}

}  // namespace aprscope
