#include "core/image/scale_bar.hpp"

#include <QTest>
#include <limits>

using aprscope::format_length;
using aprscope::nice_length;

class ScaleBarTest : public QObject {
  Q_OBJECT

 private slots:
  void is_the_longest_of_one_two_five_that_fits_data() {
    QTest::addColumn<double>("room");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("length");
    QTest::addColumn<QString>("label");
    QTest::newRow("exact") << 20.0 << "µm" << 20.0 << "20 µm";
    QTest::newRow("below") << 19.99 << "µm" << 10.0 << "10 µm";
    QTest::newRow("five") << 99.0 << "µm" << 50.0 << "50 µm";
    QTest::newRow("hundred") << 100.0 << "px" << 100.0 << "100 px";
    QTest::newRow("nanometres") << 0.7 << "µm" << 0.5 << "500 nm";
    QTest::newRow("millimetres") << 2100.0 << "µm" << 2000.0 << "2 mm";
    QTest::newRow("other unit") << 0.3 << "mm" << 0.2 << "0.2 mm";
    QTest::newRow("one") << 1.0 << "µm" << 1.0 << "1 µm";
  }
  void is_the_longest_of_one_two_five_that_fits() {
    QFETCH(double, room);
    QFETCH(QString, unit);
    QFETCH(double, length);
    QFETCH(QString, label);
    const auto nice = nice_length(room, unit.toStdString());
    QVERIFY(std::abs(nice.length - length) <= 1e-9 * length);
    QCOMPARE(QString::fromStdString(nice.label), label);
  }

  void nothing_fits_in_nothing() {
    for (const double room : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
      QCOMPARE(nice_length(room, "µm").length, 0.0);
    }
  }

  void lengths_have_three_digits() {
    QCOMPARE(QString::fromStdString(format_length(51.234, "µm")), QStringLiteral("51.2 µm"));
    QCOMPARE(QString::fromStdString(format_length(0.1234, "µm")), QStringLiteral("123 nm"));
    QCOMPARE(QString::fromStdString(format_length(128, "px")), QStringLiteral("128 px"));
  }
};

QTEST_APPLESS_MAIN(ScaleBarTest)
#include "scale_bar_test.moc"
