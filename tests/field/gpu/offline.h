/* What a driver's OpenCL C offers to kernels, written for clang alone: it compiles to PTX and to AMD's code without a
   driver. The static check puts this before a program's text. */
#define ANY __attribute__((overloadable))

#ifdef __NVPTX__
size_t ANY get_local_id(uint d) { return __nvvm_read_ptx_sreg_tid_x(); }
size_t ANY get_group_id(uint d) { return __nvvm_read_ptx_sreg_ctaid_x(); }
size_t ANY get_num_groups(uint d) { return __nvvm_read_ptx_sreg_nctaid_x(); }
void ANY barrier(uint flags) { __syncthreads(); }
float ANY rsqrt(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }
double ANY rsqrt(double x) { return __nvvm_rsqrt_approx_d(x); }
#else
size_t ANY get_local_id(uint d) { return __builtin_amdgcn_workitem_id_x(); }
size_t ANY get_group_id(uint d) { return __builtin_amdgcn_workgroup_id_x(); }
size_t ANY get_num_groups(uint d) {
  const __constant uint *packet = (const __constant uint *)__builtin_amdgcn_dispatch_ptr();
  return packet[3] / (packet[1] & 0xFFFFu);
}
void ANY barrier(uint flags) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
float ANY rsqrt(float x) { return __builtin_amdgcn_rsqf(x); }
double ANY rsqrt(double x) { return __builtin_amdgcn_rsq(x); }
#endif
#define INFINITY __builtin_inff()
float ANY fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
double ANY fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
double ANY fmin(double a, double b) { return __builtin_fmin(a, b); }
float ANY sqrt(float x) { return __builtin_sqrtf(x); }
float ANY fabs(float x) { return __builtin_fabsf(x); }
float ANY floor(float x) { return __builtin_floorf(x); }
float ANY fmin(float a, float b) { return __builtin_fminf(a, b); }
float ANY fmax(float a, float b) { return __builtin_fmaxf(a, b); }
int ANY min(int a, int b) { return a < b ? a : b; }
uint ANY min(uint a, uint b) { return a < b ? a : b; }
int ANY max(int a, int b) { return a > b ? a : b; }
uint ANY max(uint a, uint b) { return a > b ? a : b; }
int ANY clz(int a) { return __builtin_clz(a); }
uint ANY clz(uint a) { return __builtin_clz(a); }
long ANY clz(long a) { return __builtin_clzl(a); }
ulong ANY clz(ulong a) { return __builtin_clzl(a); }
uint ANY popcount(uint a) { return __builtin_popcount(a); }
/* Of clang's atomics these alone become instructions of PTX; the others become calls of functions that no device has. */
#ifdef __NVPTX__
#define FETCH_ADD(p, value) __sync_fetch_and_add((p), (value))
#define FETCH_OR(p, value) __sync_fetch_and_or((p), (value))
#define FETCH_MAX(p, value) __sync_fetch_and_umax((p), (value))
#define FETCH_MIN(p, value) __sync_fetch_and_min((p), (value))
#else
#define FETCH_ADD(p, value) __atomic_fetch_add((p), (value), __ATOMIC_RELAXED)
#define FETCH_OR(p, value) __atomic_fetch_or((p), (value), __ATOMIC_RELAXED)
#define FETCH_MAX(p, value) __atomic_fetch_max((p), (value), __ATOMIC_RELAXED)
#define FETCH_MIN(p, value) __atomic_fetch_min((p), (value), __ATOMIC_RELAXED)
#endif
int ANY atomic_inc(volatile __global int *p) { return FETCH_ADD((__global int *)p, 1); }
int ANY atomic_add(volatile __global int *p, int by) { return FETCH_ADD((__global int *)p, by); }
int ANY atomic_inc(volatile __local int *p) { return FETCH_ADD((__local int *)p, 1); }
int ANY atomic_add(volatile __local int *p, int by) { return FETCH_ADD((__local int *)p, by); }
uint ANY atomic_inc(volatile __global uint *p) { return FETCH_ADD((__global uint *)p, 1u); }
uint ANY atomic_add(volatile __global uint *p, uint by) { return FETCH_ADD((__global uint *)p, by); }
uint ANY atomic_or(volatile __local uint *p, uint bits) { return FETCH_OR((__local uint *)p, bits); }
int ANY atomic_or(volatile __global int *p, int bits) { return FETCH_OR((__global int *)p, bits); }
uint ANY atomic_max(volatile __local uint *p, uint value) { return FETCH_MAX((__local uint *)p, value); }
int ANY atomic_min(volatile __local int *p, int value) { return FETCH_MIN((__local int *)p, value); }
long ANY min(long a, long b) { return a < b ? a : b; }
ulong ANY min(ulong a, ulong b) { return a < b ? a : b; }
long ANY max(long a, long b) { return a > b ? a : b; }
ulong ANY max(ulong a, ulong b) { return a > b ? a : b; }
ulong ANY mul_hi(ulong a, ulong b) { return (ulong)((unsigned __int128)a * b >> 64); }
#define as_float(x) __builtin_astype((x), float)
#define as_int(x) __builtin_astype((x), int)
