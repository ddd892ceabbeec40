package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a flow: takes batches of its sources in, goes through the instants that they complete, and puts rows out.
 *
 * <p>Threads: one at a time; {@link #statistics()} may be called by any. Ownership: batches are lent. Failure: a row
 * that cannot be computed is rejected and counted, the flow goes on.
 */
public final class FlowEngine
{
    /** Reason of a row that is older than its predecessor. */
    public static final String TIME_GOES_BACKWARDS = "time-goes-backwards";
    /** Reason of a row whose time is {@link FlowTime#NEVER}, which no instant has. */
    public static final String NO_TIME = "time-out-of-range";

    private final FlowSource[] sources;
    /** Those that feed others before them. */
    private final UnitSlot[] units;
    private final AcceptedRows accepted = new AcceptedRows();
    private final RowRejection rejection;
    private long systemNs = FlowTime.BEGINNING;
    private boolean tellsTime;
    private volatile long rowsIn;
    private volatile long rowsRejected;

    /**
     * Makes an engine and goes through the beginning of time.
     *
     * @param sources   channels, by their index
     * @param units     those that feed others before them
     * @param rejection takes note of rejected rows
     */
    public FlowEngine(final List<FlowSource> sources, final List<UnitSlot> units, final RowRejection rejection)
    {
        this(sources, units, rejection, null);
    }

    /**
     * Makes an engine that goes on where another one of the same flow was.
     *
     * @param sources   channels, by their index
     * @param units     those that feed others before them
     * @param rejection takes note of rejected rows
     * @param from      what that one has written; {@code null} for an engine that begins
     * @throws StateException when it is state of another flow, or makes no sense; the engine must not be used then
     */
    public FlowEngine(final List<FlowSource> sources, final List<UnitSlot> units, final RowRejection rejection,
        final StateInput from)
    {
        this.units = units.toArray(new UnitSlot[0]);
        this.sources = sources.toArray(new FlowSource[0]);
        this.rejection = rejection;
        if (from != null)
        {
            read(from);
            return;
        }
        units.forEach(each -> each.open(this::reject, null));
        // What the beginning puts out waits in the outputs: while an engine is made, nobody listens yet.
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
        for (final UnitSlot part : units)
        {
            part.open(this::reject, from);
            part.inner().forEach(way -> way.source().read(from));
        }
    }

    /**
     * Writes all that it knows; what it has for its sinks goes out first. Called between batches.
     *
     * @param to takes it
     * @throws StateException when something of it cannot be written, or there is too much
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
        for (final UnitSlot part : units)
        {
            part.write(to);
            part.inner().forEach(way -> way.source().write(to));
        }
    }

    /** Lets it tell its outputs after every batch how far time has come, also where no row says so. */
    public void tellTime()
    {
        tellsTime = true;
    }

    /** Index of a source by its name; -1 when there is none. */
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
     * Takes the rows of a batch or, when it has none, lets the time of the source pass to the batch's base timestamp.
     * What follows from it has been given to the sinks when this returns.
     *
     * @param source index
     * @param batch  lent until this method returns
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
     * Takes some rows of a batch, as if it had no others.
     *
     * @param source index
     * @param batch  lent until this method returns
     * @param rows   numbers of rows, in order
     * @param count  how many
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

    /** Gives rows that were accepted, of those that came, to all units. */
    private void run(final FlowSource from, final int count)
    {
        rowsIn += count;
        if (accepted.count() > 0)
        {
            for (final UnitSlot slot : units)
            {
                slot.rows(from, accepted);
            }
        }
        advance();
        flush(tellsTime);
    }

    /** Rows whose times they bring. */
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

    /** Whether all rows may come, which is nearly always so. */
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
            // Sources on other threads may be a little ahead: the platform gave the time, so it may give it anew.
            timeNs = Math.max(timeNs, systemNs);
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
     * Forgets what it knows of some partitions of a source: rows that come from now on find nothing. Rows that wait for
     * their instant are done with first, so that rows that leave relations come out now or after that instant.
     *
     * @param source     index
     * @param partitions which
     */
    public void forget(final int source, final PartitionTest partitions)
    {
        for (final UnitSlot part : units)
        {
            part.forget(sources[source], partitions);
            pass(part);
        }
        // What waits for the end of an instant is due where that is over already.
        advance();
        flush(false);
    }

    /**
     * Drops what it knows of some partitions of a source at once, rows that wait too. What comes out meanwhile means
     * nothing: for copies that are to keep the other partitions alone.
     *
     * @param source     index
     * @param partitions which
     * @throws StateException when that cannot be told apart
     */
    public void discard(final int source, final PartitionTest partitions)
    {
        for (final UnitSlot part : units)
        {
            part.discard(sources[source], partitions);
        }
    }

    /**
     * Goes through all instants up to the times seen, and lets everything out that is decided: no source has more rows.
     */
    public void finish()
    {
        for (final FlowSource source : sources)
        {
            source.close();
        }
        for (final UnitSlot part : units)
        {
            part.finish();
            pass(part);
        }
        flush(false);
    }

    private void advance()
    {
        for (final UnitSlot part : units)
        {
            part.advance();
            pass(part);
        }
    }

    /** Hands on what a part has for others, which come after it. */
    private static void pass(final UnitSlot part)
    {
        final List<InnerChannel> inner = part.inner();
        for (int i = 0; i < inner.size(); i++)
        {
            inner.get(i).pass(part.closedNs());
        }
    }

    private void flush(final boolean withTime)
    {
        RuntimeException failure = null;
        for (final UnitSlot part : units)
        {
            try
            {
                part.flush(withTime);
            }
            catch (final RuntimeException unexpected)
            {
                // A stage below one query fails: the others get their rows all the same.
                failure = failure == null ? unexpected : failure;
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    /**
     * The figures now.
     *
     * @return {@code rowsIn}, {@code rowsRejected}, {@code rowsOut} by query id and {@code state}: rows kept
     */
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rowsIn", rowsIn);
        figures.put("rowsRejected", rowsRejected);
        final Map<String, Object> rowsOut = new LinkedHashMap<>();
        final Map<String, Object> state = new LinkedHashMap<>();
        long forgotten = 0;
        for (final UnitSlot slot : units)
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
