/* The dialect of all kernels: OpenCL C 1.2 behind a few words, so that the same text also compiles to PTX and to
   AMD's code without a driver (tests/field/gpu/static_check.py).

   Rules: groups have 64 or 128 lanes and are always whole (pad; never return early). Barriers stand where all lanes
   come by. What one lane writes and another reads goes through local memory, with a barrier between. No warp
   synchrony, no sub-groups, no vector operators (read .x .y .z .w), no float64 except behind FLOAT64, no atomics on floats. Integer atomics
   may hand out memory, never order a sum. Contraction is off: write FMA where it is wanted. No division. */
#ifndef ELECTRET_DIALECT
#define ELECTRET_DIALECT
#pragma OPENCL FP_CONTRACT OFF

#define KERNEL(lanes) __kernel __attribute__((reqd_work_group_size(lanes, 1, 1)))
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define FMA(a, b, c) fma((a), (b), (c))
#define RSQRT(x) rsqrt(x)

#define LANE ((int)get_local_id(0))   /* this lane's number in its group */
#define GROUP ((int)get_group_id(0))  /* this group's number */
#define GROUPS ((int)get_num_groups(0))
/* Orders the accesses of a group's lanes to local memory; BARRIER_GLOBAL those to global memory, too. */
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define BARRIER_GLOBAL barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

#define UNROLL(n) UNROLL_TEXT(unroll n)
#define UNROLL_TEXT(text) _Pragma(#text)

/* The numbers of the texts that serve float32 and float64. */
#ifdef FLOAT64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define REAL4 double4
#else
#define REAL float
#define REAL4 float4
#endif

/* a + b = sum + error, exactly [Knuth, TwoSum]. */
#define TWO_SUM(a, b, sum, error)                 \
  {                                               \
    const REAL two_a = (a), two_b = (b);         \
    sum = two_a + two_b;                          \
    const REAL two_v = sum - two_a;              \
    error = (two_a - (sum - two_v)) + (two_b - two_v); \
  }
#endif
