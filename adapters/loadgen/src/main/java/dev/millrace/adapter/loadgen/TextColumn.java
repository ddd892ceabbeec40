package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.memory.MemoryAccount;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Turns text bytes of one column into dictionary ids, after checking length and encoding. One thread. */
final class TextColumn
{
    /** Not an id: the dictionary is full. */
    static final int FULL = Dictionary.FULL;
    /** Not an id: more characters than the property allows. */
    static final int TOO_LONG = -2;
    /** Not an id: not UTF-8. */
    static final int NOT_UTF8 = -3;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    final Dictionary dictionary;
    /** Texts of up to this many bytes fit a packed key and the property's length, so only ASCII must be checked. */
    final int packedLength;
    private final int lengthChars;
    private final String name;

    TextColumn(final Dictionary dictionary, final String name, final int lengthChars)
    {
        this.dictionary = dictionary;
        this.name = name;
        this.lengthChars = lengthChars;
        packedLength = Math.min(Long.BYTES, lengthChars);
    }

    /**
     * Reads a short ASCII text as one long, as {@link Dictionary#idOfPacked} takes it.
     *
     * @return the key, or 0 when the text must go through {@link #idOf}
     */
    static long packed(final byte[] bytes, final int from, final int length, final int packedLength)
    {
        final long key = (long)LONG.get(bytes, from) & -1L >>> (-length << 3);
        return length - 1 >>> 31 == 0 && length <= packedLength && (key & Utf8.NON_ASCII) == 0 &&
            key >>> (length - 1 << 3) != 0 ? key : 0;
    }

    /** The id of a text, or one of the negative results. */
    int idOf(final byte[] bytes, final int from, final int length)
    {
        if (from + Long.BYTES <= bytes.length)
        {
            final long key = packed(bytes, from, length, packedLength);
            if (key != 0)
            {
                return dictionary.idOfPacked(key);
            }
        }
        return checkedIdOf(bytes, from, length);
    }

    private int checkedIdOf(final byte[] bytes, final int from, final int length)
    {
        if (length == 0)
        {
            return Dictionary.NULL_ID;
        }
        final int chars = Utf8.length(bytes, from, from + length);
        if (chars < 0)
        {
            return NOT_UTF8;
        }
        return chars > lengthChars ? TOO_LONG : dictionary.idOf(bytes, from, length);
    }

    /** Counts one row whose text gave a negative result. */
    void reject(final RowBatch out, final int result, final byte[] bytes, final int from, final int length,
        final String peer)
    {
        final String excerpt = excerpt(bytes, from, length);
        switch (result)
        {
            case FULL -> rejectFull(out, excerpt, peer);
            case TOO_LONG -> out.reject(1, Refusal.TEXT_TOO_LONG, "text is longer than its property, column=" + name +
                " lengthChars=" + lengthChars + " value=\"" + excerpt + "\" peer=" + peer +
                "; raise length of the property in the event type");
            default -> out.reject(1, Refusal.NOT_UTF8, "text is not UTF-8, column=" + name +
                " value=\"" + excerpt + "\" peer=" + peer + "; send UTF-8");
        }
    }

    private void rejectFull(final RowBatch out, final String excerpt, final String peer)
    {
        if (dictionary.fullReason().equals(MemoryAccount.MEMORY_FULL))
        {
            out.rejectForMemory(dictionary.fullDetail());
            return;
        }
        out.reject(1, Refusal.DICTIONARY_FULL, dictionary.fullDetail() + " column=" + name + " value=\"" + excerpt +
            "\" peer=" + peer + "; the column has more different values than its dictionary may hold");
    }

    /** The start of some bytes as one line of plain text, for messages. */
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
