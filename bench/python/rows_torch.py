"""Rows of electret.torch: one step as a node of autograd, and a closed loop as one."""

import statistics
import time

import numpy as np
import torch

import electret as el
import electret.torch as et
from electret import _core
from measure import Clock, Row, count_of, pairs, ratio, seconds_of
from rows_package import torus

CONTROLS = ["external_charge.0.position"]


def rows_of_torch_steps():
    """A chain of steps and its way back, against the same steps and transposes in a loop inside the compiled part."""
    Clock.now = time.perf_counter  # The native loops say their wall time.
    count = count_of(200)
    sim = el.Simulator(torus(145), threads=1)
    sim.run(10)
    start = sim.state()
    by_x, by_v = np.full((145, 3), 1e-3), np.full((145, 3), 1e-3)
    cotangents = [torch.from_numpy(by_x), torch.from_numpy(by_v)]
    parts = {"ours": [], "native": []}

    def native():
        sim.restore(start)
        parts["native"].append(_core.native_steps_and_back(sim._core, count, by_x.copy(), by_v.copy()))
        return sum(parts["native"][-1])

    def ours():
        sim.restore(start)
        sim.step()
        first = et.state(sim)
        first = first._replace(positions=first.positions.requires_grad_(), velocities=first.velocities.requires_grad_())
        states = [first]
        forward = seconds_of(lambda: [states.append(et.step(sim, states[-1])) for _ in range(count)])
        last = states.pop()
        back = seconds_of(lambda: torch.autograd.backward([last.positions, last.velocities], cotangents))
        parts["ours"].append((forward, back))
        return forward + back

    measured = pairs(ours, native)
    over = [statistics.median((a[k] - b[k]) / count for a, b in list(zip(parts["ours"], parts["native"]))[1:]) * 1e6 for k in range(2)]
    yield Row("et.step forward + backward over native, n = 145", statistics.median((a - b) / count for a, b in measured) * 1e6, "µs", 60.0,
              detail=f"forward {over[0]:.0f}, back {over[1]:.0f}; native {statistics.median(b for _, b in measured) / count * 1e6:.0f} µs a step")


def observe(frame):
    return torch.cat([frame.positions.mean(0), frame.velocities.mean(0)])


def rows_of_torch_rollouts():
    """Against the roll-out with the same actions given beforehand, and the policy and `observe` on the same states alone."""
    n, steps = 1000, count_of(25)
    scene = torus(n, steps)
    scene.external_charge(charge=1e-6, position=(3.0, 0.0, 0.0))
    sim = el.Simulator(scene, controls=CONTROLS, threads=1)
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)).double()
    place = torch.tensor([3.0, 0.0, 0.0], dtype=torch.float64)

    def policy(observation):
        return place + net(observation)

    roll = el.Rollout(sim, steps=steps)
    found = et.rollout(sim, policy, observe=observe, steps=steps, inputs=net.parameters(), frames="all")
    actions, by_frame = found.actions.detach().numpy(), np.full((1, n, 3), 1e-3)
    states = [(found.positions[k].detach(), found.velocities[k].detach()) for k in range(steps)]
    seconds = {"ours": [], "native": [], "alone": []}

    def ours():
        made = []
        forward = seconds_of(lambda: made.append(et.rollout(sim, policy, observe=observe, steps=steps, inputs=net.parameters())))
        back = seconds_of(lambda: made[0].positions.backward(torch.from_numpy(by_frame)))
        seconds["ours"].append((forward, back))
        return forward + back

    def native():
        forward = seconds_of(lambda: roll.forward(actions=actions))
        back = seconds_of(lambda: roll.vjp({"positions": by_frame}))
        seconds["native"].append((forward, back))
        alone = seconds_of(policy_and_observe)
        seconds["alone"].append(alone)
        return forward + back + alone

    def policy_and_observe():
        for k, (x, v) in enumerate(states):
            x, v = x.requires_grad_(), v.requires_grad_()
            seen = observe(et.Frame(x, v, place[0], k))
            leaf = seen.detach().requires_grad_()
            said = policy(leaf)
            by_seen, *_ = torch.autograd.grad(said, [leaf, *net.parameters()], said.detach())
            again = observe(et.Frame(x, v, place[0], k))
            torch.autograd.grad(again, [x, v], by_seen)

    measured = pairs(ours, native)
    over = statistics.median(a - 1.05 * b for a, b in measured) / steps
    middle = {name: np.median(np.array(values[1:]), axis=0) / steps * 1e6 for name, values in seconds.items()}
    (a, b), (c, d), alone = middle["ours"], middle["native"], middle["alone"]
    yield Row("et.rollout forward + backward, n = 1000, an interval of one step, over 1.05 × (native + policy + observe)", over * 1e6, "µs", 60.0,
              detail=f"{ratio(measured):.3f} ×; an interval: {a:.0f} + {b:.0f} µs, native {c:.0f} + {d:.0f}, policy and observe alone {alone:.0f}")


# Name for --only, cores, rows.
ROWS = [("torch_steps", 1, rows_of_torch_steps), ("torch_rollouts", 1, rows_of_torch_rollouts)]
