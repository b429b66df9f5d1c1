#!/bin/sh
# Installs stringent from the folder of a release archive, for one user and without root. It uses no network and changes no
# settings of the shell.
#
# usage: ./install.sh [--prefix DIR] [--uninstall]
#
#     --prefix DIR    install below DIR: bin/, share/man, share/… [default: ~/.local, data in $XDG_DATA_HOME if that is set]
#     --uninstall     remove the files that were installed below that prefix
#
# Installs the program, the manual pages, the completions for bash, zsh and fish, and the documents, and prints each file. A second run
# replaces them. Exit codes: 0 done, 1 something could not be written, 2 usage.
set -eu

say() { printf '%s\n' "$*"; }
die() {
    code=$1
    shift
    printf 'install.sh: %s\n' "$*" >&2
    exit "$code"
}

here=$(cd "$(dirname "$0")" && pwd)
prefix='' uninstall=false
while [ $# -gt 0 ]; do
    case $1 in
    --prefix)
        prefix=${2:-}
        [ -n "$prefix" ] || die 2 '--prefix needs a folder'
        shift
        ;;
    --prefix=?*) prefix=${1#--prefix=} ;;
    --uninstall) uninstall=true ;;
    -h | --help)
        sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p;}' "$0"
        exit 0
        ;;
    *) die 2 "unknown argument $1 (see --help)" ;;
    esac
    shift
done

if [ -n "$prefix" ]; then
    case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
    same=" --prefix '$prefix'"
    data=$prefix/share
elif [ -n "${HOME:-}" ]; then
    same=''
    prefix=$HOME/.local
    data=${XDG_DATA_HOME:-$prefix/share}
else
    die 2 'HOME is not set: say where to install, with --prefix DIR'
fi
# The installed files, one on a line.
list=$data/doc/stringent/FILES

# Removes the files of the list that are not in the list $1.
remove() {
    while IFS= read -r file; do
        if [ -e "$file" ] && ! grep -Fqx -e "$file" "$1"; then
            rm -f -- "$file"
            say "removed  $file"
        fi
    done <"$list"
}

if $uninstall; then
    [ -f "$list" ] || die 1 "nothing is installed below $prefix (there is no $list)"
    remove /dev/null
    rm -f -- "$list"
    rmdir -- "$data/doc/stringent" 2>/dev/null || :
    exit 0
fi

version=$("$here/stringent" --version 2>/dev/null) ||
    die 1 "$here/stringent cannot be run here ($(uname -s) $(uname -m)); nothing was installed"

new=$(mktemp "${TMPDIR:-/tmp}/stringent-install.XXXXXX") || die 1 'cannot make a temporary file'
trap 'rm -f -- "$new"' EXIT

# Copies file $1 to $2 with mode $3. The old file is replaced in one step, so that a running program is not disturbed.
put() {
    mkdir -p -- "$(dirname "$2")" || die 1 "cannot make $(dirname "$2")"
    { cp -- "$1" "$2.new" && chmod "$3" "$2.new" && mv -f -- "$2.new" "$2"; } || die 1 "cannot write $2"
    say "$2" | tee -a "$new" >>"$list"
    say "installed $2"
}

mkdir -p -- "${list%/*}" || die 1 "cannot make ${list%/*}"
put "$here/stringent" "$prefix/bin/stringent" 755
for page in "$here"/man/*.1; do
    put "$page" "$data/man/man1/${page##*/}" 644
done
put "$here/completions/stringent.bash" "$data/bash-completion/completions/stringent" 644
put "$here/completions/_stringent" "$data/zsh/site-functions/_stringent" 644
put "$here/completions/stringent.fish" "$data/fish/vendor_completions.d/stringent.fish" 644
for text in README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE THIRD-PARTY.txt; do
    put "$here/$text" "$data/doc/stringent/$text" 644
done
remove "$new" # those of an older version
cp -- "$new" "$list" || die 1 "cannot write $list"

say "$version is installed below $prefix; to remove it: $0 --uninstall$same"
case :${PATH:-}: in
*":$prefix/bin:"*) ;;
*) say "note: $prefix/bin is not in PATH" ;;
esac
