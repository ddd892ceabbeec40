package dev.millrace.cql.runtime.state;

/** Strings that a unit stores as ints. Used by the thread of the unit, between batches. */
public interface StateStrings
{
    /**
     * Writes a string: its value, or its number where it has been written before.
     *
     * @param kept code in the unit; 0 for null
     */
    void write(StateOutput to, int kept);

    /**
     * Reads a string, which the reader retains.
     *
     * @return code in the unit; 0 for null
     */
    int read(StateInput from);
}
