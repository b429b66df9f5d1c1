from requests.utils import get_encoding_from_headers


def check(text: str) -> None:
    """A malformed header is no reason for an exception.

    post: True
    """
    get_encoding_from_headers({"content-type": text})
