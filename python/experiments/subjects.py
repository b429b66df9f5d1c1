"""What the engines run on: the functions of targets.toml and the checks of bugs.toml."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from experiments.packages import HERE, folder
from stringent_smt.explore.lift import modules_of

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef]


@dataclass(frozen=True)
class Subject:
    """A function to run, where its package is, and the modules that matter."""

    name: str
    file: Path
    entry: str
    package: str = ""
    version: str = ""
    modules: tuple[str, ...] = ()
    fixed: str = ""

    def counted(self) -> list[Path]:
        """The files or folders whose lines and branches count."""
        if not self.package:
            return [self.file]
        return [folder(self.package, self.version) / self.package]

    def load(self) -> tuple[Callable[..., Any], list[ModuleType]]:
        """The function and the modules to lift, imported from the folder of the package."""
        if self.package:
            sys.path.insert(0, str(folder(self.package, self.version)))
        if self.fixed:
            os.environ["STRINGENT_FIXED"] = str(folder(self.package, self.fixed))
        sys.path.insert(0, str(self.file.parent))
        module = importlib.import_module(self.file.stem)
        found = [module, *(importlib.import_module(name) for name in self.modules)]
        if self.fixed:
            found += modules_of([self.package, "urllib.parse"])
        return getattr(module, self.entry), found


_PYCT = ("email_validation", "url_routing", "semver_parsing", "log_level_routing", "string_similarity_classification")


def pyct() -> list[Subject]:
    """The five string targets of PyCT, if $PYCT_EXAMPLES is the folder `examples` of its repository."""
    examples = os.environ.get("PYCT_EXAMPLES")
    if not examples:
        return []
    files = {file.stem: file for file in Path(examples).rglob("*.py")}
    return [Subject(f"pyct.{name}", files[name], name) for name in _PYCT]


def targets() -> list[Subject]:
    """The functions of targets.toml, and those of PyCT if they are there."""
    found = pyct()
    for group in tomllib.loads((HERE / "targets.toml").read_text())["target"]:
        for entry in group["entries"]:
            package = group.get("package", "")
            name = f"{package}.{entry}" if package else f"{group['file']}.{entry}"
            file = HERE / "targets" / f"{group['file']}.py"
            modules = tuple(group.get("modules", ()))
            found.append(Subject(name, file, entry, package, group.get("version", ""), modules))
    return found


def bugs() -> list[Subject]:
    """The checks of bugs.toml, on the bad versions."""
    found = []
    for bug in tomllib.loads((HERE / "bugs.toml").read_text())["bug"]:
        file = HERE / "bugs" / f"{bug['id']}.py"
        found.append(Subject(bug["id"], file, "check", bug["package"], bug["bad"], (), bug["fixed"]))
    return found


def find(name: str) -> Subject:
    """A subject by its name."""
    for subject in [*targets(), *bugs()]:
        if subject.name == name:
            return subject
    raise SystemExit(f"no function or bug is called {name}")
