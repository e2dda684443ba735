#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "app/gui/document/document.hpp"
#include "core/image/profile.hpp"

namespace aprscope::gui {

/// How two data sets are put before the eye.
enum class CompareMode {
  side_by_side,
  /// One view: A to the left of a handle, B to the right of it.
  reveal,
  /// B − A.
  difference,
  /// A, B and B − A beside each other.
  all_three,
};

/// Which views are compared.
enum class ComparePlace { xy, volume, yz, xz };

/// The slices of a place; of the volume: none.
std::optional<Axis> axis_of(ComparePlace place);

/// What two data sets may differ in so that figures of both say little about the data.
enum class Unlikeness { size, voxel, channel, time };

/// What the comparison panel edits.
struct CompareSettings {
  CompareMode mode = CompareMode::side_by_side;
  ComparePlace place = ComparePlace::xy;
  /// Both sides with the contrast and colours of one of them.
  bool same_contrast = true;
  /// Where the handle is, as a part of the view's width.
  double reveal = 0.5;
  /// Differences of this size get the strongest colours; 0: found from the slice.
  double difference_range = 0.0;
  bool line_tool = false;
  /// In the slices of `place`, pixels of A.
  std::optional<PlaneLine> line;
  /// Lines whose mean the profile takes.
  int line_width = 1;
  friend bool operator==(const CompareSettings&, const CompareSettings&) = default;
};

/// Which two items are compared and how. It follows the document: choosing another item in the data
/// list makes it B, beside an A that is like it; a side that is removed is replaced, or the
/// comparison ends. UI thread only.
class Comparison : public QObject {
  Q_OBJECT

 public:
  explicit Comparison(Document& document, QObject* parent = nullptr);

  [[nodiscard]] bool active() const { return active_; }
  /// Beginning takes the current item as B and what it was made from as A, unless two are chosen.
  /// Fails where there are not two items.
  Status set_active(bool active);

  [[nodiscard]] const Item* a() const { return document_.items().find(a_); }
  [[nodiscard]] const Item* b() const { return document_.items().find(b_); }
  /// A and B, or what they would be if the comparison began now; null where there is none.
  [[nodiscard]] std::pair<const Item*, const Item*> proposal() const;
  /// Two items of the list that were chosen, alike or not; begins to compare them. Fails where they
  /// are one.
  Status compare(std::uint64_t a, std::uint64_t b);
  void swap();
  /// Runs the steps of the current APR on its pixels too and compares both: A the pixels, B the
  /// APR.
  void compare_with_pixels();

  [[nodiscard]] const CompareSettings& settings() const { return settings_; }
  void set_settings(const CompareSettings& settings);

  /// How each side is shown: of an APR constant or smooth, as the display panel says.
  [[nodiscard]] ReconstructionMode mode_of(const Item& item) const;
  /// The settings whose contrast and colours a side has.
  [[nodiscard]] const DisplaySettings& display_of(const Item& item) const;
  /// The same place in another item: the same voxel where both have one size, else the same
  /// physical place, or in proportion where their units differ.
  [[nodiscard]] static Index3 mapped(const Index3& p, const Dataset& from, const Dataset& to);
  [[nodiscard]] bool same_size() const;

  /// What the sides differ in besides their values, a phrase each: "channel (A 1, B 2)".
  [[nodiscard]] QStringList differences() const;
  /// Whether the sides are alike, or were chosen although they are not; else they are shown beside
  /// each other only.
  [[nodiscard]] bool may_measure() const;
  /// Compares them as they are.
  void accept_differences();

 signals:
  void active_changed(bool active);
  /// Other items, or other data in them.
  void sides_changed();
  void settings_changed();
  /// Contrast, colours or display mode of a side.
  void display_changed();

 private:
  void follow_items();
  void follow_current();
  [[nodiscard]] const Item* compared() const;
  void choose_sides();
  /// What to put beside an item: what it was made from, else what is like it, else any other; null
  /// where it is alone.
  [[nodiscard]] const Item* partner_of(const Item& item) const;
  void choose_a();
  void tell_sides();

  Document& document_;
  bool active_ = false;
  std::uint64_t a_ = 0;
  std::uint64_t b_ = 0;
  /// Whose contrast both have while they share one.
  std::uint64_t contrast_of_ = 0;
  CompareSettings settings_;
  /// Kinds of differences that were seen when the sides were chosen.
  std::set<Unlikeness> accepted_;
  Size3 size_of_a_{0, 0, 0};
};

}  // namespace aprscope::gui
