// Parts of data that previews work on.
#include "app/gui/document/data_piece.hpp"

#include "core/apr/convert/conversion.hpp"
#include "core/image/synthetic.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;

class DataPieceTest : public QObject {
  Q_OBJECT

 private slots:
  void an_image_is_cut_where_it_is_asked_for();
  void particles_are_cut_at_cells_and_keep_their_values();
  void a_psf_reaches_no_further_than_the_image();

 private:
  Volume image_ = demo_image();
};

void DataPieceTest::an_image_is_cut_where_it_is_asked_for() {
  const auto whole = Dataset::create(image_);
  const Region region{{3, 5, 7}, {9, 14, 20}};
  const auto piece = cut_piece(*whole, region, "part", {});
  QVERIFY(piece.ok());
  QVERIFY(piece->box.begin == region.begin && piece->box.end == region.end);
  QCOMPARE(piece->data->name(), std::string("part"));
  const Volume cut = piece->data->volume();
  QCOMPARE(cut.value({1, 2, 3}), image_.value({4, 7, 10}));
  const std::vector<float> values = cut.to_float().values;
  const Region inner{{4, 6, 8}, {6, 9, 12}};
  const auto pixels = piece_pixels(*piece, values, inner, {});
  QVERIFY(pixels.ok());
  QCOMPARE(pixels->values.front(), image_.value({4, 6, 8}));
  QCOMPARE(pixels->values.back(), image_.value({5, 8, 11}));
}

void DataPieceTest::particles_are_cut_at_cells_and_keep_their_values() {
  auto apr = convert(image_, {});
  QVERIFY(apr.ok());
  const auto whole = Dataset::create(*std::move(apr));
  const Region region{{8, 17, 9}, {20, 30, 31}};
  const auto piece = cut_piece(*whole, region, "part", {});
  QVERIFY(piece.ok());
  const Region box = piece_box(region, *whole->apr().access);
  QVERIFY(piece->box.begin == box.begin && piece->box.end == box.end);
  QVERIFY(box.begin.z <= 8 && box.begin.x <= 17 && box.begin.y <= 9);
  QVERIFY(box.end.z >= 20 && box.end.x >= 30 && box.end.y >= 31);
  const auto pixels = piece_pixels(*piece, piece->data->values().particles(), region, {});
  const auto wanted = crop_pixels(*whole, region, {});
  QVERIFY(pixels.ok() && wanted.ok());
  QVERIFY(pixels->values == wanted->to_float().values);
}

void DataPieceTest::a_psf_reaches_no_further_than_the_image() {
  Stencil psf;
  psf.size = {5, 7, 9};
  const Region reached = reached_region({{1, 10, 10}, {4, 12, 15}}, psf, {5, 20, 16});
  QVERIFY((reached.begin == Index3{0, 7, 6}));
  QVERIFY((reached.end == Index3{5, 15, 16}));
}

APRSCOPE_GUI_TESTS(DataPieceTest)
#include "data_piece_test.moc"
