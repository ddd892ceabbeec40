package dev.millrace.embedded;

import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.Network;
import java.time.Duration;
import java.util.Map;

/**
 * A running network in this process.
 *
 * <p>Thread-safe. Rows of a query that is not partitioned are processed by the thread that sends, before {@code send}
 * returns; windows also advance without rows, on a thread of the network. Failure: an event that cannot be processed is
 * rejected, counted in {@link #statistics} and logged; senders never fail for it.
 */
public final class EmbeddedNetwork implements AutoCloseable
{
    private final Network network;
    private final Map<String, InputDefinition> inputs;
    private final Clock clock;

    private EmbeddedNetwork(final Network network, final Map<String, InputDefinition> inputs, final Clock clock)
    {
        this.network = network;
        this.inputs = inputs;
        this.clock = clock;
    }

    static EmbeddedNetwork started(final Network network, final Map<String, InputDefinition> inputs, final Clock clock)
    {
        boolean isStarted = false;
        try
        {
            network.start();
            isStarted = true;
            return new EmbeddedNetwork(network, Map.copyOf(inputs), clock);
        }
        finally
        {
            if (!isStarted)
            {
                network.stop();
            }
        }
    }

    /**
     * Sends an event to a stream, or inserts a row into a relation.
     *
     * @param channel id of the input
     * @param event   bean, map or tuple of its event type; not changed and not stored
     * @throws IllegalArgumentException if there is no such input of objects
     */
    public void sendEvent(final String channel, final Object event)
    {
        stream(channel).sendInsertEvent(event);
    }

    /**
     * Sends an event of a tuple type by its values.
     *
     * @param channel id of the input
     * @param values  one per property in order of the type; {@code null} is null
     * @throws IllegalArgumentException if there is no such input, or the number of values is wrong
     */
    public void send(final String channel, final Object... values)
    {
        final InputStage input = input(channel);
        input.sender().sendInsertEvent(input.event(values));
    }

    /**
     * Creates an event of a tuple type, for senders.
     *
     * @param channel id of the input
     * @param values  one per property in order of the type; {@code null} is null
     * @return event
     * @throws IllegalArgumentException if there is no such input, or the number of values is wrong
     */
    public Object event(final String channel, final Object... values)
    {
        return input(channel).event(values);
    }

    /**
     * Returns the sender of a stream, for callers that send many events or heartbeats.
     *
     * @param channel id of the input
     * @return thread-safe; calls are serialized
     * @throws IllegalArgumentException if there is no such input of objects
     */
    public StreamSender stream(final String channel)
    {
        return input(channel).sender();
    }

    /**
     * Returns the sender of a relation.
     *
     * @param channel id of the input
     * @return thread-safe; calls are serialized
     * @throws IllegalArgumentException if there is no such relation
     */
    public RelationSender relation(final String channel)
    {
        if (!definition(channel).isRelation())
        {
            throw new IllegalArgumentException("the input is a stream, id=" + channel);
        }
        return (RelationSender)stream(channel);
    }

    /**
     * Returns the sender of batches of a stream.
     *
     * @param channel id of a stream that was declared by {@code batchStream}
     * @return confined to one thread; call {@link EventBatchSender#another} for others
     * @throws IllegalArgumentException if there is no such input of batches
     */
    public EventBatchSender batchSender(final String channel)
    {
        if (definition(channel).stage() instanceof BatchInputStage stage)
        {
            return stage.sender();
        }
        throw new IllegalArgumentException("the input does not take batches, id=" + channel +
            "; declare it by batchStream");
    }

    private InputStage input(final String channel)
    {
        if (definition(channel).stage() instanceof InputStage stage)
        {
            return stage;
        }
        throw new IllegalArgumentException("the input does not take single events, id=" + channel +
            "; declare it by stream or relation");
    }

    private InputDefinition definition(final String channel)
    {
        final InputDefinition input = inputs.get(channel);
        if (input == null)
        {
            throw new IllegalArgumentException("no such input, id=" + channel + "; inputs are " +
                inputs.keySet().stream().sorted().toList());
        }
        return input;
    }

    /**
     * Advances the manual clock of this network, and lets idle channels pass the new time to their queries.
     *
     * @param time at least 0; the queries see it if it is more than the heartbeat interval of 100 ms
     * @throws IllegalStateException if the clock is not a {@link ManualClock}
     */
    public void advance(final Duration time)
    {
        if (!(clock instanceof ManualClock manual))
        {
            throw new IllegalStateException("only a manual clock can be advanced; set one by the builder");
        }
        manual.advance(time.toNanos());
        network.sendHeartbeats();
    }

    /**
     * Returns the network, for its state, rules, sources and conditions.
     *
     * @return owned by this object
     */
    public Network network()
    {
        return network;
    }

    /**
     * Returns the current statistics, see {@link Network#statistics}.
     *
     * @return a snapshot that is taken without blocking the events
     */
    public Map<String, Object> statistics()
    {
        return network.statistics();
    }

    /** Stops the network after the rows that were sent are processed. */
    @Override
    public void close()
    {
        network.stop();
    }
}
