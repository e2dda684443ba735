#include "core/apr/convert/conversion_result.hpp"

#include <cstdio>
#include <string>
#include <utility>

namespace aprscope {
namespace {

std::string history_line(const ConversionParameters& p) {
  char text[256];
  std::snprintf(text, sizeof text,
                "convert rel_error=%g lambda=%g sigma_th=%g sigma_th_max=%g grad_th=%g "
                "intensity_th=%g%s",
                static_cast<double>(p.rel_error), static_cast<double>(p.lambda),
                static_cast<double>(p.sigma_th), static_cast<double>(p.sigma_th_max),
                static_cast<double>(p.grad_th), static_cast<double>(p.intensity_th),
                p.auto_thresholds ? " (automatic thresholds)" : "");
  return text;
}

}  // namespace

Apr converted_apr(std::shared_ptr<const AprAccess> access, FieldValues values, const Volume& image,
                  const ConversionParameters& used) {
  Apr apr;
  apr.access = std::move(access);
  apr.fields.push_back(std::make_shared<const Field>(Field{kParticlesField, std::move(values)}));
  apr.voxel = image.voxel;
  apr.parameters.lambda = used.lambda;
  apr.parameters.sigma_th = used.sigma_th;
  apr.parameters.sigma_th_max = used.sigma_th_max;
  apr.parameters.intensity_th = used.intensity_th;
  apr.parameters.grad_th = used.grad_th;
  apr.parameters.rel_error = used.rel_error;
  apr.parameters.psfx = used.psfx;
  apr.parameters.psfy = used.psfy;
  apr.parameters.psfz = used.psfz;
  apr.name = image.name;
  apr.channel = image.channel;
  apr.channel_index = image.channel_index;
  apr.time = image.time;
  apr.history.push_back(history_line(used));
  return apr;
}

}  // namespace aprscope
