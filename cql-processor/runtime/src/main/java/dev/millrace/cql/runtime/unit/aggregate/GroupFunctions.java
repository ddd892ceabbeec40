package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.Unit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;

/**
 * One aggregate over all groups, with an object per group: a function of a library or of a user, or a built-in one over
 * values that are not longs. Its value is computed at the end of each instant in which its group has changed; the
 * previous value is stored. For a function that is not incremental, the arguments of the rows are stored and added
 * again when a value is needed after a row has left.
 *
 * <p>Confined to the engine thread.
 */
public final class GroupFunctions implements StateHolder
{
    /** Bytes per group: its objects, and a function with a few numbers. */
    private static final long GROUP_BYTES = 96;
    private static final int FEWEST = 16;

    private final GroupAggregateFactory factory;
    private final String name;
    private final CqlType type;
    private final MemoryAccount memory;
    private State[] states = new State[FEWEST];
    private int rows;

    /** State of a group. Values are boxed, {@code null}, or the exception with which the function has failed. */
    private static final class State
    {
        private GroupAggregate function;
        private List<Object[]> kept;
        private boolean isStale;
        private Object before;
        private Object now;
    }

    /**
     * @param factory creates functions
     * @param name    for messages
     * @param type    of the value
     * @param memory  charged for each group
     */
    public GroupFunctions(
        final GroupAggregateFactory factory, final String name, final CqlType type, final MemoryAccount memory)
    {
        this.factory = factory;
        this.name = name;
        this.type = type;
        this.memory = memory;
    }

    /** A number for a row that enters, different from those of other recent rows. */
    public int number()
    {
        rows = rows + 1 & Integer.MAX_VALUE;
        return rows;
    }

    /**
     * Adds a row to a group.
     *
     * @param isFirst   whether the group has no other row
     * @param arguments boxed
     * @param row       its {@link #number}
     * @return why the row is rejected, in which case nothing changes; {@code null} when it is accepted
     */
    public RowRejectedException enter(
        final int group, final boolean isFirst, final Object[] arguments, final int row)
    {
        try
        {
            final State state = state(group, isFirst);
            if (!state.isStale)
            {
                state.function.plus(arguments, row);
            }
            if (state.kept != null)
            {
                state.kept.add(arguments);
            }
            return null;
        }
        // Functions of users may throw anything.
        catch (final Throwable failure)
        {
            return failed(failure);
        }
    }

    private RowRejectedException failed(final Throwable failure)
    {
        return Values.failed(RejectionHandler.AGGREGATE_FAILED, "function=" + name, failure);
    }

    private State state(final int group, final boolean isNew)
    {
        if (group >= states.length)
        {
            states = Arrays.copyOf(states, Math.max(group + 1, states.length * 2));
        }
        if (states[group] == null)
        {
            states[group] = new State();
            memory.charge(GROUP_BYTES);
        }
        final State state = states[group];
        if (isNew || state.function == null)
        {
            if (state.function != null)
            {
                state.function.reset();
            }
            open(state);
        }
        return state;
    }

    private void open(final State state)
    {
        state.function = factory.newAggregate();
        if (state.function instanceof RetainedValues values)
        {
            values.memory(memory);
        }
        state.function.reset();
        state.kept = state.function.isIncremental() ? null : new LinkedList<>();
        state.isStale = false;
    }

    /**
     * Removes a row that has entered.
     *
     * @param arguments boxed
     * @param row       its number, -1 when it is not known
     * @param faults    receives failures of the function
     */
    public void leave(final int group, final Object[] arguments, final int row, final Unit faults)
    {
        final State state = states[group];
        if (state.kept != null)
        {
            removeKept(state, arguments);
            state.isStale = true;
            return;
        }
        try
        {
            state.function.minus(arguments, row);
        }
        catch (final Throwable failure)
        {
            faults.reject(failed(failure));
        }
    }

    private static void removeKept(final State state, final Object[] arguments)
    {
        final Iterator<Object[]> each = state.kept.iterator();
        while (each.hasNext())
        {
            if (Arrays.deepEquals(each.next(), arguments))
            {
                each.remove();
                return;
            }
        }
    }

    /**
     * At the end of an instant, computes the value of a group that has changed.
     *
     * @param faults receives rows that turn out to be invalid
     */
    public void compute(final int group, final Unit faults)
    {
        try
        {
            final State state = state(group, false);
            if (state.isStale)
            {
                state.isStale = false;
                takeAnew(state, faults);
            }
            state.now = converted(state.function.value());
        }
        catch (final Throwable failure)
        {
            states[group].now = failed(failure);
        }
    }

