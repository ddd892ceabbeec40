package dev.millrace.adapter.loadgen;

import dev.millrace.api.internal.Utf8Validator;
import dev.millrace.api.event.CharColumn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes the bytes of strings to one column of a batch, after checking length and encoding. Not thread-safe. */
final class DictionaryEncoder
{
    /** The string was written. */
    static final int WRITTEN = 0;
    /** More characters than the property allows. */
    static final int TOO_LONG = -2;
    /** Not UTF-8. */
    static final int NOT_UTF8 = -3;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CharColumn texts;
    /**
     * Strings of up to this number of bytes fit a packed key and the property's length, so that only ASCII must be
     * checked.
     */
    final int packedLength;
    private final int lengthChars;
    private final String name;

    DictionaryEncoder(final BatchAssembler out, final int wireColumn)
    {
        texts = out.batch.texts(out.column(wireColumn));
        name = out.property(wireColumn).name();
        lengthChars = out.property(wireColumn).lengthChars();
        packedLength = Math.min(Long.BYTES, lengthChars);
    }

    /**
     * Packs a short ASCII string into a long, in the format of {@link CharColumn#setHead}. Always reads eight bytes,
     * even if the string is shorter.
     *
     * @return the key, or 0 when the string requires {@link #put}
     */
    static long packed(final byte[] bytes, final int from, final int length, final int packedLength)
    {
        final long key = (long)LONG.get(bytes, from) & -1L >>> (-length << 3);
        return length - 1 >>> 31 == 0 && length <= packedLength && (key & Utf8Validator.NON_ASCII) == 0 &&
            key >>> (length - 1 << 3) != 0 ? key : 0;
    }

    /** Writes a string to a row; returns {@link #WRITTEN} or one of the negative results. */
    int put(final int row, final byte[] bytes, final int from, final int length)
    {
        if (from + Long.BYTES <= bytes.length)
        {
            final long key = packed(bytes, from, length, packedLength);
            if (key != 0)
            {
                begin();
                texts.setHead(row, key, length);
                return WRITTEN;
            }
        }
        final int chars = Utf8Validator.length(bytes, from, from + length);
        if (chars < 0)
        {
            return NOT_UTF8;
        }
        if (chars > lengthChars)
        {
            return TOO_LONG;
        }
        texts.set(row, bytes, from, length);
        return WRITTEN;
    }

    /** Must be called before strings are written through {@link #heads}. */
    void begin()
    {
        texts.writeBytes();
    }

    /** Destination of short strings read by {@link #packed}. */
    long[] heads()
    {
        return texts.heads();
    }

    /** Like {@link #heads}, for their lengths. */
    int[] lengths()
    {
        return texts.lengths();
    }

    /** Records the number of rows written, through {@link #heads} or otherwise. */
    void wrote(final int rows)
    {
        texts.wroteHeads(rows);
    }

    /** Counts one row whose string gave a negative result. */
    void reject(final BatchAssembler out, final int result, final byte[] bytes, final int from, final int length,
        final String peer)
    {
        final String excerpt = excerpt(bytes, from, length);
        if (result == TOO_LONG)
        {
            out.reject(1, InputRejectReason.TEXT_TOO_LONG, "string is longer than its property allows, column=" + name +
                " lengthChars=" + lengthChars + " value=\"" + excerpt + "\" peer=" + peer +
                "; raise length of the property in the event type");
            return;
        }
        out.reject(1, InputRejectReason.NOT_UTF8,
            "string is not UTF-8, column=" + name + " value=\"" + excerpt + "\" peer=" +
            peer + "; send UTF-8");
    }

    /** The first bytes as one line of plain text, for messages. */
    static String excerpt(final byte[] bytes, final int from, final int length)
    {
        final int shown = Math.min(length, 80);
        final StringBuilder text = new StringBuilder(shown + 3);
        final String decoded = new String(bytes, from, shown, StandardCharsets.UTF_8);
        decoded.codePoints()
            .map(point -> Character.isISOControl(point) || point == '"' || point == 0xFFFD ? '?' : point)
            .forEach(text::appendCodePoint);
        return shown < length ? text.append("...").toString() : text.toString();
    }
}
