package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.AggregateFactory;
import dev.millrace.cql.runtime.flow.AggregateFunction;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.flow.Values;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StatePart;
import dev.millrace.cql.runtime.unit.Unit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;

/**
 * One aggregate of all groups that is an object a group: a function of a library or of a user, or a built-in one over
 * values that are no longs. It is asked for its value when an instant in which its group has changed is over; the value
 * before that is kept. A function that is not incremental keeps the arguments of its rows, and takes them anew when it
 * is asked for its value after a row has left.
 *
 * <p>Threads: the engine's.
 */
public final class GroupFunctions implements StatePart
{
    /** Of a group: its objects, and a function of a few numbers. */
    private static final long GROUP_BYTES = 96;
    private static final int FEWEST = 16;

    private final AggregateFactory factory;
    private final String name;
    private final CqlType type;
    private final MemoryAccount memory;
    private State[] states = new State[FEWEST];
    private int rows;

    /** Of a group. Values are boxed, {@code null}, or the exception with which the function has failed. */
    private static final class State
    {
        private AggregateFunction function;
        private List<Object[]> kept;
        private boolean isStale;
        private Object before;
        private Object now;
    }

    /**
     * Makes one without groups.
     *
     * @param factory makes functions
     * @param name    for messages
     * @param type    of the value
     * @param memory  is charged each group
     */
    public GroupFunctions(
        final AggregateFactory factory, final String name, final CqlType type, final MemoryAccount memory)
    {
        this.factory = factory;
        this.name = name;
        this.type = type;
        this.memory = memory;
    }

    /**
     * A number for a row that enters.
     *
     * @return one that no other row has lately got
     */
    public int number()
    {
        rows = rows + 1 & Integer.MAX_VALUE;
        return rows;
    }

    /**
     * A row enters a group.
     *
     * @param group     id
     * @param isFirst   whether the group has no other row
     * @param arguments boxed
     * @param row       its {@link #number}
     * @return why the row cannot be taken, in which case it leaves no trace; {@code null} when it is taken
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
        // Functions are written by users: they may throw anything.
        catch (final Throwable failure)
        {
            return failed(failure);
        }
    }

    private RowRejectedException failed(final Throwable failure)
    {
        return Values.failed(RowRejection.AGGREGATE_FAILED, "function=" + name, failure);
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
        if (state.function instanceof KeptValues values)
        {
            values.memory(memory);
        }
        state.function.reset();
        state.kept = state.function.isIncremental() ? null : new LinkedList<>();
        state.isStale = false;
    }

    /**
     * A row that has entered leaves.
     *
     * @param group     id
     * @param arguments boxed
     * @param row       its number, -1 when that is not known
     * @param faults    takes note of a function that fails
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
     * The instant is over: computes the value of a group that has changed.
     *
     * @param group  id
     * @param faults takes note of rows that turn out to be faulty
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

    /** Gives the rows again; those that came while the function was stale are new to it. */
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
     * The change of a group has been shown.
     *
     * @param group  id
     * @param isGone whether the group has no row any more
     */
    public void shown(final int group, final boolean isGone)
    {
        if (isGone)
        {
            if (states[group].function instanceof KeptValues values)
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
     * @param group    id
     * @param isBefore whether the value before the change is asked for
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
        // What is computed anew is what its rows are.
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

    /** A function as what writes its state; refuses one that does not. */
    static StatePart part(final AggregateFunction function, final String name)
    {
        if (function instanceof final StatePart part)
        {
            return part;
        }
        throw new StateException("the state of an aggregate cannot be written, function=" + name + " class=" +
            function.getClass().getName());
    }

    /** A value, or why there is none. */
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
