package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.flow.Values;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A LIKE of texts that have codes: a text is looked at once while it has its code.
 *
 * <p>Threads: the engine's.
 */
public final class LikeCodes
{
    private static final byte YES = 1;
    private static final byte NO = 2;
    private static final int FEWEST = 64;

    private final Codes codes;
    private final Pattern pattern;
    private byte[] known = new byte[FEWEST];

    /**
     * Makes a test.
     *
     * @param codes   of the unit
     * @param pattern what is looked for
     */
    public LikeCodes(final Codes codes, final Pattern pattern)
    {
        this.codes = codes;
        this.pattern = pattern;
        codes.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < known.length)
        {
            known[code] = 0;
        }
    }

    /**
     * Whether the pattern is found in a text.
     *
     * @param code of the text; 0 is never found
     * @return true when it is
     * @throws dev.millrace.cql.runtime.flow.RowRejectedException when that takes too long
     */
    public boolean test(final int code)
    {
        if (code == Codes.NULL)
        {
            return false;
        }
        if (code >= known.length)
        {
            known = Arrays.copyOf(known, Math.max(code + 1, known.length * 2));
        }
        if (known[code] == 0)
        {
            known[code] = Values.like(codes.string(code), pattern) ? YES : NO;
        }
        return known[code] == YES;
    }
}
