#include "render/overlay.hpp"

#include <QFileInfo>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>

namespace aprscope {
namespace {

constexpr double kPadX = 6.0;
constexpr double kPadY = 3.0;

// VTK's own fonts lack many of the signs that labels use (≤, σ, …).
void use_font(vtkTextProperty& property, bool bold) {
  static const std::array<std::string, 2> files{
      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"};
  static const bool found = QFileInfo::exists(QString::fromStdString(files[0])) &&
                            QFileInfo::exists(QString::fromStdString(files[1]));
  if (found) {
    property.SetFontFamily(VTK_FONT_FILE);
    property.SetFontFile(files[bold ? 1 : 0].c_str());
  } else {
    property.SetFontFamilyToArial();
    property.SetBold(bold ? 1 : 0);
  }
}

}  // namespace

struct Overlay::Impl {
  vtkRenderer* renderer = nullptr;
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  vtkNew<vtkUnsignedCharArray> colors;
  vtkNew<vtkPolyData> shapes;
  vtkNew<vtkPolyDataMapper2D> mapper;
  vtkNew<vtkActor2D> actor;
  std::vector<vtkSmartPointer<vtkTextActor>> texts;
  std::size_t used_texts = 0;
  QSize size;
  double ratio = 1.0;

  vtkTextActor& next_text() {
    if (used_texts == texts.size()) {
      auto text = vtkSmartPointer<vtkTextActor>::New();
      text->SetTextScaleModeToNone();
      text->SetLayerNumber(1);
      renderer->AddActor2D(text);
      texts.push_back(text);
    }
    return *texts[used_texts++];
  }
};

Overlay::Overlay(vtkRenderer& renderer) : impl_(std::make_unique<Impl>()) {
  impl_->renderer = &renderer;
  impl_->points->SetDataTypeToDouble();
  impl_->colors->SetNumberOfComponents(4);
  impl_->shapes->SetPoints(impl_->points);
  impl_->shapes->SetPolys(impl_->cells);
  impl_->shapes->GetPointData()->SetScalars(impl_->colors);
  impl_->mapper->SetInputData(impl_->shapes);
  impl_->actor->SetMapper(impl_->mapper);
  impl_->actor->SetLayerNumber(0);
  renderer.AddActor2D(impl_->actor);
}

Overlay::~Overlay() {
  impl_->renderer->RemoveActor2D(impl_->actor);
  for (const auto& text : impl_->texts) impl_->renderer->RemoveActor2D(text);
}

void Overlay::begin(QSize size, double pixel_ratio) {
  impl_->size = size;
  impl_->ratio = pixel_ratio;
  impl_->points->Reset();
  impl_->cells->Reset();
  impl_->colors->Reset();
  impl_->used_texts = 0;
}

void Overlay::rect(const QRectF& rect, const QColor& color) {
  if (color.alpha() == 0) return;
  const double height = std::round(impl_->size.height() * impl_->ratio);
  const double left = std::round(rect.left() * impl_->ratio);
  const double top = std::round(rect.top() * impl_->ratio);
  const double right = std::max(left + 1.0, std::round(rect.right() * impl_->ratio));
  const double bottom = std::max(top + 1.0, std::round(rect.bottom() * impl_->ratio));
  const vtkIdType first = impl_->points->GetNumberOfPoints();
  impl_->points->InsertNextPoint(left, height - bottom, 0);
  impl_->points->InsertNextPoint(right, height - bottom, 0);
  impl_->points->InsertNextPoint(right, height - top, 0);
  impl_->points->InsertNextPoint(left, height - top, 0);
  impl_->cells->InsertNextCell({first, first + 1, first + 2, first + 3});
  for (int corner = 0; corner < 4; ++corner) {
    impl_->colors->InsertNextTuple4(color.red(), color.green(), color.blue(), color.alpha());
  }
}

void Overlay::frame(const QRectF& r, double width, const QColor& color) {
  rect({r.left(), r.top(), r.width(), width}, color);
  rect({r.left(), r.bottom() - width, r.width(), width}, color);
  rect({r.left(), r.top() + width, width, r.height() - 2 * width}, color);
  rect({r.right() - width, r.top() + width, width, r.height() - 2 * width}, color);
}

void Overlay::line(const QPointF& from, const QPointF& to, double width, const QColor& color) {
  const QPointF along = to - from;
  const double length = std::hypot(along.x(), along.y());
  if (color.alpha() == 0 || !(length > 0.0)) return;
  const QPointF side(-0.5 * width * along.y() / length, 0.5 * width * along.x() / length);
  const double height = std::round(impl_->size.height() * impl_->ratio);
  const vtkIdType first = impl_->points->GetNumberOfPoints();
  for (const QPointF& corner : {from - side, from + side, to + side, to - side}) {
    impl_->points->InsertNextPoint(corner.x() * impl_->ratio, height - corner.y() * impl_->ratio,
                                   0);
  }
  impl_->cells->InsertNextCell({first, first + 1, first + 2, first + 3});
  for (int corner = 0; corner < 4; ++corner) {
    impl_->colors->InsertNextTuple4(color.red(), color.green(), color.blue(), color.alpha());
  }
}

QRectF Overlay::text(const QString& text, const QPointF& anchor, Qt::Alignment alignment,
                     const TextStyle& style) {
  if (text.isEmpty()) return {anchor, QSizeF(0, 0)};
  vtkTextActor& actor = impl_->next_text();
  vtkTextProperty& property = *actor.GetTextProperty();
  use_font(property, style.bold);
  // VTK's points are 1/72 inch at 96 dots an inch times the device pixel ratio.
  property.SetFontSize(std::max(1, static_cast<int>(std::lround(style.pixels * 72.0 / 96.0))));
  property.SetColor(style.color.redF(), style.color.greenF(), style.color.blueF());
  property.SetOpacity(style.color.alphaF());
  property.SetJustificationToLeft();
  property.SetVerticalJustificationToBottom();
  actor.SetInput(text.toUtf8().constData());
  actor.SetVisibility(1);

  std::array<double, 4> box{};
  actor.GetBoundingBox(impl_->renderer, box.data());
  const bool backed = style.backdrop.alpha() > 0;
  const double pad_x = backed ? kPadX : 0.0;
  const double pad_y = backed ? kPadY : 0.0;
  const double width = (box[1] - box[0] + 1.0) / impl_->ratio + 2 * pad_x;
  const double height = (box[3] - box[2] + 1.0) / impl_->ratio + 2 * pad_y;
  double left = anchor.x();
  double top = anchor.y();
  if (alignment.testFlag(Qt::AlignRight)) left -= width;
  if (alignment.testFlag(Qt::AlignHCenter)) left -= width / 2;
  if (alignment.testFlag(Qt::AlignBottom)) top -= height;
  if (alignment.testFlag(Qt::AlignVCenter)) top -= height / 2;
  if (backed) rect({left, top, width, height}, style.backdrop);
  // The text's box may be offset from its position, so measure where the glyphs are.
  actor.SetDisplayPosition(
      static_cast<int>(std::lround((left + pad_x) * impl_->ratio - box[0])),
      static_cast<int>(
          std::lround((impl_->size.height() - top - height + pad_y) * impl_->ratio - box[2])));
  return {left, top, width, height};
}

void Overlay::end() {
  for (std::size_t i = impl_->used_texts; i < impl_->texts.size(); ++i) {
    impl_->texts[i]->SetVisibility(0);
  }
  impl_->points->Modified();
  impl_->cells->Modified();
  impl_->colors->Modified();
  impl_->shapes->Modified();
}

}  // namespace aprscope
