"""Which words the command knows: a comparison that leaves one out must fail."""
import re
import subprocess
import tempfile
from pathlib import Path

SCENE = """time = { step = 0.1, steps = 1 }
[integrator]
method = "?"
[[body]]
mesh = "a.msh"
density = 1.0
[[body.material]]
model = "?"
youngs_modulus = 1.0
poissons_ratio = 0.3
"""


def known_words(electret, key):
    """The values of `key`, "method" or "model", that a finding of `electret check` allows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.toml"
        path.write_text(SCENE)
        told = subprocess.run([electret, "check", path], capture_output=True, text=True, check=False).stderr
    allowed = re.search(rf'unknown {key} "\?"; allowed: (.*)', told)
    if allowed is None:
        raise ValueError(f"the command did not say what {key} may be:\n{told}")
    return re.findall(r'"(\w+)"', allowed[1])
