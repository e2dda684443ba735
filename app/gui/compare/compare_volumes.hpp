#pragma once

#include <QObject>
#include <array>
#include <chrono>

#include "app/gui/compare/comparison.hpp"
#include "render/mip_view.hpp"

class QSplitter;

namespace aprscope::gui {

/// The projections of a comparison with one common camera: A and B side by side, and a view of both
/// with a handle or as their difference. Hidden views hold no data and cast no rays.
class CompareVolumes : public QObject {
  Q_OBJECT

 public:
  /// Puts its views into `row`.
  CompareVolumes(Document& document, Comparison& comparison, QSplitter& row);

  [[nodiscard]] MipView& left() { return *left_; }
  [[nodiscard]] MipView& right() { return *right_; }
  /// The view of both volumes.
  [[nodiscard]] MipView& pair() { return *pair_; }
  [[nodiscard]] const MipView& pair() const { return *pair_; }
  /// A visible view; all others have its camera.
  [[nodiscard]] MipView& leading() { return *leading_; }

  /// Sets the names of the sides for the captions.
  void set_names(const QString& a, const QString& b);
  /// Updates the views after changes of items or settings.
  void follow();
  void follow_display();
  void follow_crosshair();
  void follow_clip();
  void set_theme(const ViewTheme& theme);
  void reset();
  bool wait_until_exact(std::chrono::milliseconds timeout);

 signals:
  /// pair().comparison().difference_range() may have changed.
  void difference_changed();

 private:
  [[nodiscard]] std::array<MipView*, 3> views() const { return {left_, right_, pair_}; }
  void link(MipView& from);
  void fill(std::size_t view, const Item& item, bool wanted);
  void fill_pair(const Item& a, const Item& b, bool wanted);

  Document& document_;
  Comparison& comparison_;
  MipView* left_ = nullptr;
  MipView* right_ = nullptr;
  MipView* pair_ = nullptr;
  /// The view whose camera others take over when they become visible.
  MipView* leading_ = nullptr;
  /// The data that each view was given last.
  struct Given {
    std::shared_ptr<const Raycaster> source;
    std::shared_ptr<const Dataset> data;
    friend bool operator==(const Given&, const Given&) = default;
  };
  std::array<Given, 3> given_;
  QString name_a_;
  QString name_b_;
};

}  // namespace aprscope::gui
