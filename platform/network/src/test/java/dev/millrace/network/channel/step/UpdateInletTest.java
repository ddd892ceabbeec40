package dev.millrace.network.channel.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A deletion and an insertion at one instant with one key become an update; everything else is unchanged. */
@Timeout(60)
class UpdateInletTest
{
    private static final EventType TYPE = EventType.tuple(
        "Row", new EventProperty("k", CqlType.INT), new EventProperty("v", CqlType.INT));

    private final BatchSchema schema = new BatchSchema(TYPE);
    private final List<String> out = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final UpdateInlet inlet = new UpdateInlet(schema, new int[] {0}, this::collect);
    private final EventBatch batch = new EventBatch(schema);

    private void collect(final EventBatch rows)
    {
        sizes.add(rows.size());
        for (int row = 0; row < rows.size(); row++)
        {
            final byte kind = rows.kind(row);
            out.add(rows.timestampNs(row) + (kind == EventBatch.INSERT ? "+" : kind == EventBatch.DELETE ? "-" : "U") +
                rows.value(0, row) + '=' + rows.value(1, row));
        }
        if (rows.size() == 0)
        {
            out.add("time " + rows.baseTimestampNs());
        }
    }

    private UpdateInletTest row(final long timeNs, final byte kind, final int k, final int v)
    {
        final int row = batch.size();
        batch.ints(0)[row] = k;
        batch.ints(1)[row] = v;
        batch.useTimestampPerRow()[row] = timeNs;
        batch.useKinds()[row] = kind;
        batch.size(row + 1);
        if (row + 1 == EventBatch.CAPACITY)
        {
            send();
        }
        return this;
    }

    private UpdateInletTest minus(final long timeNs, final int k, final int v)
    {
        return row(timeNs, EventBatch.DELETE, k, v);
    }

    private UpdateInletTest plus(final long timeNs, final int k, final int v)
    {
        return row(timeNs, EventBatch.INSERT, k, v);
    }

    private List<String> send()
    {
        inlet.accept(batch);
        batch.clear();
        return out;
    }

    @Test
    void shouldPairRowsOfOneKeyAndInstant()
    {
        assertThat(minus(5, 1, 10).minus(5, 2, 20).plus(5, 1, 11).plus(5, 3, 30).send())
            .containsExactly("5U1=11", "5+3=30", "5-2=20");
    }

    @Test
    void shouldNotPairRowsOfDifferentInstants()
    {
        assertThat(minus(5, 1, 10).plus(6, 1, 11).send()).containsExactly("5-1=10", "6+1=11");
    }

    @Test
    void shouldLeaveUpdatesAndDeletionsBehindInsertionsAsTheyAre()
    {
        assertThat(plus(5, 1, 10).minus(5, 1, 10).row(5, EventBatch.UPDATE, 2, 9).plus(5, 1, 11).send())
            .containsExactly("5+1=10", "5U2=9", "5U1=11");
    }

    @Test
    void shouldPairEachDeletionOnce()
    {
        assertThat(minus(5, 1, 10).plus(5, 1, 11).plus(5, 1, 12).send()).containsExactly("5U1=11", "5+1=12");
    }

    @Test
    void shouldHoldDeletionsOfAFullBatchForTheRestOfTheirInstant()
    {
        for (int k = 0; k < 300; k++)
        {
            minus(7, k, k);
        }
        for (int k = 0; k < 299; k++)
        {
            plus(7, k, k + 1);
        }
        send();

        assertThat(out).hasSize(300).contains("7U0=1", "7U298=299").endsWith("7-299=299");
        assertThat(out.subList(0, 299)).allMatch(row -> row.startsWith("7U"));
    }

    @Test
    void shouldLetHeldDeletionsGoWithTheNextTime()
    {
        for (int k = 0; k < EventBatch.CAPACITY; k++)
        {
            minus(7, k, k);
        }
        assertThat(out).isEmpty();
        batch.baseTimestampNs(9);
        send();

        assertThat(out).hasSize(EventBatch.CAPACITY + 1).startsWith("7-0=0").endsWith("time 9");
    }

    @Test
    void shouldLetDeletionsGoWhenTooManyWait()
    {
        for (int k = 0; k < UpdateInlet.MAX_WAITING + EventBatch.CAPACITY; k++)
        {
            minus(7, k, k);
        }

        assertThat(out).hasSizeGreaterThanOrEqualTo(UpdateInlet.MAX_WAITING).allMatch(row -> row.startsWith("7-"));
    }

    @Test
    void shouldLeadToTheSameRelationForRandomChanges()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        final Map<Integer, Integer> relation = new HashMap<>();
        int pairs = 0;
        for (int timeNs = 0; timeNs < 500; timeNs++)
        {
            final Map<Integer, Integer> next = new HashMap<>(relation);
            for (int i = random.nextInt(400); i > 0; i--)
            {
                final int k = random.nextInt(300);
                if (random.nextInt(3) == 0)
                {
                    next.remove(k);
                }
                else
                {
                    next.put(k, random.nextInt(1_000));
                }
            }
            for (final Map.Entry<Integer, Integer> old : relation.entrySet())
            {
                if (!old.getValue().equals(next.get(old.getKey())))
                {
                    minus(timeNs, old.getKey(), old.getValue());
                    pairs += next.containsKey(old.getKey()) ? 1 : 0;
                }
            }
            for (final Map.Entry<Integer, Integer> now : next.entrySet())
            {
                if (!now.getValue().equals(relation.get(now.getKey())))
                {
                    plus(timeNs, now.getKey(), now.getValue());
                }
            }
            relation.clear();
            relation.putAll(next);
        }
        send();
        // The last batch may have been a full one: a heartbeat releases waiting rows.
        send();

        assertThat(replayed()).isEqualTo(relation);
        assertThat(out).filteredOn(row -> row.contains("U")).hasSize(pairs);
        assertThat(sizes).allMatch(size -> size <= EventBatch.CAPACITY);
    }

    private Map<Integer, Integer> replayed()
    {
        final Map<Integer, Integer> replayed = new HashMap<>();
        for (final String row : out)
        {
            if (row.startsWith("time"))
            {
                continue;
            }
            final String[] parts = row.split("[-+U=]");
            final Integer k = Integer.valueOf(parts[1]);
            final Integer v = Integer.valueOf(parts[2]);
            if (row.contains("-"))
            {
                assertThat(replayed.remove(k)).as(row).isEqualTo(v);
            }
            else
            {
                assertThat(replayed.put(k, v) != null).as(row).isEqualTo(row.contains("U"));
            }
        }
        return replayed;
    }
}
