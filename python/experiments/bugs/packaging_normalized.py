from packaging.utils import canonicalize_name, is_normalized_name


def check(text: str) -> None:
    """A name that is said to be normalized does not change when it is normalized.

    post: True
    """
    if is_normalized_name(text):
        assert canonicalize_name(text) == text
