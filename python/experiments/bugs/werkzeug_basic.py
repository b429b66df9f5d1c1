from werkzeug.datastructures import Authorization


def check(text: str) -> None:
    """A header that cannot be read gives None, not an exception.

    post: True
    """
    Authorization.from_header(text)
