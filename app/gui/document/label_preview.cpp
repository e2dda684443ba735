#include "app/gui/document/label_preview.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "app/gui/document/release.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/background_note.hpp"

namespace aprscope::gui {
namespace {

struct FoundLabels {
  std::shared_ptr<const Labels> labels;
  std::shared_ptr<const LabelParts> parts;
  std::uint64_t count = 0;
  QString advice;
};

// The operation, with defaults for the quick parameters, which prepare() does not depend on.
Operation without_quick(Operation operation, const OperationType& type) {
  for (const std::string& id : type.labels.quick) {
    if (const ParameterSpec* spec = type.schema.parameter(id)) {
      operation.parameters[id] = spec->default_value;
    }
  }
  return operation;
}

}  // namespace

struct LabelPreview::Cache {
  std::mutex mutex;
  std::shared_ptr<const Dataset> source;
  std::optional<Operation> operation;
  std::shared_ptr<const Prepared> prepared;
};

LabelPreview::LabelPreview(JobBridge& background, QObject* parent)
    : QObject(parent), background_(background), cache_(std::make_shared<Cache>()) {}

void LabelPreview::request(std::shared_ptr<const Dataset> source, const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  if (type == nullptr || type->labels.label == nullptr) return;
  if (job_ != 0) background_.cancel(job_);
  const std::uint64_t request = ++newest_;
  const auto work = [source, operation, type,
                     cache = cache_](const JobContext& context) -> Result<FoundLabels> {
    const std::lock_guard lock(cache->mutex);
    const Operation dear = without_quick(operation, *type);
    if (cache->source != source || cache->operation != dear) {
      cache->source.reset();
      cache->operation.reset();
      cache->prepared.reset();
      if (Status ok = check_memory(type->cpu.bytes(operation, *source), *source); !ok) {
        return ok.error();
      }
      if (type->labels.prepare != nullptr) {
        auto prepared = type->labels.prepare(operation, *source, context);
        if (!prepared) return prepared.error();
        cache->prepared = released_elsewhere(*std::move(prepared));
      }
      cache->source = source;
      cache->operation = dear;
    }
    auto labels = type->labels.label(operation, *source, cache->prepared.get(), context);
    if (!labels) return labels.error();
    const LabelCounts counts =
        label_counts(type->labels, operation, *source, cache->prepared.get(), *labels);
    const QString advice = QString::fromStdString(background_note(counts.background_share));
    // The cache keeps the data that the parts refer to.
    auto parts = type->labels.parts != nullptr
                     ? type->labels.parts(operation, *source, cache->prepared)
                     : nullptr;
    return FoundLabels{released_elsewhere(with_spare(*std::move(labels), cache->prepared)),
                       std::move(parts), counts.cells, advice};
  };
  job_ = background_.post(Lane::preview, tr("Finding cells"), "labels", this, work,
                          [this, request](const Result<FoundLabels>& found) {
                            if (request != newest_) return;
                            job_ = 0;
                            if (found || !found.error().cancelled()) {
                              labels_ = found ? found->labels : nullptr;
                              parts_ = found ? found->parts : nullptr;
                              count_ = found ? found->count : 0;
                              advice_ = found ? found->advice : QString();
                              emit changed();
                            }
                            if (!found && !found.error().cancelled()) emit failed(found.error());
                            emit state_changed();
                          });
  emit state_changed();
}

std::uint64_t LabelPreview::part_count() const {
  return parts_ && !parts_->part_of.empty() ? std::ranges::max(parts_->part_of) : 0;
}

void LabelPreview::reset() {
  ++newest_;
  if (job_ != 0) background_.cancel(std::exchange(job_, 0));
  // A running job that uses the old cache frees it at its end.
  cache_ = std::make_shared<Cache>();
  parts_.reset();
  if (labels_) {
    labels_.reset();
    emit changed();
  }
  emit state_changed();
}

}  // namespace aprscope::gui
