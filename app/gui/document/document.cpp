#include "app/gui/document/document.hpp"

#include <algorithm>
#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/conversion_preview.hpp"
#include "app/gui/document/device_text.hpp"
#include "app/gui/document/label_preview.hpp"
#include "app/gui/document/live_image.hpp"
#include "app/gui/document/release.hpp"
#include "core/base/system.hpp"
#include "core/operations/registry.hpp"

namespace aprscope::gui {
namespace {

constexpr int kUndoSteps = 200;

}  // namespace

Document::Document(std::shared_ptr<const Backend> backend, QObject* parent)
    : QObject(parent),
      backend_(std::move(backend)),
      jobs_(std::make_unique<JobBridge>()),
      background_(std::make_unique<JobBridge>()),
      conversion_(std::make_unique<ConversionPreview>(*background_, nullptr)),
      label_preview_(std::make_unique<LabelPreview>(*background_, nullptr)),
      amended_(std::make_shared<AmendedLabels>()) {
  connect(label_preview_.get(), &LabelPreview::changed, this, &Document::shown_labels_changed);
  undo_.setUndoLimit(kUndoSteps);
  if (auto convert = complete({"convert", {}})) convert_ = *std::move(convert);
  connect(conversion_.get(), &ConversionPreview::dataset_changed, this,
          &Document::preview_dataset_changed);
  connect(conversion_.get(), &ConversionPreview::estimate_changed, this,
          &Document::estimate_changed);
  connect(conversion_.get(), &ConversionPreview::failed, this, [this](const Error& error) {
    // An estimate that nobody asked for fails quietly; the chip then says nothing.
    if (preview_ && is_estimated(*preview_)) say(error);
  });
}

Document::~Document() = default;

const Item* Document::item(std::uint64_t id) const {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [id](const Item& i) { return i.id == id; });
  return found == items_.end() ? nullptr : &*found;
}

QString Document::full_name(std::uint64_t id) const {
  const Item* found = item(id);
  if (found == nullptr) return {};
  const QString part = part_text(*found);
  const QString names = lineage(*found);
  return part.isEmpty() ? names : QStringLiteral("%1 (%2)").arg(names, part);
}

QString Document::lineage(const Item& of) const {
  const Item* parent = item(of.parent);
  const QString before = parent != nullptr ? lineage(*parent) : of.origin;
  return before.isEmpty() ? of.name : before + QStringLiteral(" › ") + of.name;
}

Item Document::detached(const Item& item) const {
  Item copy = item;
  if (const Item* parent = this->item(item.parent)) copy.origin = lineage(*parent);
  return copy;
}

void Document::set_current(std::uint64_t id) {
  if (id != 0 && item(id) == nullptr) return;
  ++choices_;
  if (id != current_) make_current(id);
}

void Document::make_current(std::uint64_t id) {
  const Size3 before = current() != nullptr ? current()->dataset->size() : Size3{0, 0, 0};
  current_ = id;
  const Item* now = current();
  if (now != nullptr && now->dataset->size() != before) {
    const Size3 size = now->dataset->size();
    crosshair_ = {(size.z - 1) / 2, (size.x - 1) / 2, (size.y - 1) / 2};
  }
  labels_of_ = 0;
  forget_previews();
  emit current_changed();
  emit crosshair_changed(crosshair_);
  derive();
}

void Document::forget_previews() {
  clear_preview();
  conversion_->reset();
  label_preview_->reset();
  // Copies of labels are large.
  released_elsewhere(std::exchange(amended_, std::make_shared<AmendedLabels>()));
}

// Starts everything that follows from the data of the current item.
void Document::derive() {
  const Item* now = current();
  if (now == nullptr) return;
  prepare_raycaster(now->id);
  if (!now->is_apr() && !now->growing) request_estimate(convert_);
}

void Document::rename(std::uint64_t id, const QString& name) {
  const Item* found = item(id);
  const QString clean = name.simplified();
  if (found == nullptr || found->growing || clean.isEmpty() || clean == found->name) return;
  undo_.push(new RenameCommand(*this, id, clean));
}

