#pragma once

#include <QObject>
#include <array>
#include <chrono>

#include "app/gui/compare/comparison.hpp"
#include "render/mip_view.hpp"

class QSplitter;

namespace aprscope::gui {

/// The projections of a comparison, with one camera: A and B beside each other, and a view of both,
/// with a handle or as their difference. Views that are not shown hold no data and cast no rays.
class CompareVolumes : public QObject {
  Q_OBJECT

 public:
  /// Puts its views into `row`.
  CompareVolumes(Document& document, Comparison& comparison, QSplitter& row);

  [[nodiscard]] MipView& left() { return *left_; }
  [[nodiscard]] MipView& right() { return *right_; }
  /// Both in one.
  [[nodiscard]] MipView& pair() { return *pair_; }
  [[nodiscard]] const MipView& pair() const { return *pair_; }
  /// One that is shown, whose camera all have.
  [[nodiscard]] MipView& leading() { return *leading_; }

  /// How the captions call a side.
  void set_names(const QString& a, const QString& b);
  /// Items, or what is shown of them, changed.
  void follow();
  void follow_display();
  void follow_crosshair();
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
  /// Whose camera the others take over when they come into sight.
  MipView* leading_ = nullptr;
  /// What each view was given last.
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
