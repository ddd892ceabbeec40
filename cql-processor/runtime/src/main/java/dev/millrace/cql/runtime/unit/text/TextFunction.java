package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.flow.FunctionCaller;
import dev.millrace.cql.runtime.flow.Values;
import java.util.Arrays;

/**
 * A function of one text whose result depends on nothing else, a text again: called once for each text while it has its
 * code. Results that are remembered are held.
 *
 * <p>Threads: the engine's.
 */
public final class TextFunction
{
    private static final int UNKNOWN = -1;

    private final Codes codes;
    private final FunctionCaller caller;
    private final String name;
    /** Code of the result by code. */
    private int[] known = {Codes.NULL};

    /**
     * Makes a function.
     *
     * @param codes  of the unit
     * @param caller calls it
     * @param name   for messages
     */
    public TextFunction(final Codes codes, final FunctionCaller caller, final String name)
    {
        this.codes = codes;
        this.caller = caller;
        this.name = name;
        codes.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < known.length && known[code] != UNKNOWN)
        {
            final int result = known[code];
            known[code] = UNKNOWN;
            codes.release(result);
        }
    }

    /**
     * The code of the result.
     *
     * @param code of the text; that of null gives null
     * @return code
     * @throws dev.millrace.cql.runtime.flow.RowRejectedException when the function fails
     */
    public int code(final int code)
    {
        return code < known.length && known[code] != UNKNOWN ? known[code] : compute(code);
    }

    private int compute(final int code)
    {
        final Object result;
        try
        {
            result = Values.checked(caller.call(codes.string(code)), String.class, name);
        }
        // Functions may be written by users: they may throw anything.
        catch (final Throwable failure)
        {
            throw Values.failed(name, failure);
        }
        if (code >= known.length)
        {
            final int length = known.length;
            known = Arrays.copyOf(known, Math.max(code + 1, length * 2));
            Arrays.fill(known, length, known.length, UNKNOWN);
        }
        known[code] = TextInput.taken(codes.code((String)result), codes);
        codes.hold(known[code]);
        return known[code];
    }
}
