from requests.utils import prepend_scheme_if_needed
from urllib3.exceptions import LocationParseError


def check(user: str, host: str) -> None:
    """The user of a URL is kept.

    post: True
    """
    if not (user.isalpha() and user.isascii() and host.isalpha() and host.isascii()):
        return
    try:
        url = prepend_scheme_if_needed("http://" + user + "@" + host + "/", "http")
    except LocationParseError:
        return
    assert user + "@" in url
