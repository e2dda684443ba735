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

/// Previews for the current item: the operation being edited, the estimate of a conversion, and the
/// intermediate result of a running job. UI thread only.
class PreviewState : public QObject {
  Q_OBJECT

 public:
  PreviewState(ItemList& items, Services& services);
  ~PreviewState() override;

  /// Shows in the visible slices what `operation` would do to the current item, computed in the
  /// background. Call it at each edit: the newest wins. A conversion also renews the estimate.
  void set(const Operation& operation);
  void clear();
  /// The operation that is previewed.
  [[nodiscard]] const std::optional<Operation>& operation() const { return operation_; }
  /// Forgets all previews of the current item.
  void forget();
  /// The same after other data took the place of the item's; but a filter that suits it, too, is
  /// previewed on: between two time points of a film nothing is to be seen unfiltered.
  void follow_data();

  /// How slices show the preview of a conversion: constant, smooth, level or dots.
  void set_conversion_view(ShowMode mode);
  [[nodiscard]] ShowMode conversion_view() const { return conversion_view_; }
  /// The particles of the previewed conversion; null if unknown or if none is previewed.
  [[nodiscard]] std::shared_ptr<const Dataset> dataset() const;
  [[nodiscard]] LabelPreview& label_preview() { return *label_preview_; }
  /// The labels of the previewed operation; null if unknown or if none is previewed.
  [[nodiscard]] std::shared_ptr<const Labels> labels() const;
  /// The smaller parts that these labels consist of; null: they do not.
  [[nodiscard]] std::shared_ptr<const LabelParts> label_parts() const;

  /// Estimates the conversion of the current item (a pixel image) in the background without a
  /// preview; the newest request wins. set() with a conversion does the same.
  void request_estimate(const Operation& convert);
  /// The conversion to estimate.
  [[nodiscard]] const Operation& convert_operation() const { return convert_; }
  /// The newest finished estimate of the current item; none while unknown.
  [[nodiscard]] const std::optional<ConversionEstimate>& estimate() const;
  [[nodiscard]] bool estimate_pending() const;
  [[nodiscard]] ConversionPreview& conversion_preview() { return *conversion_; }

  /// What slices show of an item instead of its data while a job works on it; null: the
  /// data.
  void set_live(std::shared_ptr<const LiveImage> live);
  /// The live image, if it belongs to the current item.
  [[nodiscard]] std::shared_ptr<const LiveImage> live() const;

 signals:
  /// A preview was set, changed, or cleared.
  void changed();
  /// The particles of a conversion preview are known.
  void dataset_changed();
  /// estimate() or estimate_pending() changed.
  void estimate_changed();
  /// live() changed.
  void live_changed();

 private:
  [[nodiscard]] bool suits(const Operation& whole) const;

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
