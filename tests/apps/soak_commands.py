"""Every command that a page can send, at random: some are taken, some are refused, each is answered."""

import random

FORM = """# soaked
[scene]
name = "soak"
[time]
step = 0.01
steps = {steps}
[integrator]
method = "{method}"
[coulomb]
softening = 0.05
[gravity]
acceleration = [0.0, 0.0, {gravity}]  # m/s²
[damping]
drag = 0.5
spring = 0.02

[[body]]
name = "ball"
generate = {{ shape = "sphere", vertices = 80 }}
mass = 0.2
charge = 1e-7

  [[body.springs]]
  from = "edges"
  stiffness = {stiffness}

  [[body.group]]
  name = "top"
  indices = [0]

  [[body.group]]
  name = "some"
  indices = [20, 21, 22, 23]

  [[body.group_charge]]
  group = "some"
  times = [0.0, 1.0, 3.0]
  values = [1e-7, 4e-7, -2e-7]

  [[body.pin]]
  group = "top"

[[external_charge]]
charge = 1e-7
position = [-2.0, 0.0, -1.0]
width = 0.2

[[obstacle]]
name = "floor"
shape = "plane"
normal = [0.0, 0.0, 1.0]
point = [0.0, 0.0, -3.0]
law = "penalty"
stiffness = 10.0
"""
# N/m and m/s²: explicit_euler gains energy on stiffer springs than their damping bears.
SPRINGS = {"explicit_euler": (1.0, -0.05)}


def scene_of(method="imex", steps=600):
    stiffness, gravity = SPRINGS.get(method, (40.0, -1.0))
    return FORM.format(method=method, steps=steps, stiffness=stiffness, gravity=gravity)


SCENE = scene_of()
VIEW = {"eye": [5, -5, 2], "target": [0, 0, 0], "low": -1e-6, "high": 1e-6}
METHODS = ["imex", "newton", "kick_trbdf2"]


def tuned_of(method, methods):
    """(key, values), none of which makes the scene diverge."""
    stiffness, gravity = SPRINGS.get(method, (40.0, -1.0))
    return [("body.0.springs.0.stiffness", [str(part * stiffness) for part in (0.5, 1.0, 2.0)]), ("body.0.mass", ["0.2", "0.3"]),
            ("time.step", ["0.01", "0.008"]), ("gravity.acceleration", [f"[0.0, 0.0, {gravity}]", f"[0.2, 0.0, {0.5 * gravity}]"]),
            ("damping.drag", ["0.5", "0.8"]), ("damping.spring", ["0.02", "0.01"]), ("coulomb.softening", ["0.05", "0.08"]),
            ("external_charge.0.width", ["0.2", "0.3"]), ("obstacle.0.stiffness", ["10.0", "20.0"]),
            ("integrator.method", [f'"{each}"' for each in methods]), ("time.beauty", ["1"]), ("body.0.mass", ["-1"])]


