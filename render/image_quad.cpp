#include "render/image_quad.hpp"

#include <algorithm>
#include <cstring>

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkTexture.h>
#include <vtkUnsignedCharArray.h>

namespace aprscope {
namespace {

// All relevant OpenGL 3.2 drivers support 8192; smaller tiles also keep single uploads short.
constexpr std::int64_t kTile = 4096;

struct Tile {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  vtkNew<vtkImageData> image;
  vtkNew<vtkUnsignedCharArray> bytes;
  vtkSmartPointer<vtkTexture> texture;
  vtkNew<vtkPoints> points;
  vtkNew<vtkPolyData> shape;
  vtkNew<vtkPolyDataMapper> mapper;
  vtkNew<vtkActor> actor;

  Tile() {
    points->SetDataTypeToDouble();
    points->SetNumberOfPoints(4);
    vtkNew<vtkCellArray> cells;
    cells->InsertNextCell({0, 1, 2, 3});
    vtkNew<vtkFloatArray> where;
    where->SetName("texture coordinates");
    where->SetNumberOfComponents(2);
    for (const auto& [s, t] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}) {
      where->InsertNextTuple2(s, t);
    }
    shape->SetPoints(points);
    shape->SetPolys(cells);
    shape->GetPointData()->SetTCoords(where);
    mapper->SetInputData(shape);
    // Behind lines that run along its edges, see VolumeFrame.
    mapper->SetRelativeCoincidentTopologyPolygonOffsetParameters(1.0, 40.0);
    bytes->SetNumberOfComponents(4);
    actor->SetMapper(mapper);
    actor->ForceOpaqueOn();
    actor->PickableOff();
    actor->GetProperty()->LightingOff();
  }

  // VTK never resets the filter of a texture once it had mipmaps, so each kind gets a new texture.
  void make_texture(bool smooth) {
    texture = vtkSmartPointer<vtkTexture>::New();
    texture->SetInputData(image);
    texture->SetColorModeToDirectScalars();
    texture->EdgeClampOn();
    texture->SetInterpolate(smooth ? 1 : 0);
    texture->SetMipmap(smooth);
    actor->SetTexture(texture);
  }
};

}  // namespace

struct ImageQuad::Impl {
  vtkRenderer* renderer = nullptr;
  std::vector<std::unique_ptr<Tile>> tiles;
  std::vector<std::uint8_t> rgba;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Point origin{0, 0, 0};
  Point along_cols{1, 0, 0};
  Point along_rows{0, 1, 0};
  bool smooth = false;
  bool visible = true;
  vtkNew<vtkPlane> clip;
  bool clipped = false;

  void remove_tiles() {
    for (const auto& tile : tiles) renderer->RemoveActor(tile->actor);
    tiles.clear();
  }

  void make_tiles() {
    remove_tiles();
    for (std::int64_t row = 0; row < rows; row += kTile) {
      for (std::int64_t col = 0; col < cols; col += kTile) {
        auto tile = std::make_unique<Tile>();
        tile->row = row;
        tile->col = col;
        tile->rows = std::min(kTile, rows - row);
        tile->cols = std::min(kTile, cols - col);
        tile->image->SetDimensions(static_cast<int>(tile->cols), static_cast<int>(tile->rows), 1);
        tile->image->GetPointData()->SetScalars(tile->bytes);
        tile->actor->SetVisibility(visible ? 1 : 0);
        tile->make_texture(smooth);
        if (clipped) tile->mapper->AddClippingPlane(clip);
        renderer->AddActor(tile->actor);
        tiles.push_back(std::move(tile));
      }
    }
  }

  void fill(Tile& tile) {
    const auto count = static_cast<vtkIdType>(tile.rows * tile.cols * 4);
    if (tile.rows == rows && tile.cols == cols) {
      tile.bytes->SetArray(rgba.data(), count, 1);  // 1: VTK must not free the array
    } else {
      tile.bytes->SetNumberOfTuples(count / 4);
      for (std::int64_t r = 0; r < tile.rows; ++r) {
        std::memcpy(tile.bytes->GetPointer(r * tile.cols * 4),
                    rgba.data() + ((tile.row + r) * cols + tile.col) * 4,
                    static_cast<std::size_t>(tile.cols) * 4);
      }
    }
    tile.bytes->Modified();
    tile.image->Modified();
  }

  void place(Tile& tile) const {
    const auto at = [&](std::int64_t row, std::int64_t col) {
      const double r = static_cast<double>(row) / static_cast<double>(rows);
      const double c = static_cast<double>(col) / static_cast<double>(cols);
      Point p{};
      for (std::size_t a = 0; a < 3; ++a) p[a] = origin[a] + c * along_cols[a] + r * along_rows[a];
      return p;
    };
    const std::int64_t bottom = tile.row + tile.rows;
    const std::int64_t right = tile.col + tile.cols;
    tile.points->SetPoint(0, at(tile.row, tile.col).data());
    tile.points->SetPoint(1, at(tile.row, right).data());
    tile.points->SetPoint(2, at(bottom, right).data());
    tile.points->SetPoint(3, at(bottom, tile.col).data());
    tile.points->Modified();
    tile.shape->Modified();
  }
};

ImageQuad::ImageQuad(vtkRenderer& renderer) : impl_(std::make_unique<Impl>()) {
  impl_->renderer = &renderer;
}

ImageQuad::~ImageQuad() { impl_->remove_tiles(); }

void ImageQuad::set_image(std::vector<std::uint8_t> rgba, std::int64_t rows, std::int64_t cols) {
  if (rows <= 0 || cols <= 0) return;
  const bool same_shape = rows == impl_->rows && cols == impl_->cols;
  impl_->rgba = std::move(rgba);
  impl_->rows = rows;
  impl_->cols = cols;
  if (!same_shape || impl_->tiles.empty()) impl_->make_tiles();
  for (const auto& tile : impl_->tiles) {
    impl_->fill(*tile);
    if (!same_shape) impl_->place(*tile);
  }
}

void ImageQuad::set_corners(const Point& origin, const Point& along_cols, const Point& along_rows) {
  impl_->origin = origin;
  impl_->along_cols = along_cols;
  impl_->along_rows = along_rows;
  for (const auto& tile : impl_->tiles) impl_->place(*tile);
}

void ImageQuad::set_smooth(bool smooth) {
  if (smooth == impl_->smooth) return;
  impl_->smooth = smooth;
  for (const auto& tile : impl_->tiles) tile->make_texture(smooth);
}

void ImageQuad::set_visible(bool visible) {
  impl_->visible = visible;
  for (const auto& tile : impl_->tiles) tile->actor->SetVisibility(visible ? 1 : 0);
}

void ImageQuad::set_clip(std::optional<double> at, Side side) {
  if (at) {
    impl_->clip->SetOrigin(*at, 0.0, 0.0);
    impl_->clip->SetNormal(side == Side::left ? -1.0 : 1.0, 0.0, 0.0);
  }
  if (at.has_value() == impl_->clipped) return;
  impl_->clipped = at.has_value();
  for (const auto& tile : impl_->tiles) {
    if (impl_->clipped) {
      tile->mapper->AddClippingPlane(impl_->clip);
    } else {
      tile->mapper->RemoveAllClippingPlanes();
    }
  }
}

}  // namespace aprscope
