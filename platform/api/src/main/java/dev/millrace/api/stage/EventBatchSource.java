package dev.millrace.api.stage;

/** A columnar source: fills batches and sends them. */
public interface EventBatchSource
{
    /**
     * Passes the sender to the source, before {@code run}.
     *
     * @param sender for the thread that will call {@code run}
     */
    void setBatchSender(EventBatchSender sender);
}
