package dev.millrace.adapter.http.inbound;

/**
 * How the rows of a request are numbered.
 *
 * @param producer name, for {@link dev.millrace.api.stage.EventBatchSender#receivedFrom}
 * @param id       of the producer; 0 if no stage stores numbers
 * @param base     number before that of the first record
 */
record Numbering(String producer, int id, long base)
{
    /** Whether the stages below store numbers. */
    boolean isStored()
    {
        return id != 0;
    }

    /** The number of a record of the request; the first record is 1. */
    long number(final int record)
    {
        return base + record;
    }
}
