package dev.millrace.api.stage;

/** An object source of a relation. */
public interface RelationSource
{
    /**
     * Passes the sender to the source, before {@code run}. It is a {@link BatchRelationSender} when the channel
     * batches.
     *
     * @param sender to send through
     */
    void setEventSender(RelationSender sender);
}
