package dev.millrace.cql.compiler.pattern;

/** How the matches of a pattern can be found, cheapest first. */
public enum PatternClass
{
    /** At most one attempt a partition: whatever fails leaves a complete match or a single row. */
    RECORD("0", "one record a partition"),
    /** All matches have as many rows: an attempt is a bit, and what it reads lies so many rows before. */
    FIXED_LENGTH("0a", "a record a partition with the rows before"),
    /** Each row takes an attempt to one position at most: an attempt is a position and what is read of it later. */
    REGISTERS("1", "a record an attempt"),
    /** ALL MATCHES: as before, and a row that fits several positions makes further attempts. */
    ALL_MATCHES("1a", "a record a labelling"),
    /**
     * A row may fit several positions, or more is read of a match than its last record tells: an attempt is a record
     * for each labelling that may still win, best first.
     */
    LABELLINGS("2", "a record a labelling that may still win");

    private final String number;
    private final String text;

    PatternClass(final String number, final String text)
    {
        this.number = number;
        this.text = text;
    }

    /**
     * What the documentation calls it.
     *
     * @return number and a few words
     */
    public String text()
    {
        return number + " (" + text + ')';
    }
}
