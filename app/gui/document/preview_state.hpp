#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "app/gui/document/conversion_preview.hpp"
#include "app/gui/document/item_list.hpp"
#include "app/gui/document/label_preview.hpp"
#include "app/gui/document/services.hpp"

namespace aprscope::gui {

struct LiveImage;

/// What is shown of the current item before anything is done to it: the operation that is being
/// edited, the estimate of a conversion, and what a running job has made so far. UI thread only.
class PreviewState : public QObject {
  Q_OBJECT

 public:
  PreviewState(ItemList& items, Services& services);
  ~PreviewState() override;

  /// Shows what `operation` would do to the current item in the visible slices, as computed in the
  /// background. Call it at each edit: the newest wins. A conversion also renews the estimate.
  void set(const Operation& operation);
  void clear();
  /// The one that is shown.
  [[nodiscard]] const std::optional<Operation>& operation() const { return operation_; }
  /// Forgets all that was found of the current item.
  void forget();

  /// What slices show of a conversion preview: constant, smooth, level or dots.
  void set_conversion_view(ShowMode mode);
  [[nodiscard]] ShowMode conversion_view() const { return conversion_view_; }
  /// The particles that the previewed conversion gives; null while unknown or none is previewed.
  [[nodiscard]] std::shared_ptr<const Dataset> dataset() const;
  [[nodiscard]] LabelPreview& label_preview() { return *label_preview_; }
  /// The labels that the previewed operation gives; null: none, or none is previewed.
  [[nodiscard]] std::shared_ptr<const Labels> labels() const;
  /// What those were made of; null: nothing smaller.
  [[nodiscard]] std::shared_ptr<const LabelParts> label_parts() const;

  /// Estimates a conversion of the current item (a pixel image) in the background without showing
  /// it; the newest request wins. set() of a conversion does the same.
  void request_estimate(const Operation& convert);
  /// The conversion that is estimated.
  [[nodiscard]] const Operation& convert_operation() const { return convert_; }
  /// The newest finished estimate of the current item; none while unknown.
  [[nodiscard]] const std::optional<ConversionEstimate>& estimate() const;
  [[nodiscard]] bool estimate_pending() const;
  [[nodiscard]] ConversionPreview& conversion_preview() { return *conversion_; }

  /// What the slices show of its item instead of the data, while that is being worked on; null:
  /// the data.
  void set_live(std::shared_ptr<const LiveImage> live);
  /// That of the current item only.
  [[nodiscard]] std::shared_ptr<const LiveImage> live() const;

 signals:
  /// A preview was set, changed, or cleared.
  void changed();
  /// The dataset that a conversion preview gives is there.
  void dataset_changed();
  /// estimate() or estimate_pending() changed.
  void estimate_changed();
  /// live() changed.
  void live_changed();

 private:
  ItemList& items_;
  Services& services_;
  std::optional<Operation> operation_;
  std::shared_ptr<const LiveImage> live_;
  /// The conversion that is estimated for every image that becomes current.
  Operation convert_;
  ShowMode conversion_view_ = ShowMode::constant;
  std::unique_ptr<ConversionPreview> conversion_;
  std::unique_ptr<LabelPreview> label_preview_;
};

}  // namespace aprscope::gui
