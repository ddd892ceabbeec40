package dev.millrace.cql.language.types;

import java.util.Locale;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;

/**
 * A function that has a meaning in MATCH_RECOGNIZE only. Calls are replaced before types are asked for. Immutable.
 */
public final class PatternOperator extends SqlFunction
{
    /** What it does. */
    public enum Family
    {
        /** Moves to another row: prev, next, first, last. */
        NAVIGATION,
        /** Says something about the match: classifier, match_number. */
        MATCH,
        /** Says from where a navigation or aggregate is seen: running, final. */
        VIEW
    }

    /** Earlier row of the partition. */
    public static final PatternOperator PREV = new PatternOperator("prev", Family.NAVIGATION, 1, 3);
    /** Later row of the partition. */
    public static final PatternOperator NEXT = new PatternOperator("next", Family.NAVIGATION, 1, 2);
    /** Labelled row, from the first on. */
    public static final PatternOperator FIRST = new PatternOperator("first", Family.NAVIGATION, 1, 2);
    /** Labelled row, from the last back. */
    public static final PatternOperator LAST = new PatternOperator("last", Family.NAVIGATION, 1, 2);
    /** Name of a row's variable. */
    public static final PatternOperator CLASSIFIER = new PatternOperator("classifier", Family.MATCH, 0, 1);
    /** Number of the match in its partition. */
    public static final PatternOperator MATCH_NUMBER = new PatternOperator("match_number", Family.MATCH, 0, 0);
    /** As seen from the row at hand. */
    public static final PatternOperator RUNNING = new PatternOperator("running", Family.VIEW, 1, 1);
    /** As seen from the last row of the match. */
    public static final PatternOperator FINAL = new PatternOperator("final", Family.VIEW, 1, 1);

    private final Family family;
    private final int minArguments;
    private final int maxArguments;

    private PatternOperator(final String name, final Family family, final int minArguments, final int maxArguments)
    {
        super(name, SqlKind.OTHER_FUNCTION, null, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.family = family;
        this.minArguments = minArguments;
        this.maxArguments = maxArguments;
    }

    /**
     * Finds a function that is written like a call.
     *
     * @param name name, case ignored
     * @return the function, or {@code null}
     */
    public static PatternOperator byName(final String name)
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

    /**
     * What it does.
     *
     * @return family
     */
    public Family family()
    {
        return family;
    }

    /**
     * Whether it takes so many arguments.
     *
     * @param arguments number
     * @return true when it does
     */
    public boolean takes(final int arguments)
    {
        return arguments >= minArguments && arguments <= maxArguments;
    }

    /**
     * How many arguments it takes, in words.
     *
     * @return for messages
     */
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
