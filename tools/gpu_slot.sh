#!/usr/bin/env bash
# Tests and measures the field on a GPU in a short time, on a machine that has one and little else.
#
#   tools/gpu_slot.sh pack FOLDER        here: copies the programs and what they need into FOLDER
#   FOLDER/gpu_slot.sh run OUT           there: everything, within eight minutes
#   FOLDER/gpu_slot.sh start|ptx|suite|fmm|direct|softened|ddef|counters|checks OUT     one part alone
#
# `pack` needs test_field_gpu, bench_gpu and bench_gpu_ptx in build/release/bin, clang 14 and an OpenCL device (PoCL).
# The programs choose their instruction set while they run. The folder brings all libraries but the C library and the
# GPU's driver, and needs no network. Each step ends by its own clock and goes on after failures. OUT gets at most eight
# files:
#
#   slot.txt        the card, each step's status and seconds, and all tables; it is also printed
#   start.json      the first use of the device with an empty kernel cache, then a later one
#   ptx.json        the same kernels through OpenCL and as PTX through NVIDIA's driver
#   suite.log       the tests' output
#   fmm.json, direct.json, softened.json, ddef.json      the rows of bench_gpu
#
# ELECTRET_SLOT_DEVICE names the device ("gpu"; "gpu:Portable" tries the script on a processor), and
# ELECTRET_SLOT_MOST the most charges of a row.
set -u
here=$(cd "$(dirname "$0")" && pwd)
device=${ELECTRET_SLOT_DEVICE:-gpu}
most=${ELECTRET_SLOT_MOST:-10000000}
time_in_all=465

pack() {
  local folder=$1 bin=$here/../build/release/bin program
  mkdir -p "$folder/lib"
  cp "$here/gpu_slot.sh" "$folder"
  for program in test_field_gpu bench_gpu bench_gpu_ptx; do
    strip -o "$folder/$program" "$bin/$program"
    ldd "$bin/$program" | awk '$2 == "=>" {print $3}' |
      grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' | xargs -I{} cp -L {} "$folder/lib"
  done
  cp -L "$(ldconfig -p | awk '/libOpenCL.so.1 /{print $NF; exit}')" "$folder/lib/libOpenCL.so.1"
  mkdir -p "$folder/lib/compiler"
  mv "$folder"/lib/lib{stdc++,gcc_s}.so* "$folder/lib/compiler"
  rm -rf "$folder/ptx"
  /usr/bin/python3 -B "$here/../bench/gpu_ptx/make_ptx.py" "$bin/bench_gpu_ptx" "$folder/ptx"
  du -sh "$folder"
}

# Where no .icd names the NVIDIA library that is there, one of our own does. The driver itself may be out of the loader's
# sight, too.
find_driver() {
  local library
  if ! ldconfig -p | grep -q 'libcuda\.so\.1'; then
    library=$(find /usr /lib -name libcuda.so.1 2> /dev/null | head -1)
    [[ -z $library ]] || export ELECTRET_CUDA_LIBRARY=$library
  fi
  library=$(ldconfig -p | awk '/libnvidia-opencl.so.1/{print $NF; exit}')
  [[ -n $library ]] || library=$(find /usr /lib -name 'libnvidia-opencl.so*' 2> /dev/null | head -1)
  [[ -n $library ]] || return 0
  mkdir -p "$work/vendors"
  echo "$library" > "$work/vendors/nvidia.icd"
  export OCL_ICD_VENDORS=$work/vendors/
}

facts() {
  date -u
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,memory.total --format=csv,noheader 2> /dev/null
  echo "$(nproc) cores, $(awk -F': ' '/^model name/{print $2; exit}' /proc/cpuinfo)"
}

# step SECONDS NAME COMMAND...: no longer than what is left of the time in all.
step() {
  local seconds=$1 name=$2 start=$SECONDS left=$((time_in_all - SECONDS))
  shift 2
  if ((left < 5)); then
    echo "$name: left out, the time is over"
    return
  fi
  ((seconds < left)) || seconds=$left
  timeout -k 5 "$seconds" "$@" > "$work/$name.log" 2>&1
  echo "$name: status $? after $((SECONDS - start)) s"
}

