package dev.millrace.cql.runtime.unit;

import dev.millrace.api.window.TimeWindow;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.flow.Values;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StatePart;
import dev.millrace.cql.runtime.state.UserState;
import java.util.List;

/**
 * The bounds that a user's window has given last, and when they move next. What the window throws is counted; the
 * bounds then stay as they are until the next row comes.
 *
 * <p>Threads: the engine's.
 */
public final class UserBounds implements StatePart
{
    private final String name;
    private final TimeWindow window;
    private final Unit unit;
    private long afterNs = Unit.BEGINNING;
    private long untilNs = Unit.BEGINNING;
    private long dueNs = Unit.NEVER;

    /**
     * Makes bounds that hold nothing yet.
     *
     * @param name   for messages
     * @param window gives the bounds
     * @param unit   counts failures
     */
    public UserBounds(final String name, final TimeWindow window, final Unit unit)
    {
        this.name = name;
        this.window = window;
        this.unit = unit;
    }

    /**
     * Stands for a window of a user in a plan.
     *
     * @param name      under which it is bound
     * @param arguments of the window
     */
    public record Name(String name, List<Object> arguments) implements UnitConstant
    {
        /** Copies the list. */
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

    /**
     * When the bounds move next.
     *
     * @return an instant, {@link Unit#NEVER} when they stay until a row comes
     */
    public long dueNs()
    {
        return dueNs;
    }

    /**
     * Asks the window for its bounds.
     *
     * @param nowNs the instant
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
        // Windows are written by users: they may throw anything.
        catch (final Throwable failure)
        {
            unit.reject(Values.failed(RowRejection.WINDOW_FAILED, "window=" + name, failure));
            return false;
        }
    }

    /**
     * Whether a row is out, whether it has been in or not.
     *
     * @param timeNs of the row
     * @return true at the older bound and before
     */
    public boolean isOut(final long timeNs)
    {
        return timeNs <= afterNs;
    }

    /**
     * Whether a row has come so far that it is in, if it is not out.
     *
     * @param timeNs of the row
     * @return false while it waits
     */
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
            unit.reject(new RowRejectedException(RowRejection.WINDOW_FAILED, "window=" + name +
                " cause=nextNs must be after the instant, nowNs=" + nowNs + " nextNs=" + nextNs));
        }
        // Windows are written by users: they may throw anything.
        catch (final Throwable failure)
        {
            unit.reject(Values.failed(RowRejection.WINDOW_FAILED, "window=" + name, failure));
        }
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeLong(afterNs);
        to.writeLong(untilNs);
        to.writeLong(dueNs);
        UserState.write(window, "window=" + name, to);
    }

    @Override
    public void read(final StateInput from)
    {
        afterNs = from.readLong();
        untilNs = from.readLong();
        dueNs = from.readLong();
        UserState.read(window, "window=" + name, from);
    }
}
