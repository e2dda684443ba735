#pragma once

namespace aprscope::gpu {

/// Lets two devices reach what buffers of each other hold, where their connection allows it: copies
/// between them then go straight, and not by way of the host. Where it does not, nothing changes.
void connect_devices(int one, int other) noexcept;

}  // namespace aprscope::gpu
