package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import dev.millrace.api.text.TextBytes;
import dev.millrace.cql.runtime.state.StateStrings;
import dev.millrace.cql.runtime.unit.text.CodeStrings;
import dev.millrace.cql.runtime.unit.text.TextInput;
import dev.millrace.cql.runtime.unit.text.UnitTexts;
import java.nio.charset.StandardCharsets;

/**
 * Codes of the texts in keys of partitions. A partition holds the codes of its key; a text that no partition has is
 * forgotten after the batch.
 *
 * <p>Threads: the engine's.
 */
public final class KeyTexts
{
    private static final int SCRATCH_BYTES = 256;
    private static final int CHARGE_SHIFT = 4;

    private final Codes codes = new Codes(Codes.Lifetime.HELD, Integer.MAX_VALUE - 1);
    private final CodeStrings strings;
    private final UnitTexts states;
    private final MemoryAccount memory;
    /** The longs of a key that are codes. */
    private final int[] words;
    private final byte[] scratch = new byte[SCRATCH_BYTES];
    /** What was charged for codes; from so many on, there are more bytes to charge. */
    private long charged;
    private int chargedLimit;

    /**
     * Makes an empty table.
     *
     * @param keyTexts longs of a key that are codes; not to be changed
     * @param memory   is charged what the table grows by
     */
    KeyTexts(final int[] keyTexts, final MemoryAccount memory)
    {
        this.memory = memory;
        strings = new CodeStrings(codes, memory);
        states = new UnitTexts(codes, strings);
        words = keyTexts;
    }

    /**
     * Makes what reads the codes of a column from batches.
     *
     * @param column index in the batch
     * @return new reader
     */
    public TextInput input(final int column)
    {
        return new TextInput(new UnitTexts(codes, strings), column);
    }

    /**
     * The code of a text.
     *
     * @param text may be {@code null}
     * @return code until the end of the batch or while it is held; {@link Codes#NULL} for null
     */
    public int code(final String text)
    {
        if (text == null)
        {
            return Codes.NULL;
        }
        final int length = TextBytes.copyAscii(text, scratch);
        if (length >= 0)
        {
            return codes.code(scratch, 0, length);
        }
        final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return codes.code(utf8, 0, utf8.length);
    }

    /**
     * The text of a code.
     *
     * @param code that is held
     * @return {@code null} for null
     */
    public String string(final long code)
    {
        return strings.of((int)code);
    }

    /** Holds the codes of a key that lies in a record. */
    void hold(final long[] record, final int at)
    {
        for (final int word : words)
        {
            codes.hold((int)record[at + word]);
        }
    }

    /** Releases what {@link #hold} holds. */
    void release(final long[] record, final int at)
    {
        for (final int word : words)
        {
            codes.release((int)record[at + word]);
        }
    }

    /** Forgets texts of rows that have no partition. */
    void endOfBatch()
    {
        if (words.length == 0)
        {
            return;
        }
        codes.endOfBatch();
        if (codes.limit() >= chargedLimit)
        {
            final long bytes = codes.bytes();
            memory.charge(bytes - charged);
            charged = bytes;
            chargedLimit = codes.limit() + (codes.limit() >> CHARGE_SHIFT) + 1;
        }
    }

    /** Whether a long of a key is a code. */
    boolean isText(final int word)
    {
        for (final int each : words)
        {
            if (each == word)
            {
                return true;
            }
        }
        return false;
    }

    /** How its texts are written and read; anew for each state. */
    StateStrings states()
    {
        return states;
    }

    /** Begins to write or read state, or has ended to. */
    void forgetNumbers()
    {
        states.forgetNumbers();
    }
}
