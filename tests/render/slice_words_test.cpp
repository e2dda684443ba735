#include "render/slice_words.hpp"

#include <QTest>

#include "tests/render/view_fixture.hpp"

using namespace aprscope;  // NOLINT: a test program

class SliceWordsTest : public QObject {
  Q_OBJECT

 private slots:
  void all_lengths_count_from_one() {
    const Size3 size{57, 256, 300};
    const auto words = slice_words(Axis::z, 28, size, {4, 2, 2, "µm"}, false);
    QCOMPARE(words[0], QStringLiteral("z 29 of 57 · 112 µm"));
    QCOMPARE(words[1], QStringLiteral("z 29 of 57"));
    QCOMPARE(words[2], QStringLiteral("z 29"));
    const auto pixels = slice_words(Axis::y, 0, size, {}, false);
    QCOMPARE(pixels[0], QStringLiteral("y 1 of 300"));
    QCOMPARE(pixels[1], pixels[0]);
    QCOMPARE(pixels[2], QStringLiteral("y 1"));
  }

  void all_lengths_have_the_letters_that_were_chosen() {
    const Size3 size{57, 256, 300};
    for (const bool columns_are_x : {false, true}) {
      for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
        const bool swapped = columns_are_x && axis != Axis::z;
        const char* const plain[] = {"z", "x", "y"};
        const char* const other[] = {"z", "y", "x"};
        const auto i = static_cast<std::size_t>(axis);
        for (const QString& words : slice_words(axis, 7, size, {1, 1, 1, "µm"}, columns_are_x)) {
          QVERIFY2(words.startsWith(QLatin1String(swapped ? other[i] : plain[i]) + " 8"),
                   qPrintable(words));
        }
      }
    }
    QCOMPARE(plane_name(Axis::z, true), QStringLiteral("xy"));
    QCOMPARE(plane_name(Axis::x, false), QStringLiteral("yz"));
    QCOMPARE(plane_name(Axis::x, true), QStringLiteral("xz"));
    QCOMPARE(plane_name(Axis::y, true), QStringLiteral("yz"));
  }
};

APRSCOPE_VIEW_TESTS(SliceWordsTest)
#include "slice_words_test.moc"
