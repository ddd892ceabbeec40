package dev.millrace.cql.functions.json;

/** Reads JSON by positions in a string. Failure: {@link JsonException} with the position. Stateless. */
final class JsonScanner
{
    private static final int MAX_DEPTH = 512;
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;

    private JsonScanner()
    {
    }

    static JsonException malformed(final String text, final int at)
    {
        return new JsonException(at >= text.length() ? "the JSON text ends too early, length=" + text.length() :
            "malformed JSON, position=" + at + " character=" + text.charAt(at));
    }

    static int skipBlanks(final String text, final int from)
    {
        int at = from;
        while (at < text.length() && isBlank(text.charAt(at)))
        {
            at++;
        }
        return at;
    }

    private static boolean isBlank(final char c)
    {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /** The position after a character and the blanks around it. */
    static int need(final String text, final int from, final char wanted)
    {
        final int at = skipBlanks(text, from);
        if (at >= text.length() || text.charAt(at) != wanted)
        {
            throw malformed(text, at);
        }
        return skipBlanks(text, at + 1);
    }

    /** Whether a character is next, after blanks. */
    static boolean isNext(final String text, final int from, final char wanted)
    {
        final int at = skipBlanks(text, from);
        return at < text.length() && text.charAt(at) == wanted;
    }

    /** The position after a value. */
    static int skipValue(final String text, final int at)
    {
        return skipValue(text, at, 0);
    }

    private static int skipValue(final String text, final int at, final int depth)
    {
        if (at >= text.length())
        {
            throw malformed(text, at);
        }
        return switch (text.charAt(at))
        {
            case '"' -> skipString(text, at);
            case '{' -> skipMembers(text, at, deeper(depth));
            case '[' -> skipElements(text, at, deeper(depth));
            case 't' -> skipWord(text, at, "true");
            case 'f' -> skipWord(text, at, "false");
            case 'n' -> skipWord(text, at, "null");
            default -> skipNumber(text, at);
        };
    }

    private static int deeper(final int depth)
    {
        if (depth == MAX_DEPTH)
        {
            throw new JsonException("the JSON text is nested too deeply, maximum=" + MAX_DEPTH);
        }
        return depth + 1;
    }

    private static int skipMembers(final String text, final int start, final int depth)
    {
        int at = skipBlanks(text, start + 1);
        if (isNext(text, at, '}'))
        {
            return at + 1;
        }
        while (true)
        {
            at = need(text, skipKey(text, at), ':');
            at = skipBlanks(text, skipValue(text, at, depth));
            if (isNext(text, at, '}'))
            {
                return at + 1;
            }
            at = need(text, at, ',');
        }
    }

    private static int skipElements(final String text, final int start, final int depth)
    {
        int at = skipBlanks(text, start + 1);
        if (isNext(text, at, ']'))
        {
            return at + 1;
        }
        while (true)
        {
            at = skipBlanks(text, skipValue(text, at, depth));
            if (isNext(text, at, ']'))
            {
                return at + 1;
            }
            at = need(text, at, ',');
        }
    }

    private static int skipWord(final String text, final int at, final String word)
    {
        if (!text.startsWith(word, at))
        {
            throw malformed(text, at);
        }
        return at + word.length();
    }

    /** Digits with an optional sign, fraction and exponent. */
    private static int skipNumber(final String text, final int start)
    {
        final int digits = start < text.length() && text.charAt(start) == '-' ? start + 1 : start;
        int at = skipDigits(text, digits);
        if (at - digits > 1 && text.charAt(digits) == '0')
        {
            throw malformed(text, digits + 1);
        }
        if (at < text.length() && text.charAt(at) == '.')
        {
            at = skipDigits(text, at + 1);
        }
        if (at < text.length() && (text.charAt(at) | ' ') == 'e')
        {
            at++;
            final boolean isSigned = at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-');
            at = skipDigits(text, isSigned ? at + 1 : at);
        }
        return at;
    }

    private static int skipDigits(final String text, final int from)
    {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9')
        {
            at++;
        }
        if (at == from)
        {
            throw malformed(text, at);
        }
        return at;
    }

    /** The position after the name of a member. */
    static int skipKey(final String text, final int at)
    {
        if (at >= text.length() || text.charAt(at) != '"')
        {
            throw malformed(text, at);
        }
        return skipString(text, at);
    }

    private static int skipString(final String text, final int start)
    {
        int at = start + 1;
        while (at < text.length() && text.charAt(at) != '"')
        {
            if (text.charAt(at) < ' ')
            {
                throw malformed(text, at);
            }
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        if (at >= text.length())
        {
            throw malformed(text, text.length());
        }
        return at + 1;
    }

    /** The string at a position, without escapes. */
    static String string(final String text, final int start)
    {
        final int end = skipString(text, start) - 1;
        if (!hasEscape(text, start, end))
        {
            return text.substring(start + 1, end);
        }
        final StringBuilder plain = new StringBuilder(end - start);
        for (int at = start + 1; at < end; at++)
        {
            final char c = text.charAt(at);
            if (c != '\\')
            {
                plain.append(c);
                continue;
            }
            at++;
            if (text.charAt(at) == 'u')
            {
                plain.append(unicode(text, at + 1));
                at += HEX_DIGITS;
            }
            else
            {
                plain.append(escaped(text, at));
            }
        }
        return plain.toString();
    }

    /** Whether a string has escapes. */
    static boolean hasEscape(final String text, final int start, final int end)
    {
        for (int at = start; at < end; at++)
        {
            if (text.charAt(at) == '\\')
            {
                return true;
            }
        }
        return false;
    }

    private static char escaped(final String text, final int at)
    {
        return switch (text.charAt(at))
        {
            case '"', '\\', '/' -> text.charAt(at);
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> throw malformed(text, at);
        };
    }

    private static char unicode(final String text, final int from)
    {
        int code = 0;
        for (int at = from; at < from + HEX_DIGITS; at++)
        {
            final int digit = at < text.length() ? Character.digit(text.charAt(at), HEX) : -1;
            if (digit < 0)
            {
                throw malformed(text, at);
            }
            code = code * HEX + digit;
        }
        return (char)code;
    }
}
