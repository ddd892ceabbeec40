package dev.millrace.api.stage;

/** A columnar source: fills batches and sends them. */
public interface EventBatchSource
{
    /**
     * Gives the source its sender, before {@code run}.
     *
     * @param sender for the thread that will call {@code run}
     */
    void setBatchSender(EventBatchSender sender);
}
