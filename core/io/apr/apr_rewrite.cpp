#include "core/io/apr/apr_rewrite.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/io/apr/apr_copy.hpp"
#include "core/io/apr/apr_group_write.hpp"
#include "core/io/apr/apr_labels.hpp"
#include "core/io/apr/apr_slabs_impl.hpp"
#include "core/io/apr/vector_writer.hpp"

namespace aprscope {
namespace {

// Share of the progress for the structure.
constexpr double kStructureShare = 0.12;
// … until all values are there, packed.
constexpr double kFilledShare = 0.9;

// The labels of the particles; none if the source has none.
Result<std::optional<Hdf5Vector>> labels_of(const AprFileSlabs::Impl& source) {
  const auto& fields = source.header.fields;
  if (source.field == kLabelsField ||
      std::find(fields.begin(), fields.end(), kLabelsField) == fields.end()) {
    return std::optional<Hdf5Vector>();
  }
  auto labels = Hdf5Vector::open(source.group, kLabelsField);
  if (!labels) return labels.error();
  if (labels->type() != kLabelsType || labels->count() != source.header.particles) {
    return std::optional<Hdf5Vector>();
  }
  return std::optional(std::move(*labels));
}

class FileSink : public AprValueSink {
 public:
  // Progress is that of whoever fills it.
  FileSink(VectorWriter values, std::optional<VectorWriter> tree, const JobContext& context)
      : values_(std::move(values)), tree_(std::move(tree)), context_(context.stop_token()) {}

  Status put(std::uint64_t begin, std::span<const float> values) override {
    return values_.write(begin, values.data(), values.size(), context_);
  }
  Status put_tree(std::uint64_t begin, std::span<const float> means) override {
    return tree_ ? tree_->write(begin, means.data(), means.size(), context_) : Status();
  }
  Status put_piece(bool of_tree, const VectorPiece& piece) override {
    if (!of_tree) return values_.take(piece);
    return tree_ ? tree_->take(piece) : Status();
  }
  VectorWriter& values() { return values_; }
  VectorWriter& means() { return *tree_; }

 private:
  VectorWriter values_;
  std::optional<VectorWriter> tree_;
  JobContext context_;
};

Status write_rewritten(const AprFileSlabs& source, const AprRewriteOptions& options,
                       const std::filesystem::path& temporary, const std::string& where,
                       const FillAprValues& fill, const JobContext& context) {
  const AprFileSlabs::Impl& from = source.impl();
  auto file = NewAprFile::create(temporary, where);
  if (!file) return file.error();
  Apr facts = from.facts;
  facts.history.push_back(options.history);
  const auto name = GroupNames().next(facts, where);
  if (!name) return name.error();
  auto group = create_apr_group(file->root.get(), *name, facts,
                                {source.size(), source.level_max(), source.count()}, where);
  if (!group) return group.error();
  const bool with_tree = options.with_tree && from.tree;
  const AprPacking packing = packing_of({.for_looking = options.for_looking}, source.size());
  if (Status done = copy_structure(from.particles, Copied::as_stored, group->get(),
                                   packing.structure, where, context.part(0.0, kStructureShare));
      !done) {
    return done;
  }
  auto labels = labels_of(from);
  if (!labels) return labels.error();
  // Values come in any order, so they wait: the file is the same each time, in the order of
  // write_apr().
  const auto waiting = [&](std::uint64_t count) {
    return VectorWriter::spooled(temporary.parent_path(), from.field, kF32, count, packing.fields,
                                 where);
  };
  auto values = waiting(source.count());
  if (!values) return values.error();
  std::optional<VectorWriter> means;
  if (with_tree) {
    auto made = waiting(from.tree->count());
    if (!made) return made.error();
    means = std::move(*made);
  }
  FileSink sink(std::move(*values), std::move(means), context);
  if (Status done = fill(sink, context.part(kStructureShare, kFilledShare)); !done) return done;
  std::vector<std::string> names{from.field};
  if (*labels) names.push_back(kLabelsField);
  if (Status order = write_field_order(group->get(), names, where); !order) return order;
  if (Status done = sink.values().store(group->get(), context.part(kFilledShare, 0.95)); !done) {
    return done;
  }
  if (*labels) {
    if (Status done =
            copy_vector(**labels, Copied::unpacked, group->get(), kLabelsField, kLabelsType,
                        packing.fields, where, JobContext(context.stop_token()));
        !done) {
      return done;
    }
  }
  if (with_tree) {
    auto tree = create_tree_group(group->get(), from.tree->count(), where);
    if (!tree) return tree.error();
    const JobContext rest = context.part(0.95, 1.0);
    if (Status done = copy_structure(*from.tree, Copied::unpacked, tree->get(), packing.structure,
                                     where, rest.part(0.0, 0.6));
        !done) {
      return done;
    }
    if (Status done = sink.means().store(tree->get(), rest.part(0.6, 1.0)); !done) return done;
  }
  group->reset();
  if (Status closed = file->close(where); !closed) return closed;
  // Old and new values of a source that changed must not be mixed.
  return source.unchanged();
}

}  // namespace

Status rewrite_apr(const AprFileSlabs& source, const AprRewriteOptions& options,
                   const std::filesystem::path& path, const FillAprValues& fill,
                   const JobContext& context) {
  const std::string where = path.string();
  try {
    return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
      if (context.stop_requested()) return cancelled_error();
      return write_rewritten(source, options, temporary, where, fill, context);
    });
  } catch (const std::exception&) {
    return Error{"there is too little memory to write it", where, "close other data"};
  }
}

}  // namespace aprscope
