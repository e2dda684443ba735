#include "render/vtk_widget.hpp"

#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions_3_2_Core>
#include <QOpenGLVersionFunctionsFactory>
#include <QWheelEvent>
#include <utility>

#include <vtkCallbackCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>

#include "core/base/log.hpp"
#include "render/panel.hpp"
#include "render/vtk_log.hpp"

namespace aprscope {

struct VtkWidget::Impl {
  VtkWidget* widget = nullptr;
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkGenericRenderWindowInteractor> interactor;
  vtkNew<vtkCallbackCommand> callback;
  Panel panel;
  std::function<QRectF()> draw_panel;
  std::uint64_t frames = 0;
  int contexts = 0;
  bool painting = false;
  bool usable = false;
  bool vtk_interaction = false;
  bool wants_samples = false;

  [[nodiscard]] QOpenGLFunctions_3_2_Core* gl() const {
    return QOpenGLVersionFunctionsFactory::get<QOpenGLFunctions_3_2_Core>(widget->context());
  }

  // Called when VTK asks its window for an OpenGL context, or wants to be drawn.
  static void handle(vtkObject* /*caller*/, unsigned long event, void* self, void* data) {
    auto* impl = static_cast<Impl*>(self);
    VtkWidget* const w = impl->widget;
    switch (event) {
      case vtkCommand::WindowMakeCurrentEvent:
        if (w->context() == nullptr) break;
        if (!impl->painting) w->makeCurrent();
        impl->window->SetIsCurrent(true);
        break;
      case vtkCommand::WindowIsCurrentEvent:
        *static_cast<bool*>(data) =
            w->context() != nullptr && QOpenGLContext::currentContext() == w->context();
        break;
      case vtkCommand::WindowSupportsOpenGLEvent:
      case vtkCommand::WindowIsDirectEvent:
        *static_cast<int*>(data) = 1;
        break;
      case vtkCommand::WindowFrameEvent:
        if (!impl->painting) w->update();
        break;
      case vtkCommand::RenderEvent:
        w->update();
        break;
      default:
        break;
    }
  }

  void apply_size() const {
    const double ratio = widget->devicePixelRatioF();
    const int width = qRound(widget->width() * ratio);
    const int height = qRound(widget->height() * ratio);
    window->SetSize(width, height);
    window->SetScreenSize(width, height);
    window->SetDPI(qRound(96.0 * ratio));
    interactor->UpdateSize(width, height);
  }
};

void use_view_surface_format() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setAlphaBufferSize(8);
  format.setSamples(0);
  format.setSwapInterval(0);
  QSurfaceFormat::setDefaultFormat(format);
}

VtkWidget::VtkWidget(QWidget* parent) : QOpenGLWidget(parent), impl_(std::make_unique<Impl>()) {
  install_vtk_log();
  impl_->widget = this;
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);

  vtkGenericOpenGLRenderWindow* const window = impl_->window;
  window->SetFrameBlitModeToNoBlit();
  window->SetMultiSamples(0);
  window->SetReadyForRendering(false);
  window->SetOwnContext(0);
  window->AddRenderer(impl_->renderer);
  impl_->interactor->SetRenderWindow(window);
  impl_->interactor->EnableRenderOff();  // the style's Render() only calls update()
  vtkNew<vtkInteractorStyleTrackballCamera> style;
  impl_->interactor->SetInteractorStyle(style);

  impl_->callback->SetClientData(impl_.get());
  impl_->callback->SetCallback(&Impl::handle);
  for (const auto event : {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent,
                           vtkCommand::WindowSupportsOpenGLEvent, vtkCommand::WindowIsDirectEvent,
                           vtkCommand::WindowFrameEvent}) {
    window->AddObserver(event, impl_->callback);
  }
  impl_->interactor->AddObserver(vtkCommand::RenderEvent, impl_->callback);
}

VtkWidget::~VtkWidget() {
  if (context() != nullptr) {
    disconnect(context(), &QOpenGLContext::aboutToBeDestroyed, this, nullptr);
  }
  release_context();
  impl_->interactor->RemoveAllObservers();
  impl_->window->RemoveAllObservers();
  impl_->interactor->SetRenderWindow(nullptr);
  impl_->window->SetInteractor(nullptr);
}

vtkRenderer* VtkWidget::renderer() const { return impl_->renderer; }
vtkRenderWindowInteractor* VtkWidget::interactor() const { return impl_->interactor; }

void VtkWidget::set_panel(std::function<QRectF()> draw) {
  impl_->draw_panel = std::move(draw);
  update();
}

void VtkWidget::warm_up() {
  impl_->wants_samples = true;
  update();
}

std::uint64_t VtkWidget::frame_count() const { return impl_->frames; }
int VtkWidget::context_count() const { return impl_->contexts; }
void VtkWidget::set_panel_text_scale(double scale) { impl_->panel.set_text_scale(scale); }
void VtkWidget::set_size_hints(const QSize& wanted, const QSize& least) {
  wanted_size_ = wanted;
  least_size_ = least;
  updateGeometry();
}

void VtkWidget::set_vtk_interaction(bool on) { impl_->vtk_interaction = on; }

