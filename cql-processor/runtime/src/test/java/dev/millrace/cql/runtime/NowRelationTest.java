package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each row enters once and leaves once, one nanosecond after its arrival. */
@Timeout(60)
class NowRelationTest
{
    private static final BatchSchema SCHEMA = new BatchSchema(EventType.tuple("Row",
        new EventProperty("number", CqlType.BIGINT)));

    private final List<String> taken = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();
    private boolean fails;
    private final NowRelation relation = new NowRelation("q", SCHEMA, this::take,
        (rows, reason, detail) -> rejected.add(reason + ' ' + rows));

    private void take(final EventBatch batch)
    {
        if (fails)
        {
            throw new IllegalStateException("the sink has a bug");
        }
        if (batch.size() == 0)
        {
            taken.add("time " + batch.baseTimestampNs());
        }
        for (int row = 0; row < batch.size(); row++)
        {
            taken.add((batch.kind(row) == EventBatch.DELETE ? "-" : "+") + batch.longs(0)[row] + '@' +
                batch.timestampNs(row));
        }
    }

    /** Rows numbered by their times. */
    private static EventBatch rows(final long... timesNs)
    {
        final EventBatch batch = new EventBatch(SCHEMA);
        for (int row = 0; row < timesNs.length; row++)
        {
            batch.longs(0)[row] = timesNs[row];
            batch.useTimestampPerRow()[row] = timesNs[row];
        }
        batch.size(timesNs.length);
        return batch;
    }

    private static EventBatch heartbeat(final long timeNs)
    {
        final EventBatch batch = new EventBatch(SCHEMA);
        batch.baseTimestampNs(timeNs);
        return batch;
    }

    @Test
    void shouldLetRowsLeaveWhenTimePassesThem()
    {
        relation.onBatch(rows(5, 5, 6));
        relation.onBatch(heartbeat(6));
        relation.advanceTo(7);
        relation.onBatch(heartbeat(9));

        assertThat(taken).containsExactly("+5@5", "+5@5", "-5@6", "-5@6", "+6@6", "time 6", "-6@7", "time 9");
    }

    @Test
    void shouldLetEachRowLeaveAfterItsOwnTimeWhenTimesOfSeveralSourcesStepBack()
    {
        relation.onBatch(rows(111));
        relation.onBatch(rows(100));
        relation.onBatch(heartbeat(105));
        relation.onBatch(heartbeat(200));

        assertThat(taken).containsExactly("+111@111", "+100@100", "time 105", "-111@112", "-100@101", "time 200");
    }

    @Test
    void shouldGiveNoRowTwiceWhenTheSinkFailed()
    {
        fails = true;
        assertThatThrownBy(() -> relation.onBatch(rows(1))).hasMessage("the sink has a bug");
        assertThatThrownBy(() -> relation.onBatch(heartbeat(2))).hasMessage("the sink has a bug");
        fails = false;
        relation.onBatch(rows(3));

        assertThat(taken).containsExactly("+3@3");
    }

    @Test
    void shouldLetTheRestLeaveWhenTheSinkFailedBetween()
    {
        final long[] times = new long[EventBatch.CAPACITY];
        java.util.Arrays.fill(times, 1);
        for (int i = 0; i < 3; i++)
        {
            relation.onBatch(rows(times));
        }
        taken.clear();
        fails = true;
        assertThatThrownBy(() -> relation.onBatch(heartbeat(2))).hasMessage("the sink has a bug");
        fails = false;
        relation.onBatch(heartbeat(3));

        // The batch on which the sink failed is lost; the other two arrive.
        assertThat(taken).hasSize(2 * EventBatch.CAPACITY + 1).endsWith("-1@2", "time 3");
        taken.clear();
        relation.onBatch(heartbeat(4));
        assertThat(taken).containsExactly("time 4");
    }

    @Test
    void shouldTurnRowsAwayWhenTooManyHaveOneInstant()
    {
        final long[] times = new long[EventBatch.CAPACITY];
        for (int i = 0; i < NowRelation.MAX_PENDING_ROWS; i += EventBatch.CAPACITY)
        {
            relation.onBatch(rows(times));
        }
        assertThat(rejected).isEmpty();
        relation.onBatch(rows(0));
        assertThat(rejected).containsExactly(RejectionHandler.STATE_FULL + " 1");
        relation.onBatch(heartbeat(1));
        assertThat(taken).hasSize(2 * NowRelation.MAX_PENDING_ROWS + 1).endsWith("-0@1", "time 1");
    }
}
