package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.List;

/**
 * A channel that feeds an engine: how far its time has come, and what takes its rows for patterns.
 *
 * <p>Threads: the engine's.
 */
public final class FlowSource implements TimeBound
{
    /** Kinds of time. */
    public enum TimeKind
    {
        /** Given by the platform; all such sources share one clock. */
        SYSTEM,
        /** Given by the application, never decreasing. */
        APPLICATION,
        /** Given by the application, strictly increasing. */
        TOTAL_ORDER
    }

    private final String name;
    private final TimeKind time;
    private final boolean silent;
    private List<FlowSource> origins = List.of();
    private FlowUnit feeder;
    private long lastNs = FlowTime.BEGINNING;
    private long closedNs = FlowTime.BEGINNING;
    private long clockNs = FlowTime.BEGINNING;

    /**
     * Makes a source.
     *
     * @param name   channel id
     * @param time   kind of time
     * @param silent whether others never wait for it
     */
    public FlowSource(final String name, final TimeKind time, final boolean silent)
    {
        this.name = name;
        this.time = time;
        this.silent = silent;
    }

    /** A source whose rows come from another part of the engine. */
    static FlowSource inner(final String name, final List<FlowSource> origins)
    {
        final FlowSource inner = new FlowSource(name, TimeKind.APPLICATION, false);
        inner.origins = List.copyOf(origins);
        return inner;
    }

    /** Whether its rows come from a channel by way of another part of the engine. */
    boolean isFedBy(final FlowSource channel)
    {
        return origins.contains(channel);
    }

    /** Learns which part of the engine its rows come from. */
    void feeder(final FlowUnit unit)
    {
        feeder = unit;
    }

    /** Whether rows of partitions that its feeder was asked to forget may still come. */
    boolean mayBringForgotten()
    {
        return feeder == null || feeder.mayHoldForgotten();
    }

    /**
     * Channel id.
     *
     * @return name
     */
    public String name()
    {
        return name;
    }

    boolean isSystem()
    {
        return time == TimeKind.SYSTEM;
    }

    @Override
    public boolean isSilent()
    {
        return silent;
    }

    /** The shared clock of system time has come to this. */
    void clockNs(final long timeNs)
    {
        clockNs = timeNs;
    }

    /** Whether a row of this time may still come. */
    boolean accepts(final long timeNs)
    {
        return timeNs >= lastNs && timeNs != FlowTime.NEVER;
    }

    void rowSeen(final long timeNs)
    {
        lastNs = timeNs;
        // Another row of the same time may follow, unless times are all different.
        final boolean mayRepeat = time == TimeKind.APPLICATION && timeNs != FlowTime.BEGINNING;
        closedNs = Math.max(closedNs, mayRepeat ? timeNs - 1 : timeNs);
    }

    void timeSeen(final long timeNs)
    {
        lastNs = Math.max(lastNs, timeNs);
        closedNs = Math.max(closedNs, timeNs);
    }

    /** No further row will come of the times seen so far. */
    void close()
    {
        closedNs = lastNs;
    }

    long lastNs()
    {
        return lastNs;
    }

    @Override
    public long closedNs()
    {
        return Math.max(clockNs, closedNs);
    }

    /** Rows up to this time are the only ones of theirs: {@link FlowTime#NEVER} where times never repeat. */
    long closesNs()
    {
        return time == TimeKind.APPLICATION ? closedNs() : FlowTime.NEVER;
    }

    /** Writes how far its time has come. */
    void write(final StateOutput to)
    {
        to.writeString(name);
        to.writeLong(lastNs);
        to.writeLong(closedNs);
        to.writeLong(clockNs);
    }

    /** Takes over what a source of the same name has written. */
    void read(final StateInput from)
    {
        final String written = from.readString();
        if (!name.equals(written))
        {
            throw new StateException("state of another plan cannot be read, source=" + written + " here=" + name);
        }
        lastNs = from.readLong();
        closedNs = from.readLong();
        clockNs = from.readLong();
    }
}
