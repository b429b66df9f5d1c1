from validators.email import email
from validators.uri import uri


def check(address: str) -> None:
    """mailto: and a valid address is a valid URI.

    post: True
    """
    if email(address) is True:
        assert uri("mailto:" + address) is True
