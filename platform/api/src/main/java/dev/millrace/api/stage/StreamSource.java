package dev.millrace.api.stage;

/** An object source of a stream. */
public interface StreamSource
{
    /**
     * Passes the sender to the source, before {@code run}. It is a {@link BatchStreamSender} when the channel batches.
     *
     * @param sender to send through
     */
    void setEventSender(StreamSender sender);
}