    /** Adds the rows again; the function has not yet seen those that arrived while it was stale. */
    private void takeAnew(final State state, final Unit faults)
    {
        state.function.reset();
        final Iterator<Object[]> each = state.kept.iterator();
        while (each.hasNext())
        {
            try
            {
                state.function.plus(each.next());
            }
            catch (final Throwable failure)
            {
                each.remove();
                faults.reject(failed(failure));
            }
        }
    }

    private Object converted(final Object value)
    {
        return value == null || value instanceof String text && text.isEmpty() ? null : switch (type)
        {
            case INT -> ((Number)value).intValue();
            case BIGINT, TIMESTAMP, INTERVAL -> ((Number)value).longValue();
            case FLOAT -> ((Number)value).floatValue();
            case DOUBLE -> ((Number)value).doubleValue();
            default -> type.javaClass().cast(value);
        };
    }

    /**
     * Records that the change of a group was emitted.
     *
     * @param isGone whether the group has no more rows
     */
    public void shown(final int group, final boolean isGone)
    {
        if (isGone)
        {
            if (states[group].function instanceof RetainedValues values)
            {
                values.giveBack();
            }
            states[group] = null;
            memory.release(GROUP_BYTES);
        }
        else
        {
            states[group].before = states[group].now;
        }
    }

    /**
     * The value of a group that has changed.
     *
     * @param isBefore whether to return the value before the change
     * @return boxed, or {@code null}
     * @throws RowRejectedException when it could not be computed
     */
    public Object value(final int group, final boolean isBefore)
    {
        final Object value = isBefore ? states[group].before : states[group].now;
        if (value instanceof RowRejectedException failure)
        {
            throw failure;
        }
        return value;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeInt(rows);
        to.writeCount(states.length);
        for (final State state : states)
        {
            to.writeBoolean(state != null);
            if (state != null)
            {
                write(state, to);
            }
        }
    }

    private void write(final State state, final StateOutput to)
    {
        writeResult(state.before, to);
        writeResult(state.now, to);
        to.writeBoolean(state.function != null);
        if (state.function == null)
        {
            return;
        }
        if (state.kept == null)
        {
            part(state.function, name).write(to);
            return;
        }
        // The stored rows are the state of a function that is not incremental.
        to.writeCount(state.kept.size());
        for (final Object[] arguments : state.kept)
        {
            to.writeCount(arguments.length);
            for (final Object each : arguments)
            {
                to.writeValue(each);
            }
        }
    }

    /** The function as a writer of its state; refuses a function that cannot write it. */
    static StateHolder part(final GroupAggregate function, final String name)
    {
        if (function instanceof final StateHolder part)
        {
            return part;
        }
        throw new StateException("the state of an aggregate cannot be written, function=" + name + " class=" +
            function.getClass().getName());
    }

    /** Writes a value, or the reason why it is missing. */
    private static void writeResult(final Object result, final StateOutput to)
    {
        to.writeBoolean(result instanceof RowRejectedException);
        if (result instanceof final RowRejectedException failure)
        {
            to.writeString(failure.reason());
            to.writeString(failure.getMessage());
            return;
        }
        to.writeValue(result);
    }

    private static Object readResult(final StateInput from)
    {
        return from.readBoolean() ? new RowRejectedException(from.readString(), from.readString()) : from.readValue();
    }

    @Override
    public void read(final StateInput from)
    {
        rows = from.readInt();
        states = new State[from.readSize(1)];
        for (int group = 0; group < states.length; group++)
        {
            if (from.readBoolean())
            {
                states[group] = new State();
                memory.charge(GROUP_BYTES);
                read(states[group], from);
            }
        }
    }

    private void read(final State state, final StateInput from)
    {
        state.before = readResult(from);
        state.now = readResult(from);
        if (!from.readBoolean())
        {
            return;
        }
        open(state);
        if (state.kept == null)
        {
            part(state.function, name).read(from);
            return;
        }
        for (int n = from.readSize(1); n > 0; n--)
        {
            final Object[] arguments = new Object[from.readSize(1)];
            Arrays.setAll(arguments, i -> from.readValue());
            state.kept.add(arguments);
        }
        state.isStale = true;
    }
}
