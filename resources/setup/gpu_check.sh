#!/usr/bin/env bash
# On a machine with a GPU: the tests, the memory checkers, the benchmarks. See gpu_bundle.sh.
# usage: gpu_check.sh BUNDLE_FOLDER DATA_FOLDER RESULT_FOLDER [tests|topology_tests|deconvolution_tests|label_tests|projection_tests|sanitize|
#   bench|conversion|commands|deconvolution|topology|cells|projections|reconstruction|profile|large …]
set -uo pipefail
bundle="$(cd "$1" && pwd)"
data="$2"
results="$3"
shift 3
export LD_LIBRARY_PATH="$bundle/lib" OMP_WAIT_POLICY=passive
# cuFFT is the machine's: where the linker knows it, else of a toolkit, else of a Python package.
if ! ldconfig -p 2>/dev/null | grep -q 'libcufft\.so\.12'; then
  cufft="$(find -L /usr/local/cuda*/ /opt /usr/lib "$HOME" -name libcufft.so.12 -print -quit 2>/dev/null)"
  [ -n "$cufft" ] || { echo "gpu_check: there is no libcufft.so.12; install CUDA 13's cuFFT" >&2; exit 1; }
  LD_LIBRARY_PATH+=":$(dirname "$cufft")"
fi
failed=0
note() { echo "== $*"; }

nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem,memory.total \
  --format=csv | tee "$results/device.csv"
