package dev.millrace.api.oep;

import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.stage.StreamSender;

/** A source of a relation whose setter may have either type of sender as its parameter. */
public interface RelationSource extends dev.millrace.api.stage.RelationSource
{
    /**
     * Passes the sender to the source, before {@code run}. Called unless the class implements the other method.
     *
     * @param sender a {@link RelationSender}
     * @throws IllegalStateException when the class implements neither method
     */
    default void setEventSender(final StreamSender sender)
    {
        throw new IllegalStateException(
            "the source does not implement setEventSender, class=" + getClass().getName());
    }

    @Override
    default void setEventSender(final RelationSender sender)
    {
        setEventSender((StreamSender)sender);
    }
}
