"""Random small programs over the modelled operations: every path that the engine predicts is followed."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import pytest

from stringent_smt.explore import explore

STATEMENTS = [
    "s = s.strip()", "s = s.lower()", "s = s.upper()", "t = s[1:]", "t = s[:-1]", "s, _, t = s.partition('=')", "t, _, s = s.rpartition('.')", "parts = s.split(',')\n    t = parts[-1]", "parts = s.split()\n    t = parts[0] if parts else t",
    "n = len(s)", "n = s.find('b')", "n = t.rfind('a')", "n = s.count('a')", "s = s.replace('a', 'bc')", "s = s.replace('a', '', 1)", "t = s + t", "s = t.zfill(4)", "t = s.ljust(5, '.')", "s = f'{t}:{n}'", "t = '%s-%d' % (s, n)",
    "s = s.removeprefix('ab')", "t = t.removesuffix('x')", "s = ''.join([c for c in s if c != 'a'])", "n = n * 2 + 1", "n = n // 3", "n = n % 5", "t = str(n)", "s = s.title()", "t = s[::-1]", "lines = s.splitlines()\n    n = len(lines)",
    "m = re.match(r'(\\w+)-(\\d+)', s)\n    t = m.group(2) if m else t", "m = re.search(r'([a-z]+)=(.*)', s)\n    s, t = m.groups() if m else (s, t)", "t = re.sub(r'\\d+', '#', s)", "parts = re.split(r'[;,]', s)\n    n = len(parts)", "t = s.center(6)",
    "t = s[::2]", "s = 'ab' * (n % 4)", "t = t * n", "d = {}\n    d[s] = 1\n    d[t] = 2\n    n = len(d)", "d = {}\n    d[s] = t\n    t = d.get('ab', t)", "parts = s.rsplit(None, 1)\n    t = parts[0] if parts else t", "s = s.swapcase()", "t = t.casefold()",
    "n = int(s, 16) if s.isalnum() and s.isascii() and len(s) < 3 and all(c in '0123456789abcdefABCDEF' for c in s) else n", "t = '{:>6}|{!r}'.format(s, n)", "t = max(s, t)", "parts = sorted([s, t, 'b'])\n    s = parts[1]",
    "t = ['x', 'yy', 'z'][n] if 0 <= n < 3 else t", "parts = [0, 0, 0]\n    parts[n % 3] = 1\n    n = parts[1]", "b = s.encode('utf-8')\n    n = b[0] if b else n", "t = re.sub(r'(\\w)=(\\w)', r'\\2=\\1', s)", "n = sum(1 for c in s if c == 'b')", "n = sum(range(n)) if n < 5 else n", "n = abs(n) + divmod(n, 4)[1]",
    "t = s.rjust(n % 7, '*')", "n = s.index('b') if 'b' in s else n", "parts = re.findall(r'[a-c]+', s)\n    n = len(parts)", "s = s.capitalize()", "t = s.rstrip('c') + t.lstrip('a')", "s = s.join([t, 'q'])", "n = min(len(s), len(t), 3)",
    "t = {'a': 'x', 'bc': 'y'}.get(s, t)", "n = int(t) if t.isdigit() else n", "s = s.translate({97: 'b', 98: None})", "n = ord(s[0]) if s else n", "t = chr(n) if 0 <= n < 1000 else t", "s = s.expandtabs(4)", "s = s.encode().decode('ascii', 'replace')",
]  # fmt: skip
CONDITIONS = [
    "s == 'abc'", "'b' in s", "s.startswith('a')", "t.endswith('=')", "n > 3", "n == 2", "len(t) < len(s)", "s < t", "t in ('a', 'bc')", "s.isdigit()", "t.isalpha()", "s in {'x', 'y'}", "re.fullmatch(r'[a-c]{2,}', s)", "not s", "s.isspace()", "t.isidentifier()",
    "s in {t: 1}", "s == t[::-1]", "bytes(t, 'utf-8').startswith(b'a')", "n in range(2, 9, 3)", "s.casefold() == t.casefold()", "str(n) in s", "repr(s) == repr(t)", "n & 3 == 2", "s[n:n + 2] == 'ab'",
    "any(c == 'q' for c in t)", "n % 2", "s.islower()", "s.count('b') >= 2", "s != t", "re.search(r'(a|b)c$', t)", "t.istitle()",
]  # fmt: skip


def program(seed: int, statements: int = 4) -> str:
    source = random.Random(seed)
    lines = ["import re", "", "", "def target(s: str, t: str, n: int) -> int:", "    result = 0"]
    for i in range(statements):
        lines.append(f"    {source.choice(STATEMENTS)}")
        lines.append(f"    if {source.choice(CONDITIONS)}:")
        lines.append(f"        result += {1 << i}")
    return "\n".join([*lines, "    return result", ""])


def load(text: str, folder: Path, name: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(16))
def test_predicted_paths_are_followed(seed: int, tmp_path: Path) -> None:
    text = program(seed, 3 + seed % 4 * 2)
    module = load(text, tmp_path, f"random_program_{seed}")
    result = explore(module.target, seeds=[("ab=c", "a", 1), ("", "", 0)], budget=120, runs=20)
    assert len(result.executions) >= 2
    assert not result.findings, (text, result.findings[0])
