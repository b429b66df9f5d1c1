from semver import Version


def check(text: str) -> None:
    """No version of the grammar contains white space.

    post: True
    """
    if Version.is_valid(text):
        assert not any(c.isspace() for c in text)
