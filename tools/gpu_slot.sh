#!/usr/bin/env bash
# Tests and measures the field on a GPU in a short time, on a machine that has one and little else.
#
#   tools/gpu_slot.sh pack FOLDER        here: copies the programs and what they need into FOLDER
#   FOLDER/gpu_slot.sh run OUT           there: everything, within six minutes
#   FOLDER/gpu_slot.sh suite|fmm|direct|softened|ddef OUT     one part alone
#
# `pack` needs test_field_gpu and bench_gpu in build/release/bin; they choose their instruction set while they run. The
# folder brings all libraries but the C library and the GPU's driver, and needs no network. Each step ends by its own
# clock, writes its log and figures into OUT and goes on after failures; the tables come last.
# ELECTRET_SLOT_DEVICE names the device ("gpu"; "gpu:Portable" tries the script on a processor).
set -u
here=$(cd "$(dirname "$0")" && pwd)
device=${ELECTRET_SLOT_DEVICE:-gpu}

pack() {
  local folder=$1 bin=$here/../build/release/bin program
  mkdir -p "$folder/lib"
  cp "$here/gpu_slot.sh" "$folder"
  for program in test_field_gpu bench_gpu; do
    strip -o "$folder/$program" "$bin/$program"
    ldd "$bin/$program" | awk '$2 == "=>" {print $3}' |
      grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' | xargs -I{} cp -L {} "$folder/lib"
  done
  cp -L "$(ldconfig -p | awk '/libOpenCL.so.1 /{print $NF; exit}')" "$folder/lib/libOpenCL.so.1"
  mkdir -p "$folder/lib/compiler"
  mv "$folder"/lib/lib{stdc++,gcc_s}.so* "$folder/lib/compiler"
  du -sh "$folder"
}

# Where no .icd names the NVIDIA library that is there, one of our own does.
find_driver() {
  local library
  library=$(ldconfig -p | awk '/libnvidia-opencl.so.1/{print $NF; exit}')
  [[ -n $library ]] || library=$(find /usr /lib -name 'libnvidia-opencl.so*' 2> /dev/null | head -1)
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
  timeout -k 5 "$seconds" "$@" > "$out/$name.log" 2>&1
  echo "$name: status $? after $((SECONDS - start)) s"
}

# The suite in parts that run at once: most of its time goes to the sums that it compares with.
suite() {
  local parts k
  parts=$(($(nproc) > 8 ? 8 : $(nproc)))
  for ((k = 0; k < parts; ++k)); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$k step 150 "suite$k" "$here/test_field_gpu" --gtest_brief=1 &
  done
  wait
  grep -hE '^\[  (FAILED|PASSED)|Failure$|tests? (from|ran)|^  DISABLED' "$out"/suite*.log | sort | uniq -c | head -40
}

bench() {
  step "$1" "$2" "$here/bench_gpu" --device "$device" --most 10000000 --only "$2" --json "$out/$2.json"
}

case ${1:-} in
  pack) pack "$2" ;;
  run | suite | fmm | direct | softened | ddef)
    out=$2
    mkdir -p "$out"
    export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ELECTRET_TEST_DEVICE=$device
    # The compiler's libraries are the machine's own where they serve: ours may need a newer C library.
    "$here/bench_gpu" --help 2>&1 | grep -q "bench_gpu: unknown" || LD_LIBRARY_PATH=$here/lib/compiler:$LD_LIBRARY_PATH
    export ELECTRET_KERNEL_CACHE=${ELECTRET_KERNEL_CACHE:-$(mktemp -d)}
    [[ $device == gpu:Portable* ]] || find_driver
    facts
    [[ $1 == run || $1 == suite ]] && suite
    [[ $1 == run || $1 == fmm ]] && bench 75 fmm
    [[ $1 == run || $1 == softened ]] && bench 50 softened
    [[ $1 == run || $1 == direct ]] && bench 45 direct
    [[ $1 == run || $1 == ddef ]] && bench 25 ddef
    for part in fmm softened direct ddef; do
      [[ -e $out/$part.log ]] && cut -c 1-260 "$out/$part.log"
    done
    ;;
  *)
    sed -n '2,13s/^# \?//p' "$0"
    exit 2
    ;;
esac
