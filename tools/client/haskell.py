"""Clients from Debian: what4 1.3 and SBV 8.17, with programs of our own and the examples that their libraries carry."""
import pathlib
import shutil

from .python import lines_of
from .registry import WORK, Missing, client, fetch

HERE = pathlib.Path(__file__).parent / "haskell"
PACKAGES = "apt-get install --no-install-recommends ghc libghc-what4-dev libghc-sbv-dev"


def compiled(name):
    """A program, compiled when its source has changed."""
    source, out = HERE / f"{name}.hs", WORK / "haskell" / name
    if not out.is_file() or out.stat().st_mtime < source.stat().st_mtime:
        if not shutil.which("ghc"):
            raise Missing(f"no ghc ({PACKAGES})")
        out.parent.mkdir(parents=True, exist_ok=True)
        fetch(["ghc", "-O0", "-v0", "-outputdir", out.parent / f"{name}-objects", "-o", out, source], f"ghc {name}.hs")
    return out


@client("what4", "programs on what4 1.3 of Debian; needs ghc", lambda: compiled("What4Programs"), long=True)
def what4(path):
    return [r for seat in ("z3", "cvc4") for r in lines_of([compiled("What4Programs"), seat], path, seat)]


@client("sbv", "programs on SBV 8.17 of Debian, and examples that it carries; needs ghc", lambda: compiled("Sbv"), long=True)
def sbv(path):
    return [r for seat in ("z3", "cvc5") for r in lines_of([compiled("Sbv"), seat], path, seat)]
