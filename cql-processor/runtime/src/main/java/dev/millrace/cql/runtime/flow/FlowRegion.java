package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A pattern and what reads for it, or what hands its matches on: they go through instants together. An instant is gone
 * through once all inputs that count are beyond it.
 *
 * <p>Threads: the engine's.
 */
public final class FlowRegion implements FlowPart
{
    private final TimedInput[] inputs;
    private final FlowOperator[] operators;
    private final FollowsTime[] followers;
    private final List<InnerChannel> inner;
    /** Operators that have said once that they wake by themselves; their number is {@code alarmCount}. */
    private final FlowOperator[] alarms;
    private int alarmCount;
    private final boolean isTimeOrdered;
    /** In the order in which they were asked for, which is that of their times. */
    private final List<Forgetting> forgettings = new ArrayList<>();
    private long nowNs = FlowOperator.BEGINNING;
    private long progressNs = FlowOperator.BEGINNING;
    private boolean hasBegun;

    /**
     * Makes a region.
     *
     * @param operators all, inputs before those that read them
     */
    public FlowRegion(final List<FlowOperator> operators)
    {
        this(operators, null);
    }

    /**
     * Makes a region that feeds other parts.
     *
     * @param operators all, inputs before those that read them
     * @param way       takes what its only output gives; {@code null} where it has none
     */
    public FlowRegion(final List<FlowOperator> operators, final InnerChannel way)
    {
        this.operators = operators.toArray(new FlowOperator[0]);
        inputs = only(TimedInput.class);
        isTimeOrdered = operators.stream().noneMatch(each ->
            each instanceof ReplayOperator replay && !replay.isTimeOrdered());
        followers = only(FollowsTime.class);
        inner = way == null ? List.of() : List.of(way);
        if (way != null)
        {
            way.output(only(OutputOperator.class)[0].output());
        }
        alarms = new FlowOperator[this.operators.length];
        operators.forEach(operator -> operator.region(this));
    }

    @SuppressWarnings("unchecked")
    private <T> T[] only(final Class<T> type)
    {
        return Arrays.stream(operators).filter(type::isInstance)
            .toArray(length -> (T[])java.lang.reflect.Array.newInstance(type, length));
    }

    @Override
    public void open(final RowFaults faults, final StateInput from)
    {
        for (final FlowOperator operator : operators)
        {
            operator.faults(faults);
        }
        if (from != null)
        {
            nowNs = from.readLong();
            progressNs = from.readLong();
            hasBegun = from.readBoolean();
            for (final FlowOperator operator : operators)
            {
                operator.read(from);
            }
        }
    }

    @Override
    public void write(final StateOutput to)
    {
        if (!forgettings.isEmpty())
        {
            throw new StateException("state is written when partitions that are to be forgotten are, partitions=" +
                forgettings.size());
        }
        to.writeLong(nowNs);
        to.writeLong(progressNs);
        to.writeBoolean(hasBegun);
        for (final FlowOperator operator : operators)
        {
            operator.write(to);
        }
    }

    /** An operator will wake by itself from now on. */
    void addAlarm(final FlowOperator operator)
    {
        alarms[alarmCount++] = operator;
    }

    FlowOperator[] operators()
    {
        return operators;
    }

    @Override
    public List<QueryOutput> outputs()
    {
        return List.of();
    }

    @Override
    public List<InnerChannel> inner()
    {
        return inner;
    }

    @Override
    public long closedNs()
    {
        return progressNs;
    }

    /** Goes through all instants that are complete; where rows need not come in order of time, through all. */
    @Override
    public void advance()
    {
        final long closedNs = TimeBound.closedNs(inputs);
        long nextNs = nextNs();
        while (!isTimeOrdered && nextNs != FlowOperator.NEVER)
        {
            nowNs = nextNs;
            instant();
            nextNs = nextNs();
        }
        while (nextNs <= closedNs && nextNs != FlowOperator.NEVER)
        {
            if (!forgettings.isEmpty() && forgettings.get(0).untilNs() < nextNs)
            {
                forgetNext();
            }
            else
            {
                nowNs = Math.max(nowNs, nextNs);
                instant();
            }
            nextNs = nextNs();
        }
        if (!forgettings.isEmpty() && forgettings.get(0).untilNs() <= closedNs)
        {
            forgetNext();
            advance();
            return;
        }
        if (closedNs > progressNs || !hasBegun)
        {
            hasBegun = true;
            progressNs = closedNs;
            for (final FollowsTime follower : followers)
            {
                follower.progress(closedNs);
            }
        }
    }

