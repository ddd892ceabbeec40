package dev.millrace.cql.runtime.unit;

import dev.millrace.api.text.Codes;

/**
 * Which longs of a row are codes of strings, and which are codes of objects: state that keeps the row holds them.
 * Immutable but for the tables.
 *
 * <p>Threads: the engine's.
 */
public final class HeldCodes
{
    /** For rows without any. */
    public static final HeldCodes NONE = new HeldCodes(0, null, 0, null);

    private final long strings;
    private final Codes codes;
    private final long objects;
    private final ObjectCodes objectCodes;

    /**
     * Describes a row.
     *
     * @param strings     longs that are codes of strings, a bit each
     * @param codes       their table
     * @param objects     longs that are codes of objects, a bit each
     * @param objectCodes their table
     */
    public HeldCodes(final long strings, final Codes codes, final long objects, final ObjectCodes objectCodes)
    {
        this.strings = strings;
        this.codes = codes;
        this.objects = objects;
        this.objectCodes = objectCodes;
    }

    /**
     * Whether no long is a code.
     *
     * @return true when rows need not be held
     */
    public boolean isNone()
    {
        return (strings | objects) == 0;
    }

    /**
     * Holds the codes of a row.
     *
     * @param words of rows
     * @param at    first long of the row
     */
    public void hold(final long[] words, final int at)
    {
        for (long bits = strings; bits != 0; bits &= bits - 1)
        {
            codes.hold((int)words[at + Long.numberOfTrailingZeros(bits)]);
        }
        for (long bits = objects; bits != 0; bits &= bits - 1)
        {
            objectCodes.hold((int)words[at + Long.numberOfTrailingZeros(bits)]);
        }
    }

    /**
     * Gives up the codes of a row that has held them.
     *
     * @param words of rows
     * @param at    first long of the row
     */
    public void release(final long[] words, final int at)
    {
        for (long bits = strings; bits != 0; bits &= bits - 1)
        {
            codes.release((int)words[at + Long.numberOfTrailingZeros(bits)]);
        }
        for (long bits = objects; bits != 0; bits &= bits - 1)
        {
            objectCodes.release((int)words[at + Long.numberOfTrailingZeros(bits)]);
        }
    }
}
