package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.RowDecoder;

/** The records of a body. Confined to the thread of the source, which uses it for one body after the other. */
interface Records
{
    /** Begins with a body. */
    void begin(byte[] bytes, int size);

    /**
     * Decodes the next record into a row of the batch.
     *
     * @return {@code null} at the end of the body, or after a problem that hides the records after it
     */
    RowDecoder.Outcome next(int row);

    /** The problem of a rejected record. */
    RowProblem problem();

    /** The line on which the last record begins; the first one is 1. */
    int line();
}