void Document::close(std::uint64_t id) {
  const Item* found = item(id);
  if (found == nullptr) return;
  if (found->growing) {
    say(MessageKind::info, tr("It is still growing: cancel its job, or keep what there is."));
    return;
  }
  undo_.push(new CloseItemCommand(*this, id));
}

void Document::insert_item(Item item, std::size_t position) {
  const auto at = std::min(position, items_.size());
  items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(at), std::move(item));
  emit items_changed();
}

Item Document::take_item(std::uint64_t id, std::size_t* position) {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [id](const Item& i) { return i.id == id; });
  const auto at = static_cast<std::size_t>(found - items_.begin());
  if (position != nullptr) *position = at;
  const QString names = lineage(*found);
  for (Item& child : items_) {
    if (child.parent == id) child.origin = names;
  }
  Item taken = std::move(*found);
  items_.erase(found);
  if (current_ == id) {
    // The parent, else the neighbour.
    const Item* parent = item(taken.parent);
    const std::uint64_t next = parent != nullptr ? parent->id
                               : items_.empty()  ? 0
                                                 : items_[std::min(at, items_.size() - 1)].id;
    // The views still hold what they show; nothing may look the old item up any more.
    current_ = 0;
    emit items_changed();
    make_current(next);
    return taken;
  }
  // The cells of what is gone do not stay over the current item.
  const bool lay_over = labels_of_ == id;
  if (lay_over) labels_of_ = 0;
  emit items_changed();
  if (lay_over) emit shown_labels_changed();
  return taken;
}

void Document::change_item(std::uint64_t id, const std::function<void(Item&)>& change) {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [id](const Item& i) { return i.id == id; });
  if (found == items_.end()) return;
  const QString name = found->name;
  const DisplaySettings display = found->display;
  const auto dataset = found->dataset;
  const std::string left_out = found->left_out;
  change(*found);
  const bool renamed = found->name != name;
  const bool shown_otherwise = found->display != display;
  const bool replaced = found->dataset != dataset;
  // Cells of this item that lie over another change with it, or fit no more.
  const bool lies_over = replaced && labels_of_ == id;
  if (replaced && labels_of_ != 0) {
    const Item* other = item(labels_of_);
    if (other == nullptr || !fits_labels_of(*other)) labels_of_ = 0;
  }
  if (renamed || replaced) emit items_changed();
  if (replaced) follow_data(id, found->dataset->shares_values(*dataset));
  if (lies_over) emit shown_labels_changed();
  if (shown_otherwise) emit display_changed(id);
  const Item* still = item(id);
  if (still != nullptr && still->left_out != left_out) emit left_out_changed(id);
}

void Document::set_left_out(std::uint64_t id, const std::string& rows) {
  const Item* found = item(id);
  if (found == nullptr || found->left_out == rows) return;
  undo_.push(new LeftOutCommand(*this, id, rows));
}

// The data of an item was replaced. Of other labels on the same values little follows.
void Document::follow_data(std::uint64_t id, bool same_values) {
  const bool shown = id == current_;
  if (shown && same_values) {
    clear_preview();
    label_preview_->reset();
  } else if (shown) {
    forget_previews();
  }
  emit data_changed(id);
  if (!shown) return;
  set_crosshair(crosshair_);
  if (same_values) {
    prepare_raycaster(id);
  } else {
    derive();
  }
}

void Document::set_display(std::uint64_t id, const DisplaySettings& display) {
  const Item* found = item(id);
  if (found == nullptr || found->display == display || !found->supports(display.mode)) return;
  if (found->growing) {
    // It goes with its job: an undo step would outlive it.
    change_item(id, [&](Item& item) { item.display = display; });
    return;
  }
  undo_.push(new DisplayCommand(*this, id, display));
}

void Document::set_automatic_contrast(std::uint64_t id) {
  const Item* found = item(id);
  if (found == nullptr || !found->histogram) return;
  DisplaySettings display = found->display;
  const double gamma = display.contrast.gamma;
  display.contrast = automatic_contrast(*found->histogram);
  display.contrast.gamma = gamma;
  set_display(id, display);
}

