#pragma once

#include <QOpenGLWidget>
#include <QRectF>
#include <functional>
#include <memory>

class vtkRenderer;
class vtkRenderWindowInteractor;

namespace aprscope {

/// Makes the OpenGL version that the views need (3.2 core) the default. Call before QApplication.
void use_view_surface_format();

/// A Qt widget that shows a VTK scene, with a Dear ImGui panel on top where one is set. It survives
/// the loss of its OpenGL context (docking, floating) and follows the device pixel ratio. GUI
/// thread only.
class VtkWidget : public QOpenGLWidget {
  Q_OBJECT

 public:
  explicit VtkWidget(QWidget* parent = nullptr);
  ~VtkWidget() override;

  [[nodiscard]] vtkRenderer* renderer() const;
  [[nodiscard]] vtkRenderWindowInteractor* interactor() const;

  /// `draw` draws Dear ImGui widgets over the scene; it is called once a frame between NewFrame and
  /// Render, and returns their rectangle (logical widget pixels), where they receive the mouse.
  void set_panel(std::function<QRectF()> draw);

  QSize sizeHint() const override { return wanted_size_; }
  QSize minimumSizeHint() const override { return least_size_; }

  /// Draws with the next frame, where nobody sees it, each kind of picture that the view may show
  /// later. Without a graphics card, OpenGL compiles a program for each, which takes tenths of a
  /// second: so it is done when nobody waits for a picture.
  void warm_up();

  /// Frames painted so far.
  [[nodiscard]] std::uint64_t frame_count() const;
  /// How often an OpenGL context was set up: 1, and one more each time the widget was re-parented.
  [[nodiscard]] int context_count() const;

 signals:
  /// Emitted when the machine cannot draw views (no OpenGL 3.2).
  void opengl_failed(const QString& what);

 protected:
  /// Called before each frame, when size and device pixel ratio are known: update positions here.
  virtual void prepare_frame() {}
  /// Called after prepare_frame() where warm_up() asked for it: adds one picture of each kind to
  /// the scene, which finish_frame() takes out again.
  virtual void add_samples() {}
  /// Called after each frame, panel included.
  virtual void finish_frame() {}

  /// Texts of the panel are this many times as large as usual.
  void set_panel_text_scale(double scale);

  /// The size hints for layouts; invalid sizes: none.
  void set_size_hints(const QSize& wanted, const QSize& least);

  /// Whether mouse events go to VTK's interaction style; else they go to Qt's mouse handlers.
  void set_vtk_interaction(bool on);

  bool event(QEvent* event) override;
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;

 private:
  struct Impl;
  void release_context();
  bool to_interactor(QEvent* event);

  std::unique_ptr<Impl> impl_;
  QSize wanted_size_;
  QSize least_size_;
};

}  // namespace aprscope
