#pragma once

#include <QObject>
#include <cstdint>
#include <vector>

namespace aprscope::gui {

/// How labels are shown in the 3-D view.
enum class LabelsIn3d { off, surfaces, coloured };

/// How labels are drawn over slices and in 3-D.
struct LabelLook {
  bool shown = true;
  /// Opacity of a label's colour inside of the label, 0 … 1.
  double fill = 0.35;
  bool outline = true;
  LabelsIn3d in_3d = LabelsIn3d::off;
  /// In 3-D, hides labels that the border of the image cuts.
  bool whole_only = false;
  friend bool operator==(const LabelLook&, const LabelLook&) = default;
};

/// The chosen labels of the current item, shared by tables and views, and how all are drawn.
class LabelChoice : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const LabelLook& look() const { return look_; }
  void set_look(const LabelLook& look);
  /// The chosen labels in ascending order, without 0.
  [[nodiscard]] const std::vector<std::uint32_t>& chosen() const { return chosen_; }
  void choose(std::vector<std::uint32_t> labels);
  /// For each label the index of its colour in label_palette(); labels beyond the list get a colour
  /// from their hash. Labels that touch have different colours, see colour_indices().
  [[nodiscard]] const std::vector<std::uint8_t>& colours() const { return colours_; }
  void set_colours(std::vector<std::uint8_t> colours);
  /// Adds a label to the choice, or removes it.
  void toggle(std::uint32_t label);

 signals:
  void look_changed();
  void chosen_changed();
  void colours_changed();

 private:
  LabelLook look_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::uint8_t> colours_;
};

}  // namespace aprscope::gui
