#include "app/gui/document/preview_state.hpp"

#include <utility>

#include "app/gui/document/live_image.hpp"
#include "app/gui/document/supports.hpp"
#include "core/base/system.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {

PreviewState::PreviewState(ItemList& items, Services& services)
    : items_(items),
      services_(services),
      conversion_(std::make_unique<ConversionPreview>(services.background, nullptr)),
      label_preview_(std::make_unique<LabelPreview>(services.background, nullptr)) {
  if (auto convert = complete({"convert", {}})) convert_ = *std::move(convert);
  connect(conversion_.get(), &ConversionPreview::dataset_changed, this,
          &PreviewState::dataset_changed);
  connect(conversion_.get(), &ConversionPreview::estimate_changed, this,
          &PreviewState::estimate_changed);
  connect(conversion_.get(), &ConversionPreview::failed, this, [this](const Error& error) {
    // Errors of an estimate that the user did not ask for are not shown.
    if (operation_ && is_estimated(*operation_)) services_.messages.say(error);
  });
}

PreviewState::~PreviewState() = default;

// Whether an operation with all its parameters can be previewed on the current item. Right after
// Apply the panel still holds the applied operation, which must not be shown twice.
bool PreviewState::suits(const Operation& whole) const {
  const Item* item = items_.current();
  const bool just_applied =
      item != nullptr && !item->recipe.steps.empty() && item->recipe.steps.back() == whole;
  return !just_applied && supports(item, whole, *services_.backend);
}

void PreviewState::set(const Operation& operation) {
  const auto whole = complete(operation);
  if (!whole) {
    services_.messages.say(whole.error());
    return;
  }
  if (!suits(*whole)) {
    clear();
    return;
  }
  const bool first_conversion = is_estimated(*whole) && (!operation_ || !is_estimated(*operation_));
  if (operation_ == *whole) return;
  operation_ = *whole;
  emit changed();
  if (traits_of(*whole).preview == Previewed::labels) {
    label_preview_->request(items_.current()->dataset, *whole);
  }
  if (is_estimated(*whole)) {
    if (first_conversion && dataset()) emit dataset_changed();
    request_estimate(*whole);
  }
}

void PreviewState::clear() {
  if (!operation_) return;
  operation_.reset();
  label_preview_->reset();
  emit changed();
}

void PreviewState::forget() {
  clear();
  conversion_->reset();
  label_preview_->reset();
}

void PreviewState::follow_data() {
  if (!operation_ || traits_of(*operation_).preview != Previewed::region || !suits(*operation_)) {
    return forget();
  }
  conversion_->reset();
  label_preview_->reset();
}

void PreviewState::set_conversion_view(ShowMode mode) {
  if (mode == conversion_view_) return;
  conversion_view_ = mode;
  if (operation_ && is_estimated(*operation_)) emit changed();
}

std::shared_ptr<const Dataset> PreviewState::dataset() const {
  return operation_ && is_estimated(*operation_) ? conversion_->dataset() : nullptr;
}

std::shared_ptr<const Labels> PreviewState::labels() const {
  const bool shown = operation_ && traits_of(*operation_).preview == Previewed::labels;
  return shown ? label_preview_->labels() : nullptr;
}

std::shared_ptr<const LabelParts> PreviewState::label_parts() const {
  return labels() ? label_preview_->parts() : nullptr;
}

void PreviewState::request_estimate(const Operation& convert) {
  const auto whole = complete(convert);
  if (!whole || !is_estimated(*whole)) return;
  convert_ = *whole;
  const Item* now = items_.current();
  if (now == nullptr || now->is_apr() || !supports(items_.current(), *whole, *services_.backend))
    return;
  // An estimate is optional, so it may only use half of the free memory: filters need the
  // rest.
  const std::uint64_t free = available_bytes();
  if (free != 0 && services_.backend->estimate_bytes(*whole, *now->dataset) > free / 2) return;
  conversion_->request(now->dataset, *whole);
}

const std::optional<ConversionEstimate>& PreviewState::estimate() const {
  return conversion_->estimate();
}

bool PreviewState::estimate_pending() const { return conversion_->pending(); }

void PreviewState::set_live(std::shared_ptr<const LiveImage> live) {
  if (live == live_) return;
  live_ = std::move(live);
  emit live_changed();
}

std::shared_ptr<const LiveImage> PreviewState::live() const {
  return live_ && live_->item == items_.current_id() ? live_ : nullptr;
}

}  // namespace aprscope::gui
