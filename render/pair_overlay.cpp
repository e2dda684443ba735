#include "render/pair_overlay.hpp"

#include <array>
#include <cmath>
#include <string>

#include <imgui.h>

#include "render/overlay_sizes.hpp"
#include "render/shortened.hpp"

namespace aprscope {
namespace {

constexpr float kPad = 4.0F;
constexpr float kLineGap = 5.0F;
constexpr ImU32 kHaloBehind = IM_COL32(0, 0, 0, 160);
constexpr ImU32 kHandle = IM_COL32(255, 255, 255, 255);
constexpr ImU32 kArrow = IM_COL32(30, 30, 30, 255);

ImU32 packed(const QColor& c) { return IM_COL32(c.red(), c.green(), c.blue(), c.alpha()); }

// Draws a text on its backdrop.
void put_text(const ImVec2& at, const std::string& text, const QColor& color,
              const ViewTheme& theme) {
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  draw->AddRectFilled({at.x - kPad, at.y - 2.0F}, {at.x + size.x + kPad, at.y + size.y + 2.0F},
                      packed(theme.text_backdrop), 3.0F);
  draw->AddText(at, packed(color), text.c_str());
}

}  // namespace

void draw_handle(double fraction, const QString& left, const QString& right,
                 const ViewTheme& theme) {
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const float x = std::round(static_cast<float>(fraction) * room.x);
  const float y = 0.5F * room.y;
  draw->AddRectFilled({x - 2, 0}, {x + 2, room.y}, kHaloBehind);
  draw->AddRectFilled({x - 1, 0}, {x + 1, room.y}, kHandle);
  const float w = 0.5F * overlay::kHandleWidth;
  const float h = 0.5F * overlay::kHandleHeight;
  draw->AddRectFilled({x - w - 1, y - h - 1}, {x + w + 1, y + h + 1}, kHaloBehind);
  draw->AddRectFilled({x - w, y - h}, {x + w, y + h}, kHandle);
  draw->AddTriangleFilled({x - 8, y}, {x - 3, y + 4}, {x - 3, y - 4}, kArrow);
  draw->AddTriangleFilled({x + 8, y}, {x + 3, y - 4}, {x + 3, y + 4}, kArrow);
  // At the lower edge, as the heads-up panel is at the upper one.
  const float below = room.y - overlay::kBorder - ImGui::GetFontSize();
  const auto wide = [](const QString& text) {
    return ImGui::CalcTextSize(text.toStdString().c_str()).x;
  };
  const QString a = shortened(left, x - 2 * overlay::kBorder, wide);
  const QString b = shortened(right, room.x - x - 2 * overlay::kBorder, wide);
  if (!a.isEmpty()) put_text({x - 12 - wide(a), below}, a.toStdString(), theme.text, theme);
  if (!b.isEmpty()) put_text({x + 12, below}, b.toStdString(), theme.text, theme);
}

void draw_difference_legend(double range, const ColorTable& table, const ViewTheme& theme) {
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const float line = ImGui::GetFontSize() + kLineGap;
  constexpr std::array kParts{1.0, 0.5, 0.0, -0.5, -1.0};
  std::array<std::string, kParts.size()> labels;
  float wide = 0.0F;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    const QString number = QString::number(kParts[i] * range, 'g', 4);
    labels[i] = ((kParts[i] > 0.0 ? QStringLiteral("+") : QString()) + number).toStdString();
    wide = std::max(wide, ImGui::CalcTextSize(labels[i].c_str()).x);
  }
  const float tall = line * static_cast<float>(kParts.size());
  if (room.y < overlay::kAboveLegend + tall + 3 * overlay::kBorder) return;
  const float x = room.x - overlay::kBorder - overlay::kSwatch - 8.0F - wide;
  const float y = room.y - overlay::kBorder - line - tall;
  draw->AddRectFilled({x - 6, y - 6}, {room.x - overlay::kBorder + 6, y + tall + 6},
                      packed(theme.text_backdrop));
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    const auto& c = table[static_cast<std::size_t>(std::lround(127.5 + 127.5 * kParts[i]))];
    const float top = y + line * static_cast<float>(i) + 0.5F * (line - overlay::kSwatch);
    draw->AddRectFilled({x, top}, {x + overlay::kSwatch, top + overlay::kSwatch},
                        IM_COL32(c[0], c[1], c[2], 255));
    QColor frame = theme.text;
    frame.setAlpha(120);
    draw->AddRect({x, top}, {x + overlay::kSwatch, top + overlay::kSwatch}, packed(frame));
    draw->AddText(
        {x + overlay::kSwatch + 8.0F, top - 0.5F * (ImGui::GetFontSize() - overlay::kSwatch)},
        packed(theme.text), labels[i].c_str());
  }
}

void draw_caption(const QString& text, const ViewTheme& theme) {
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const std::string shown = text.toStdString();
  if (ImGui::CalcTextSize(shown.c_str()).x + 2 * overlay::kBorder > room.x) return;
  put_text({overlay::kBorder + kPad, room.y - overlay::kBorder - ImGui::GetFontSize()}, shown,
           theme.text, theme);
}

void draw_note(const QString& text, const ViewTheme& theme) {
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const std::string shown = text.toStdString();
  const ImVec2 size = ImGui::CalcTextSize(shown.c_str());
  put_text({0.5F * (room.x - size.x), 0.5F * (room.y - size.y)}, shown, theme.muted_text, theme);
}

}  // namespace aprscope
