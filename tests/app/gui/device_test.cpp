// Choosing what computes.
#include <QLabel>
#include <QMenu>

#include "app/gui/window/device_menu.hpp"
#include "app/gui/window/message_bar.hpp"
#include "gpu/engines/devices.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/core/pipeline/refusing_backend.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// Casts rays as another raycaster does, and counts the pictures.
class CountingRaycaster : public Raycaster {
 public:
  CountingRaycaster(std::shared_ptr<const Raycaster> other,
                    std::shared_ptr<std::atomic<int>> pictures)
      : other_(std::move(other)), pictures_(std::move(pictures)) {}
  Result<RayImage> render(const RayCamera& camera, int width, int height, int finest_level,
                          const JobContext& context) const override {
    ++*pictures_;
    return other_->render(camera, width, height, finest_level, context);
  }
  Result<RayImage> surface(const RayCamera& camera, int width, int height, int finest_level,
                           float at, const JobContext& context) const override {
    return other_->surface(camera, width, height, finest_level, at, context);
  }
  Result<RayImage> translucent(const RayCamera& camera, int width, int height,
                               const Translucency& translucency,
                               const JobContext& context) const override {
    return other_->translucent(camera, width, height, translucency, context);
  }
  [[nodiscard]] int level_max() const override { return other_->level_max(); }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }

 private:
  std::shared_ptr<const Raycaster> other_;
  std::shared_ptr<std::atomic<int>> pictures_;
};

// Another device that computes as the CPU does, and counts what it is asked for.
class OtherBackend : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return "another device"; }
  [[nodiscard]] std::string id() const override { return "other"; }
  [[nodiscard]] Status supports(const Operation& operation, const Dataset& input) const override {
    return cpu_->supports(operation, input);
  }
  [[nodiscard]] std::uint64_t estimate_bytes(const Operation& operation,
                                             const Dataset& input) const override {
    return cpu_->estimate_bytes(operation, input);
  }
  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    ++runs;
    return cpu_->run(operation, input, context);
  }
  Status run_regions(const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context) const override {
    return cpu_->run_regions(operation, input, regions, out, context);
  }

  Result<std::shared_ptr<const Raycaster>> raycaster(const std::shared_ptr<const Dataset>& input,
                                                     const JobContext& context) const override {
    auto built = cpu_->raycaster(input, context);
    if (!built) return built.error();
    return std::shared_ptr<const Raycaster>(
        std::make_shared<const CountingRaycaster>(*std::move(built), pictures));
  }

  mutable std::atomic<int> runs{0};
  std::shared_ptr<std::atomic<int>> pictures = std::make_shared<std::atomic<int>>(0);

 private:
  std::shared_ptr<const Backend> cpu_ = cpu_backend();
};

}  // namespace

class DeviceTest : public QObject {
  Q_OBJECT

 private slots:
  void the_menu_lists_what_there_is();
  void the_processor_can_be_chosen_again();
  void the_device_draws_the_3d_view();
  void a_job_that_moves_is_told_every_time();
  void a_3d_view_that_moves_is_told();
  void a_gpu_that_cannot_be_used_is_said_each_time();
  void a_missing_gpu_is_said_once();
};

void DeviceTest::the_menu_lists_what_there_is() {
  WindowFixture f;
  const auto* menu = f.window->findChild<QMenu*>(QStringLiteral("device_menu"));
  QVERIFY(menu != nullptr);
  const GpuInventory inventory = gpu_inventory();
  const QList<QAction*> actions = menu->actions();
  QCOMPARE(actions.size(),
           static_cast<qsizetype>(1 + std::max<std::size_t>(1, inventory.devices.size())));
  QVERIFY(actions[0]->isChecked());
  QCOMPARE(actions[0]->text(), QString::fromStdString(cpu_backend()->name()));
  if (inventory.devices.empty()) {
    QVERIFY(!actions[1]->isEnabled());
    QVERIFY(!inventory.reason.empty());
    QVERIFY(actions[1]->text().contains(QString::fromStdString(inventory.reason)));
  } else {
    QVERIFY(actions[1]->text().contains(QString::fromStdString(inventory.devices[0].name)));
  }
}

void DeviceTest::the_processor_can_be_chosen_again() {
  const auto other = std::make_shared<OtherBackend>();
  WindowFixture f(other);
  const QString path = f.file("image.tif");
  write_block_tiff(path, {8, 32, 32}, {4, 16, 16});
  QVERIFY(f.drop({path}));
  f.trigger("convert_now");
  QVERIFY(f.settle());
  QCOMPARE(other->runs.load(), 1);
  QCOMPARE(f.document.backend().name(), std::string("another device"));

  f.trigger("device_cpu");
  QVERIFY(f.settle());
  QCOMPARE(f.document.backend().id(), std::string("cpu"));
  const auto labels = f.window->findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text() == QString::fromStdString(cpu_backend()->name());
  }));
  f.trigger("reconstruct");
  QVERIFY(f.settle());
  QCOMPARE(other->runs.load(), 1);
}

