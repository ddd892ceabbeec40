package dev.millrace.cql.compiler.pattern;

/** Matching strategies, cheapest first. */
public enum PatternStrategy
{
    /** At most one attempt per partition: a failed attempt leaves a complete match or a single row. */
    RECORD("0", "one record per partition"),
    /**
     * All matches have the same number of rows: an attempt is a bit, and the values it reads are at a fixed distance.
     */
    FIXED_LENGTH("0a", "a record per partition with the earlier rows"),
    /**
     * Each row moves an attempt to at most one position: an attempt is a position and the values that are read later.
     */
    REGISTERS("1", "a record per attempt"),
    /** ALL MATCHES: as before, and a row that fits several positions creates further attempts. */
    ALL_MATCHES("1a", "a record per labelling"),
    /**
     * A row may fit several positions, or values of a match are read that are not in its last record: an attempt is a
     * record for each labelling that may still win, best first.
     */
    LABELLINGS("2", "a record per labelling that may still win");

    private final String number;
    private final String text;

    PatternStrategy(final String number, final String text)
    {
        this.number = number;
        this.text = text;
    }

    /** Its name in the documentation: number and a few words. */
    public String text()
    {
        return number + " (" + text + ')';
    }
}
