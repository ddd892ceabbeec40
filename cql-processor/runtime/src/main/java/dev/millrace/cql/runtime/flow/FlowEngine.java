package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a flow: accepts batches of its sources, processes the instants that they complete, and emits rows.
 *
 * <p>Threads: called by one thread at a time; {@link #statistics()} is thread-safe. Ownership: batches are lent.
 * Failure: a row that cannot be computed is rejected and counted; the flow continues.
 */
public final class FlowEngine
{
    /** Reason for a row that is older than its predecessor. */
    public static final String TIME_GOES_BACKWARDS = "time-goes-backwards";
    /** Reason for a row whose time is {@link FlowTime#NEVER}, which is not an instant. */
    public static final String NO_TIME = "time-out-of-range";

    private final FlowSource[] sources;
    /** In topological order. */
    private final UnitRunner[] units;
    private final AcceptedRows accepted = new AcceptedRows();
    private final RejectionHandler rejection;
    private long systemNs = FlowTime.BEGINNING;
    private boolean tellsTime;
    private volatile long rowsIn;
    private volatile long rowsRejected;

    /**
     * Creates an engine that processes the beginning of time, or continues from the state of another engine of the same
     * flow.
     *
     * @param sources   channels, by index
     * @param units     in topological order
     * @param rejection receives rejected rows
     * @param from      state of that engine; {@code null} for a new one
     * @throws StateException when it is state of another flow, or corrupt; the engine must not be used then
     */
    public FlowEngine(final List<FlowSource> sources, final List<UnitRunner> units, final RejectionHandler rejection,
        final StateInput from)
    {
        this.units = units.toArray(new UnitRunner[0]);
        this.sources = sources.toArray(new FlowSource[0]);
        this.rejection = rejection;
        if (from != null)
        {
            read(from);
            return;
        }
        units.forEach(each -> each.open(this::reject, null));
        // The output of the beginning stays in the outputs: nothing is attached to them while an engine is created.
        advance();
    }

    private void read(final StateInput from)
    {
        if (from.readCount() != sources.length || from.readCount() != units.length)
        {
            throw new StateException("state of another plan cannot be read, sources=" + sources.length + " units=" +
                units.length);
        }
        systemNs = from.readLong();
        for (final FlowSource source : sources)
        {
            source.read(from);
        }
        for (final UnitRunner part : units)
        {
            part.open(this::reject, from);
            part.inner().forEach(way -> way.source().read(from));
        }
    }

    /**
     * Writes its state; rows for its sinks are emitted first. Called between batches.
     *
     * @throws StateException when some of the state cannot be written, or is too large
     */
    public void write(final StateOutput to)
    {
        flush(false);
        to.writeCount(sources.length);
        to.writeCount(units.length);
        to.writeLong(systemNs);
        for (final FlowSource source : sources)
        {
            source.write(to);
        }
        for (final UnitRunner part : units)
        {
            part.write(to);
            part.inner().forEach(way -> way.source().write(to));
        }
    }

    /** Enables heartbeats to its outputs after every batch, also when no row carries the time. */
    public void tellTime()
    {
        tellsTime = true;
    }

    /** Index of a source by its name; -1 when it does not exist. */
    public int source(final String name)
    {
        for (int i = 0; i < sources.length; i++)
        {
            if (sources[i].name().equals(name))
            {
                return i;
            }
        }
        return -1;
    }

    private void reject(final String reason, final String detail)
    {
        rowsRejected++;
        rejection.reject(1, reason, detail);
    }

    /**
     * Processes the rows of a batch or, when it has none, advances the time of the source to the base timestamp of the
     * batch. When this method returns, all resulting rows have been passed to the sinks.
     *
     * @param batch lent until this method returns
     */
    public void onBatch(final int source, final EventBatch batch)
    {
        final FlowSource from = sources[source];
        if (batch.size() == 0)
        {
            from.timeSeen(batch.baseTimestampNs());
            timePasses(from);
            advance();
            flush(true);
            return;
        }
        accepted.begin(batch, from.closesNs());
        if (!from.isSystem() && batch.timestampPerRow() &&
            isInOrder(batch.timestampsNs(), batch.size(), from.lastNs()))
        {
            accepted.addAll();
            from.rowSeen(batch.timestampsNs()[batch.size() - 1]);
            run(from, batch.size());
        }
        else
        {
            onRows(source, batch, AcceptedRows.ALL, batch.size());
        }
    }

    /**
     * Processes some rows of a batch, as if it had no others.
     *
     * @param batch lent until this method returns
     * @param rows  row numbers, in order
     * @param count number of rows
     */
    public void onRows(final int source, final EventBatch batch, final int[] rows, final int count)
    {
        final FlowSource from = sources[source];
        accepted.begin(batch, from.closesNs());
        if (from.isSystem())
        {
            for (int i = 0; i < count; i++)
            {
                take(from, batch, rows[i]);
            }
        }
        else
        {
            takeAll(from, batch, rows, count);
        }
        run(from, count);
    }

    /** Passes the accepted rows of a batch to all units. */
    private void run(final FlowSource from, final int count)
    {
        rowsIn += count;
        if (accepted.count() > 0)
        {
            for (final UnitRunner slot : units)
            {
                slot.rows(from, accepted);
            }
        }
        advance();
        flush(tellsTime);
    }

    /** Accepts rows with the times they carry. */
    private void takeAll(final FlowSource from, final EventBatch batch, final int[] rows, final int count)
    {
        long lastNs = from.lastNs();
        for (int i = 0; i < count; i++)
        {
            final long timeNs = batch.timestampNs(rows[i]);
            if (timeNs >= lastNs && timeNs != FlowTime.NEVER)
            {
                lastNs = timeNs;
                accepted.add(rows[i], timeNs);
            }
            else
            {
                rejectTime(from, timeNs, lastNs);
            }
        }
        if (accepted.count() > 0)
        {
            from.rowSeen(lastNs);
        }
    }

    /** Whether all rows are in order, which is nearly always true. */
    private static boolean isInOrder(final long[] timesNs, final int count, final long lastNs)
    {
        long last = lastNs;
        boolean isInOrder = true;
        for (int row = 0; row < count; row++)
        {
            isInOrder &= timesNs[row] >= last;
            last = timesNs[row];
        }
        return isInOrder && last != FlowTime.NEVER;
    }

    private void rejectTime(final FlowSource from, final long timeNs, final long lastNs)
    {
        reject(timeNs == FlowTime.NEVER ? NO_TIME : TIME_GOES_BACKWARDS,
            "source=" + from.name() + " timeNs=" + timeNs + " lastNs=" + lastNs);
    }

    private void take(final FlowSource from, final EventBatch batch, final int row)
    {
        long timeNs = batch.timestampNs(row);
        if (from.isSystem())
        {
            // Sources on other threads may be slightly ahead. The platform assigned the time, so it may assign it
            // again: a later one than that of any other row of the channel, because two rows never share an instant.
            timeNs = Math.max(Math.max(timeNs, systemNs), from.lastNs() + 1);
        }
        if (!from.accepts(timeNs))
        {
            rejectTime(from, timeNs, from.lastNs());
            return;
        }
        accepted.add(row, timeNs);
        from.rowSeen(timeNs);
        timePasses(from);
    }

    private void timePasses(final FlowSource from)
    {
        if (from.isSystem() && from.lastNs() > systemNs)
        {
            systemNs = from.lastNs();
            for (final FlowSource source : sources)
            {
                if (source.isSystem())
                {
                    source.clockNs(systemNs);
                }
            }
        }
    }

    /**
     * Discards the state of some partitions of a source: later rows find nothing. Rows that wait for their instant are
     * processed first, so that rows that leave relations are emitted now or after that instant.
     */
    public void forget(final int source, final PartitionPredicate partitions)
    {
        for (final UnitRunner part : units)
        {
            part.forget(sources[source], partitions);
            pass(part);
        }
        // Rows that wait for the end of an instant that has already passed are due.
        advance();
        flush(false);
    }

    /**
     * Discards the state of some partitions of a source at once, including waiting rows. Rows emitted during the call
     * are meaningless: for copies that keep only the other partitions.
     *
     * @throws StateException when the state cannot be separated by partition
     */
    public void discard(final int source, final PartitionPredicate partitions)
    {
        for (final UnitRunner part : units)
        {
            part.discard(sources[source], partitions);
        }
    }

    /**
     * Processes all instants up to the times seen and emits everything that is decided: no source will deliver further
     * rows.
     */
    public void finish()
    {
        for (final FlowSource source : sources)
        {
            source.close();
        }
        for (final UnitRunner part : units)
        {
            part.finish();
            pass(part);
        }
        flush(false);
    }

    private void advance()
    {
        for (final UnitRunner part : units)
        {
            part.advance();
            pass(part);
        }
    }

    /** Passes the output of a unit to the units that read it, which come later. */
    private static void pass(final UnitRunner part)
    {
        final List<InternalChannel> inner = part.inner();
        for (int i = 0; i < inner.size(); i++)
        {
            inner.get(i).pass(part.closedNs());
        }
    }

    private void flush(final boolean withTime)
    {
        RuntimeException failure = null;
        for (final UnitRunner part : units)
        {
            try
            {
                part.flush(withTime);
            }
            catch (final RuntimeException unexpected)
            {
                // A stage downstream of one query fails: the other queries still get their rows.
                failure = failure == null ? unexpected : failure;
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    /**
     * Current statistics.
     *
     * @return {@code rowsIn}, {@code rowsRejected}, {@code rowsOut} by query id and {@code state}: stored rows
     */
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rowsIn", rowsIn);
        figures.put("rowsRejected", rowsRejected);
        final Map<String, Object> rowsOut = new LinkedHashMap<>();
        final Map<String, Object> state = new LinkedHashMap<>();
        long forgotten = 0;
        for (final UnitRunner slot : units)
        {
            slot.outputs().forEach(output -> rowsOut.put(output.queryId(), output.rowsOut()));
            forgotten += slot.unit().forgottenKeys();
            final int first = state.size();
            slot.unit().state((name, size) -> state.merge(name + first, size, (a, b) -> (Long)a + (Long)b));
        }
        figures.put("idleKeysForgotten", forgotten);
        figures.put("rowsOut", rowsOut);
        figures.put("state", state);
        return figures;
    }
}
