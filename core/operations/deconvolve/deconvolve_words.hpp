#pragma once

#include "core/deconvolution/iterate/regulariser.hpp"
#include "core/operations/deconvolve/deconvolution_plan.hpp"
#include "core/operations/filter/filter_words.hpp"

namespace aprscope {

/// The first estimate, see the parameter "start".
enum class StartFrom { image, constant, previous, file };

inline constexpr schema::Word<StartFrom> kStarts[] = {{"image", StartFrom::image},
                                                      {"constant", StartFrom::constant},
                                                      {"previous", StartFrom::previous},
                                                      {"file", StartFrom::file}};
/// What ends the iterations before their number, see the parameter "stop".
enum class StopBy { automatic, change, held_out };

inline constexpr schema::Word<StopBy> kStops[] = {
    {"auto", StopBy::automatic}, {"change", StopBy::change}, {"held_out", StopBy::held_out}};
/// The back projector, see the parameter "back_projector".
enum class BackProjection { matched, wiener_butterworth, wiener_butterworth_start };

inline constexpr schema::Word<BackProjection> kBackProjections[] = {
    {"matched", BackProjection::matched},
    {"wiener_butterworth", BackProjection::wiener_butterworth},
    {"wiener_butterworth_start", BackProjection::wiener_butterworth_start}};
inline constexpr schema::Word<Regularisation> kRegularisations[] = {
    {"none", Regularisation::none},
    {"total_variation", Regularisation::total_variation},
    {"tikhonov_miller", Regularisation::tikhonov_miller}};
inline constexpr schema::Word<DeconvolutionScheme> kDeconvolutionSchemes[] = {
    {"full", DeconvolutionScheme::full},
    {"lean", DeconvolutionScheme::lean},
    {"truncated", DeconvolutionScheme::truncated}};

}  // namespace aprscope
