"""The typed stub of the extension names exactly what the extension has."""

import ast
from pathlib import Path

import henro
from henro import _core

STUB = Path(henro.__file__).with_name("_core.pyi")


def members(body: list[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def public(names: set[str]) -> set[str]:
    return {name for name in names if not name.startswith("_")}


def test_the_stub_matches_the_extension() -> None:
    tree = ast.parse(STUB.read_text())
    module = members(tree.body) | {
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert public(module) == public(set(dir(_core)))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            assert public(members(node.body)) == public(set(dir(getattr(_core, node.name))))
