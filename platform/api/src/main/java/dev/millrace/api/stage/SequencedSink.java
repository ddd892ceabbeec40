package dev.millrace.api.stage;

/**
 * A sink that stores the numbers of the rows that it has received together with its results, so that it recognizes
 * rows that are sent again, even after a restart. See {@link dev.millrace.api.event.RowSequence}.
 */
public interface SequencedSink extends EventBatchSink
{
    /** The sink does not store numbers. */
    long NOT_STORED = -1;

    /**
     * Returns the number up to which the rows of a producer are stored: it may send the rows after it again, and those
     * that were received nevertheless are dropped. May be called by any thread.
     *
     * @param producer name, as in {@link dev.millrace.api.event.Producers}
     * @return 0 if none was received, {@link #NOT_STORED} if rows that are sent again are processed again
     */
    long receivedFrom(String producer);
}
