#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "app/gui/document/document.hpp"
#include "core/image/profile.hpp"
#include "core/image/region.hpp"

namespace aprscope::gui {

/// How the two sides are shown.
enum class CompareMode {
  side_by_side,
  /// One view: A to the left of a handle, B to the right of it.
  reveal,
  /// B − A.
  difference,
  /// Three views beside each other: A, B and B − A.
  all_three,
};

/// Which views are compared.
enum class ComparePlace { xy, volume, yz, xz };

/// The axis of the slices of a place; none for the volume.
std::optional<Axis> axis_of(ComparePlace place);

/// Properties in which two data sets may differ so that metrics say little about the data.
enum class Unlikeness { size, voxel, channel, time };

/// The settings in the comparison panel.
struct CompareSettings {
  CompareMode mode = CompareMode::side_by_side;
  ComparePlace place = ComparePlace::xy;
  /// Shows both sides with the contrast and colours of one of them.
  bool same_contrast = true;
  /// Where the handle is, as a part of the view's width.
  double reveal = 0.5;
  /// The difference that gets the strongest colours; 0: found from the slice.
  double difference_range = 0.0;
  bool line_tool = false;
  /// The line of the profile, in slices of `place`, in pixels of A.
  std::optional<PlaneLine> line;
  /// The profile is the mean over so many parallel lines.
  int line_width = 1;
  friend bool operator==(const CompareSettings&, const CompareSettings&) = default;
};

/// The two items to compare, and how. Follows the document: when another item becomes current, it
/// becomes B and gets an A that is like it; when a side is removed, it is replaced, or the
/// comparison ends. UI thread only.
class Comparison : public QObject {
  Q_OBJECT

 public:
  explicit Comparison(Document& document, QObject* parent = nullptr);

  [[nodiscard]] bool active() const { return active_; }
  /// Begins or ends. At the beginning B is the current item and A the item that it was made from,
  /// unless the user has chosen two. Fails if there are fewer than two items.
  Status set_active(bool active);

  [[nodiscard]] const Item* a() const { return document_.items().find(a_); }
  [[nodiscard]] const Item* b() const { return document_.items().find(b_); }
  /// A and B, or those that a comparison begun now would have; null if there are none.
  [[nodiscard]] std::pair<const Item*, const Item*> proposal() const;
  /// Compares two items that the user chose, even if they are not alike. Fails if both are the same
  /// item.
  Status compare(std::uint64_t a, std::uint64_t b);
  void swap();
  /// Runs the steps of the current APR on its pixels too and compares both: A the pixels, B the
  /// APR.
  void compare_with_pixels();

  [[nodiscard]] const CompareSettings& settings() const { return settings_; }
  void set_settings(const CompareSettings& settings);

  /// How an APR is shown on each side: constant or smooth, as set in the display panel.
  [[nodiscard]] ReconstructionMode mode_of(const Item& item) const;
  /// The display settings that give a side its contrast and colours.
  [[nodiscard]] const DisplaySettings& display_of(const Item& item) const;
  /// Maps a position to another item: the same voxel if both have the same size, else the same
  /// physical place, or in proportion if their units differ.
  [[nodiscard]] static Index3 mapped(const Index3& p, const Dataset& from, const Dataset& to);
  /// Maps a box in the same way: all pixels that it touches; without any where it is outside.
  [[nodiscard]] static Region mapped(const Region& box, const Dataset& from, const Dataset& to);
  [[nodiscard]] bool same_size() const;

  /// Properties in which the sides differ besides their values, as phrases: "channel (A 1, B 2)".
  [[nodiscard]] QStringList differences() const;
  /// Whether metrics are computed: the sides are alike, or the user accepted that they are not.
  /// Otherwise they are only shown beside each other.
  [[nodiscard]] bool may_measure() const;
  /// The user accepts that the sides are not alike.
  void accept_differences();

 signals:
  void active_changed(bool active);
  /// Other items are compared, or their data changed.
  void sides_changed();
  void settings_changed();
  /// The contrast, colours or display mode of a side changed.
  void display_changed();

 private:
  void follow_items();
  void follow_current();
  [[nodiscard]] const Item* compared() const;
  void choose_sides();
  /// The item to compare with another: the one it was made from, else one that is like it, else any
  /// other; null if there is no other.
  [[nodiscard]] const Item* partner_of(const Item& item) const;
  void choose_a();
  void tell_sides();

  Document& document_;
  bool active_ = false;
  std::uint64_t a_ = 0;
  std::uint64_t b_ = 0;
  /// The id of the item whose contrast both sides have while they share it.
  std::uint64_t contrast_of_ = 0;
  CompareSettings settings_;
  /// The kinds of differences that the user has accepted for these sides.
  std::set<Unlikeness> accepted_;
  Size3 size_of_a_{0, 0, 0};
};

}  // namespace aprscope::gui
