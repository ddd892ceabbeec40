package dev.millrace.cql.runtime.flow;

/** Takes note of rows that an operator or a unit turned away. Threads: the engine's. */
public interface RowFaults
{
    /** Before the engine has taken the operator over there are no rows. */
    RowFaults NONE = (reason, detail) ->
    {
        throw new IllegalStateException("row rejected outside of an engine, reason=" + reason + " detail=" + detail);
    };

    /**
     * Counts one row.
     *
     * @param reason one of few short words, fit for a counter's name
     * @param detail what a user needs to find the cause
     */
    void reject(String reason, String detail);
}
