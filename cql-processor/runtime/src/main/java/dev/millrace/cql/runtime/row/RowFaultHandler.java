package dev.millrace.cql.runtime.row;

/** Receives the rows that an operator or a unit rejects. Confined to the engine thread. */
public interface RowFaultHandler
{
    /** Used until the engine has opened the operator; there are no rows before. */
    RowFaultHandler NONE = (reason, detail) ->
    {
        throw new IllegalStateException("row rejected outside of an engine, reason=" + reason + " detail=" + detail);
    };

    /**
     * Counts one row.
     *
     * @param reason one of few short words, usable as the name of a counter
     * @param detail for the user, to find the cause
     */
    void reject(String reason, String detail);
}
