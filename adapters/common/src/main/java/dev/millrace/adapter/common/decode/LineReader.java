package dev.millrace.adapter.common.decode;

import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The characters of one line of UTF-8 at a time, without an object per line. Confined to one thread. */
final class LineReader extends Reader
{
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT);
    private char[] chars = new char[1024];
    private int position;
    private int end;

    /** Begins with a line; returns false if its bytes are invalid. */
    boolean reset(final byte[] bytes, final int from, final int to)
    {
        if (chars.length < to - from)
        {
            chars = new char[Math.max(to - from, 2 * chars.length)];
        }
        position = 0;
        end = to - from;
        int all = 0;
        for (int i = 0; i < end; i++)
        {
            all |= bytes[from + i];
            chars[i] = (char)bytes[from + i];
        }
        return all >= 0 || decode(bytes, from, to);
    }

    private boolean decode(final byte[] bytes, final int from, final int to)
    {
        final CharBuffer decoded = CharBuffer.wrap(chars);
        decoder.reset();
        final boolean isValid = !decoder.decode(ByteBuffer.wrap(bytes, from, to - from), decoded, true).isError();
        end = decoded.position();
        return isValid;
    }

    @Override
    public int read(final char[] to, final int at, final int length)
    {
        if (position == end)
        {
            return -1;
        }
        final int count = Math.min(length, end - position);
        System.arraycopy(chars, position, to, at, count);
        position += count;
        return count;
    }

    @Override
    public void close()
    {
        // Belongs to the decoder, which uses it for the next line.
    }
}
