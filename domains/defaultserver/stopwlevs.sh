#!/bin/sh
# Stops this server instance and waits until it has ended.
# usage: ./stopwlevs.sh [-url http://host:port] [-username NAME] [-password PASSWORD]
# Default: port and credentials of the instance that runs from this directory.

# Home directory of the product. The default is correct for a domain below <home>/user_projects/domains.
WLEVS_HOME="${WLEVS_HOME:-../../..}"

set -eu
domain=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
cd "$domain"
home=$(cd "$WLEVS_HOME" 2>/dev/null && pwd) || home=$WLEVS_HOME
if [ ! -x "$home/bin/millrace" ]; then
    echo "CMD-0002: home directory not found, WLEVS_HOME=$WLEVS_HOME domain=$domain" >&2
    echo "    hint: set WLEVS_HOME to the directory that contains bin, lib and bundles" >&2
    exit 64
fi
exec "$home/bin/millrace" domain stop --domain "$domain" "$@"
