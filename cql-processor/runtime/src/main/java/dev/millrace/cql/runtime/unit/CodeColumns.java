package dev.millrace.cql.runtime.unit;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.string.UnitStrings;
import java.util.Arrays;

/**
 * Which longs of a row are codes of strings or of objects; state that stores the row retains them. Immutable except for
 * the tables.
 *
 * <p>Confined to the engine thread.
 */
public final class CodeColumns
{
    /** For rows without codes. */
    public static final CodeColumns NONE = new CodeColumns(new int[0], null, new int[0], null);

    private final int[] strings;
    private final UnitStrings unitStrings;
    private final int[] objects;
    private final ObjectCodes objectCodes;
    private final int[] borrowedStrings;
    private final int[] borrowedObjects;
    /** Longs that are codes of strings which equal strings need not share. */
    private final int[] carried;

    /**
     * @param strings     longs that are codes of strings
     * @param unitStrings their table
     * @param objects     longs that are codes of objects
     * @param objectCodes their table
     */
    public CodeColumns(final int[] strings, final UnitStrings unitStrings, final int[] objects,
        final ObjectCodes objectCodes)
    {
        this(strings, unitStrings, objects, objectCodes, new int[0], new int[0], new int[0]);
    }

    private CodeColumns(final int[] strings, final UnitStrings unitStrings, final int[] objects,
        final ObjectCodes objectCodes,
        final int[] borrowedStrings, final int[] borrowedObjects, final int[] carried)
    {
        this.carried = carried.clone();
        this.borrowedStrings = borrowedStrings.clone();
        this.borrowedObjects = borrowedObjects.clone();
        this.strings = strings.clone();
        this.unitStrings = unitStrings;
        this.objects = objects.clone();
        this.objectCodes = objectCodes;
    }

    /** Whether no long is a code, so that rows need not be retained. */
    public boolean isNone()
    {
        return strings.length + objects.length == 0;
    }

    /**
     * Retains the codes of a row.
     *
     * @param at first long of the row
     */
    public void hold(final long[] words, final int at)
    {
        for (final int each : strings)
        {
            unitStrings.hold((int)words[at + each]);
        }
        for (final int each : objects)
        {
            objectCodes.hold((int)words[at + each]);
        }
    }

    /**
     * Releases the codes of a row that were retained.
     *
     * @param at first long of the row
     */
    public void release(final long[] words, final int at)
    {
        for (final int each : strings)
        {
            unitStrings.release((int)words[at + each]);
        }
        for (final int each : objects)
        {
            objectCodes.release((int)words[at + each]);
        }
    }

    /**
     * A copy with additional longs that are codes but are retained by other longs of their row.
     *
     * @param moreStrings longs that are codes of strings
     * @param moreObjects longs that are codes of objects
     */
    public CodeColumns with(final int[] moreStrings, final int[] moreObjects)
    {
        return new CodeColumns(strings, unitStrings, objects, objectCodes, moreStrings, moreObjects, carried);
    }

    /**
     * The same, some of whose strings are only carried: equal ones may have different codes.
     *
     * @param words longs that are codes of such
     * @return a copy
     */
    public CodeColumns carrying(final int... words)
    {
        return new CodeColumns(strings, unitStrings, objects, objectCodes, borrowedStrings, borrowedObjects, words);
    }

    /**
     * Whether equal strings may have different codes.
     *
     * @return false when rows are equal if and only if their longs are
     */
    public boolean isCarrying()
    {
        return carried.length > 0;
    }

    /**
     * Whether two rows of a table are equal.
     *
     * @param words of rows
     * @param at    first long of one
     * @param other first long of the other one
     * @param width how many longs they have
     * @return true when all their values are
     */
    public boolean areEqual(final long[] words, final int at, final int other, final int width)
    {
        if (carried.length == 0)
        {
            return Arrays.equals(words, at, at + width, words, other, other + width);
        }
        for (int i = 0; i < width; i++)
        {
            if (words[at + i] != words[other + i] && !has(carried, i))
            {
                return false;
            }
        }
        for (final int each : carried)
        {
            if (!unitStrings.codes().areEqual((int)words[at + each], (int)words[other + each]))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * What a long adds to the hash of its row.
     *
     * @param word  index of the long
     * @param value of the long
     * @param whole whether strings that are carried add to it, which costs more
     * @return the same for equal values
     */
    public long hashed(final int word, final long value, final boolean whole)
    {
        return carried.length == 0 || !has(carried, word) ? value : whole ? unitStrings.codes().hash((int)value) : 0;
    }

    private static boolean has(final int[] words, final int word)
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

    /**
     * Writes a row, with values instead of codes.
     *
     * @param at    first long of the row
     * @param width longs per row
     */
    public void write(final StateOutput to, final long[] words, final int at, final int width)
    {
        if (isNone())
        {
            to.writeLongs(words, at, width);
            return;
        }
        for (int i = 0; i < width; i++)
        {
            if (has(strings, i) || has(borrowedStrings, i))
            {
                unitStrings.write(to, (int)words[at + i]);
            }
            else if (has(objects, i) || has(borrowedObjects, i))
            {
                objectCodes.write(to, (int)words[at + i]);
            }
            else
            {
                to.writeLong(words[at + i]);
            }
        }
    }

    /**
     * Reads a row and retains its codes.
     *
     * @param at    first long of the row
     * @param width longs per row
     */
    public void read(final StateInput from, final long[] words, final int at, final int width)
    {
        if (isNone())
        {
            from.readLongs(words, at, width);
            return;
        }
        for (int i = 0; i < width; i++)
        {
            words[at + i] = has(strings, i) || has(borrowedStrings, i) ? unitStrings.readCode(from) :
                has(objects, i) || has(borrowedObjects, i) ? objectCodes.readCode(from) : from.readLong();
        }
        hold(words, at);
    }
}
