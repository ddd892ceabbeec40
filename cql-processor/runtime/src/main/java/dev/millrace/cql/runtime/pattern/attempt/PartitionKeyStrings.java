package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.api.string.Utf8;
import dev.millrace.cql.runtime.state.StateStrings;
import dev.millrace.cql.runtime.unit.string.CharColumnInput;
import dev.millrace.cql.runtime.unit.string.DecodedStrings;
import dev.millrace.cql.runtime.unit.string.UnitStrings;
import java.nio.charset.StandardCharsets;

/**
 * String codes in partition keys. A partition retains the codes of its key; a string that no partition uses is
 * discarded after the batch.
 *
 * <p>Confined to the engine thread.
 */
public final class PartitionKeyStrings
{
    private static final int SCRATCH_BYTES = 256;
    private static final int CHARGE_SHIFT = 4;

    private final StringTable codes = new StringTable(StringTable.Lifetime.HELD, Integer.MAX_VALUE - 1);
    private final DecodedStrings strings;
    private final UnitStrings states;
    private final MemoryAccount memory;
    /** The longs of a key that are codes. */
    private final int[] words;
    private final byte[] scratch = new byte[SCRATCH_BYTES];
    /** Bytes charged for codes; when the codes exceed it, more are charged. */
    private long charged;
    private int chargedLimit;

    /**
     * @param keyTexts longs of a key that are codes; must not be modified
     * @param memory   charged for the growth of the table
     */
    PartitionKeyStrings(final int[] keyTexts, final MemoryAccount memory)
    {
        this.memory = memory;
        strings = new DecodedStrings(codes, memory);
        states = new UnitStrings(codes, strings);
        words = keyTexts;
    }

    /**
     * Creates a reader of the codes of a column.
     *
     * @param column index in the batch
     */
    public CharColumnInput input(final int column)
    {
        return new CharColumnInput(new UnitStrings(codes, strings), column);
    }

    /**
     * The code of a string.
     *
     * @param text may be {@code null}
     * @return code, valid until the end of the batch or while it is retained; {@link StringTable#NULL} for null
     */
    public int code(final String text)
    {
        if (text == null)
        {
            return StringTable.NULL;
        }
        final int length = Utf8.copyAscii(text, scratch);
        if (length >= 0)
        {
            return codes.code(scratch, 0, length);
        }
        final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return codes.code(utf8, 0, utf8.length);
    }

    /**
     * The string of a code.
     *
     * @param code that is retained
     * @return {@code null} for null
     */
    public String string(final long code)
    {
        return strings.of((int)code);
    }

    /** Copies the string of a code that is retained to a row of a batch. */
    void copy(final int code, final CharColumn to, final int row)
    {
        to.set(row, codes, code);
    }

    /** Retains a code once more. */
    void hold(final int code)
    {
        codes.hold(code);
    }

    /** Releases a code that {@link #hold(int)} retains. */
    void release(final int code)
    {
        codes.release(code);
    }

    /** Retains the codes of a key in a record. */
    void hold(final long[] record, final int at)
    {
        for (final int word : words)
        {
            codes.hold((int)record[at + word]);
        }
    }

    /** Releases the codes that {@link #hold(long[], int)} retains. */
    void release(final long[] record, final int at)
    {
        for (final int word : words)
        {
            codes.release((int)record[at + word]);
        }
    }

    /** Discards strings of rows that have no partition. */
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

    /** Writer and reader of its strings; a new one for each state. */
    StateStrings states()
    {
        return states;
    }

    /** Called before and after writing or reading state. */
    void forgetNumbers()
    {
        states.forgetNumbers();
    }
}
