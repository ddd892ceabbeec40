package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.journal.SyncMode;
import dev.millrace.network.Network;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.network.spi.DirectoryStorage;
import dev.millrace.network.spi.DurabilitySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relation channels of whole networks with a durable processor continue with their keys and rows after a kill. */
@Tag("slow")
@Timeout(180)
class DurableRelationTest
{
    private static final EventType ROW = EventType.tuple("Row", new EventProperty("k", CqlType.CHAR),
        new EventProperty("day", CqlType.INT), new EventProperty("v", CqlType.INT));
    private static final String ALL = "select k, day, v from R";
    private static final String JOIN = "RStream(select S.k as k, S.day as day, R.v as v from S[now] as S, R as R " +
        "where S.k = R.k and S.day = R.day)";
    private static final DurabilitySettings SETTINGS =
        new DurabilitySettings(SyncMode.NONE, 1, Long.MAX_VALUE / 2, Long.MAX_VALUE, 1 << 16, 1L << 34, 0, false, 0);

    @TempDir
    private Path directory;

    private final Receiver receiver = new Receiver();
    private Path storage;
    private int kills;

    /** A change of the relation; its value is that of no other one. */
    private record Change(byte kind, String key, int day, int value)
    {
    }

    /** A source that numbers its rows. */
    private static final class Feed implements EventBatchSource
    {
        private final String producer;
        private final boolean hasKinds;
        private EventBatchSender sender;
        private EventBatch batch;

        Feed(final String channel, final boolean hasKinds)
        {
            producer = "DurableRelationTest/" + channel;
            this.hasKinds = hasKinds;
        }

        @Override
        public void setBatchSender(final EventBatchSender to)
        {
            sender = to;
            batch = new EventBatch(to.schema());
        }

        long received()
        {
            return sender.receivedFrom(producer);
        }

        /** Sends changes; the number of the first one is {@code first}, 0 for rows without numbers. */
        void send(final List<Change> changes, final long first)
        {
            batch.clear();
            for (int row = 0; row < changes.size(); row++)
            {
                final Change change = changes.get(row);
                batch.texts(0).set(row, change.key());
                batch.ints(1)[row] = change.day();
                batch.ints(2)[row] = change.value();
                if (hasKinds)
                {
                    batch.useKinds()[row] = change.kind();
                }
                if (first > 0)
                {
                    batch.useSequences()[row] = RowSequence.of(Producers.id(producer), first + row);
                }
            }
            batch.size(changes.size());
            sender.send(batch);
        }
    }

    /** The last stage: stores rows with their numbers. */
    private static final class Sink implements SequencedSink
    {
        private final Receiver to;
        private volatile boolean isKilled;

        Sink(final Receiver to)
        {
            this.to = to;
        }

        @Override
        public long receivedFrom(final String producer)
        {
            return isKilled ? Long.MAX_VALUE : to.receivedFrom(producer);
        }

        @Override
        public void onBatch(final EventBatch batch)
        {
            if (!isKilled)
            {
                to.onBatch(batch);
            }
        }
    }

    /** A running network; ended by a stop, or as if the process was killed. */
    private final class Run
    {
        private final Feed feed = new Feed("R", true);
        private final Feed other = new Feed("S", false);
        private final Sink sink = new Sink(receiver);
        private final Network network;

        Run(final String query, final List<String> outputKey, final int workers) throws Exception
        {
            final TestServices services = new TestServices(ROW).storage(
                new DirectoryStorage(storage, "test", SETTINGS, () -> 0));
            final ProcessorStage.Rule rule = new ProcessorStage.Rule("q", false, query, List.of(),
                workers == 1 ? "ORDERED" : "PARTITION_ORDERED", workers == 1 ? null : "S.k", true,
                SourcePosition.NONE);
            final List<StageDefinition> stages = List.of(
                new BeanStage("feed", true, feed, List.of("R"), SourcePosition.NONE),
                new BeanStage("other", true, other, List.of("S"), SourcePosition.NONE),
                channel("R", true, List.of("k", "day"), "rules"), channel("S", false, List.of(), "rules"),
                new ProcessorStage("rules", "cql", List.of(rule), Map.of(), UserObjects.NONE, workers, Duration.ZERO,
                    100, true, List.of("out"), SourcePosition.NONE),
                channel("out", !outputKey.isEmpty(), outputKey, "sink"),
                new BeanStage("sink", false, sink, List.of(), SourcePosition.NONE));
            network = Network.build(new NetworkDefinition("app", services, stages, List.of()), services);
            network.start();
        }

        private void drain() throws Exception
        {
            network.suspend();
            network.resume();
        }

