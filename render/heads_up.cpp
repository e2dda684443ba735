#include "render/heads_up.hpp"

#include <QLocale>
#include <algorithm>
#include <string>

#include <imgui.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

ImVec4 to_vector(const QColor& c) {
  return {static_cast<float>(c.redF()), static_cast<float>(c.greenF()),
          static_cast<float>(c.blueF()), static_cast<float>(c.alphaF())};
}

constexpr float kValues = 6.3F;  // the column of values, in heights of the text

void row(const char* name, const std::string& value, const ViewTheme& theme, const QColor& color) {
  ImGui::TextColored(to_vector(theme.muted_text), "%s", name);
  ImGui::SameLine(kValues * ImGui::GetFontSize());
  ImGui::TextColored(to_vector(color), "%s", value.c_str());
}

void row(const char* name, const std::string& value, const ViewTheme& theme) {
  row(name, value, theme, theme.text);
}

std::string fixed(double value, int decimals) {
  return QString::number(value, 'f', decimals).toStdString();
}

std::string grouped(std::uint64_t n) {
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(n)).toStdString();
}

}  // namespace

QRectF draw_heads_up(const MipInfo& info, const MipFrame& frame, const ViewTheme& theme,
                     bool& collapsed) {
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vector(theme.text_backdrop));
  ImGui::PushStyleColor(ImGuiCol_TitleBg, to_vector(theme.text_backdrop));
  ImGui::PushStyleColor(ImGuiCol_TitleBgActive, to_vector(theme.text_backdrop));
  ImGui::PushStyleColor(ImGuiCol_TitleBgCollapsed, to_vector(theme.text_backdrop));
  ImGui::PushStyleColor(ImGuiCol_Text, to_vector(theme.text));
  ImGui::SetNextWindowPos({10.0F, 10.0F}, ImGuiCond_Always);
  ImGui::SetNextWindowCollapsed(collapsed, ImGuiCond_Always);
  const bool open = ImGui::Begin(
      "3-D", nullptr,
      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize |
          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  // ImGui toggles the panel on a click; the caller passes the new state to the next frame.
  collapsed = ImGui::IsWindowCollapsed();
  if (open) {
    if (frame.width > 0) {
      row("frame",
          fixed(frame.milliseconds, 1) + " ms · " +
              fixed(frame.milliseconds > 0 ? 1000.0 / frame.milliseconds : 0.0, 0) + " fps",
          theme);
      const int finest = std::max(frame.level_max + info.finer_levels, frame.level);
      std::string level = std::to_string(frame.level) + " of " + std::to_string(finest);
      level += frame.exact ? " · exact" : " · coarse";
      row("level", level, theme);
    }
    if (info.particles > 0) {
      row("particles", grouped(info.particles) + " · CR " + fixed(info.computational_ratio, 1),
          theme);
    }
    row("memory", format_bytes(info.bytes), theme);
    if (!info.backend.isEmpty()) row("backend", info.backend.toStdString(), theme);
    row("shows", info.preview ? "preview" : "final", theme,
        info.preview ? theme.preview_badge : theme.text);
  }
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  ImGui::End();
  ImGui::PopStyleColor(5);
  return {static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(size.x),
          static_cast<double>(size.y)};
}

void draw_focus(const ViewTheme& theme) {
  constexpr float kThick = 2.0F;
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const ImU32 color = ImGui::ColorConvertFloat4ToU32(to_vector(theme.focus));
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  draw->AddRectFilled({0, 0}, {room.x, kThick}, color);
  draw->AddRectFilled({0, room.y - kThick}, room, color);
  draw->AddRectFilled({0, 0}, {kThick, room.y}, color);
  draw->AddRectFilled({room.x - kThick, 0}, room, color);
}

void draw_edge_labels(const std::vector<EdgeLabel>& labels, const ViewTheme& theme) {
  ImDrawList* const draw = ImGui::GetBackgroundDrawList();
  for (const EdgeLabel& l : labels) {
    const std::string text = l.text.toStdString();
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    // A text that the border would cut off is moved inside.
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    const auto within = [](double middle, float extent, float whole) {
      constexpr float kEdge = 6.0F;
      const float first = static_cast<float>(middle) - extent / 2.0F;
      return std::max(kEdge, std::min(first, whole - extent - kEdge));
    };
    const ImVec2 p{within(l.where.x(), size.x, room.x), within(l.where.y(), size.y, room.y)};
    draw->AddRectFilled({p.x - 4.0F, p.y - 2.0F}, {p.x + size.x + 4.0F, p.y + size.y + 2.0F},
                        ImGui::ColorConvertFloat4ToU32(to_vector(theme.text_backdrop)), 4.0F);
    draw->AddText(p, ImGui::ColorConvertFloat4ToU32(to_vector(l.color)), text.c_str());
  }
}

}  // namespace aprscope
