from semver import Version


def check(text: str) -> None:
    """The bumped version is higher than the version, if that was a prerelease.

    post: True
    """
    try:
        version = Version.parse(text)
    except ValueError:
        return
    if version.prerelease is not None:
        assert version.bump_prerelease() > version
