package dev.millrace.cql.runtime.pattern;

/** The ways to run a pattern whose attempts have several labellings, cheaper one first. */
public enum PatternTier
{
    /** Conditions read only the row and rows physically before it: each is computed once a row. */
    ROW_LOCAL("row-local, each condition once a row"),
    /** A condition reads the match so far, or the output needs all its rows: registers for each partial match. */
    MATCH_DEPENDENT("match-dependent, each condition once a partial match");

    private final String text;

    PatternTier(final String text)
    {
        this.text = text;
    }

    /**
     * How a pattern is run, for people.
     *
     * @return name and a few words
     */
    public String text()
    {
        return text;
    }

    /**
     * Chooses.
     *
     * @param program pattern
     * @return the cheapest that can run it
     */
    public static PatternTier of(final PatternProgram program)
    {
        return LocalPatternOperator.isSuitable(program) ? ROW_LOCAL : MATCH_DEPENDENT;
    }

    /**
     * Words that each partial match takes beside the rows of the partition.
     *
     * @param program pattern
     * @return bytes, about
     */
    public int matchSizeBytes(final PatternProgram program)
    {
        final int entry = 2 * Integer.BYTES;
        return switch (this)
        {
            case ROW_LOCAL -> 4 * Long.BYTES + Integer.BYTES * (1 + measured(program));
            case MATCH_DEPENDENT -> entry + 3 * Integer.BYTES + 2 * Long.BYTES +
                Long.BYTES * new Registers(program).words();
        };
    }

    private static int measured(final PatternProgram program)
    {
        int count = 0;
        for (final PatternProgram.Navigation each : program.navigations())
        {
            count += each.inMeasure() ? 1 : 0;
        }
        return count;
    }

    /**
     * Rows that a partition keeps beside those of partial matches.
     *
     * @param program pattern
     * @return number; at least the one that the partition is known by
     */
    public int keptRows(final PatternProgram program)
    {
        return Math.max(1, program.maxBack());
    }
}
