#include "render/panel.hpp"

#include <QEvent>
#include <QFileInfo>
#include <QMouseEvent>
#include <QWheelEvent>
#include <limits>

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

namespace aprscope {
namespace {

constexpr const char* kFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
constexpr float kFontPixels = 13.0F;
constexpr int kSettle = 3;

int button_index(Qt::MouseButton button) {
  switch (button) {
    case Qt::LeftButton:
      return 0;
    case Qt::RightButton:
      return 1;
    case Qt::MiddleButton:
      return 2;
    default:
      return -1;
  }
}

// Loads a font with µ, ×, ·, σ, ≤, – and the like, most of which ImGui's own font lacks.
void load_font(double ratio, double text_scale) {
  static const std::array<ImWchar, 9> ranges{0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010,
                                             0x2044, 0x2190, 0x22FF, 0};
  ImFontAtlas* fonts = ImGui::GetIO().Fonts;
  fonts->Clear();
  // Drawn at the resolution of the screen, laid out in logical pixels.
  const auto scale = static_cast<float>(ratio);
  const float pixels = kFontPixels * scale * static_cast<float>(text_scale);
  if (QFileInfo::exists(QLatin1String(kFont))) {
    fonts->AddFontFromFileTTF(kFont, pixels, nullptr, ranges.data());
  } else {
    ImFontConfig config;
    config.SizePixels = pixels;
    fonts->AddFontDefault(&config);
  }
  ImGui::GetIO().FontGlobalScale = 1.0F / scale;
}

}  // namespace

Panel::~Panel() {
  // OpenGL objects were released before, by the owner, with a current context.
  if (context_ != nullptr) ImGui::DestroyContext(context_);
}

bool Panel::initialize(double pixel_ratio) {
  if (context_ == nullptr) context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 6.0F;
  style.WindowBorderSize = 0.0F;
  load_font(pixel_ratio, text_scale_);
  font_ratio_ = pixel_ratio;
  font_scale_ = text_scale_;
  ready_ = ImGui_ImplOpenGL3_Init("#version 150");
  frames_wanted_ = kSettle;
  return ready_;
}

void Panel::release() {
  if (context_ == nullptr) return;
  ImGui::SetCurrentContext(context_);
  if (ready_) ImGui_ImplOpenGL3_Shutdown();
  ready_ = false;
  ImGui::DestroyContext(context_);
  context_ = nullptr;
}

void Panel::begin(QSize size, double pixel_ratio) {
  ImGui::SetCurrentContext(context_);
  if (pixel_ratio != font_ratio_ || text_scale_ != font_scale_) {
    load_font(pixel_ratio, text_scale_);
    font_ratio_ = pixel_ratio;
    font_scale_ = text_scale_;
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(size.width()), static_cast<float>(size.height()));
  const auto ratio = static_cast<float>(pixel_ratio);
  io.DisplayFramebufferScale = ImVec2(ratio, ratio);
  // A nominal time step: frames are drawn only after changes, and nothing here is animated.
  io.DeltaTime = 1.0F / 60.0F;
  for (std::size_t b = 0; b < down_.size(); ++b) {
    io.MouseDown[b] = down_[b] || pressed_[b];
    pressed_[b] = false;
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void Panel::end(const QRectF& area) {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  area_ = area;
  if (frames_wanted_ > 0) --frames_wanted_;
}

bool Panel::handle(const QEvent& event) {
  if (!ready_) return false;
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 nowhere(-std::numeric_limits<float>::max(), -std::numeric_limits<float>::max());
  switch (event.type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease: {
      const auto& mouse = static_cast<const QMouseEvent&>(event);
      const bool press =
          event.type() == QEvent::MouseButtonPress || event.type() == QEvent::MouseButtonDblClick;
      const bool release = event.type() == QEvent::MouseButtonRelease;
      const bool first_press = press && mouse.buttons() == Qt::MouseButtons(mouse.button());
      const bool inside = area_.contains(mouse.position());
      if (first_press) owns_drag_ = inside;
      const bool idle = mouse.buttons() == Qt::NoButton && !release;
      const bool taken = idle ? inside : owns_drag_;
      if (taken || hovered_) frames_wanted_ = kSettle;
      hovered_ = taken;
      io.MousePos = taken ? ImVec2(static_cast<float>(mouse.position().x()),
                                   static_cast<float>(mouse.position().y()))
                          : nowhere;
      const int button = button_index(mouse.button());
      if (button >= 0) {
        const auto b = static_cast<std::size_t>(button);
        if (press && taken) down_[b] = pressed_[b] = true;
        if (release) down_[b] = false;
      }
      return taken;
    }
    case QEvent::Wheel: {
      const auto& wheel = static_cast<const QWheelEvent&>(event);
      return area_.contains(wheel.position());  // the panel takes the wheel but does not scroll
    }
    case QEvent::Leave:
      if (hovered_) frames_wanted_ = kSettle;
      hovered_ = false;
      io.MousePos = nowhere;
      return false;
    default:
      return false;
  }
}

}  // namespace aprscope
