package dev.millrace.cql.runtime.state;

/**
 * Strings that a unit keeps as ints. Threads: those of the unit, between batches.
 */
public interface StateStrings
{
    /**
     * Writes a string.
     *
     * @param to   takes its value, or its number where it has been written before
     * @param kept how the unit keeps it; 0 for null
     */
    void write(StateOutput to, int kept);

    /**
     * Reads a string, which the place that keeps it holds from now on.
     *
     * @param from gives what {@link #write} has given
     * @return how the unit keeps it; 0 for null
     */
    int read(StateInput from);
}
