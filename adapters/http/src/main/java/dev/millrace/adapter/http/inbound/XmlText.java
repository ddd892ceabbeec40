package dev.millrace.adapter.http.inbound;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** The text of a value, which a parser delivers in parts, as UTF-8. Confined to one thread; reused for all values. */
final class XmlText
{
    private static final int FIRST_CHARS = 256;
    /** A larger buffer is not kept for the next body. */
    private static final int MAX_KEPT_CHARS = 1 << 16;

    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private CharBuffer chars = CharBuffer.allocate(FIRST_CHARS);
    private ByteBuffer bytes = ByteBuffer.allocate(3 * FIRST_CHARS);

    /** Begins with a body. */
    void shrink()
    {
        if (chars.capacity() > MAX_KEPT_CHARS)
        {
            allocate(FIRST_CHARS);
        }
    }

    private void allocate(final int count)
    {
        chars = CharBuffer.allocate(count);
        bytes = ByteBuffer.allocate(Math.multiplyExact(count, 3));
    }

    /** Begins with a value. */
    void clear()
    {
        chars.clear();
    }

    void append(final char[] text, final int start, final int count)
    {
        reserve(count);
        chars.put(text, start, count);
    }

    void append(final String text)
    {
        reserve(text.length());
        chars.put(text);
    }

    private void reserve(final int count)
    {
        if (count > chars.remaining())
        {
            final CharBuffer before = chars.flip();
            allocate(Math.max(2 * before.capacity(), before.length() + count));
            chars.put(before);
        }
    }

    /**
     * Encodes the value.
     *
     * @param isCollapsed whether blanks at its ends are no part of it
     * @return false if it is no text
     */
    boolean encode(final boolean isCollapsed)
    {
        chars.flip();
        if (isCollapsed)
        {
            while (chars.hasRemaining() && isBlank(chars.get(chars.limit() - 1)))
            {
                chars.limit(chars.limit() - 1);
            }
            while (chars.hasRemaining() && isBlank(chars.get(chars.position())))
            {
                chars.position(chars.position() + 1);
            }
        }
        bytes.clear();
        final CoderResult result = encoder.reset().encode(chars, bytes, true);
        return result.isUnderflow();
    }

    private static boolean isBlank(final char each)
    {
        return each == ' ' || each == '\n' || each == '\t' || each == '\r';
    }

    /** The array with the encoded value, from its first byte on. */
    byte[] bytes()
    {
        return bytes.array();
    }

    /** Number of bytes of the encoded value. */
    int length()
    {
        return bytes.position();
    }
}