    @Override
    public void forget(final FlowSource from, final PartitionTest partitions)
    {
        forget(partitions, from.keepers(), from.lastNs());
        advance();
    }

    @Override
    public void discard(final FlowSource from, final PartitionTest partitions)
    {
        throw new StateException("matches cannot be told apart by partition");
    }

    /**
     * Forgets what it knows of some partitions, when the instant of the last of their rows that wait has been gone
     * through.
     *
     * @param partitions which
     * @param keepers    operators that know something
     * @param lastNs     time of the last row that came into the engine
     */
    void forget(final PartitionTest partitions, final Set<FlowOperator> keepers, final long lastNs)
    {
        long untilNs = FlowOperator.BEGINNING;
        for (final FlowOperator operator : operators)
        {
            if (operator instanceof SourceOperator source && keepers.contains(source))
            {
                untilNs = Math.max(untilNs, source.lastWaitingNs(partitions));
            }
            else if (progressNs < lastNs && (operator instanceof ReplayOperator ||
                operator instanceof SourceOperator inside && inside.isInner()))
            {
                // Matches that were found may still be on their way.
                untilNs = lastNs;
            }
        }
        if (untilNs == FlowOperator.BEGINNING)
        {
            forget(new Forgetting(partitions, keepers, untilNs));
            return;
        }
        // Those before it are done first, whatever their rows wait for.
        final long afterNs = forgettings.isEmpty() ? untilNs :
            Math.max(untilNs, forgettings.get(forgettings.size() - 1).untilNs());
        forgettings.add(new Forgetting(partitions, keepers, afterNs));
        for (final FlowOperator operator : operators)
        {
            if (operator instanceof SourceOperator source && keepers.contains(source))
            {
                source.keepApart(partitions, afterNs);
            }
        }
    }

    /** Forgets what is to be forgotten first; rows that came afterwards are next. */
    private void forgetNext()
    {
        final Forgetting next = forgettings.remove(0);
        forget(next);
        for (final FlowOperator operator : operators)
        {
            if (operator instanceof SourceOperator source && next.keepers().contains(source))
            {
                source.letIn();
            }
        }
    }

    private void forget(final Forgetting forgetting)
    {
        try
        {
            for (final FlowOperator operator : operators)
            {
                if (operator.isDue(nowNs))
                {
                    operator.run(nowNs);
                }
                if (forgetting.keepers().contains(operator))
                {
                    operator.forget(forgetting.partitions());
                }
            }
        }
        finally
        {
            clear();
        }
    }

    /** What is to be forgotten, and after which instant. */
    private record Forgetting(PartitionTest partitions, Set<FlowOperator> keepers, long untilNs)
    {
    }

    /** Goes through what is left: nothing more will come at all. */
    @Override
    public void finish()
    {
        advance();
        for (final FlowOperator operator : operators)
        {
            operator.finish(progressNs);
        }
    }

    @Override
    public void flush(final boolean withTime)
    {
        // Its output feeds other parts, which take the rows by the way between them.
    }

    private long nextNs()
    {
        long nextNs = FlowOperator.NEVER;
        for (final TimedInput input : inputs)
        {
            nextNs = Math.min(nextNs, input.nextNs());
        }
        for (int i = 0; i < alarmCount; i++)
        {
            nextNs = Math.min(nextNs, alarms[i].wakeNs());
        }
        return nextNs;
    }

    private void instant()
    {
        try
        {
            for (final TimedInput input : inputs)
            {
                input.load(nowNs);
            }
        }
        catch (final RuntimeException failure)
        {
            clear();
            throw failure;
        }
        work();
    }

    private void work()
    {
        try
        {
            for (final FlowOperator operator : operators)
            {
                if (operator.isDue(nowNs))
                {
                    operator.run(nowNs);
                }
            }
        }
        finally
        {
            clear();
        }
    }

    private void clear()
    {
        for (final FlowOperator operator : operators)
        {
            operator.delta().clear();
        }
    }
}
