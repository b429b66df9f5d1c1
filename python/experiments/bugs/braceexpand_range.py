from braceexpand import UnbalancedBracesError, braceexpand


def check(text: str) -> None:
    """A pattern expands to one word or more.

    post: True
    """
    try:
        words = 0
        for _ in braceexpand(text):
            words += 1
            if words == 100:
                break
    except (UnbalancedBracesError, ValueError):
        return
    assert words > 0
