package dev.millrace.cql.functions.json;

/**
 * Paths to one value of a JSON text: {@code $}, then members {@code .name}, {@code ."any name"} or
 * {@code ['any name']}, and elements {@code [0]}. Of several members with the same name the first one counts. Paths are
 * read as they are followed, so that nothing is stored for them. Stateless.
 */
public final class JsonPath
{
    private static final int NOT_FOUND = -1;
    /** No array has more elements; more digits than this would not fit an int. */
    private static final int MAX_INDEX_DIGITS = 9;

    private JsonPath()
    {
    }

    /**
     * Checks a path; the deployment calls this by name for constant paths.
     *
     * @return error message, or {@code null} if the path is valid
     */
    public static String problem(final String path)
    {
        try
        {
            int step = start(path);
            while (step < path.length())
            {
                step = isIndex(path, step) ? indexEnd(path, step) : nameEnd(path, step);
            }
            return null;
        }
        catch (final JsonException wrong)
        {
            return wrong.getMessage();
        }
    }

    /**
     * Finds the value at a path.
     *
     * @return position of its first character, -1 if no value is at the path
     */
    static int find(final String text, final String path)
    {
        int at = JsonScanner.skipBlanks(text, 0);
        int step = start(path);
        while (at >= 0 && step < path.length())
        {
            if (at >= text.length())
            {
                throw JsonScanner.malformed(text, at);
            }
            if (isIndex(path, step))
            {
                final int end = indexEnd(path, step);
                at = text.charAt(at) == '[' ? element(text, at, Integer.parseInt(path, step + 1, end - 1, 10)) :
                    notHere(text, at);
                step = end;
            }
            else
            {
                final int end = nameEnd(path, step);
                at = text.charAt(at) == '{' ? member(text, at, path, step, end) : notHere(text, at);
                step = end;
            }
        }
        if (at >= text.length())
        {
            throw JsonScanner.malformed(text, at);
        }
        return at;
    }

    /** The value at a position has no members or elements. */
    private static int notHere(final String text, final int at)
    {
        JsonScanner.skipValue(text, at);
        return NOT_FOUND;
    }

    private static int start(final String path)
    {
        if (path.isEmpty() || path.charAt(0) != '$')
        {
            throw new JsonException("a path begins with $, path=" + path);
        }
        return 1;
    }

    private static JsonException wrong(final String path, final int at)
    {
        return new JsonException("not a path of the forms $.name, $.\"name\", $['name'] and $[0], path=" + path +
            " position=" + at);
    }

    private static boolean isIndex(final String path, final int step)
    {
        return path.charAt(step) == '[' && step + 1 < path.length() && Character.digit(path.charAt(step + 1), 10) >= 0;
    }

    private static int indexEnd(final String path, final int step)
    {
        int at = step + 1;
        while (at < path.length() && path.charAt(at) >= '0' && path.charAt(at) <= '9')
        {
            at++;
        }
        if (at == step + 1 || at - step - 1 > MAX_INDEX_DIGITS || at >= path.length() || path.charAt(at) != ']')
        {
            throw wrong(path, at);
        }
        return at + 1;
    }

    /** The position after the step of a member. */
    private static int nameEnd(final String path, final int step)
    {
        final boolean isBracket = path.charAt(step) == '[';
        if (!isBracket && path.charAt(step) != '.' || step + 1 >= path.length())
        {
            throw wrong(path, step);
        }
        final char quote = path.charAt(step + 1);
        if (quote == '"' || isBracket && quote == '\'')
        {
            final int close = path.indexOf(quote, step + 2);
            final int end = close + (isBracket ? 2 : 1);
            if (close < 0 || isBracket && (end > path.length() || path.charAt(end - 1) != ']'))
            {
                throw wrong(path, step + 1);
            }
            return end;
        }
        int at = step + 1;
        while (!isBracket && at < path.length() && isNamePart(path.charAt(at)))
        {
            at++;
        }
        if (at == step + 1 || at < path.length() && path.charAt(at) != '.' && path.charAt(at) != '[')
        {
            throw wrong(path, at);
        }
        return at;
    }

    private static boolean isNamePart(final char c)
    {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '$' || c == '@';
    }

    /** The value of the member that a step names, in the object at a position. */
    private static int member(final String text, final int object, final String path, final int step, final int end)
    {
        final char first = path.charAt(step + 1);
        final boolean isQuoted = first == '"' || first == '\'';
        final int from = isQuoted ? step + 2 : step + 1;
        final int to = !isQuoted ? end : path.charAt(step) == '[' ? end - 2 : end - 1;
        int at = JsonScanner.skipBlanks(text, object + 1);
        if (JsonScanner.isNext(text, at, '}'))
        {
            return NOT_FOUND;
        }
        while (true)
        {
            final int key = at;
            final int keyEnd = JsonScanner.skipKey(text, key);
            at = JsonScanner.need(text, keyEnd, ':');
            if (isKey(text, key, keyEnd, path, from, to))
            {
                return at;
            }
            at = JsonScanner.skipValue(text, at);
            if (JsonScanner.isNext(text, at, '}'))
            {
                return NOT_FOUND;
            }
            at = JsonScanner.need(text, at, ',');
        }
    }

    private static boolean isKey(
        final String text, final int key, final int keyEnd, final String path, final int from, final int to)
    {
        if (JsonScanner.hasEscape(text, key, keyEnd))
        {
            return JsonScanner.string(text, key).contentEquals(path.subSequence(from, to));
        }
        return keyEnd - key - 2 == to - from && text.regionMatches(key + 1, path, from, to - from);
    }

    private static int element(final String text, final int array, final int index)
    {
        int at = JsonScanner.skipBlanks(text, array + 1);
        if (JsonScanner.isNext(text, at, ']'))
        {
            return NOT_FOUND;
        }
        for (int i = 0; i < index; i++)
        {
            at = JsonScanner.skipValue(text, at);
            if (JsonScanner.isNext(text, at, ']'))
            {
                return NOT_FOUND;
            }
            at = JsonScanner.need(text, at, ',');
        }
        return at;
    }
}
