#include "render/paint_legend.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <imgui.h>

namespace aprscope {
namespace {

constexpr float kFromEdge = 10.0F;
constexpr float kBarWidth = 10.0F;
constexpr float kBarHeight = 96.0F;
constexpr float kBesideBar = 6.0F;
constexpr float kAboveBar = 64.0F;  // room for buttons
constexpr int kStripes = 48;

ImU32 color_of(const QColor& c) { return IM_COL32(c.red(), c.green(), c.blue(), c.alpha()); }

std::string limit_text(double value, const QString& unit) {
  QString text = QString::number(value, 'g', 3);
  if (!unit.isEmpty()) text += QStringLiteral(" ") + unit;
  return text.toStdString();
}

}  // namespace

const ColorTable& paint_colors() { return colormap("viridis"); }

void draw_paint_legend(const SurfacePaint& paint, const ViewTheme& theme) {
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const std::string high = limit_text(paint.limits.high, paint.unit);
  const std::string low = limit_text(paint.limits.low, paint.unit);
  const float wide =
      std::max(ImGui::CalcTextSize(high.c_str()).x, ImGui::CalcTextSize(low.c_str()).x);
  const float left = room.x - kFromEdge - wide - kBesideBar - kBarWidth;
  const float top = room.y - kFromEdge - kBarHeight;
  if (top < kAboveBar || left < kFromEdge) return;
  draw->AddRectFilled({left - 6, top - 6}, {room.x - kFromEdge + 6, top + kBarHeight + 6},
                      color_of(theme.text_backdrop), 3.0F);
  const ColorTable& table = paint_colors();
  for (int i = 0; i < kStripes; ++i) {
    const auto& c = table[static_cast<std::size_t>(255 - i * 255 / (kStripes - 1))];
    const float from = top + kBarHeight * static_cast<float>(i) / kStripes;
    const float to = top + kBarHeight * static_cast<float>(i + 1) / kStripes;
    draw->AddRectFilled({left, from}, {left + kBarWidth, to}, IM_COL32(c[0], c[1], c[2], 255));
  }
  const float beside = left + kBarWidth + kBesideBar;
  draw->AddText({beside, top}, color_of(theme.text), high.c_str());
  draw->AddText({beside, top + kBarHeight - ImGui::GetFontSize()}, color_of(theme.text),
                low.c_str());
}

}  // namespace aprscope
