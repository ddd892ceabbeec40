package dev.millrace.tuning.soccer;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.tuning.harness.RowSum;
import dev.millrace.tuning.harness.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A hand-written DEBS 2013 query: base of all four loops. Columns of a batch by index, sensors by number. Not
 * thread-safe.
 */
abstract class SoccerBaseline
{
    static final int SID = 0;
    static final int X = 2;
    static final int Y = 3;
    static final int Z = 4;
    static final int V = 5;
    static final int A = 6;
    static final int VX = 7;
    static final int AT = 13;
    private static final int MAX_SID = 128;

    /** Kind of each sensor by its number. */
    final byte[] kinds = new byte[MAX_SID];
    /** Player of each sensor by its number. */
    final int[] players = new int[MAX_SID];
    private final List<RowWriter> writers = new ArrayList<>();
    private final Function<String, RowSum> sinks;

    SoccerBaseline(final Function<String, RowSum> sinks)
    {
        this.sinks = sinks;
        for (final Pitch.Sensor[] sensors : List.of(Pitch.wornSensors(), Pitch.balls()))
        {
            for (final Pitch.Sensor each : sensors)
            {
                kinds[each.sid()] = (byte)each.kind();
                players[each.sid()] = each.player();
            }
        }
    }

    /** The writer of a statement's rows. */
    final RowWriter writer(final String statement)
    {
        final EventType type = SoccerEventTypes.of(statement);
        final BatchSchema schema = new BatchSchema(type);
        final RowWriter writer = new RowWriter(schema, sinks.apply(statement));
        writers.add(writer);
        return writer;
    }

    /** Processes rows of sensors or, without rows, a heartbeat. */
    final void onPositions(final EventBatch batch)
    {
        if (batch.size() > 0)
        {
            rows(batch);
        }
        else
        {
            timeIs(batch.baseTimestampNs());
        }
        for (int i = 0; i < writers.size(); i++)
        {
            writers.get(i).flush();
        }
    }

    /** Processes interruptions, before the rows after them. */
    void onInterruptions(final EventBatch batch)
    {
        // Most loops do not read them.
    }

    abstract void rows(EventBatch batch);

    /** Emits everything that is due at a time. */
    abstract void timeIs(long nowNs);
}
