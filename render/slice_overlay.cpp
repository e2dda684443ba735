#include "render/slice_overlay.hpp"

#include <algorithm>

#include <imgui.h>

namespace aprscope {
namespace {

constexpr float kMargin = 10.0F;

ImU32 to_imgui(const QColor& c, double opacity = 1.0) {
  return IM_COL32(c.red(), c.green(), c.blue(), static_cast<int>(c.alpha() * opacity));
}

ImVec2 at(const QPointF& p) { return {static_cast<float>(p.x()), static_cast<float>(p.y())}; }

// Text on a soft backdrop; returns the height that it took.
float label(ImDrawList* draw, const ImVec2& where, const QString& text, const QColor& color,
            const QColor& backdrop) {
  const QByteArray utf8 = text.toUtf8();
  const ImVec2 size = ImGui::CalcTextSize(utf8.constData());
  draw->AddRectFilled({where.x - 5.0F, where.y - 2.0F},
                      {where.x + size.x + 5.0F, where.y + size.y + 2.0F}, to_imgui(backdrop), 4.0F);
  draw->AddText(where, to_imgui(color), utf8.constData());
  return size.y + 5.0F;
}

float text_width(const QString& text) { return ImGui::CalcTextSize(text.toUtf8().constData()).x; }

// Two lines with a gap around the crossing, so that the pixel under it stays visible.
void draw_crosshair(ImDrawList* draw, const SliceOverlay& o) {
  constexpr float kGap = 8.0F;
  const ImVec2 c = at(o.cross);
  const auto left = static_cast<float>(std::max(0.0, o.picture.left()));
  const auto right = static_cast<float>(std::min(o.size.width(), o.picture.right()));
  const auto top = static_cast<float>(std::max(0.0, o.picture.top()));
  const auto bottom = static_cast<float>(std::min(o.size.height(), o.picture.bottom()));
  const ImU32 horizontal = to_imgui(o.horizontal_color, 0.75);
  const ImU32 vertical = to_imgui(o.vertical_color, 0.75);
  if (c.y >= top && c.y <= bottom) {
    if (c.x - kGap > left) draw->AddLine({left, c.y}, {c.x - kGap, c.y}, horizontal);
    if (c.x + kGap < right) draw->AddLine({c.x + kGap, c.y}, {right, c.y}, horizontal);
  }
  if (c.x >= left && c.x <= right) {
    if (c.y - kGap > top) draw->AddLine({c.x, top}, {c.x, c.y - kGap}, vertical);
    if (c.y + kGap < bottom) draw->AddLine({c.x, c.y + kGap}, {c.x, bottom}, vertical);
  }
}

void draw_captions(ImDrawList* draw, const SliceOverlay& o) {
  const QColor& backdrop = o.theme.text_backdrop;
  draw->AddRectFilled({kMargin - 2.0F, kMargin + 3.0F}, {kMargin + 7.0F, kMargin + 12.0F},
                      to_imgui(o.axis_color), 2.0F);
  float y = kMargin;
  y += label(draw, {kMargin + 16.0F, y}, o.title, o.theme.text, backdrop);
  if (!o.caption.mode.isEmpty()) {
    y += label(draw, {kMargin + 16.0F, y}, o.caption.mode, o.theme.muted_text, backdrop);
  }
  if (!o.caption.detail.isEmpty()) {
    label(draw, {kMargin + 16.0F, y}, o.caption.detail, o.theme.muted_text, backdrop);
  }
  if (o.caption.badge == SliceCaption::Badge::none) return;
  const bool preview = o.caption.badge == SliceCaption::Badge::preview;
  const QString text = preview ? QStringLiteral("PREVIEW") : QStringLiteral("FINAL");
  const float x = static_cast<float>(o.size.width()) - text_width(text) - kMargin;
  label(draw, {x, kMargin}, text, preview ? o.theme.preview_badge : o.theme.muted_text, backdrop);
}

void draw_scale_bar(ImDrawList* draw, const SliceOverlay& o) {
  if (o.scale_bar.pixels <= 0.0) return;
  const auto right = static_cast<float>(o.size.width()) - 16.0F;
  const float left = right - static_cast<float>(o.scale_bar.pixels);
  const auto bottom = static_cast<float>(o.size.height()) - 14.0F;
  const float width = text_width(o.scale_bar.label);
  draw->AddRectFilled({std::min(left, (left + right - width) / 2.0F) - 6.0F, bottom - 24.0F},
                      {std::max(right, (left + right + width) / 2.0F) + 6.0F, bottom + 7.0F},
                      to_imgui(o.theme.text_backdrop), 4.0F);
  draw->AddRectFilled({left, bottom - 1.0F}, {right, bottom + 2.0F}, to_imgui(o.theme.text));
  const QByteArray utf8 = o.scale_bar.label.toUtf8();
  draw->AddText({(left + right - width) / 2.0F, bottom - 20.0F}, to_imgui(o.theme.text),
                utf8.constData());
}

}  // namespace

void draw_slice_overlay(const SliceOverlay& overlay) {
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  if (overlay.crosshair) draw_crosshair(draw, overlay);
  if (overlay.bar) draw_scale_bar(draw, overlay);
  if (overlay.captions) draw_captions(draw, overlay);
}

void draw_dots(const std::vector<ScreenDot>& dots) {
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  // Indices of a draw list are 16 bits wide: small dots are squares of four corners, and long lists
  // are left to ImGui to split.
  for (const ScreenDot& d : dots) {
    if (d.radius < 2.0F) {
      draw->AddRectFilled({d.x - d.radius, d.y - d.radius}, {d.x + d.radius, d.y + d.radius},
                          d.rgba);
    } else {
      draw->AddCircleFilled({d.x, d.y}, d.radius, d.rgba, d.radius < 8.0F ? 10 : 0);
    }
  }
}

}  // namespace aprscope
