#include "core/io/apr/apr_pieces.hpp"

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/io/apr/apr_group_write.hpp"
#include "core/io/apr/apr_header.hpp"
#include "core/io/apr/vector_writer.hpp"

namespace aprscope {
namespace {

// Share of the progress for all that `put` does; the rest is for what was spooled meanwhile.
constexpr double kPutShare = 0.93;

// The lists of a structure as they come.
class CellWriters {
 public:
  CellWriters(VectorWriter y, VectorWriter ends) : y_(std::move(y)), ends_(std::move(ends)) {}

  Status write(std::span<const std::uint16_t> y, std::span<const std::uint64_t> ends,
               const JobContext& context) {
    if (rows_ == 0) {
      const std::uint64_t zero = 0;
      if (Status first = ends_.write(rows_++, &zero, 1, context); !first) return first;
    }
    if (Status done = y_.write(cells_, y.data(), y.size(), context); !done) return done;
    cells_ += y.size();
    Status done = ends_.write(rows_, ends.data(), ends.size(), context);
    rows_ += ends.size();
    return done;
  }
  VectorWriter& y() { return y_; }
  VectorWriter& ends() { return ends_; }

 private:
  VectorWriter y_, ends_;
  std::uint64_t cells_ = 0;
  std::uint64_t rows_ = 0;
};

// In the order of write_apr() each dataset begins behind the one before: the first goes straight
// into the file, the others wait.
class PiecesFile : public AprSink {
 public:
  PiecesFile(NewAprFile& file, GroupNames& names, WrittenStructure& last,
             std::filesystem::path folder, std::string where, const AprWriteOptions& options,
             const JobContext& context)
      : file_(file),
        names_(names),
        last_(last),
        folder_(std::move(folder)),
        where_(std::move(where)),
        options_(options),
        context_(context.stop_token()) {}

  Status begin(const AprOutline& outline) override {
    const auto name = names_.next(outline.facts, where_);
    if (!name) return name.error();
    auto group = create_apr_group(file_.root.get(), *name, outline.facts,
                                  {outline.size, outline.level_max, outline.particles}, where_);
    if (!group) return group.error();
    group_ = std::move(*group);
    tree_cells_ = outline.tree_cells;
    packing_ = packing_of(options_, outline.size);
    const bool with_tree = tree_cells_ > 0;
    const WrittenStructure before = std::exchange(last_, {*name, with_tree});
    if (outline.same_cells) {
      Status linked = link_to(before, with_tree);
      if (!linked) return linked;
    } else if (Status begun = begin_cells(outline); !begun) {
      return begun;
    }
    auto values = waiting(outline.field, outline.type, outline.particles, packing_.fields);
    if (!values) return values.error();
    values_ = std::move(*values);
    return with_tree ? begin_tree(outline) : Status();
  }

  Status cells(Part part, std::span<const std::uint16_t> y,
               std::span<const std::uint64_t> ends) override {
    auto& writers = part == Part::particles ? particles_ : tree_;
    return writers ? writers->write(y, ends, context_) : Status();
  }

  Status values(std::uint64_t begin, const void* values, std::uint64_t count) override {
    return values_->write(begin, values, count, context_);
  }

  Status means(std::uint64_t begin, std::span<const float> means) override {
    return means_ ? means_->write(begin, means.data(), means.size(), context_) : Status();
  }

  // Writes everything that was spooled, in order.
  Status finish(const JobContext& context) {
    if (!values_) {
      return Error{"nothing was put into it", where_, "report this: the program is wrong"};
    }
    const hid_t group = group_.get();
    if (particles_) {
      if (Status done = particles_->y().finish(); !done) return done;
      if (Status done = particles_->ends().store(group, context.part(0.0, 0.1)); !done) return done;
    }
    if (Status done = values_->store(group, context.part(0.1, 0.7)); !done) return done;
    if (means_) {
      auto tree = create_tree_group(group, tree_cells_, where_);
      if (!tree) return tree.error();
      const hid_t to = tree->get();
      if (Status done = finish_tree_cells(to, context.part(0.7, 0.85)); !done) return done;
      if (Status done = means_->store(to, context.part(0.85, 1.0)); !done) return done;
    }
    group_.reset();
    return {};
  }

