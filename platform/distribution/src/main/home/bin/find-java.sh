# Sourced by the scripts of the product. Sets "java" to a Java of at least version 17 and "java_major" to its version,
# or ends the script with exit code 64. Searches JAVA_HOME first, then the path.

if [ -n "${JAVA_HOME:-}" ]; then
    java="$JAVA_HOME/bin/java"
    if [ ! -x "$java" ]; then
        echo "CMD-0001: no java in JAVA_HOME, JAVA_HOME=$JAVA_HOME" >&2
        echo "    hint: set JAVA_HOME to the directory of a JDK 17 or newer, or unset it to use java from the path" >&2
        exit 64
    fi
else
    java=$(command -v java || true)
    if [ -z "$java" ]; then
        echo "CMD-0001: no java on the path" >&2
        echo "    hint: install a JDK 17 or newer and set JAVA_HOME to its directory" >&2
        exit 64
    fi
fi

# Every JDK and JRE has a release file next to bin; running java itself takes 50 ms and is the fallback.
java_dir=$(dirname "$(dirname "$(readlink -f "$java" 2>/dev/null || echo "$java")")")
java_version=$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$java_dir/release" 2>/dev/null || true)
if [ -z "$java_version" ]; then
    java_version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.version = //p')
fi
java_major=$(echo "$java_version" | sed -e 's/^1\.//' -e 's/[^0-9].*$//')
if [ "${java_major:-0}" -lt 17 ]; then
    echo "CMD-0001: java is too old, version=${java_version:-unknown} needed=17 java=$java" >&2
    echo "    hint: set JAVA_HOME to the directory of a JDK 17 or newer" >&2
    exit 64
fi