for part in "$@"; do
  case "$part" in
    tests)
      note tests
      "$bundle/gpu_tests" --gtest_brief=1 2>&1 | tee "$results/tests.log" | tail -25
      [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
      ;;
    topology_tests)
      note "$part"
      timeout 200 "$bundle/gpu_tests" --gtest_brief=1 \
        --gtest_filter='StrataOnGpu*:*BackendTopology*:*BackendParity*:*MemoryTest*' \
        2>&1 | tee "$results/topology_tests.log" | tail -60
      [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
      ;;
    deconvolution_tests)
      note "$part"
      timeout 60 "$bundle/gpu_tests" --gtest_brief=1 \
        --gtest_filter='GridBlur*:FarField*:PixelDeconvolution*:*ParticleDeconvolution*:*BackendDeconvolution*Cuda*:MemoryTest*' \
        2>&1 | tee "$results/deconvolution_tests.log" | tail -40
      [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
      ;;
    label_tests)
      note "$part"
      timeout 200 "$bundle/gpu_tests" --gtest_brief=1 \
        --gtest_filter='*Label*' 2>&1 | tee "$results/label_tests.log" | tail -60
      [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
      ;;
    projection_tests)
      note "$part"
      timeout 100 "$bundle/gpu_tests" --gtest_brief=1 --gtest_filter='Projection*' \
        2>&1 | tee "$results/projection_tests.log" | tail -60
      [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
      ;;
    sanitize)
      # One test asks for more memory than there is; that call's failure is no finding. A large image
      # would take the checkers too long. Labelling races on purpose: threads that follow parents
      # meet others that hang roots on them, which atomics settle.
      for tool in "memcheck --report-api-errors no" racecheck; do
        note "$tool"
        filter='-*/Cpu:*ALargeNoisyImage*:*OfLargeNoise*'
        [ "$tool" != racecheck ] || filter+=':*Label*'
        timeout 280 compute-sanitizer --tool $tool --error-exitcode 9 "$bundle/gpu_tests" \
          --gtest_brief=1 --gtest_filter="$filter" \
          >"$results/${tool%% *}.log" 2>&1 || failed=1
        tail -3 "$results/${tool%% *}.log"
      done
      ;;
    large)
      # The pixels of this image would take 275 GB.
      note "cr_1000 repeated to 4096³"
      "$bundle/aprscope-cli" bench convolution --device cuda:0 --input "$data/cr_1000.apr" \
        --tile-to 4096 --repeats 21 --json >"$results/large.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/large.json"
      ;;
    bench)
      inputs=()
      for cr in ${APRSCOPE_BENCH_CRS:-1 3 5 10 15 20 30 54 124 1000}; do
        inputs+=(--input "$data/cr_$cr.apr")
      done
      "$bundle/aprscope-cli" bench convolution "${inputs[@]}" --tile-to 512 --repeats 51 \
        --device cuda:0 --json --page "$results/gpu.md" >"$results/gpu.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/gpu.json"
      ;;
    conversion)
      # From host memory to particles on the device, and to a data set.
      "$bundle/aprscope-cli" bench conversion --kind cells --size 512,512,512 --repeats 31 \
        --device cuda:0 --json --page "$results/gpu-conversion.md" \
        >"$results/conversion.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/conversion.json"
      ;;
    commands)
      # Whole commands from file to file, on both in turn: the least seconds of three.
      note "commands on 512³"
      work="$(mktemp -d)"
      cli="$bundle/aprscope-cli"
      "$cli" --quiet synth cells --size 512,512,512 -o "$work/image.tif" || failed=1
      "$cli" --quiet --device cpu convert "$work/image.tif" -o "$work/image.apr" || failed=1
      timed() {
        local name="$1" best=
        shift
        for device in cpu cuda:0; do
          best=
          for _ in 1 2 3; do
            local begin end
            begin=$(date +%s%N)
            "$cli" --quiet --device "$device" --force "$@" || failed=1
            end=$(date +%s%N)
            local ms=$(((end - begin) / 1000000))
            if [ -z "$best" ] || [ "$ms" -lt "$best" ]; then best=$ms; fi
          done
          echo "$name $device $best ms" | tee -a "$results/commands.txt"
        done
      }
      timed info info "$work/image.apr"
      timed convert convert "$work/image.tif" -o "$work/out.apr"
      timed filter filter "$work/image.apr" --stencil gaussian:sigma=1 -o "$work/out.apr"
      timed smooth reconstruct "$work/image.apr" --mode smooth -o "$work/out.tif"
      rm -rf "$work"
      ;;
    deconvolution)
      "$bundle/aprscope-cli" bench deconvolution --input "$data/cr_20.apr" --tile-to 256 \
        --repeats 5 --device cuda:0 --json >"$results/deconvolution-256.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/deconvolution-256.json"
      "$bundle/aprscope-cli" bench deconvolution --input "$data/cr_20.apr" --tile-to 512 \
        --repeats 5 --device cuda:0 --json --page "$results/gpu-deconvolution.md" \
        >"$results/deconvolution-512.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/deconvolution-512.json"
      ;;
    topology)
      # Pixels of three kinds, and particles with the pixels of their reconstruction.
      "$bundle/aprscope-cli" bench topology --size 512,512,512 --repeats 21 --device cuda:0 --json \
        >"$results/topology.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/topology.json"
      inputs=()
      for cr in ${APRSCOPE_BENCH_CRS:-1 3 20 54}; do inputs+=(--input "$data/cr_$cr.apr"); done
      "$bundle/aprscope-cli" bench topology "${inputs[@]}" --tile-to 512 --repeats 21 \
        --device cuda:0 --json >"$results/topology-particles.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/topology-particles.json"
      ;;
    cells)
      "$bundle/aprscope-cli" bench cells --size 512,512,512 --repeats 15 --device cuda:0 --json \
        >"$results/cells.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/cells.json"
      ;;
    projections)
      "$bundle/aprscope-cli" bench projections --repeats 11 --device cuda:0 --json \
        >"$results/projections.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/projections.json"
      ;;
    reconstruction)
      # Whole reconstructions, and maps from sums.
      timeout 250 "$bundle/aprscope-cli" bench reconstruction --repeats 3 --device cuda:0 --json \
        >"$results/reconstruction.json" || failed=1
      python3 "$(dirname "$0")/gpu_table.py" "$results/reconstruction.json"
      ;;
    profile)
      : "${APRSCOPE_PROFILE_METRICS:=gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed,lts__throughput.avg.pct_of_peak_sustained_elapsed,l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed,l1tex__data_bank_conflicts_pipe_lsu.sum,l1tex__data_pipe_lsu_wavefronts.sum,sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed,smsp__issue_active.avg.pct_of_peak_sustained_active,sm__warps_active.avg.pct_of_peak_sustained_active}"
      for kernel in ${APRSCOPE_PROFILE_KERNELS:-convolve separable dense fill gather}; do
        note "profile $kernel"
        ncu --clock-control none -k "regex:^$kernel" -s "${APRSCOPE_PROFILE_SKIP:-4}" -c 2 \
          --metrics "$APRSCOPE_PROFILE_METRICS" \
          "$bundle/aprscope-cli" bench convolution --device cuda:0 --input "$data/cr_20.apr" \
          --tile-to 512 --repeats 1 --quiet 2>&1 |
          grep -E "^  [a-zA-Z]|sm__|lts|dram|gpu__|l1tex|smsp" | tee -a "$results/profile.txt"
      done
      ;;
  esac
done
exit "$failed"
