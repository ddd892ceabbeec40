package dev.millrace.network.definition;

/**
 * The maximum number of attempts, which are partial matches, that a pattern may follow at a time in one partition, in
 * the notation of configuration files. Stateless.
 */
public final class PatternAttempts
{
    /** Used where no value is specified. */
    public static final int DEFAULT = 10_000;

    /** The maximum; it is bounded because each row of a partition is tested against all of its attempts. */
    public static final int MOST = 1_000_000;

    /** Description of the accepted values, for messages. */
    public static final String FORM = "a whole number from 1 to " + MOST;

    private static final int MOST_DIGITS = 7;

    private PatternAttempts()
    {
    }

    /**
     * Parses a number.
     *
     * @param text as written
     * @return the number, or {@code null} when it does not match {@link #FORM}
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