        /** Rows that the channels have rejected, by reason. */
        Map<String, Long> rejected()
        {
            final Map<String, Long> all = new HashMap<>();
            for (final Object stage : (List<?>)network.statistics().get("stages"))
            {
                ((Map<?, ?>)((Map<?, ?>)stage).get("rejectedBy")).forEach((reason, count) ->
                    all.merge((String)reason, ((Number)count).longValue(), Long::sum));
            }
            return all;
        }

        /** Stops at the end, otherwise stops or is killed. */
        void end(final boolean isLast, final Random random) throws Exception
        {
            if (isLast || random.nextInt(3) == 0)
            {
                drain();
                stop();
            }
            else
            {
                kill();
            }
        }

        void stop()
        {
            receiver.commit();
            receiver.isEager(true);
            network.stop();
            receiver.isEager(false);
        }

        /** The next run finds what was stored until now. */
        void kill() throws IOException
        {
            final Path copy = directory.resolve("killed" + ++kills);
            try (Stream<Path> files = Files.walk(storage))
            {
                for (final Path file : files.sorted().toList())
                {
                    Files.copy(file, copy.resolve(storage.relativize(file).toString()));
                }
            }
            storage = copy;
            sink.isKilled = true;
            network.stop();
            receiver.kill();
        }
    }

    private static ChannelStage channel(
        final String id, final boolean isRelation, final List<String> key, final String listener)
    {
        return new ChannelStage(id, ROW, isRelation, key, new ChannelStage.Queue(0, 0), false,
            new ChannelStage.Time(null, true, 0), List.of(), List.of(listener), SourcePosition.NONE);
    }

