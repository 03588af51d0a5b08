"""Electric fields given as three expressions in x, y, z, t."""
import ast

import numpy as np

FUNCTIONS = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log,
    "sqrt": np.sqrt, "abs": np.abs, "min": np.minimum, "max": np.maximum,
}  # fmt: skip
OPERATORS = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: np.power,
}  # fmt: skip


class ElectricField:
    """e(x, y, z, t) in N/C. `^` is the power, right-associative and stronger than a sign before it: -x^2 = -(x^2)."""

    def __init__(self, expression, constants=None):
        if len(expression) != 3:
            raise ValueError("an electric field has three expressions")
        self.trees = [ast.parse(text.replace("^", "**").strip(), mode="eval").body for text in expression]
        self.constants = {"pi": np.pi, **(constants or {})}

    def __call__(self, positions, t):
        """The field at `positions` (n, 3), m, at time t, s: (n, 3), N/C."""
        names = {"x": positions[:, 0], "y": positions[:, 1], "z": positions[:, 2], "t": t, **self.constants}
        columns = [np.broadcast_to(_evaluate(tree, names), len(positions)) for tree in self.trees]
        return np.stack(columns, axis=1)


def _evaluate(node, names):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return np.float64(node.value)
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = _evaluate(node.operand, names)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](_evaluate(node.left, names), _evaluate(node.right, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        return FUNCTIONS[node.func.id](*(_evaluate(argument, names) for argument in node.args))
    raise ValueError(f"not part of an expression: {ast.dump(node)}")
