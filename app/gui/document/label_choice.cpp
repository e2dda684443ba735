#include "app/gui/document/label_choice.hpp"

#include <algorithm>
#include <utility>

namespace aprscope::gui {

void LabelChoice::set_look(const LabelLook& look) {
  if (look == look_) return;
  look_ = look;
  emit look_changed();
}

void LabelChoice::choose(std::vector<std::uint32_t> labels) {
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  if (!labels.empty() && labels.front() == 0) labels.erase(labels.begin());
  if (labels == chosen_) return;
  chosen_ = std::move(labels);
  emit chosen_changed();
}

void LabelChoice::set_colours(std::vector<std::uint8_t> colours) {
  if (colours == colours_) return;
  colours_ = std::move(colours);
  emit colours_changed();
}

void LabelChoice::toggle(std::uint32_t label) {
  std::vector<std::uint32_t> labels = chosen_;
  const auto at = std::find(labels.begin(), labels.end(), label);
  if (at == labels.end()) {
    labels.push_back(label);
  } else {
    labels.erase(at);
  }
  choose(std::move(labels));
}

}  // namespace aprscope::gui
