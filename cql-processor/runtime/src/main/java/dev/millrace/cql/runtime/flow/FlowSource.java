package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.List;

/**
 * A channel that feeds an engine: its progress in time, and the consumers of its rows.
 *
 * <p>Confined to the engine thread.
 */
public final class FlowSource implements InputWatermark
{
    /** Kinds of time. */
    public enum TimeKind
    {
        /** Assigned by the platform; all such sources share one clock. */
        SYSTEM,
        /** Assigned by the application, never decreasing. */
        APPLICATION,
        /** Assigned by the application, strictly increasing. */
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
     * @param name   channel id
     * @param silent whether other sources never wait for it
     */
    public FlowSource(final String name, final TimeKind time, final boolean silent)
    {
        this.name = name;
        this.time = time;
        this.silent = silent;
    }

    /** A source whose rows come from another unit of the engine. */
    static FlowSource inner(final String name, final List<FlowSource> origins)
    {
        final FlowSource inner = new FlowSource(name, TimeKind.APPLICATION, false);
        inner.origins = List.copyOf(origins);
        return inner;
    }

    /** Whether its rows originate from a channel through another unit of the engine. */
    boolean isFedBy(final FlowSource channel)
    {
        return origins.contains(channel);
    }

    /** Sets the unit of the engine that produces its rows. */
    void feeder(final FlowUnit unit)
    {
        feeder = unit;
    }

    /** Whether rows of partitions that its feeder has discarded may still arrive. */
    boolean mayBringForgotten()
    {
        return feeder == null || feeder.mayHoldForgotten();
    }

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

    /** Advances the shared clock of system time. */
    void clockNs(final long timeNs)
    {
        clockNs = timeNs;
    }

    /** Whether a row of this time may still arrive. */
    boolean accepts(final long timeNs)
    {
        return timeNs >= lastNs && timeNs != FlowTime.NEVER;
    }

    void rowSeen(final long timeNs)
    {
        lastNs = timeNs;
        // Another row of the same time may follow, unless times are strictly increasing.
        final boolean mayRepeat = time == TimeKind.APPLICATION && timeNs != FlowTime.BEGINNING;
        closedNs = Math.max(closedNs, mayRepeat ? timeNs - 1 : timeNs);
    }

    void timeSeen(final long timeNs)
    {
        lastNs = Math.max(lastNs, timeNs);
        closedNs = Math.max(closedNs, timeNs);
    }

    /** Declares that no further row of the times seen so far will arrive. */
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

    /** No further row up to this time will arrive: {@link FlowTime#NEVER} where times never repeat. */
    long closesNs()
    {
        return time == TimeKind.APPLICATION ? closedNs() : FlowTime.NEVER;
    }

    /** Writes its progress in time. */
    void write(final StateOutput to)
    {
        to.writeString(name);
        to.writeLong(lastNs);
        to.writeLong(closedNs);
        to.writeLong(clockNs);
    }

    /** Restores the progress of a source of the same name. */
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
