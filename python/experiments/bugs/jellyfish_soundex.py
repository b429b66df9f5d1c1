import importlib.util
import os

from jellyfish._jellyfish import soundex

_spec = importlib.util.spec_from_file_location(
    "jellyfish._fixed", os.path.join(os.environ["STRINGENT_FIXED"], "jellyfish", "_jellyfish.py")
)
assert _spec is not None and _spec.loader is not None
_fixed = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fixed)


def check(text: str) -> None:
    """The code is the one of the fixed version.

    post: True
    """
    assert soundex(text) == _fixed.soundex(text)
