package dev.millrace.network.definition;

/**
 * How many attempts, which are partial matches, a pattern may follow at a time in one of its partitions, as files write
 * it. Stateless.
 */
public final class PatternAttempts
{
    /** Where nobody says. */
    public static final int DEFAULT = 10_000;

    /** The greatest number: each row of a partition looks at all of its attempts. */
    public static final int MOST = 1_000_000;

    /** What a file may say, for messages. */
    public static final String FORM = "a whole number from 1 to " + MOST;

    private static final int MOST_DIGITS = 7;

    private PatternAttempts()
    {
    }

    /**
     * Reads a text.
     *
     * @param text as written
     * @return the number, or {@code null} when it is of another {@link #FORM}
     */
    public static Integer parse(final String text)
    {
        final String digits = text.strip();
        if (!digits.matches("[0-9]{1," + MOST_DIGITS + "}"))
        {
            return null;
        }
        final int number = Integer.parseInt(digits);
        return number < 1 || number > MOST ? null : (Integer)number;
    }
}
