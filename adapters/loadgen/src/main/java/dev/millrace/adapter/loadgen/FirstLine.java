package dev.millrace.adapter.loadgen;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Looks at the first line of a text stream, which says whether a sender of rows speaks or somebody else: any web page
 * can make a browser send an HTTP request to a port of its own machine, with rows in the body. Stateless.
 */
final class FirstLine
{
    private static final byte[] TOKEN = WireFormat.TEXT_TOKEN.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HTTP = " HTTP/".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BYTE_ORDER_MARK = {(byte)0xEF, (byte)0xBB, (byte)0xBF};

    private FirstLine()
    {
    }

    /** First byte behind a byte order mark and blank lines. */
    static int start(final byte[] bytes, final int from, final int to)
    {
        int start = startsWith(bytes, from, to, BYTE_ORDER_MARK) ? from + BYTE_ORDER_MARK.length : from;
        while (start < to && (bytes[start] == '\r' || bytes[start] == '\n'))
        {
            start++;
        }
        return start;
    }

    /** Where the newline of a line stands, or -1. */
    static int newline(final byte[] bytes, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            if (bytes[i] == '\n')
            {
                return i;
            }
        }
        return -1;
    }

    /** End of a line without CR. */
    static int end(final byte[] bytes, final int from, final int to)
    {
        return to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    }

    /** Whether a line is the request line of HTTP: a method, a target and the version, with blanks between them. */
    static boolean isHttpRequest(final byte[] bytes, final int from, final int to)
    {
        int blank = from;
        while (blank < to && isMethodCharacter(bytes[blank]))
        {
            blank++;
        }
        int version = to;
        while (version > from && (bytes[version - 1] == '.' || bytes[version - 1] >= '0' && bytes[version - 1] <= '9'))
        {
            version--;
        }
        final int http = version - HTTP.length;
        return blank > from && blank < to && bytes[blank] == ' ' && version < to && http > blank + 1 &&
            Arrays.equals(bytes, http, version, HTTP, 0, HTTP.length);
    }

    /** The characters of a "token" in RFC 9110. */
    private static boolean isMethodCharacter(final byte character)
    {
        return character >= 'A' && character <= 'Z' || character >= 'a' && character <= 'z' ||
            character >= '0' && character <= '9' || "!#$%&'*+-.^_`|~".indexOf(character) >= 0;
    }

    /** Where the token of a line begins that shows one, or -1. */
    static int token(final byte[] bytes, final int from, final int to)
    {
        return startsWith(bytes, from, to, TOKEN) ? from + TOKEN.length : -1;
    }

    private static boolean startsWith(final byte[] bytes, final int from, final int to, final byte[] prefix)
    {
        return to - from >= prefix.length &&
            Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length);
    }
}