void VtkWidget::initializeGL() {
  ++impl_->contexts;
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &VtkWidget::release_context,
          Qt::UniqueConnection);
  impl_->usable = impl_->gl() != nullptr;
  if (!impl_->usable) {
    log(LogLevel::error, "no OpenGL 3.2 context");
    emit opengl_failed(tr("This machine offers no OpenGL 3.2, which the views need."));
    return;
  }
  impl_->window->SetReadyForRendering(true);
  impl_->window->OpenGLInitContext();
  impl_->window->OpenGLInitState();
  if (!impl_->panel.initialize(devicePixelRatioF())) {
    log(LogLevel::warning, "the heads-up panel cannot be drawn");
  }
  impl_->apply_size();
}

void VtkWidget::release_context() {
  if (context() == nullptr) return;
  makeCurrent();
  impl_->panel.release();
  impl_->window->Finalize();
  impl_->window->SetReadyForRendering(false);
  doneCurrent();
}

void VtkWidget::resizeGL(int /*width*/, int /*height*/) { impl_->apply_size(); }

void VtkWidget::paintGL() {
  if (!impl_->usable) return;
  impl_->painting = true;
  impl_->apply_size();
  prepare_frame();
  if (std::exchange(impl_->wants_samples, false)) add_samples();

  QOpenGLFunctions_3_2_Core* const gl = impl_->gl();
  const GLuint target = defaultFramebufferObject();
  vtkOpenGLState* const state = impl_->window->GetState();
  state->Reset();  // Qt and ImGui changed OpenGL's state
  state->Push();
  state->ResetFramebufferBindings();
  impl_->window->Render();

  const int* const size = impl_->window->GetSize();
  gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, impl_->window->GetDisplayFramebuffer()->GetFBOIndex());
  gl->glReadBuffer(GL_COLOR_ATTACHMENT0);
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glBlitFramebuffer(0, 0, size[0], size[1], 0, 0, size[0], size[1], GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
  gl->glBindFramebuffer(GL_FRAMEBUFFER, target);
  // VTK leaves alpha values below 1, which would become grey halos in screenshots.
  gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  gl->glClearColor(0.0F, 0.0F, 0.0F, 1.0F);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  state->Pop();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, target);

  if (impl_->panel.ready() && impl_->draw_panel) {
    impl_->panel.begin(this->size(), devicePixelRatioF());
    const QRectF area = impl_->draw_panel();
    gl->glViewport(0, 0, size[0], size[1]);
    impl_->panel.end(area);
    if (impl_->panel.wants_frame()) update();
  }
  finish_frame();
  impl_->painting = false;
  ++impl_->frames;
}

bool VtkWidget::to_interactor(QEvent* event) {
  if (!impl_->vtk_interaction) return false;
  vtkGenericRenderWindowInteractor* const vtk = impl_->interactor;
  const double ratio = devicePixelRatioF();
  const auto place = [&](const QPointF& p, Qt::KeyboardModifiers keys) {
    vtk->SetEventInformationFlipY(static_cast<int>(p.x() * ratio), static_cast<int>(p.y() * ratio),
                                  keys.testFlag(Qt::ControlModifier) ? 1 : 0,
                                  keys.testFlag(Qt::ShiftModifier) ? 1 : 0);
  };
  switch (event->type()) {
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      place(mouse->position(), mouse->modifiers());
      vtk->InvokeEvent(vtkCommand::MouseMoveEvent);
      return true;
    }
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      const bool press = event->type() == QEvent::MouseButtonPress;
      place(mouse->position(), mouse->modifiers());
      switch (mouse->button()) {
        case Qt::LeftButton:
          vtk->InvokeEvent(press ? vtkCommand::LeftButtonPressEvent
                                 : vtkCommand::LeftButtonReleaseEvent);
          return true;
        case Qt::RightButton:
          vtk->InvokeEvent(press ? vtkCommand::RightButtonPressEvent
                                 : vtkCommand::RightButtonReleaseEvent);
          return true;
        case Qt::MiddleButton:
          vtk->InvokeEvent(press ? vtkCommand::MiddleButtonPressEvent
                                 : vtkCommand::MiddleButtonReleaseEvent);
          return true;
        default:
          return false;
      }
    }
    case QEvent::Wheel: {
      const auto* wheel = static_cast<QWheelEvent*>(event);
      place(wheel->position(), wheel->modifiers());
      vtk->InvokeEvent(wheel->angleDelta().y() > 0 ? vtkCommand::MouseWheelForwardEvent
                                                   : vtkCommand::MouseWheelBackwardEvent);
      return true;
    }
    default:
      return false;
  }
}

bool VtkWidget::event(QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease:
    case QEvent::Wheel:
    case QEvent::Leave:
      if (impl_->draw_panel && impl_->panel.handle(*event)) {
        update();
        event->accept();
        return true;
      }
      if (impl_->panel.wants_frame()) update();
      if (to_interactor(event)) {
        if (event->type() == QEvent::MouseButtonPress) setFocus(Qt::MouseFocusReason);
        event->accept();
        return true;
      }
      break;
    default:
      break;
  }
  return QOpenGLWidget::event(event);
}

}  // namespace aprscope
