"""Entry points into httplib2, with annotated parameters."""

import httplib2
from httplib2 import auth, iri2uri


def urlnorm(uri: str) -> object:
    return httplib2.urlnorm(uri)


def safename(filename: str) -> object:
    return httplib2.safename(filename)


def parse_cache_control(value: str) -> object:
    return httplib2._parse_cache_control({"cache-control": value})


def entry_disposition(response: str, request: str, date: str) -> object:
    return httplib2._entry_disposition({"cache-control": response, "date": date}, {"cache-control": request})


def bypass_host(hosts: str, host: str) -> object:
    return httplib2.proxy_info_from_url("http://proxy", noproxy=hosts).applies_to(host)


def proxy_info_from_url(url: str) -> object:
    return httplib2.proxy_info_from_url(url, noproxy="")


def parse_www_authenticate(value: str) -> object:
    return auth._parse_www_authenticate({"www-authenticate": value})


def iri_to_uri(uri: str) -> object:
    return iri2uri.iri2uri(uri)
