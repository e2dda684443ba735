#include "render/shortened.hpp"

#include <QTest>

#include "tests/render/view_fixture.hpp"

using namespace aprscope;  // NOLINT: a test program

namespace {

// Every UTF-16 unit is as wide as any other.
double width_of(const QString& text) { return static_cast<double>(text.size()); }

}  // namespace

class ShortenedTest : public QObject {
  Q_OBJECT

 private slots:
  void both_ends_of_a_long_name_are_kept() {
    const QString name = QStringLiteral("a grid of stripes under a microscope, plane one.tif");
    QCOMPARE(shortened(name, 51, width_of), name);
    QCOMPARE(shortened(name, 50, width_of),
             QStringLiteral("a grid of stripes under …microscope, plane one.tif"));
    QCOMPARE(shortened(name, 20, width_of), QStringLiteral("a grid of…ne one.tif"));
    QCOMPARE(shortened(name, 11, width_of), QStringLiteral("a gri…e.tif"));
    QCOMPARE(shortened(name, 10.9, width_of), QString());
  }

  void short_names_are_whole_or_not_there() {
    for (const QString& name : {QString(), QStringLiteral("a"), QStringLiteral("ten letter")}) {
      QCOMPARE(shortened(name, static_cast<double>(name.size()), width_of), name);
      QCOMPARE(shortened(name, static_cast<double>(name.size()) - 0.5, width_of), QString());
    }
  }

  void names_are_cut_between_characters_data() {
    QTest::addColumn<QStringList>("kinds");
    QTest::newRow("two units a character") << QStringList{QStringLiteral("𝒜"), QStringLiteral("🔬")};
    QTest::newRow("letters with marks") << QStringList{
        QStringLiteral("e\u0301"), QStringLiteral("a\u0323\u0302"), QStringLiteral("u\u0308")};
    QTest::newRow("all kinds") << QStringList{QStringLiteral("x"), QStringLiteral("o\u0302"),
                                              QStringLiteral("🔬"), QStringLiteral("µ")};
  }
  void names_are_cut_between_characters() {
    QFETCH(QStringList, kinds);
    QStringList characters;
    for (int i = 0; i < 29; ++i) characters << kinds[i % kinds.size()];
    const QString name = characters.join(QString());
    int cut = 0;
    for (int room = 0; room < name.size(); ++room) {
      // As many characters as fit, half of them from each end.
      QString wanted;
      for (int keep = 28; keep >= 10 && wanted.isEmpty(); --keep) {
        const QString text = characters.mid(0, keep / 2).join(QString()) + QStringLiteral("…") +
                             characters.mid(29 - (keep - keep / 2)).join(QString());
        if (text.size() <= room) wanted = text;
      }
      const QString text = shortened(name, room, width_of);
      QVERIFY(text.isValidUtf16());
      QCOMPARE(text, wanted);
      cut += text.isEmpty() ? 0 : 1;
    }
    QVERIFY(cut > 15);
  }
};

APRSCOPE_VIEW_TESTS(ShortenedTest)
#include "shortened_test.moc"
