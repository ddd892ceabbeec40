package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.TextIds;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StateStrings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The codes of a unit, which ids of the dictionaries of its columns belong to them, and strings that rows keep.
 *
 * <p>A row keeps a string that came as an id by that id, for a dictionary keeps its strings anyway: as a negative int,
 * the number of the dictionary above the id. It keeps any other string by its code, which it holds. Strings that are
 * compared or are keys are always codes.
 *
 * <p>Threads: the engine's.
 */
public final class UnitTexts implements StateStrings
{
    /** Of null, which is kept in one way only. */
    public static final int NO_WAY = -2;

    private static final int BY_CODE = -1;
    private static final int ID_BITS = 24;
    private static final int ID_MASK = (1 << ID_BITS) - 1;
    private static final int MOST_DICTIONARIES = 1 << Integer.SIZE - 2 - ID_BITS;

    final Codes codes;
    private final CodeStrings strings;
    private final List<TextIds> known = new ArrayList<>();
    /** While state is written: number + 1 of a string by its code, and by its kept id; codes while it is read. */
    private int[] numbers = new int[0];
    private Map<Integer, Integer> numbersOfIds = Map.of();

    /**
     * Knows no ids yet.
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

    /** The ids of a dictionary, the same for all columns that share it. */
    TextIds ids(final Dictionary dictionary)
    {
        for (final TextIds each : known)
        {
            if (each.dictionary() == dictionary)
            {
                return each;
            }
        }
        known.add(new TextIds(dictionary, codes));
        return known.get(known.size() - 1);
    }

    /** What is added to an id of a dictionary to keep a string by it; negative when it is not. */
    int number(final TextIds ids)
    {
        final int number = known.indexOf(ids);
        return number < MOST_DICTIONARIES ? number << ID_BITS : -1;
    }

    /** The dictionary of a string that is kept by its id. */
    Dictionary dictionary(final int kept)
    {
        return known.get(-kept >>> ID_BITS).dictionary();
    }

    /** Whether an id has room beside the number of its dictionary. */
    static boolean isId(final int id)
    {
        return id >>> ID_BITS == 0;
    }

    /** The id of a string that is kept by it. */
    static int id(final int kept)
    {
        return -kept & ID_MASK;
    }

    /**
     * A further row keeps a string.
     *
     * @param kept how it is kept
     * @return the same
     */
    public int hold(final int kept)
    {
        if (kept > Codes.NULL)
        {
            codes.hold(kept);
        }
        return kept;
    }

    /**
     * A row no longer keeps a string.
     *
     * @param kept how it was kept
     */
    public void release(final int kept)
    {
        if (kept > Codes.NULL)
        {
            codes.release(kept);
        }
    }

    /**
     * The code of a string that a row keeps; good until the end of the batch unless state holds it. It may be one more
     * than the bound allows, since a row that is there must be found when it leaves.
     *
     * @param kept how it is kept
     * @return code
     */
    public int code(final int kept)
    {
        if (kept >= Codes.NULL)
        {
            return kept;
        }
        final TextIds ids = known.get(-kept >>> ID_BITS);
        final int code = ids.code(id(kept));
        if (code != Codes.NULL)
        {
            return code;
        }
        final byte[] bytes = ids.dictionary().bytes(id(kept));
        final int made = codes.owed(bytes, 0, bytes.length);
        ids.learn(id(kept), made);
        return made;
    }

    /**
     * Whether two rows keep the same string, however they do.
     *
     * @param one   how it is kept
     * @param other how it is kept
     * @return true when equal
     */
    public boolean isSame(final int one, final int other)
    {
        if (one == other)
        {
            return true;
        }
        final boolean areOfOneTable = one >= Codes.NULL ? other >= Codes.NULL :
            other < Codes.NULL && -one >>> ID_BITS == -other >>> ID_BITS;
        return !areOfOneTable && one != Codes.NULL && other != Codes.NULL && string(one).equals(string(other));
    }

    /**
     * In which way a string is kept. Two that are kept in the same way are equal when the ints are.
     *
     * @param kept how it is kept
     * @return way; {@link #NO_WAY} of null
     */
    public static int way(final int kept)
    {
        return kept == Codes.NULL ? NO_WAY : kept > Codes.NULL ? BY_CODE : -kept >>> ID_BITS;
    }

    /**
     * A hash of a string that a row keeps, the same however it is kept.
     *
     * @param kept how it is kept
     * @return 0 for null
     */
    public int hash(final int kept)
    {
        return kept == Codes.NULL ? 0 : string(kept).hashCode();
    }

    /**
     * A string that a row keeps.
     *
     * @param kept how it is kept
     * @return the string, {@code null} for null
     */
    public String string(final int kept)
    {
        return kept >= Codes.NULL ? strings.of(kept) : dictionary(kept).string(id(kept));
    }

    /** Begins to write or read state, or has ended to. */
    public void forgetNumbers()
    {
        numbers = new int[0];
        numbersOfIds = new HashMap<>();
    }

    @Override
    public void write(final StateOutput to, final int kept)
    {
        final int number = kept == Codes.NULL ? 0 : kept > 0 ? kept < numbers.length ? numbers[kept] : 0 :
            numbersOfIds.getOrDefault(kept, 0);
        if (number > 0)
        {
            to.writeKnown(number - 1);
            return;
        }
        final int written = 1 + to.writeString(kept > 0 ? codes.string(kept) :
            kept < 0 ? dictionary(kept).string(id(kept)) : null);
        if (kept > 0)
        {
            numbers = kept < numbers.length ? numbers : Arrays.copyOf(numbers, Math.max(kept + 1, codes.limit()));
            numbers[kept] = written;
        }
        else if (kept < 0)
        {
            numbersOfIds.put(kept, written);
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
