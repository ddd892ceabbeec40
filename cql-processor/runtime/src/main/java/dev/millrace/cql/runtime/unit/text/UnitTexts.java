package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateStrings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The codes of a unit, by which its rows keep strings and hold them.
 *
 * <p>Threads: the engine's.
 */
public final class UnitTexts implements StateStrings
{
    final Codes codes;
    private final CodeStrings strings;
    /** While state is written: number + 1 of a string by its code; codes while it is read. */
    private int[] numbers = new int[0];

    /**
     * Makes it.
     *
     * @param codes   of the unit
     * @param strings of the codes
     */
    public UnitTexts(final Codes codes, final CodeStrings strings)
    {
        this.codes = codes;
        this.strings = strings;
    }

    /**
     * The codes alone.
     *
     * @return the table
     */
    public Codes codes()
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
     * A row no longer keeps a string.
     *
     * @param code of the string
     */
    public void release(final int code)
    {
        codes.release(code);
    }

    /**
     * A string that a row keeps.
     *
     * @param code of the string
     * @return the string, {@code null} for null
     */
    public String string(final int code)
    {
        return strings.of(code);
    }

    /** Begins to write or read state, or has ended to. */
    public void forgetNumbers()
    {
        numbers = new int[0];
    }

    @Override
    public void write(final StateOutput to, final int code)
    {
        if (code > Codes.NULL && code < numbers.length && numbers[code] > 0)
        {
            to.writeKnown(numbers[code] - 1);
            return;
        }
        final int written = 1 + to.writeString(codes.string(code));
        if (code > Codes.NULL)
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
     * Reads a string that something else holds.
     *
     * @param from gives it
     * @return its code; good until the end of the batch unless state holds it
     */
    public int readCode(final StateInput from)
    {
        final int number = from.readNumber();
        if (number < 0)
        {
            return Codes.NULL;
        }
        if (number < numbers.length && numbers[number] != Codes.NULL)
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
