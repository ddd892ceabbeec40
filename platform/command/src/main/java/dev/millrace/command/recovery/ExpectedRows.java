package dev.millrace.command.recovery;

/**
 * Computes in plain Java the rows that a workload must store. Shares no code with the engine. Not thread-safe; later
 * rows continue from the earlier ones.
 */
interface ExpectedRows
{
    /** Receives expected rows. */
    interface Receiver
    {
        /**
         * @param key rows of one key are emitted in order
         */
        void row(String key, double... values);
    }

    /**
     * Processes the next rows of a connection.
     *
     * @param connection number of the connection
     * @param rows       number of rows that it has sent from the beginning; nothing happens if it is not higher than
     *                   before
     */
    void advance(int connection, long rows, Receiver to);
}
