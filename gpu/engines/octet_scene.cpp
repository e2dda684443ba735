#include "gpu/engines/octet_scene.hpp"

#include <new>
#include <utility>

#include "gpu/octet/octet_raycast.hpp"
#include "gpu/octet/particle_filter.hpp"

namespace aprscope::gpu {
namespace {

// Buffers of the largest moment: values and their maxima. The values are freed afterwards.
constexpr int kBuffers = 2;

class Scene final : public Raycaster {
 public:
  // Call with the device's lock held.
  Scene(std::shared_ptr<GpuDevice> device, std::shared_ptr<const Dataset> input)
      : input_(std::move(input)),
        device_(std::move(device)),
        apr_(std::make_unique<OctetApr>(input_->apr().access, device_)) {
    const OctetValues particles = apr_->make_values();
    apr_->upload(input_->values().particles(), particles);
    raycaster_ = std::make_unique<OctetRaycaster>(*apr_, particles, input_->voxel());
  }
  ~Scene() override {
    const std::lock_guard turn(device_->turn());
    (void)guarded([&]() -> Status {
      device_->use();
      raycaster_.reset();
      apr_.reset();
      return {};
    });
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  Result<RayImage> render(const RayCamera& camera, int width, int height, int finest_level,
                          const JobContext& context) const override {
    return picture(width, height, context,
                   [&] { return raycaster_->render(camera, width, height, finest_level); });
  }
  Result<RayImage> translucent(const RayCamera& camera, int width, int height,
                               const Translucency& translucency,
                               const JobContext& context) const override {
    return picture(width, height, context,
                   [&] { return raycaster_->translucent(camera, width, height, translucency); });
  }
  // Surfaces are rendered by the CPU.
  Result<RayImage> surface(const RayCamera& camera, int width, int height, int finest_level,
                           float at, const JobContext& context) const override {
    const auto on_cpu = input_->raycaster(context);
    if (!on_cpu) return on_cpu.error();
    return (*on_cpu)->surface(camera, width, height, finest_level, at, context);
  }
  int level_max() const override { return apr_->access().level_max(); }
  std::uint64_t bytes() const override { return 0; }

 private:
  // A picture of these sides by the device.
  template <class Make>
  Result<RayImage> picture(int width, int height, const JobContext& context,
                           const Make& make) const {
    if (Status fine = MipRaycaster::check_sides(width, height); !fine) return fine.error();
    const std::lock_guard turn(device_->turn());
    if (context.stop_requested()) return cancelled_error();
    try {
      return guarded([&]() -> Result<RayImage> {
        device_->use();
        return make();
      });
    } catch (const std::bad_alloc&) {
      return Error{"not enough memory for the picture", "3-D view", "choose a smaller picture"};
    }
  }

  std::shared_ptr<const Dataset> input_;
  std::shared_ptr<GpuDevice> device_;
  std::unique_ptr<OctetApr> apr_;
  std::unique_ptr<OctetRaycaster> raycaster_;
};

}  // namespace

std::uint64_t scene_bytes(const Dataset& input) {
  return OctetApr::estimate_bytes(*input.apr().access, kBuffers);
}

Result<std::shared_ptr<const Raycaster>> make_scene(std::shared_ptr<GpuDevice> device,
                                                    std::shared_ptr<const Dataset> input) {
  const std::lock_guard turn(device->turn());
  return guarded([&]() -> Result<std::shared_ptr<const Raycaster>> {
    device->use();
    check_device_memory(scene_bytes(*input), input->name(), *device);
    // Passes `device` by copy: the original holds the lock until this function returns.
    return std::shared_ptr<const Raycaster>(std::make_shared<const Scene>(device, input));
  });
}

}  // namespace aprscope::gpu