Index3 Document::clamped(const Index3& p) const {
  if (current() == nullptr) return {0, 0, 0};
  const Size3 size = current()->dataset->size();
  const auto within = [](std::int64_t v, std::int64_t n) {
    return std::clamp<std::int64_t>(v, 0, std::max<std::int64_t>(0, n - 1));
  };
  return {within(p.z, size.z), within(p.x, size.x), within(p.y, size.y)};
}

void Document::set_crosshair(const Index3& position) {
  const Index3 inside = clamped(position);
  if (inside == crosshair_) return;
  crosshair_ = inside;
  emit crosshair_changed(crosshair_);
}

void Document::set_view_options(const ViewOptions& options) {
  if (options == view_options_) return;
  view_options_ = options;
  emit view_options_changed();
}

void Document::set_backend(std::shared_ptr<const Backend> backend) {
  if (backend == backend_) return;
  backend_ = std::move(backend);
  emit backend_changed();
  // The 3-D view shows what it has until the new device is ready.
  for (Item& each : items_) each.raycaster.reset();
  if (current() != nullptr) prepare_raycaster(current()->id);
}

void Document::set_preview(const Operation& operation) {
  const auto whole = complete(operation);
  if (!whole) {
    say(whole.error());
    return;
  }
  // Right after Apply the panel still holds what was applied: nobody wants to see it twice.
  const bool just_applied = current() != nullptr && !current()->recipe.steps.empty() &&
                            current()->recipe.steps.back() == *whole;
  if (just_applied || !supports(*whole)) {
    clear_preview();
    return;
  }
  const bool first_conversion = is_estimated(*whole) && (!preview_ || !is_estimated(*preview_));
  if (preview_ == *whole) return;
  preview_ = *whole;
  emit preview_changed();
  if (traits_of(*whole).preview == Previewed::labels) {
    label_preview_->request(current()->dataset, *whole);
  }
  if (is_estimated(*whole)) {
    if (first_conversion && preview_dataset()) emit preview_dataset_changed();
    request_estimate(*whole);
  }
}

void Document::clear_preview() {
  if (!preview_) return;
  preview_.reset();
  label_preview_->reset();
  emit preview_changed();
}

void Document::set_live(std::shared_ptr<const LiveImage> live) {
  if (live == live_) return;
  live_ = std::move(live);
  emit live_changed();
}

std::shared_ptr<const LiveImage> Document::live() const {
  return live_ && live_->item == current_ ? live_ : nullptr;
}

void Document::set_conversion_view(ShowMode mode) {
  if (mode == conversion_view_) return;
  conversion_view_ = mode;
  if (preview_ && is_estimated(*preview_)) emit preview_changed();
}

std::shared_ptr<const Dataset> Document::preview_dataset() const {
  return preview_ && is_estimated(*preview_) ? conversion_->dataset() : nullptr;
}

void Document::request_estimate(const Operation& convert) {
  const auto whole = complete(convert);
  if (!whole || !is_estimated(*whole)) return;
  convert_ = *whole;
  const Item* now = current();
  if (now == nullptr || now->is_apr() || !supports(*whole)) return;
  // An estimate is a kindness; it must not push an image out of memory that could still be
  // filtered.
  const std::uint64_t free = available_bytes();
  if (free != 0 && backend_->estimate_bytes(*whole, *now->dataset) > free / 2) return;
  conversion_->request(now->dataset, *whole);
}

const std::optional<ConversionEstimate>& Document::estimate() const {
  return conversion_->estimate();
}

bool Document::estimate_pending() const { return conversion_->pending(); }

Status Document::supports(const Operation& operation) const {
  if (current() == nullptr) return Error{"there is no data", "", "open a file first"};
  if (current()->growing) {
    return Error{"is still growing", current()->name.toStdString(),
                 "wait for its end, or keep what there is"};
  }
  return backend_->supports(operation, *current()->dataset);
}

void Document::say_moves(const std::vector<StepCost>& costs) {
  const QString text = moved_text(costs);
  if (!text.isEmpty()) say(MessageKind::warning, text);
}

void Document::say(const Error& error) {
  if (!error.cancelled()) say(MessageKind::error, QString::fromStdString(error.message()));
}

}  // namespace aprscope::gui
