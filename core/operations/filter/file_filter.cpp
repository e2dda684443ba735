#include "core/operations/filter/file_filter.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/fingerprint.hpp"
#include "core/io/apr/apr_rewrite.hpp"
#include "core/io/apr/apr_value_pieces.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/engine/slab_plan.hpp"
#include "core/operations/filter/filter_reach.hpp"
#include "core/operations/filter/part_filter.hpp"
#include "core/operations/filter/slab_filter.hpp"
#include "core/ranks/funnel.hpp"

namespace aprscope {
namespace {

// What the head of a part of a slab's result says; its body: the bytes of a piece, or a share.
struct PartHead {
  enum Kind : std::uint64_t { values, means, share } kind = share;
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
  std::uint64_t packed = 0;
  std::uint64_t skipped = 0;
};

Funnel::Make slabs_to_send(const SlabFilter& filter, const AprFileSlabs& file,
                           const AprRewriteOptions& rewrite, const JobContext& context) {
  return
      [&filter, &file, &rewrite, context](std::int64_t item, const Funnel::Send& send) -> Status {
        const JobContext quiet(context.stop_token());
        const auto send_part = [&](const PartHead& head, std::span<const std::byte> body) {
          return send(std::as_bytes(std::span(&head, 1)), body);
        };
        AprValuePieces pieces(
            file, rewrite,
            [&](bool of_tree, const VectorPiece& piece) {
              const PartHead head{of_tree ? PartHead::means : PartHead::values, piece.begin,
                                  piece.count, piece.packed ? 1U : 0U, piece.skipped};
              return send_part(head, std::as_bytes(piece.bytes));
            },
            quiet);
        const auto share = filter.slab(item, pieces, quiet);
        return share ? send_part({}, bytes_of(*share)) : Status(share.error());
      };
}

Status take_part(const Funnel::Part& part, AprValueSink& sink, std::vector<CoarseShare>& shares) {
  PartHead head;
  if (part.head.size() != sizeof head) return not_a_result();
  std::copy(part.head.begin(), part.head.end(),
            std::as_writable_bytes(std::span(&head, 1)).begin());
  if (head.kind == PartHead::share) {
    auto share = coarse_share_of(part.body);
    if (!share) return share.error();
    shares[static_cast<std::size_t>(part.item)] = *std::move(share);
    return {};
  }
  VectorPiece piece;
  piece.begin = head.begin;
  piece.count = head.count;
  piece.packed = head.packed != 0;
  piece.skipped = static_cast<std::uint32_t>(head.skipped);
  piece.bytes = {
      reinterpret_cast<const std::uint8_t*>(part.body.data()),  // NOLINT: bytes are bytes
      part.body.size()};
  return sink.put_piece(head.kind == PartHead::means, piece);
}

// A number that differs where the slabs of another process would.
std::uint64_t fingerprint(const Operation& operation, const AprFileSlabs& file,
                          const SlabPlan& plan, bool with_tree) {
  Fingerprint number;
  number.add(std::string_view(describe(operation)));
  const VoxelSize& voxel = file.facts().voxel;
  number.add(std::string_view(file.field()));
  number.add_all(file.count(), plan.coarsest, with_tree, voxel.z, voxel.x, voxel.y);
  for (int l = 1; l <= file.level_max(); ++l) {
    const std::int64_t nz = level_grid(file.size(), file.level_max(), l).z;
    for (std::int64_t z = 0; z <= nz; ++z) number.add(file.first_in_plane(l, z));
  }
  for (const std::int64_t cut : plan.cuts) number.add(cut);
  for (const float value : file.coarse_values()) number.add(value);
  return number.value();
}

SlabWork work_of(const Operation& operation, const PartFilter& filter, bool with_tree) {
  return {filter.work(), operation.id, with_tree};
}

// The slabs of a file, prepared to be filtered in this process.
struct Prepared {
  std::optional<PartFilter> filter;
  SlabPlan slabs;
};

Result<Prepared> prepare(const Operation& complete, AprFileSlabs& file,
                         const FileRunOptions& options, bool with_tree, const JobContext& context) {
  const auto plan = plan_filter(complete, file.facts().voxel, file.size());
  if (!plan) return plan.error();
  const int level_max = file.level_max();
  auto filter = PartFilter::create(*plan, level_max);
  if (!filter) return filter.error();
  const int processes = options.hooks.ranks != nullptr ? options.hooks.ranks->place().count : 1;
  auto cut = plan_slabs(
      file, [&](int coarsest) { return slices_reached(*plan, level_max, coarsest); },
      options.memory, processes);
  if (!cut) return cut.error();
  context.report(0.0, "reading");
  if (Status read = file.read_coarse(cut->coarsest, context); !read) return read.error();
  Prepared made{*std::move(filter), *std::move(cut)};
  const SlabFilter looked_at(file, made.slabs, work_of(complete, *made.filter, with_tree));
  if (Status fine = looked_at.check_coarse(); !fine) return fine.error();
  return made;
}

// As prepare(), of all processes, which learn of an error of any.
Result<Prepared> prepare_together(const Operation& complete, AprFileSlabs& file,
                                  FileRunOptions options, bool with_tree,
                                  const JobContext& context) {
  Ranks& ranks = *options.hooks.ranks;
  if (Status all = ranks.agree({}); !all) return all.error();
  options.memory = ranks.least(options.memory);
  auto made = prepare(complete, file, options, with_tree, context);
  if (Status all = ranks.agree(made ? Status() : Status(made.error())); !all) return all.error();
  const Error other{"has another file or another filter", file.facts().name,
                    "start all processes with the same command and the same file"};
  if (Status all = ranks.agree_on(fingerprint(complete, file, made->slabs, with_tree), other);
      !all) {
    return all.error();
  }
  return made;
}

Status filter_together(const SlabFilter& filter, const AprFileSlabs& file,
                       const AprRewriteOptions& rewrite, Ranks& ranks,
                       const std::filesystem::path& output, const JobContext& context) {
  Funnel funnel(ranks);
  const Funnel::Make make = slabs_to_send(filter, file, rewrite, context);
  if (!ranks.is_first()) {
    const Funnel::Take none = [](const Funnel::Part&) { return Status(); };
    if (Status done = funnel.run(filter.count(), "filtering", make, none, context); !done) {
      return done;
    }
    return ranks.part({});
  }
  const auto fill = [&](AprValueSink& sink, const JobContext& share) {
    std::vector<CoarseShare> shares(static_cast<std::size_t>(filter.count()));
    const Funnel::Take take = [&](const Funnel::Part& part) {
      return take_part(part, sink, shares);
    };
    if (Status done =
            funnel.run(filter.count(), "filtering", make, take, share.part(0.0, kShareOfSlabs));
        !done) {
      return done;
    }
    return filter.coarse(std::move(shares), sink, share.part(kShareOfSlabs, 1.0));
  };
  const Status written = rewrite_apr(file, rewrite, output, fill, context);
  if (!funnel.ended()) return funnel.abandon(written ? cancelled_error() : written.error());
  return ranks.part(written);
}

}  // namespace

Result<FileRunReport> filter_apr_file(const Operation& complete, AprFileSlabs& file,
                                      const FileRunOptions& options,
                                      const std::filesystem::path& output,
                                      const JobContext& context) {
  try {
    const bool with_tree = options.with_tree && file.tree_count() != 0;
    const JobContext first = context.part(0.0, 0.02);
    const auto made = options.hooks.ranks != nullptr
                          ? prepare_together(complete, file, options, with_tree, first)
                          : prepare(complete, file, options, with_tree, first);
    if (!made) return made.error();
    const SlabFilter filter(file, made->slabs, work_of(complete, *made->filter, with_tree));
    const AprRewriteOptions rewrite{made_by_cpu(complete), with_tree, options.for_looking};
    const JobContext rest = context.part(0.02, 1.0);
    const auto fill = [&](AprValueSink& sink, const JobContext& share) {
      return filter.run(sink, share);
    };
    if (Status done =
            options.hooks.ranks != nullptr
                ? filter_together(filter, file, rewrite, *options.hooks.ranks, output, rest)
                : rewrite_apr(file, rewrite, output, fill, rest);
        !done) {
      return done.error();
    }
    return FileRunReport{complete, false, filter.count(), made->slabs.around};
  } catch (const std::exception&) {
    return Error{"there is too little memory to filter a part of it", file.facts().name,
                 "allow more memory, or close other data"};
  }
}

std::uint64_t bytes_to_filter(const AprFileSlabs& file) {
  const std::uint64_t rows = row_entries(file.size(), file.level_max(), 1, file.level_max());
  // y and value as they are read, f32 values, result, tree and its share of lists and means.
  return file.count() * 20 + rows * 12 + static_cast<std::uint64_t>(file.size().count()) / 50;
}

}  // namespace aprscope
