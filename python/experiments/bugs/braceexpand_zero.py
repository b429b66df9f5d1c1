from braceexpand import UnbalancedBracesError, braceexpand


def check(text: str) -> None:
    """Only the documented exception leaves the generator.

    post: True
    """
    try:
        for index, _ in enumerate(braceexpand(text)):
            if index == 100:
                break
    except UnbalancedBracesError:
        pass
