from w3lib.url import url_query_cleaner


def check(url: str, parameter: str) -> None:
    """A URL without a fragment does not get one.

    post: True
    """
    try:
        cleaned = url_query_cleaner(url, [parameter], keep_fragments=True)
    except ValueError:
        return
    assert "#" in url or "#" not in cleaned
