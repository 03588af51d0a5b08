"""torch, or the reason why tests of it cannot run: its packages are many, so not every system has them."""

import shutil
import subprocess

import pytest

try:
    import torch
except ImportError:
    ask = shutil.which("apt-cache")
    if ask and subprocess.run([ask, "show", "python3-torch"], capture_output=True, check=False).returncode == 0:
        raise RuntimeError("python3-torch is not installed, though apt has it: `./dev test` installs it") from None
    pytest.skip("torch is not installed, and apt does not have it", allow_module_level=True)

__all__ = ["torch"]
