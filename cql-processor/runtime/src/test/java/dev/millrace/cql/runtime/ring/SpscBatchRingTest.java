package dev.millrace.cql.runtime.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(180)
class SpscBatchRingTest
{
    private static final BatchSchema SCHEMA = new BatchSchema(EventType.tuple("Row",
        new EventProperty("c", CqlType.CHAR), new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("d", CqlType.DOUBLE),
        new EventProperty("b", CqlType.BOOLEAN), new EventProperty("o", CqlType.OBJECT)));

    private long next;

    /** An empty string, one that fits into its head, one that ends with 0, and longer ones of every length. */
    private static String text(final long number)
    {
        final String digits = Long.toString(number);
        return switch ((int)(number % 7))
        {
            case 0 -> null;
            case 1 -> digits;
            case 2 -> digits + '\0';
            case 3 -> digits + " Z\u00fcrich, " + "x".repeat((int)(number % 1_500));
            default -> "order " + digits;
        };
    }

    /** Strings of a batch are written as bytes or as objects. */
    private static void write(final CharColumn texts, final int row, final long number, final boolean asString)
    {
        final String text = text(number);
        final byte[] utf8 = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        if (asString)
        {
            texts.set(row, text);
        }
        else
        {
            texts.set(row, utf8, 0, utf8.length);
        }
    }

    /** Fills a batch with distinguishable rows; every value is derived from the row's number. */
    private EventBatch batch(final EventBatch batch, final int size, final boolean origins, final boolean kinds)
    {
        batch.clear();
        final boolean asString = next % 3 == 0;
        for (int row = 0; row < size; row++)
        {
            final long number = next++;
            write(batch.texts(0), row, number, asString);
            batch.ints(1)[row] = (int)number;
            batch.longs(2)[row] = number * 3;
            batch.doubles(3)[row] = number / 2.0;
            batch.bits(4)[row] = (byte)(number & 1);
            batch.references(5)[row] = number;
            if (number % 5 == 0)
            {
                batch.setNull(3, row);
            }
            if (kinds)
            {
                batch.useKinds()[row] = (byte)(number % 3);
            }
            if (origins)
            {
                batch.useOrigins()[row] = number * 7;
            }
            if (kinds != origins)
            {
                batch.useSequences()[row] = number * 11;
            }
        }
        batch.baseTimestampNs(next - size);
        batch.size(size);
        return batch;
    }

    private static List<Object> describe(final EventBatch batch, final int row)
    {
        final List<Object> values = new ArrayList<>();
        for (int column = 1; column < SCHEMA.columnCount(); column++)
        {
            values.add(batch.value(column, row));
        }
        values.add(batch.value(0, row));
        values.add(batch.timestampNs(row));
        values.add(batch.kind(row));
        values.add(batch.hasOrigins() ? batch.originsNs()[row] : null);
        values.add(batch.hasSequences() ? batch.sequences()[row] : null);
        return values;
    }

