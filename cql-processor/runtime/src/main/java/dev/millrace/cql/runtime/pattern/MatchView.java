package dev.millrace.cql.runtime.pattern;

/**
 * What conditions and measures see of a candidate. Numbers of navigations, aggregates and classifiers are those of the
 * {@link PatternProgram}.
 *
 * <p>Threads: the engine's.
 */
public abstract class MatchView
{
    /** No such row. */
    public static final int NO_ROW = -1;

    /** For the matchers here. */
    MatchView()
    {
    }

    /**
     * A labelled row, or one near it.
     *
     * @param navigation number
     * @return row id, {@link #NO_ROW} when there is none
     */
    public abstract int row(int navigation);

    /**
     * Whether an aggregate is null.
     *
     * @param aggregate number
     * @return true when it is
     */
    public abstract boolean isNull(int aggregate);

    /**
     * An aggregate of int or bigint.
     *
     * @param aggregate number
     * @return value; anything when it is null
     */
    public abstract long longValue(int aggregate);

    /**
     * An aggregate of float or double.
     *
     * @param aggregate number
     * @return value; anything when it is null
     */
    public abstract double doubleValue(int aggregate);

    /**
     * An aggregate of another type.
     *
     * @param aggregate number
     * @return value, or {@code null}
     */
    public abstract Object reference(int aggregate);

    /**
     * Name of a row's variable.
     *
     * @param classifier number
     * @return name, {@code null} when there is no such row
     */
    public abstract String classifier(int classifier);

    /**
     * The row that a row of the result stands for.
     *
     * @return row id
     */
    public abstract int rowAtHand();

    /**
     * Name of the variable of the row that an argument of an aggregate is computed for.
     *
     * @return name
     */
    public abstract String label();

    /**
     * Number of the match in its partition.
     *
     * @return from 1
     */
    public abstract long matchNumber();
}
