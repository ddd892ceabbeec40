package dev.millrace.cql.language.types;

import java.util.Locale;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;

/** A function that is only valid in MATCH_RECOGNIZE. Calls are replaced before types are determined. Immutable. */
public final class PatternFunction extends SqlFunction
{
    /** The kind of function. */
    public enum Family
    {
        /** Moves to another row: prev, next, first, last. */
        NAVIGATION,
        /** Returns a property of the match: classifier, match_number. */
        MATCH,
        /** Determines at which row a navigation or aggregate is evaluated: running, final. */
        VIEW
    }

    /** Earlier row of the partition. */
    public static final PatternFunction PREV = new PatternFunction("prev", Family.NAVIGATION, 1, 3);
    /** Later row of the partition. */
    public static final PatternFunction NEXT = new PatternFunction("next", Family.NAVIGATION, 1, 2);
    /** Labeled row, counted from the first one. */
    public static final PatternFunction FIRST = new PatternFunction("first", Family.NAVIGATION, 1, 2);
    /** Labeled row, counted back from the last one. */
    public static final PatternFunction LAST = new PatternFunction("last", Family.NAVIGATION, 1, 2);
    /** Name of the variable with which a row is labeled. */
    public static final PatternFunction CLASSIFIER = new PatternFunction("classifier", Family.MATCH, 0, 1);
    /** Number of the match in its partition. */
    public static final PatternFunction MATCH_NUMBER = new PatternFunction("match_number", Family.MATCH, 0, 0);
    /** Evaluated at the current row. */
    public static final PatternFunction RUNNING = new PatternFunction("running", Family.VIEW, 1, 1);
    /** Evaluated at the last row of the match. */
    public static final PatternFunction FINAL = new PatternFunction("final", Family.VIEW, 1, 1);

    private final Family family;
    private final int minArguments;
    private final int maxArguments;

    private PatternFunction(final String name, final Family family, final int minArguments, final int maxArguments)
    {
        super(name, SqlKind.OTHER_FUNCTION, null, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.family = family;
        this.minArguments = minArguments;
        this.maxArguments = maxArguments;
    }

    /**
     * Finds a function that is written like a call.
     *
     * @param name case-insensitive name
     * @return the function, or {@code null}
     */
    public static PatternFunction byName(final String name)
    {
        return switch (name.toLowerCase(Locale.ROOT))
        {
            case "prev" -> PREV;
            case "next" -> NEXT;
            case "first" -> FIRST;
            case "last" -> LAST;
            case "classifier" -> CLASSIFIER;
            case "match_number" -> MATCH_NUMBER;
            default -> null;
        };
    }

    /** The kind of function. */
    public Family family()
    {
        return family;
    }

    /** Whether it accepts this number of arguments. */
    public boolean takes(final int arguments)
    {
        return arguments >= minArguments && arguments <= maxArguments;
    }

    /** The number of arguments in words, for messages. */
    public String argumentCount()
    {
        return switch (maxArguments)
        {
            case 0 -> "no argument";
            case 1 -> "at most one argument";
            case 2 -> "one or two arguments";
            default -> "one to three arguments";
        };
    }
}