    /** Valid and invalid changes of a few keys. */
    private static List<Change> changes(final Random random, final int count)
    {
        final List<Change> changes = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final byte kind = List.of(EventBatch.INSERT, EventBatch.UPDATE, EventBatch.DELETE).get(random.nextInt(3));
            changes.add(new Change(kind, "a key of more than eight bytes " + random.nextInt(4), random.nextInt(2), i));
        }
        return changes;
    }

    /** Output of {@code select k, day, v from R} by key: "+7" for a row that enters, "-7" for one that leaves. */
    private static Map<String, List<String>> expected(final List<Change> changes)
    {
        final Map<String, Integer> values = new HashMap<>();
        final Map<String, List<String>> rows = new LinkedHashMap<>();
        for (final Change change : changes)
        {
            final String key = change.key() + '/' + change.day();
            final Integer before = values.get(key);
            if (before == null != (change.kind() == EventBatch.INSERT))
            {
                // A duplicate or missing key.
                continue;
            }
            final List<String> own = rows.computeIfAbsent(key, id -> new ArrayList<>());
            if (before != null)
            {
                own.add("-" + before);
                values.remove(key);
            }
            if (change.kind() != EventBatch.DELETE)
            {
                own.add("+" + change.value());
                values.put(key, change.value());
            }
        }
        return rows;
    }

    private Map<String, List<String>> received()
    {
        final Map<String, List<String>> rows = new LinkedHashMap<>();
        receiver.rows().forEach(row -> rows.computeIfAbsent(row.values().get(0) + "/" + row.values().get(1),
            id -> new ArrayList<>()).add((row.kind() == EventBatch.DELETE ? "-" : "+") + row.values().get(2)));
        return rows;
    }

    @Test
    void shouldContinueWithTheKeysOfItsRelationWhenItIsKilledOrStoppedAnywhere() throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_130L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final List<Change> changes = changes(random, 250);
        storage = directory.resolve("first");
        boolean isDone = false;
        while (!isDone)
        {
            final Run run = new Run(ALL, List.of("k", "day"), 1);
            long next = run.feed.received() + 1;
            for (int batches = random.nextInt(12); batches > 0 && next <= changes.size(); batches--)
            {
                final int to = (int)Math.min(changes.size(), next + random.nextInt(9));
                run.feed.send(changes.subList((int)next - 1, to), next);
                next = to + 1;
                commitSometimes(random);
            }
            isDone = next > changes.size();
            run.end(isDone, random);
        }
        assertThat(received()).as("seed=%d", seed).isEqualTo(expected(changes));
    }

    private void commitSometimes(final Random random)
    {
        if (random.nextInt(4) == 0)
        {
            receiver.commit();
        }
    }

    /** Each worker receives the whole relation, and may have stored fewer of its rows than another one. */
    @Test
    void shouldRestoreTheRelationOfEachWorkerWhenItIsKilledAnywhere() throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_130L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final List<Change> changes = changes(random, 100);
        final List<List<Change>> rows = new ArrayList<>();
        changes.forEach(change -> rows.add(random.nextInt(4) > 0 ? List.of() : List.of(
            new Change(EventBatch.INSERT, change.key(), random.nextInt(2), 0))));
        storage = directory.resolve("first");
        boolean isDone = false;
        while (!isDone)
        {
            final Run run = new Run(JOIN, List.of(), 2);
            final int last = random.nextInt(40) + (int)run.feed.received();
            sendBoth(run, changes.subList(0, Math.min(last, changes.size())), rows);
            isDone = last >= changes.size();
            run.end(isDone, random);
        }
        assertThat(received()).as("seed=%d", seed).isEqualTo(joined(changes, rows));
    }

    /** Sends changes that are not stored, each before the rows that find it. */
    private void sendBoth(final Run run, final List<Change> changes, final List<List<Change>> rows) throws Exception
    {
        final long storedChanges = run.feed.received();
        final long storedRows = run.other.received();
        long number = 0;
        for (int i = 0; i < changes.size(); i++)
        {
            if (i >= storedChanges)
            {
                run.feed.send(List.of(changes.get(i)), i + 1);
            }
            for (final Change row : rows.get(i))
            {
                number++;
                if (number > storedRows)
                {
                    run.drain();
                    run.other.send(List.of(row), number);
                    run.drain();
                    receiver.commit();
                }
            }
        }
    }

    /** Output of the join by key. */
    private static Map<String, List<String>> joined(final List<Change> changes, final List<List<Change>> rows)
    {
        final Map<String, List<String>> found = new LinkedHashMap<>();
        for (int i = 0; i < changes.size(); i++)
        {
            for (final Change row : rows.get(i))
            {
                final String key = row.key() + '/' + row.day();
                final List<String> history = expected(changes.subList(0, i + 1)).getOrDefault(key, List.of());
                final String last = history.isEmpty() ? "-" : history.get(history.size() - 1);
                if (last.startsWith("+"))
                {
                    found.computeIfAbsent(key, id -> new ArrayList<>()).add(last);
                }
            }
        }
        return found;
    }

    private static Change insert(final String key, final int value)
    {
        return new Change(EventBatch.INSERT, key, 1, value);
    }

    private static Change delete(final String key, final int value)
    {
        return new Change(EventBatch.DELETE, key, 1, value);
    }

    /** Keys of the channel come from a snapshot and from the journal; the channel rejects what is invalid. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRejectDuplicateAndMissingKeysOfRowsBeforeTheStart(final boolean hasSnapshot) throws Exception
    {
        storage = directory.resolve("first");
        final Run first = new Run(ALL, List.of("k", "day"), 1);
        first.feed.send(List.of(insert("a", 1), insert("b", 2), delete("b", 2), insert("c", 3)), 0);
        first.drain();
        receiver.commit();
        if (hasSnapshot)
        {
            first.stop();
        }
        else
        {
            first.kill();
        }

        final Run second = new Run(ALL, List.of("k", "day"), 1);
        second.feed.send(List.of(insert("a", 4), new Change(EventBatch.UPDATE, "b", 1, 5), delete("c", 3),
            new Change(EventBatch.UPDATE, "a", 1, 6), insert("c", 7)), 0);
        second.drain();
        receiver.commit();
        assertThat(second.rejected()).isEqualTo(Map.of("duplicate-key", 1L, "missing-key", 1L));
        assertThat(received()).isEqualTo(Map.of("a/1", List.of("+1", "-1", "+6"), "b/1", List.of("+2", "-2"),
            "c/1", List.of("+3", "-3", "+7")));
        second.stop();
    }

    /** A query that may emit two rows of one key: its channel must look keys up, and knows none of the earlier rows. */
    @Test
    void shouldPassDeletionsOfRowsThatTheQueryEmittedBeforeTheStart() throws Exception
    {
        storage = directory.resolve("first");
        final String query = "select k, day, v from S[rows 2]";
        final Run first = new Run(query, List.of("k"), 1);
        first.other.send(List.of(insert("a", 1), insert("b", 2)), 0);
        first.drain();
        receiver.commit();
        first.kill();

        final Run second = new Run(query, List.of("k"), 1);
        second.other.send(List.of(insert("c", 3), insert("a", 4)), 0);
        second.drain();
        receiver.commit();
        assertThat(second.rejected()).isEmpty();
        assertThat(received()).isEqualTo(Map.of("a/1", List.of("+1", "-1", "+4"), "b/1", List.of("+2", "-2"),
            "c/1", List.of("+3")));
        second.stop();
    }
}
