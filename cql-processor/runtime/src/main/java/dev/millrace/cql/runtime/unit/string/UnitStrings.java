package dev.millrace.cql.runtime.unit.string;

import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateStrings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The codes of a unit, as which its rows store and retain strings.
 *
 * <p>Confined to the engine thread.
 */
public final class UnitStrings implements StateStrings
{
    final StringTable codes;
    private final DecodedStrings strings;
    /** While state is written: number + 1 of a string by its code. While it is read: codes by number. */
    private int[] numbers = new int[0];

    public UnitStrings(final StringTable codes, final DecodedStrings strings)
    {
        this.codes = codes;
        this.strings = strings;
    }

    /** The code table. */
    public StringTable codes()
    {
        return codes;
    }

    /**
     * The code that a carried text shares with equal ones.
     *
     * @param code of the text, which may be its own
     * @return code; good until the end of the batch unless state holds it
     */
    public int shared(final int code)
    {
        return codes.shared(code);
    }

    /**
     * A further row keeps a string.
     *
     * @param code of the string
     * @return the same
     */
    public int hold(final int code)
    {
        codes.hold(code);
        return code;
    }

    /**
     * Releases the string of a row.
     *
     * @param code of the string
     */
    public void release(final int code)
    {
        codes.release(code);
    }

    /** The string of a code; {@code null} for null. */
    public String string(final int code)
    {
        return strings.of(code);
    }

    /** Called before and after writing or reading state. */
    public void forgetNumbers()
    {
        numbers = new int[0];
    }

    @Override
    public void write(final StateOutput to, final int code)
    {
        if (code > StringTable.NULL && code < numbers.length && numbers[code] > 0)
        {
            to.writeKnown(numbers[code] - 1);
            return;
        }
        final int written = 1 + to.writeString(codes.string(code));
        if (code > StringTable.NULL)
        {
            numbers = code < numbers.length ? numbers : Arrays.copyOf(numbers, Math.max(code + 1, codes.limit()));
            numbers[code] = written;
        }
    }

    @Override
    public int read(final StateInput from)
    {
        final int code = readCode(from);
        codes.hold(code);
        return code;
    }

    /**
     * Reads a string that other state retains.
     *
     * @return its code; valid until the end of the batch unless state retains it
     */
    public int readCode(final StateInput from)
    {
        final int number = from.readNumber();
        if (number < 0)
        {
            return StringTable.NULL;
        }
        if (number < numbers.length && numbers[number] != StringTable.NULL)
        {
            return numbers[number];
        }
        final byte[] bytes = from.string(number).getBytes(StandardCharsets.UTF_8);
        if (number >= numbers.length)
        {
            numbers = Arrays.copyOf(numbers, Math.max(number + 1, numbers.length * 2));
        }
        numbers[number] = codes.owed(bytes, 0, bytes.length);
        return numbers[number];
    }
}
