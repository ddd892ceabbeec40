package dev.millrace.adapter.loadgen;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Checks the first line of a text stream to distinguish senders of rows from other clients: any web page can make a
 * browser send an HTTP request to a port on its own host, with rows in the body. Stateless.
 */
final class ProtocolDetector
{
    private static final byte[] TOKEN = WireFormat.TEXT_TOKEN.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HTTP = " HTTP/".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BYTE_ORDER_MARK = {(byte)0xEF, (byte)0xBB, (byte)0xBF};

    private ProtocolDetector()
    {
    }

    /** Position of the first byte after a byte order mark and blank lines. */
    static int start(final byte[] bytes, final int from, final int to)
    {
        int start = startsWith(bytes, from, to, BYTE_ORDER_MARK) ? from + BYTE_ORDER_MARK.length : from;
        while (start < to && (bytes[start] == '\r' || bytes[start] == '\n'))
        {
            start++;
        }
        return start;
    }

    /** Position of the newline of a line, or -1. */
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

    /** Whether a line is an HTTP request line: method, target and version, separated by blanks. */
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

    /** Start of the token in a line that presents one, or -1. */
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
