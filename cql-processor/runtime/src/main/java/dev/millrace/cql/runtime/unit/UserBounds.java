package dev.millrace.cql.runtime.unit;

import dev.millrace.api.window.TimeWindow;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.UserObjectState;
import java.util.List;

/**
 * The last bounds of a user-defined window, and when they move next. When the window throws, the failure is counted and
 * the bounds stay as they are until the next row.
 *
 * <p>Confined to the engine thread.
 */
public final class UserBounds implements StateHolder
{
    private final String name;
    private final TimeWindow window;
    private final Unit unit;
    private long afterNs = Unit.BEGINNING;
    private long untilNs = Unit.BEGINNING;
    private long dueNs = Unit.NEVER;

    /**
     * Initially, no row is inside the bounds.
     *
     * @param name   for messages
     * @param window computes the bounds
     * @param unit   counts failures
     */
    public UserBounds(final String name, final TimeWindow window, final Unit unit)
    {
        this.name = name;
        this.window = window;
        this.unit = unit;
    }

    /**
     * Refers to a user-defined window in a plan.
     *
     * @param name      under which it is bound
     * @param arguments of the window
     */
    public record Name(String name, List<Object> arguments) implements UnitConstant
    {
        public Name
        {
            arguments = List.copyOf(arguments);
        }

        @Override
        public TimeWindow in(final FlowBindings bindings)
        {
            return FlowBindings.bound(bindings.windows(), name, "window").newWindow(arguments);
        }
    }

    /** When the bounds move next; {@link Unit#NEVER} when they stay until the next row. */
    public long dueNs()
    {
        return dueNs;
    }

    /**
     * Asks the window for its bounds at an instant.
     *
     * @return false when it has failed
     */
    public boolean move(final long nowNs)
    {
        dueNs = Unit.NEVER;
        try
        {
            afterNs = Math.max(afterNs, window.afterNs(nowNs));
            untilNs = Math.max(untilNs, Math.min(nowNs, window.untilNs(nowNs)));
            return true;
        }
        // Windows of users may throw anything.
        catch (final Throwable failure)
        {
            unit.reject(Values.failed(RejectionHandler.WINDOW_FAILED, "window=" + name, failure));
            return false;
        }
    }

    /** Whether a row has left or never was in the window: its time is at the older bound or before. */
    public boolean isOut(final long timeNs)
    {
        return timeNs <= afterNs;
    }

    /** Whether the newer bound has reached a row; false while the row waits. */
    public boolean isReached(final long timeNs)
    {
        return timeNs <= untilNs;
    }

    /**
     * Asks the window when the bounds move next.
     *
     * @param nowNs    the instant
     * @param oldestNs time of the oldest row
     */
    public void next(final long nowNs, final long oldestNs)
    {
        try
        {
            final long nextNs = window.nextNs(nowNs, oldestNs);
            if (nextNs > nowNs)
            {
                dueNs = nextNs;
                return;
            }
            unit.reject(new RowRejectedException(RejectionHandler.WINDOW_FAILED, "window=" + name +
                " cause=nextNs must be after the instant, nowNs=" + nowNs + " nextNs=" + nextNs));
        }
        // Windows of users may throw anything.
        catch (final Throwable failure)
        {
            unit.reject(Values.failed(RejectionHandler.WINDOW_FAILED, "window=" + name, failure));
        }
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeLong(afterNs);
        to.writeLong(untilNs);
        to.writeLong(dueNs);
        UserObjectState.write(window, "window=" + name, to);
    }

    @Override
    public void read(final StateInput from)
    {
        afterNs = from.readLong();
        untilNs = from.readLong();
        dueNs = from.readLong();
        UserObjectState.read(window, "window=" + name, from);
    }
}
