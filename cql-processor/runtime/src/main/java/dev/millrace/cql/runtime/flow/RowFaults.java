package dev.millrace.cql.runtime.flow;

/** Takes note of rows that an operator turned away. Threads: the engine's. */
interface RowFaults
{
    /** Before the engine has taken the operator over there are no rows. */
    RowFaults NONE = (reason, detail) ->
    {
        throw new IllegalStateException("row rejected outside of an engine, reason=" + reason + " detail=" + detail);
    };

    /** Counts one row. */
    void reject(String reason, String detail);
}
