"""List the changes that `mutants.py` makes to the code, one at a time."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPPED_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """One change at one place of the code."""

    path: str
    """Path of the file relative to the repository."""
    line: int
    start: int
    """Offset in bytes at which the changed expression starts."""
    stop: int
    """Offset in bytes at which it ends."""
    before: str
    after: str

    def describe(self) -> str:
        """Return path, line, and the expression before and after."""
        return f"{self.path}:{self.line}: {self.before}  ->  {self.after}"


def list_places(path: Path, root: Path) -> Iterator[Place]:
    """List all changes to one file; docstrings, annotations, `__all__` and f-strings are left alone."""
    source = path.read_bytes()
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    for node in _walk_code(ast.parse(source)):
        for changed in _change_node(node):
            assert isinstance(node, ast.expr)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start, stop = offsets[node.lineno - 1] + node.col_offset, offsets[node.end_lineno - 1] + node.end_col_offset
            before = " ".join(source[start:stop].decode().split())
            yield Place(path.relative_to(root).as_posix(), node.lineno, start, stop, before, ast.unparse(changed))


def _walk_code(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a syntax tree without annotations, decorators' names, `__all__`, TYPE_CHECKING blocks and f-strings."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or (name == "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id == "__all__" for t in child.targets
            ):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
                continue
            yield child
            yield from _walk_code(child)


def _change_node(node: ast.AST) -> Iterator[ast.expr]:
    """Create the changed versions of one expression."""
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                if type(operator) in SWAPPED_OPERATORS:
                    changed = copy.deepcopy(node)
                    changed.ops[index] = SWAPPED_OPERATORS[type(operator)]()  # type: ignore[call-overload]  # same kind
                    yield changed
        case ast.BoolOp() | ast.BinOp(op=ast.Add() | ast.Sub()):
            other = copy.deepcopy(node)
            other.op = SWAPPED_OPERATORS[type(node.op)]()  # type: ignore[assignment]  # same kind
            if not any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(node)):
                yield other
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield copy.deepcopy(node.operand)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(value=not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value=value + 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(value=2.0 * value if value else 1.0)
