package dev.millrace.cql.runtime.unit;

import dev.millrace.cql.runtime.unit.text.UnitTexts;
import java.util.Arrays;

/**
 * Which longs of a row keep strings, and which are codes of objects: state that keeps the row holds them.
 * Immutable but for the tables.
 *
 * <p>Threads: the engine's.
 */
public final class HeldCodes
{
    /** For rows without any. */
    public static final HeldCodes NONE = new HeldCodes(new int[0], null, new int[0], null);

    private final int[] strings;
    /** Whether a long keeps a string; as long as the last one that does needs. */
    private final boolean[] keepsString;
    private final UnitTexts texts;
    private final int[] objects;
    private final ObjectCodes objectCodes;

    /**
     * Describes a row.
     *
     * @param strings     longs that keep strings, ascending
     * @param texts       knows how
     * @param objects     longs that are codes of objects
     * @param objectCodes their table
     */
    public HeldCodes(final int[] strings, final UnitTexts texts, final int[] objects, final ObjectCodes objectCodes)
    {
        this.strings = strings.clone();
        this.texts = texts;
        this.objects = objects.clone();
        keepsString = new boolean[strings.length == 0 ? 0 : strings[strings.length - 1] + 1];
        for (final int each : strings)
        {
            keepsString[each] = true;
        }
        this.objectCodes = objectCodes;
    }

    /**
     * Whether no long is a code.
     *
     * @return true when rows need not be held
     */
    public boolean isNone()
    {
        return strings.length + objects.length == 0;
    }

    /**
     * Whether two rows are equal; strings may be kept in two ways.
     *
     * @param words of rows
     * @param a     first long of the one
     * @param b     first long of the other
     * @param width how many longs a row has
     * @return true when all are
     */
    public boolean areEqual(final long[] words, final int a, final int b, final int width)
    {
        if (strings.length == 0)
        {
            return Arrays.equals(words, a, a + width, words, b, b + width);
        }
        for (int i = 0; i < width; i++)
        {
            if (words[a + i] != words[b + i] && !isString(i))
            {
                return false;
            }
        }
        for (final int i : strings)
        {
            if (!texts.isSame((int)words[a + i], (int)words[b + i]))
            {
                return false;
            }
        }
        return true;
    }

    private boolean isString(final int word)
    {
        return word < keepsString.length && keepsString[word];
    }

    /**
     * A long of a row for its hash: the same for equal strings, however they are kept.
     *
     * @param index of the long in its row
     * @param word  the long
     * @return the long itself where it keeps no string
     */
    public long hashed(final int index, final long word)
    {
        return isString(index) ? texts.hash((int)word) : word;
    }

    /**
     * Holds the codes of a row.
     *
     * @param words of rows
     * @param at    first long of the row
     */
    public void hold(final long[] words, final int at)
    {
        for (final int each : strings)
        {
            texts.hold((int)words[at + each]);
        }
        for (final int each : objects)
        {
            objectCodes.hold((int)words[at + each]);
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
        for (final int each : strings)
        {
            texts.release((int)words[at + each]);
        }
        for (final int each : objects)
        {
            objectCodes.release((int)words[at + each]);
        }
    }
}
