"""The direct sum as users of array libraries write it, on a GPU: pairs a second of JAX and of PyTorch in float32.

Usage: gpu_arrays.py [CHARGES...]. Each library sums field and potential of all charges, a block of targets after
another, as one compiled program (JAX's jit, PyTorch's torch.compile). A line a library and size: the best of five
runs after two that warm up, without copies to or from the GPU. bench_gpu on the same machine is what to compare
with. What is not installed is left out with a word.
"""

import importlib
import sys
import time

import numpy

BLOCK = 1024


def cloud(n):
    draw = numpy.random.default_rng(1)
    return draw.random((n, 3), dtype=numpy.float32), draw.random(n, dtype=numpy.float32)


def best_of(run, wait):
    times = []
    for _ in range(7):
        start = time.perf_counter()
        wait(run())
        times.append(time.perf_counter() - start)
    return min(times[2:])


def with_jax(n):
    jax, jnp = importlib.import_module("jax"), importlib.import_module("jax.numpy")
    positions, charges = (jax.device_put(a) for a in cloud(n))

    def at_block(targets):
        r = targets[:, None, :] - positions[None, :, :]
        rho2 = jnp.sum(r * r, axis=2)
        inverse = jnp.where(rho2 > 0, jax.lax.rsqrt(rho2), 0.0)
        potential = charges * inverse
        return jnp.einsum("ts,tsd->td", potential * inverse * inverse, r), jnp.sum(potential, axis=1)

    whole = jax.jit(lambda: jax.lax.map(at_block, positions.reshape(-1, BLOCK, 3)))
    return best_of(whole, lambda out: jax.block_until_ready(out)), jax.devices()[0].device_kind


def with_torch(n):
    torch = importlib.import_module("torch")
    positions, charges = (torch.from_numpy(a).cuda() for a in cloud(n))

    @torch.compile
    def at_block(targets):
        r = targets[:, None, :] - positions[None, :, :]
        rho2 = (r * r).sum(2)
        inverse = torch.where(rho2 > 0, torch.rsqrt(rho2), torch.zeros_like(rho2))
        potential = charges * inverse
        return ((potential * inverse * inverse)[:, :, None] * r).sum(1), potential.sum(1)

    return (best_of(lambda: [at_block(block) for block in positions.split(BLOCK)],
                    lambda out: torch.cuda.synchronize()), torch.cuda.get_device_name(0))


def main():
    sizes = [int(word) for word in sys.argv[1:]] or [16384, 131072]
    for name, measure in (("jax", with_jax), ("torch", with_torch)):
        for n in sizes:
            try:
                seconds, device = measure(n)
                print(f"{name:6} {n:8d} charges {1e3 * seconds:10.3f} ms {1e-9 * n * n / seconds:8.1f} Gpairs/s on {device}",
                      flush=True)
            except Exception as error:  # a library that is missing or has no GPU
                print(f"{name:6} {n:8d} charges: {type(error).__name__}: {str(error)[:100]}", flush=True)


if __name__ == "__main__":
    main()