# The suite in parts that run at once: most of its time goes to the sums that it compares with.
suite() {
  local parts k
  parts=$(($(nproc) > 8 ? 8 : $(nproc)))
  for ((k = 0; k < parts; ++k)); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$k step "$1" "suite$k" "$here/test_field_gpu" --gtest_brief=1 &
  done
  wait
  cat "$work"/suite*.log > "$out/suite.log"
  grep -hE '^\[  (FAILED|PASSED)|Failure$|tests? (from|ran)|^  DISABLED' "$out/suite.log" | sort | uniq -c | head -40
}

bench() {
  step "$1" "$2" "$here/bench_gpu" --device "$device" --most "$most" --only "$2" --json "$out/$2.json"
  cut -c 1-260 "$work/$2.log"
}

# The first use of all comes first: its kernel cache is empty.
start() {
  local time
  for time in first later; do
    step 40 "start-$time" "$here/bench_gpu" --device "$device" --only start --json "$work/$time.json"
    tail -1 "$work/start-$time.log"
  done
  { echo "[" && sed -n 2p "$work/first.json" && echo "," && sed -n 2p "$work/later.json" && echo "]"; } > "$out/start.json"
}

ptx() {
  step "$1" ptx "$here/bench_gpu_ptx" --device "$device" --ptx "$here/ptx" --most "$most" --json "$out/ptx.json"
  cut -c 1-200 "$work/ptx.log"
}

# What NVIDIA's profiler counts in the three kernels that decide, as PTX: a launch a line.
counters() {
  local ncu metrics
  ncu=$(command -v ncu) || {
    echo "counters: left out, there is no ncu"
    return
  }
  metrics=smsp__issue_active.avg.pct_of_peak_sustained_active,sm__warps_active.avg.pct_of_peak_sustained_active
  metrics+=,gpu__time_duration.sum,launch__registers_per_thread
  step "$1" counters "$ncu" --kernel-name 'regex:^(direct|near_plain|m2l)$' --launch-count 45 --print-units base \
    --clock-control none --metrics "$metrics" \
    "$here/bench_gpu_ptx" --device "$device" --ptx "$here/ptx" --charges 100000 --repeats 1 --rows 2
  awk '/^ +(direct|near_plain|m2l)[ (]/ {printf "%s%s", (n++ ? "\n" : ""), $1}
       /duration|registers|issue_active|warps_active/ {split($1, name, "."); printf " %s=%s", name[1], $NF}
       END {print ""}' "$work/counters.log" | head -50
}

# Accesses beyond buffers, and races in local memory, of every kernel as PTX.
checks() {
  local sanitizer tool
  sanitizer=$(command -v compute-sanitizer) || {
    echo "checks: left out, there is no compute-sanitizer"
    return
  }
  for tool in memcheck racecheck; do
    step "$1" "$tool" "$sanitizer" --tool "$tool" "$here/bench_gpu_ptx" --device "$device" --ptx "$here/ptx" \
      --charges 500 --repeats 1
    grep -E '^=========|largest difference|^[a-z]+ [a-z]+ [0-9]+:' "$work/$tool.log" | cut -c 1-160 | tail -16
  done
}

all() {
  facts
  start
  ptx 90
  suite 120
  bench 90 fmm
  bench 70 direct
  bench 60 softened
  bench 60 ddef
  counters 40
  checks 40
}

case ${1:-} in
  pack) pack "$2" ;;
  run | start | ptx | suite | fmm | direct | softened | ddef | counters | checks)
    out=$2
    mkdir -p "$out"
    work=$(mktemp -d)
    export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ELECTRET_TEST_DEVICE=$device
    # The compiler's libraries are the machine's own where they serve: ours may need a newer C library.
    "$here/bench_gpu" --help 2>&1 | grep -q "bench_gpu: unknown" || LD_LIBRARY_PATH=$here/lib/compiler:$LD_LIBRARY_PATH
    export ELECTRET_KERNEL_CACHE=${ELECTRET_KERNEL_CACHE:-$work/cache}
    [[ $device == gpu:Portable* ]] || find_driver
    case $1 in
      run) all ;;
      suite | ptx | counters | checks) facts; "$1" 150 ;;
      start) facts; start ;;
      *) facts; bench 120 "$1" ;;
    esac 2>&1 | tee "$out/slot.txt"
    ;;
  *)
    sed -n '2,24s/^# \?//p' "$0"
    exit 2
    ;;
esac
