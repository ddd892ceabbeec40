package dev.millrace.cql.runtime.pattern.attempt;

/** Receives the rows of matches. Confined to the engine thread. */
public interface MatchTarget
{
    /**
     * Receives a row.
     *
     * @param row    row id in the store of the matches; the caller's reference is transferred
     * @param timeNs its time; does not decrease when the output is ordered by time
     */
    void put(int row, long timeNs);

    /**
     * Declares that no further row of a time or before will arrive.
     *
     * @param timeNs never decreases
     */
    void close(long timeNs);
}