 private:
  [[nodiscard]] Result<VectorWriter> waiting(const std::string& name, int type, std::uint64_t count,
                                             const BloscPacking& packing) const {
    return VectorWriter::spooled(folder_, name, type, count, packing, where_);
  }

  // The lists of the particles, unless they are those of the group before.
  Status begin_cells(const AprOutline& outline) {
    auto y = VectorWriter::create(group_.get(), "y_vec", kU16, outline.particles,
                                  packing_.structure, where_);
    if (!y) return y.error();
    auto ends = waiting("xz_end_vec", kU64,
                        row_entries(outline.size, outline.level_max, 1, outline.level_max),
                        packing_.structure);
    if (!ends) return ends.error();
    particles_.emplace(std::move(*y), std::move(*ends));
    return {};
  }

  Status link_to(const WrittenStructure& before, bool with_tree) {
    if (before.group.empty() || (with_tree && !before.with_tree)) {
      return Error{"there is no structure to share", where_, "report this: the program is wrong"};
    }
    linked_ = before.group;
    return link_structure(file_.root.get(), linked_, group_.get(), where_);
  }

  Status finish_tree_cells(hid_t to, const JobContext& context) {
    if (!tree_) return link_structure(file_.root.get(), linked_ + '/' + kAprTree, to, where_);
    if (Status done = tree_->y().store(to, context.part(0.0, 0.7)); !done) return done;
    return tree_->ends().store(to, context.part(0.7, 1.0));
  }

  Status begin_tree(const AprOutline& outline) {
    auto means = waiting(outline.field, kF32, tree_cells_, packing_.fields);
    if (!means) return means.error();
    means_ = std::move(*means);
    if (outline.same_cells) return {};
    auto y = waiting("y_vec", kU16, tree_cells_, packing_.structure);
    if (!y) return y.error();
    auto ends = waiting("xz_end_vec", kU64,
                        row_entries(outline.size, outline.level_max, 0, outline.level_max - 1),
                        packing_.structure);
    if (!ends) return ends.error();
    tree_.emplace(std::move(*y), std::move(*ends));
    return {};
  }

  NewAprFile& file_;
  GroupNames& names_;
  WrittenStructure& last_;
  // The group whose lists this one has, too.
  std::string linked_;
  std::filesystem::path folder_;
  std::string where_;
  AprWriteOptions options_;
  // Progress is that of whoever puts.
  JobContext context_;
  Hdf5Handle group_;
  std::uint64_t tree_cells_ = 0;
  AprPacking packing_ = packing_of(false);
  std::optional<CellWriters> particles_, tree_;
  std::optional<VectorWriter> values_, means_;
};

}  // namespace

Status write_apr_series_pieces(const std::filesystem::path& path, std::size_t count,
                               const PutAprPart& put, const AprWriteOptions& options,
                               const JobContext& context) {
  const std::string where = path.string();
  if (count == 0) return Error{"there is nothing to write", where, "choose at least one APR"};
  try {
    return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
      if (context.stop_requested()) return cancelled_error();
      auto file = NewAprFile::create(temporary, where);
      if (!file) return file.error();
      GroupNames names;
      WrittenStructure last;
      const double n = static_cast<double>(count);
      for (std::size_t i = 0; i < count; ++i) {
        const JobContext share =
            context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n);
        PiecesFile pieces(*file, names, last, temporary.parent_path(), where, options, share);
        if (Status done = put(i, pieces, share.part(0.0, kPutShare)); !done) return done;
        if (Status done = pieces.finish(share.part(kPutShare, 1.0)); !done) return done;
      }
      return file->close(where);
    });
  } catch (const std::exception&) {
    return Error{"there is too little memory to write it", where, "close other data"};
  }
}

Status write_apr_pieces(const std::filesystem::path& path, const PutApr& put,
                        const AprWriteOptions& options, const JobContext& context) {
  return write_apr_series_pieces(
      path, 1,
      [&](std::size_t, AprSink& sink, const JobContext& share) { return put(sink, share); },
      options, context);
}

}  // namespace aprscope
