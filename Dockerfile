# syntax=docker/dockerfile:1
# An image with the static program alone: docker build -t stringent . && docker run --rm -i stringent solve -
#
#     --build-arg COMMIT="$(git log -1 --format='%h %cs')"    the commit that `--version` shows
#     --target tools                                           a Debian image in which `stringent solvers install` works

FROM rust:1.95-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends musl-tools \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
ARG COMMIT=""
RUN target="$(uname -m)-unknown-linux-musl" \
    && rustup target add "$target" \
    && CC=musl-gcc STRINGENT_COMMIT="$COMMIT" CARGO_PROFILE_RELEASE_STRIP=symbols \
       cargo build --release --locked --target "$target" --package stringent \
    && cp "target/$target/release/stringent" /stringent \
    && mkdir -m 1777 /empty

# z3 and cvc5 are Python packages: `stringent solvers install z3` gets them here.
FROM debian:bookworm-slim AS tools
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates gcc libc6-dev python3 python3-pip \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 stringent
COPY --from=build /stringent /usr/local/bin/stringent
USER 1000
WORKDIR /home/stringent
ENTRYPOINT ["stringent"]

# The program needs a folder for temporary files, and nothing else: no shell, no libraries.
FROM scratch
COPY --from=build /stringent /stringent
COPY --from=build /empty /tmp
COPY LICENSE-MIT LICENSE-APACHE /
WORKDIR /data
ENTRYPOINT ["/stringent"]
