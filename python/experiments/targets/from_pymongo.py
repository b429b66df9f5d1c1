"""Entry points into pymongo, with annotated parameters."""

from pymongo import common, saslprep, uri_parser_shared


def validate_uri(uri: str) -> object:
    return uri_parser_shared._validate_uri(uri)


def split_hosts(hosts: str) -> object:
    return uri_parser_shared.split_hosts(hosts)


def parse_userinfo(userinfo: str) -> object:
    return uri_parser_shared.parse_userinfo(userinfo)


def split_options(options: str) -> object:
    return uri_parser_shared.split_options(options)


def read_preference_tags(value: str) -> object:
    return common.validate_read_preference_tags("tags", value)


def auth_mechanism_properties(value: str) -> object:
    return common.validate_auth_mechanism_properties("properties", value)


def prepare_password(data: str) -> object:
    return saslprep.saslprep(data)