    @Test
    void shouldGiveBackWhatWentInWhenOffersAndPollsAreRandom()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        final SpscBatchRing ring = new SpscBatchRing(SCHEMA, 300);
        assertThat(ring.capacityRows()).isEqualTo(512);
        final EventBatch in = new EventBatch(SCHEMA);
        final EventBatch out = new EventBatch(SCHEMA);
        final Deque<List<Object>> expected = new ArrayDeque<>();
        for (int step = 0; step < 20_000; step++)
        {
            if (random.nextInt(3) != 0)
            {
                offer(random, ring, in, expected);
            }
            else
            {
                poll(ring, out, expected);
            }
            assertThat(ring.sizeRows()).isEqualTo(expected.size());
        }
    }

    private void offer(
        final Random random, final SpscBatchRing ring, final EventBatch in, final Deque<List<Object>> expected)
    {
        final int kind = random.nextInt(10);
        final int room = ring.capacityRows() - expected.size();
        if (kind == 0)
        {
            assertThat(ring.offerHeartbeat(next)).isEqualTo(room > 0);
            if (room > 0)
            {
                expected.add(List.of("heartbeat", next));
            }
        }
        else
        {
            batch(in, 1 + random.nextInt(EventBatch.CAPACITY), random.nextBoolean(), random.nextBoolean());
            final int from = random.nextInt(in.size());
            if (kind < 5)
            {
                final int taken = ring.offer(in, from);
                assertThat(taken).isEqualTo(Math.min(room, in.size() - from));
                for (int row = from; row < from + taken; row++)
                {
                    expected.add(describe(in, row));
                }
                return;
            }
            final int[] selection = random.ints(0, in.size()).distinct().limit(in.size()).sorted().toArray();
            final int taken = ring.offer(in, selection, from, selection.length);
            assertThat(taken).isEqualTo(Math.max(0, Math.min(room, selection.length - from)));
            for (int place = from; place < from + taken; place++)
            {
                expected.add(describe(in, selection[place]));
            }
        }
    }

    private static void poll(final SpscBatchRing ring, final EventBatch out, final Deque<List<Object>> expected)
    {
        final int before = expected.size();
        final int result = ring.poll(out);
        switch (result)
        {
            case SpscBatchRing.EMPTY -> assertThat(expected).isEmpty();
            case SpscBatchRing.HEARTBEAT ->
            {
                skip(expected, out.baseTimestampNs());
                assertThat(expected.poll()).isEqualTo(List.of("heartbeat", out.baseTimestampNs()));
            }
            default ->
            {
                assertThat(result).isEqualTo(out.size());
                for (int row = 0; row < result; row++)
                {
                    skip(expected, out.timestampNs(row));
                    assertThat(describe(out, row)).isEqualTo(expected.poll());
                }
            }
        }
        assertThat(ring.polledRecords()).isEqualTo(before - expected.size());
    }

    /** Heartbeats of earlier times, which need not be emitted. */
    private static void skip(final Deque<List<Object>> expected, final long timeNs)
    {
        while (expected.peek().get(0).equals("heartbeat") && (long)expected.peek().get(1) < timeNs)
        {
            expected.remove();
        }
    }

    @Test
    void shouldGiveRowsAroundHeartbeatsThatTheyOutrunInOneBatch()
    {
        final SpscBatchRing ring = new SpscBatchRing(SCHEMA, 300);
        final EventBatch out = new EventBatch(SCHEMA);
        ring.offerHeartbeat(10);
        ring.offerHeartbeat(20);
        ring.offer(at(30), 0);
        ring.offerHeartbeat(40);
        ring.offer(at(50), 0);
        ring.offerHeartbeat(60);
        assertThat(ring.poll(out)).isEqualTo(2);
        assertThat(List.of(out.timestampNs(0), out.timestampNs(1))).isEqualTo(List.of(30L, 50L));
        assertThat(ring.polledRecords()).isEqualTo(5);
        assertThat(ring.poll(out)).isEqualTo(SpscBatchRing.HEARTBEAT);
        assertThat(out.baseTimestampNs()).isEqualTo(60);
        assertThat(ring.poll(out)).isEqualTo(SpscBatchRing.EMPTY);
        assertThat(ring.polledRecords()).isZero();
    }

    /** An instant that a heartbeat has ended does not continue. */
    @Test
    void shouldKeepHeartbeatsBeforeRowsOfTheirTime()
    {
        final SpscBatchRing ring = new SpscBatchRing(SCHEMA, 300);
        final EventBatch out = new EventBatch(SCHEMA);
        ring.offer(at(30), 0);
        ring.offerHeartbeat(30);
        ring.offer(at(30), 0);
        ring.offerHeartbeat(40);
        assertThat(List.of(ring.poll(out), ring.poll(out), ring.poll(out), ring.poll(out))).isEqualTo(
            List.of(1, SpscBatchRing.HEARTBEAT, 1, SpscBatchRing.HEARTBEAT));
    }

    private EventBatch at(final long timeNs)
    {
        // A row without nulls: others arrive in separate batches.
        next = 1;
        final EventBatch batch = batch(new EventBatch(SCHEMA), 1, false, false);
        batch.baseTimestampNs(timeNs);
        return batch;
    }

    /** Strings and numbers that are not read stay in place, also when rows are selected. */
    @Test
    void shouldHandOverOnlyTheColumnsThatAreRead()
    {
        final SpscBatchRing ring = new SpscBatchRing(SCHEMA, column -> column == 2 || column == 3, 512);
        final EventBatch in = new EventBatch(SCHEMA);
        final EventBatch out = new EventBatch(SCHEMA);
        next = 1;
        for (int round = 0; round < 50; round++)
        {
            assertThat(ring.offer(batch(in, 200, false, true), 0)).isEqualTo(200);
            assertThat(ring.offer(in, new int[]{3, 199}, 0, 2)).isEqualTo(2);
            assertThat(ring.poll(out)).isEqualTo(202);
            for (int row = 0; row < 202; row++)
            {
                final int from = row < 200 ? row : row == 200 ? 3 : 199;
                assertThat(out.longs(2)[row]).isEqualTo(in.longs(2)[from]);
                assertThat(out.isNull(3, row)).isEqualTo(in.isNull(3, from));
                assertThat(out.isNull(3, row) || out.doubles(3)[row] == in.doubles(3)[from]).isTrue();
                assertThat(out.timestampNs(row)).isEqualTo(in.timestampNs(from));
                assertThat(out.kind(row)).isEqualTo(in.kind(from));
                assertThat(out.ints(1)[row]).isZero();
                assertThat(out.texts(0).isNull(row)).isTrue();
            }
        }
    }

    @Test
    void shouldKeepOrderWhenProducerAndConsumerAreTwoThreads() throws InterruptedException
    {
        final int total = 300_000;
        final SpscBatchRing ring = new SpscBatchRing(SCHEMA, 512);
        final Parker consumer = new Parker();
        final Parker producer = new Parker();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread thread = new Thread(() -> produce(ring, total, producer, consumer));
        thread.setUncaughtExceptionHandler((each, thrown) -> failure.set(thrown));
        thread.start();
        final EventBatch out = new EventBatch(SCHEMA);
        int seen = 0;
        while (seen < total)
        {
            final int rows = ring.poll(out);
            for (int row = 0; row < rows; row++)
            {
                assertThat(out.texts(0).string(row)).isEqualTo(text(seen));
                assertThat(out.ints(1)[row]).isEqualTo(seen);
                assertThat(out.longs(2)[row]).isEqualTo(seen * 3L);
                assertThat(out.isNull(3, row)).isEqualTo(seen % 5 == 0);
                seen++;
            }
            producer.wake();
            if (rows == SpscBatchRing.EMPTY)
            {
                consumer.prepare();
                if (ring.isEmpty())
                {
                    consumer.park(1_000_000_000L);
                }
                consumer.cancel();
            }
        }
        thread.join();
        assertThat(failure.get()).isNull();
        assertThat(ring.isEmpty()).isTrue();
    }

    private void produce(final SpscBatchRing ring, final int total, final Parker producer, final Parker consumer)
    {
        final EventBatch in = new EventBatch(SCHEMA);
        final Random random = new Random(1);
        while (next < total)
        {
            batch(in, (int)Math.min(total - next, 1 + random.nextInt(40)), true, false);
            int from = 0;
            while (from < in.size())
            {
                from += ring.offer(in, from);
                consumer.wake();
                if (from < in.size())
                {
                    producer.prepare();
                    if (ring.sizeRows() == ring.capacityRows())
                    {
                        producer.park(1_000_000_000L);
                    }
                    producer.cancel();
                }
            }
        }
    }
}