void DeviceTest::the_device_draws_the_3d_view() {
  const auto other = std::make_shared<OtherBackend>();
  WindowFixture f(other);
  const QString path = f.file("image.tif");
  write_block_tiff(path, {8, 32, 32}, {4, 16, 16});
  QVERIFY(f.drop({path}));
  QTRY_VERIFY(f.document.items().current()->raycaster != nullptr);
  QTRY_VERIFY(other->pictures->load() > 0);

  // From then on another one does.
  f.trigger("device_cpu");
  QTRY_VERIFY(f.document.items().current()->raycaster != nullptr);
  QVERIFY(f.settle());
  const int before = other->pictures->load();
  QVERIFY(dynamic_cast<const MipRaycaster*>(f.document.items().current()->raycaster.get()) !=
          nullptr);
  QVERIFY(f.settle());
  QCOMPARE(other->pictures->load(), before);
}

void DeviceTest::a_job_that_moves_is_told_every_time() {
  WindowFixture f(std::make_shared<aprscope::test::RefusingBackend>("gaussian"));
  const QString path = f.file("image.tif");
  write_block_tiff(path, {8, 32, 32}, {4, 16, 16});
  QVERIFY(f.drop({path}));
  QStringList said;
  QObject::connect(&f.document.messages(), &Messages::said, &f.document,
                   [&](MessageKind kind, const QString& text) {
                     QCOMPARE(kind, MessageKind::warning);
                     said << text;
                   });
  const std::uint64_t image = f.document.items().current()->id;
  for (int run = 1; run <= 2; ++run) {
    f.document.items().set_current(image);
    QVERIFY(f.document.runner().apply(*complete({"gaussian", {}})) != 0);
    QVERIFY(f.settle());
    QCOMPARE(said.size(), run);
    QVERIFY2(said.back().contains(QStringLiteral("cpu instead of cuda:9")),
             qPrintable(said.back()));
    QVERIFY2(said.back().contains(QStringLiteral("it needs 9 GB")), qPrintable(said.back()));
    // It stands in the bar, in the history, and in what the result tells of its steps.
    const auto* bar = f.window->findChild<MessageBar*>();
    QVERIFY(bar != nullptr && bar->isVisible());
    QCOMPARE(bar->text(), said.back());
    const QUndoStack& history = f.document.undo_stack();
    QVERIFY2(history.text(history.count() - 1).endsWith(QStringLiteral("[cpu instead of cuda:9]")),
             qPrintable(history.text(history.count() - 1)));
    QVERIFY(f.document.items().current()->costs.back().moved.has_value());
    QCOMPARE(f.document.items().current()->costs.back().backend, cpu_backend()->name());
  }
  // What stays where it was sent says nothing.
  f.document.items().set_current(image);
  QVERIFY(f.document.runner().apply(*complete({"box", {}})) != 0);
  QVERIFY(f.settle());
  QCOMPARE(said.size(), 2);
  QVERIFY(!f.document.items().current()->costs.back().moved.has_value());
}

void DeviceTest::a_3d_view_that_moves_is_told() {
  WindowFixture f(std::make_shared<aprscope::test::RefusingBackend>("raycaster"));
  QStringList said;
  QObject::connect(&f.document.messages(), &Messages::said, &f.document,
                   [&](MessageKind, const QString& text) { said << text; });
  const QString path = f.file("image.tif");
  write_block_tiff(path, {8, 32, 32}, {4, 16, 16});
  QVERIFY(f.drop({path}));
  QTRY_VERIFY(f.document.items().current()->raycaster != nullptr);
  QTRY_COMPARE(said.size(), 1);
  QVERIFY2(said.back().contains(QStringLiteral("3-D")), qPrintable(said.back()));
  QVERIFY2(said.back().contains(QStringLiteral("it needs 9 GB")), qPrintable(said.back()));
}

void DeviceTest::a_gpu_that_cannot_be_used_is_said_each_time() {
  WindowFixture f;
  QStringList said;
  QObject::connect(&f.document.messages(), &Messages::said, &f.document,
                   [&](MessageKind, const QString& text) { said << text; });
  say_why_not_the_gpu(f.document, "it does not answer.");
  say_why_not_the_gpu(f.document, "it does not answer.");
  say_why_not_the_gpu(f.document, "");
  QCOMPARE(said.size(), 2);
  QVERIFY(said.back().contains(QStringLiteral("it does not answer")));
}

void DeviceTest::a_missing_gpu_is_said_once() {
  WindowFixture f;
  QStringList said;
  QObject::connect(&f.document.messages(), &Messages::said, &f.document,
                   [&](MessageKind, const QString& text) { said << text; });
  say_that_there_is_no_gpu(f.document);
  say_that_there_is_no_gpu(f.document);
  const GpuInventory inventory = gpu_inventory();
  if (!inventory.devices.empty()) {
    QVERIFY(said.isEmpty());
    return;
  }
  QCOMPARE(said.size(), 1);
  QVERIFY(said.front().contains(QString::fromStdString(inventory.reason)));
}

APRSCOPE_GUI_TESTS(DeviceTest)
#include "device_test.moc"
