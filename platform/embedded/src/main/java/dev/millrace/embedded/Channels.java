package dev.millrace.embedded;

import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import dev.millrace.network.spi.ProcessorProvider.TimeKind;
import dev.millrace.network.spi.QueryOutput;
import java.util.List;

/** Definitions of the channels of an embedded network. Stateless. */
final class Channels
{
    /** Names of stages are separated from user's names by it. */
    private static final char SEPARATOR = '#';

    private Channels()
    {
    }

    /** The id of the stage above an input channel. */
    static String source(final String channel)
    {
        return channel + SEPARATOR + "input";
    }

    /** The id of a stage below an output channel. */
    static String sink(final String query, final int index)
    {
        return query + SEPARATOR + "output" + index;
    }

    /** The channel that carries rows into the processor. */
    static ChannelStage input(final InputDefinition input, final String processor)
    {
        return channel(input.id(), input.type(), input.isRelation(), input.key(),
            input.timestampProperty() == null ? ChannelStage.Time.SYSTEM :
                new ChannelStage.Time(input.timestampProperty(), false, 0), List.of(), List.of(processor));
    }

    /** The same channel as the processor's rules see it. */
    static InputChannel planned(final InputDefinition input)
    {
        return new InputChannel(input.id(), input.type(), input.isRelation(),
            input.timestampProperty() == null ? TimeKind.SYSTEM : TimeKind.APPLICATION, input.isRelation(),
            input.key(), null, input.timestampProperty());
    }

    /** The channel that carries the rows of a query to its handlers. */
    static ChannelStage output(final QueryOutput query, final EventType type, final List<String> sinks)
    {
        return channel(query.queryId(), type, query.relation(),
            query.unique() == null ? List.of() : List.copyOf(query.unique()),
            ChannelStage.Time.SYSTEM, List.of(query.queryId()), sinks);
    }

    private static ChannelStage channel(final String id, final EventType type, final boolean isRelation,
        final List<String> key, final ChannelStage.Time time, final List<String> selector,
        final List<String> listeners)
    {
        return new ChannelStage(id, type, isRelation, key, ChannelStage.Queue.PASS_THROUGH, false, time, selector,
            listeners, SourcePosition.NONE);
    }
}