class Commands:
    """The next command, from a fixed seed: (kind, fields). `goes_back` says which may lead to an earlier step."""

    GO_BACK = {"seek", "reset", "replay", "reload", "take-up", "undo", "redo", "text", "open"}
    # Kinds with how often they come.
    KINDS = {"play": 8, "pause": 6, "step": 10, "seek": 4, "stop": 1, "select-view": 3, "choices": 0.3, "open": 0.3, "hand": 24, "ball": 12,
             "remove-tack": 3, "charge": 5, "external": 4, "tune": 4, "end-keys": 1, "keys": 3, "replay": 2, "paint": 3, "group": 0.5, "undo": 3,
             "redo": 2, "save": 1, "text": 2, "reload": 0.2, "keep": 0.5, "take-up": 0.2, "leave-earlier": 0.2, "continue": 0.2, "frame": 3, "trace": 0.5,
             "stop-tracing": 0.5, "gradient": 0.3, "stop-gradient": 0.3, "field": 1, "record": 0.3, "stop-recording": 0.3, "session": 1, "reset": 1, "hello": 0.3, "fly": 0.3}

    def __init__(self, seed, method="imex", methods=METHODS, scene=SCENE):
        self.dice = random.Random(seed)
        self.tuned = tuned_of(method, methods)
        self.number = 0
        self.gesture = 1
        self.document = {"text": scene, "revision": 0}
        self.tables = []
        self.tacks = []
        self.steps = 1
        self.may_reset = True
        # Each kind comes soon, however rare it is.
        self.due = self.dice.sample(list(self.KINDS), len(self.KINDS))

    def hear(self, message):
        """What is told, for commands that speak of it."""
        if message["t"] == "document":
            self.document = message
        elif message["t"] == "keys":
            self.tables = message["tables"]
        elif message["t"] == "hands":
            self.tacks = [each["number"] for each in message["hands"] if each["kind"] == "tack"]
        elif message["t"] == "state":
            self.steps = max(1, message["recorded"]["last"])

    def next(self):
        kinds = [each for each in self.KINDS if self.may_reset or each not in ("reset", "reload", "open", "take-up")]
        kind = self.due.pop() if self.due and self.chance(0.3) else self.dice.choices(kinds, [self.KINDS[each] for each in kinds])[0]
        make = getattr(self, kind.replace("-", "_"), None)
        return kind, make() if make else {}

    def place(self):
        return [round(self.dice.uniform(-1.5, 1.5), 4) for _ in range(3)]

    def chance(self, part):
        return self.dice.random() < part

    def own_gesture(self):
        self.gesture += self.chance(0.3)
        return {"gesture": self.gesture} if self.chance(0.7) else {}

    def play(self):
        return {"rate": self.dice.choice([0.25, 1.0, 2.0, 4.0, None]), "beyond": self.chance(0.05)}

    def step(self):
        return {"n": self.dice.randrange(1, 12), "beyond": self.chance(0.05)}

    def seek(self):
        return {"step": self.dice.randrange(self.steps + 1), "live": self.chance(0.4)}

    def select_view(self):
        return {"scalar": self.dice.choice(["charge", "height", "speed", "potential", "beauty"])}

    def open(self):
        return {"name": self.dice.choice(["../../etc/passwd", "nothing.toml"])}

    def hand(self):
        own, do = self.dice.randrange(2), self.dice.choice(["begin", "move", "move", "move", "end"])
        if do == "begin":
            return {"hand": own, "do": do, "point": self.dice.randrange(80), "brush": self.dice.choice([0.0, 0.3]), "strength": self.dice.choice([0.3, 1.0])}
        return {"hand": own, "do": do, "to": self.place()} if do == "move" else {"hand": own, "do": do, "stays": len(self.tacks) < 2 and self.chance(0.2)}

    def ball(self):
        own, do = self.dice.randrange(2), self.dice.choice(["begin", "move", "move", "end"])
        if do == "begin":
            return {"hand": own, "do": do, "at": self.place(), "charge": self.dice.choice([-2e-7, 2e-7]), "width": 0.3}
        return {"hand": own, "do": do, "to": self.place()} if do == "move" else {"hand": own, "do": do}

    def remove_tack(self):
        return {"number": self.dice.choice(self.tacks or [99])}

    def charge(self):
        whose = {"group": self.dice.choice(["some", "nobody"])} if self.chance(0.5) else {}
        return {"body": 0, "value": round(self.dice.uniform(-3e-7, 3e-7), 10), "key": bool(whose) and self.chance(0.4), **whose, **self.own_gesture()}

    def external(self):
        what = {"charge": round(self.dice.uniform(-3e-7, 3e-7), 10)} if self.chance(0.5) else {"position": [-2.0, round(self.dice.uniform(-1, 1), 4), -1.0]}
        return {"external": 0, "key": self.chance(0.3), **what, **self.own_gesture()}

    def tune(self):
        key, values = self.dice.choice(self.tuned)
        return {"key": key, "toml": self.dice.choice(values), **self.own_gesture(), **({"revision": self.document["revision"]} if self.chance(0.5) else {})}

    def end_keys(self):
        return {"gesture": self.gesture}

    def keys(self):
        found = [each for each in self.tables if each["key"].startswith("body.0.group_charge")]
        if not found:
            return {"table": "body.7.pin.0", "times": [], "interpolation": "linear", "lanes": []}
        times = sorted({round(0.01 * self.dice.randrange(400), 2) for _ in range(self.dice.randrange(1, 5))})
        return {"table": found[0]["key"], "times": times, "interpolation": self.dice.choice(["linear", "step", "cubic"]),
                "lanes": [{"key": found[0]["lanes"][0]["key"], "values": [round(self.dice.uniform(-3e-7, 3e-7), 10) for _ in times]}]}

    def paint(self):
        vertices = sorted(self.dice.sample(range(80), 5))
        return {"body": 0, "vertices": vertices, "charges": [round(self.dice.uniform(-2e-7, 2e-7), 10) for _ in vertices]}

    def group(self):
        return {"body": 0, "name": f"group {self.dice.randrange(4)}", "vertices": sorted(self.dice.sample(range(80), 3))}

    def save(self):
        name = {"name": self.dice.choice(["copy.toml", "other.toml", "scene.toml", "../outside.toml", ""])} if self.chance(0.5) else {}
        return {"over": self.chance(0.5), **name}

    def text(self):
        self.number += 1
        other = self.dice.choice([lambda text: text.replace("# soaked", "# soaked again", 1), lambda text: text.replace("# soaked again", "# soaked", 1),
                                  lambda text: text.replace("mass = ", "mas = ", 1)])
        return {"number": self.number, "revision": self.document["revision"], "text": other(self.document["text"]), "apply": self.chance(0.7)}

    def frame(self):
        return {"step": self.dice.randrange(self.steps + 1), "number": self.dice.randrange(1000)}

    def trace(self):
        self.number += 1
        return {"number": self.number, "width": 48, "height": 32, **VIEW}

    def record(self):
        return {"name": self.dice.choice(["recorded", "recorded", "../outside", ""]), "over": self.chance(0.7)}

    def field(self):
        self.number += 1
        columns, rows = self.dice.choice([(1, 1), (8, 6), (32, 32), (1000, 1000)])
        return {"number": self.number, "corner": self.place(), "across": self.place(), "along": self.place(), "columns": columns, "rows": rows}

    def gradient(self):
        self.number += 1
        return {"number": self.number, "loss": self.dice.choice(["energy", "centre_of_mass:0,0,1", "beauty"])}

    def hello(self):
        return {"protocol": 1}
