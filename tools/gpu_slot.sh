#!/usr/bin/env bash
# Measures and tests the field on a GPU in a short time on a machine that has one.
#
#   tools/gpu_slot.sh pack FOLDER               here: copies the programs and what they need into FOLDER
#   FOLDER/gpu_slot.sh suite|bench|long OUT     there: each is one command, ended by its own clock
#
# `pack` needs test_field_gpu and bench_gpu in build/release/bin. The folder needs nothing of the other machine but the
# GPU's driver. Each step writes its log and figures into OUT and goes on after failures; the tables come last.
# ELECTRET_SLOT_DEVICE names the device ("gpu"; "gpu:pthread" tries the script on a processor).
set -u
here=$(cd "$(dirname "$0")" && pwd)
device=${ELECTRET_SLOT_DEVICE:-gpu}

pack() {
  local folder=$1 bin=$here/../build/release/bin program
  mkdir -p "$folder"
  cp "$here/gpu_slot.sh" "$folder"
  for program in test_field_gpu bench_gpu; do
    strip -o "$folder/$program" "$bin/$program"
    ldd "$bin/$program" | awk '$2 == "=>" {print $3}' | grep -E 'libtbb|libqhull' | xargs -I{} cp -L {} "$folder"
  done
  cp "$here/../bench/peers/gpu_arrays.py" "$folder"
  cp -L "$(ldconfig -p | awk '/libOpenCL.so.1 /{print $NF; exit}')" "$folder"
}

# Where no .icd names the NVIDIA library that is there, one of our own does.
find_driver() {
  local library
  library=$(ldconfig -p | awk '/libnvidia-opencl.so.1/{print $NF; exit}')
  [[ -n $library ]] || library=$(find /usr -name 'libnvidia-opencl.so.1' 2> /dev/null | head -1)
  [[ -n $library ]] || return 0
  mkdir -p "$out/vendors"
  echo "$library" > "$out/vendors/nvidia.icd"
  export OCL_ICD_VENDORS=$out/vendors/
}

facts() {
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,memory.total --format=csv,noheader 2> /dev/null
  nproc
}

# step SECONDS NAME COMMAND...
step() {
  local seconds=$1 name=$2 start=$SECONDS
  shift 2
  timeout "$seconds" "$@" > "$out/$name.log" 2>&1
  echo "$name: status $? after $((SECONDS - start)) s"
}

case ${1:-} in
  pack) pack "$2" ;;
  suite | bench | long)
    out=$2
    mkdir -p "$out"
    export LD_LIBRARY_PATH=$here${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ELECTRET_TEST_DEVICE=$device
    [[ $device == gpu:pthread* ]] || find_driver
    facts
    case $1 in
      suite)
        step 200 suite "$here/test_field_gpu" --gtest_brief=1
        step 60 arrays python3 "$here/gpu_arrays.py"
        step 170 bench "$here/bench_gpu" --device "$device" --most 10000000 --json "$out/bench.json"
        tail -n 12 "$out/suite.log"
        cat "$out/arrays.log"
        ;;
      bench) step 240 bench "$here/bench_gpu" --device "$device" --most 10000000 --json "$out/bench.json" ;;
      long) step 400 bench "$here/bench_gpu" --device "$device" --most 10000000 --json "$out/bench.json" ;;
    esac
    cat "$out/bench.log"
    ;;
  *)
    sed -n '2,12s/^# \?//p' "$0"
    exit 2
    ;;
esac
