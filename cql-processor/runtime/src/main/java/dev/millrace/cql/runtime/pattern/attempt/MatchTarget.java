package dev.millrace.cql.runtime.pattern.attempt;

/** Takes the rows of matches. Threads: the engine's. */
public interface MatchTarget
{
    /**
     * Takes a row.
     *
     * @param row    row id in the store of the matches, with the caller's claim
     * @param timeNs its time; does not decrease where matches leave in the order of their times
     */
    void put(int row, long timeNs);

    /**
     * Says that no row of a time or before will come any more.
     *
     * @param timeNs never decreases
     */
    void close(long timeNs);
}
