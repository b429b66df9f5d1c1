"""Entry points into requests, with annotated parameters."""

from requests import auth, utils


def parse_list_header(value: str) -> object:
    return utils.parse_list_header(value)


def parse_dict_header(value: str) -> object:
    return utils.parse_dict_header(value)


def unquote_header_value(value: str, is_filename: bool) -> object:
    return utils.unquote_header_value(value, is_filename)


def encoding_from_headers(content_type: str) -> object:
    return utils.get_encoding_from_headers({"content-type": content_type})


def requote_uri(uri: str) -> object:
    return utils.requote_uri(uri)


def valid_cidr(network: str) -> object:
    return utils.is_valid_cidr(network)


def bypass_proxies(url: str, no_proxy: str) -> object:
    return utils.should_bypass_proxies(url, no_proxy)


def parse_header_links(value: str) -> object:
    return utils.parse_header_links(value)


def prepend_scheme(url: str) -> object:
    return utils.prepend_scheme_if_needed(url, "http")


def basic_auth(username: str, password: str) -> object:
    return auth._basic_auth_str(username, password)


def check_header(name: str, value: str) -> object:
    return utils.check_header_validity((name, value))
