package dev.millrace.cql.runtime.unit.string;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import java.util.Arrays;

/**
 * Caches the results of an expression that maps one string to another: the code of the result by the code of the
 * string, while it refers to the same string. Results are retained.
 *
 * <p>Confined to the engine thread.
 */
public final class StringResultCache extends StringRepetition
{
    private static final int UNKNOWN = -1;
    private static final int FEWEST = 16;

    private final StringTable codes;
    private final MemoryAccount memory;
    private int[] results = new int[FEWEST];

    /**
     * @param codes  of the unit; from now on they keep unreferenced strings longer
     * @param memory charged for cached results
     */
    public StringResultCache(final StringTable codes, final MemoryAccount memory)
    {
        this.codes = codes;
        this.memory = memory;
        Arrays.fill(results, UNKNOWN);
        codes.waitLonger();
        codes.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < results.length && results[code] != UNKNOWN)
        {
            final int result = results[code];
            results[code] = UNKNOWN;
            codes.release(result);
        }
    }

    /**
     * The code of the result for a string.
     *
     * @param code of the string, {@link StringTable#NULL} for null
     * @return code of the result, {@link StringTable#NULL} for null; negative when it is not cached
     */
    public int of(final int code)
    {
        return code < results.length ? results[code] : UNKNOWN;
    }

    /**
     * Caches a result.
     *
     * @param code of a string whose result is not cached
     * @return {@code result}
     */
    public int put(final int code, final int result)
    {
        missed();
        if (code >= results.length)
        {
            final int length = results.length;
            results = Arrays.copyOf(results, Math.max(code + 1, length * 2));
            Arrays.fill(results, length, results.length, UNKNOWN);
            memory.charge((results.length - length) * (long)Integer.BYTES);
        }
        results[code] = result;
        codes.hold(result);
        return result;
    }
}
