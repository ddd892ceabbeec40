package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.Receiver;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.Journals;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A durable processor continues with what its rows have found, whatever the sources that they asked have by then. */
@Tag("slow")
@Timeout(180)
class DurableLookupTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final EventType ROW = EventType.tuple("Row", new EventProperty("k", CqlType.CHAR),
        new EventProperty("v", CqlType.INT));
    private static final EventType NAME = EventType.tuple("Name", new EventProperty("k", CqlType.CHAR),
        new EventProperty("day", CqlType.INT), new EventProperty("name", CqlType.CHAR));
    private static final String SUM =
        "IStream(select k, name, sum(v) as s, count(*) as n from J group by k, name)";
    private static final int KEYS = 4;
    private static final int STARTS = 6;
    /** Each rule is compiled once for all starts. */
    private static final CqlProcessorProvider PROVIDER = new CqlProcessorProvider(new FlowRun.RememberedClasses());

    /** The look-ups that each row causes. */
    enum Source
    {
        TABLE("names as n where n.k = s.k"),
        CACHE_BY_TWO_KEYS("twoKeys as n where n.k = s.k and n.day = s.v - s.v"),
        CACHE_WITH_LOADER("loaded as n where n.k = s.k"),
        COLLECTION("table(namesOf(s.k) as name of char) as n");

        private final String join;

        Source(final String join)
        {
            this.join = join;
        }

        String view()
        {
            return "RStream(select s.k as k, s.v as v, n.name as name from S[now] as s, " + join + ')';
        }
    }

    @TempDir
    private Path directory;

    private final JdbcDataSource database = new JdbcDataSource();
    private Connection connection;
    /** The content of the table, the loader and the collections. */
    private final Map<String, List<String>> names = Collections.synchronizedMap(new HashMap<>());
    private final Receiver receiver = new Receiver();
    private Cache twoKeys;
    private int asked;
    /** Runs before each answer of the loader or of a collection. */
    private Runnable whenAsked = () ->
    {
    };

    /** Finds single keys; a name that begins with "!" fails. */
    private final class Loader implements CacheLoader
    {
        @Override
        public Object load(final Object key)
        {
            asked++;
            whenAsked.run();
            final List<String> found = names.getOrDefault(key, List.of());
            if (!found.isEmpty() && found.get(0).startsWith("!"))
            {
                throw new IllegalStateException(found.get(0));
            }
            return found.isEmpty() ? null : new TupleEvent(NAME, key, 0, found.get(0));
        }

        @Override
        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            return Map.of();
        }

        @Override
        public Map<Object, Object> loadAll()
        {
            return Map.of();
        }
    }

    /** A function of the rules. */
    public final class Names
    {
        /** The names of a key. */
        public Collection<String> namesOf(final String key)
        {
            asked++;
            whenAsked.run();
            return List.copyOf(names.getOrDefault(key, List.of()));
        }
    }

    @BeforeEach
    void openDatabase() throws SQLException
    {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        connection = database.getConnection();
        try (Statement statement = connection.createStatement())
        {
            statement.execute("create table names(k varchar(9), \"DAY\" int, name varchar)");
        }
        twoKeys = new LocalCachingSystem().createCache(twoKeySettings());
    }

    @AfterEach
    void closeDatabase() throws SQLException
    {
        connection.createStatement().execute("shutdown");
        connection.close();
    }

    private static CacheSettings twoKeySettings()
    {
        return new CacheSettings("twoKeys", NAME, List.of("k", "day"), 100, null);
    }

    /** Changes what is found for a key. */
    private void change(final String key, final List<String> to) throws SQLException
    {
        names.put(key, to);
        try (PreparedStatement delete = connection.prepareStatement("delete from names where k = ?"))
        {
            delete.setString(1, key);
            delete.execute();
        }
        for (final String name : to)
        {
            try (PreparedStatement insert = connection.prepareStatement("insert into names values(?, 0, ?)"))
            {
                insert.setString(1, key);
                insert.setString(2, name);
                insert.execute();
            }
        }
        twoKeys.remove(List.of(key, 0));
        if (!to.isEmpty())
        {
            twoKeys.put(List.of(key, 0), new TupleEvent(NAME, key, 0, to.get(0)));
        }
    }

    /** A processor over a storage. */
    private final class Run
    {
        private final TestWiring wiring;
        private final RunningCqlProcessor running;
        private final ProcessorStage stage;
        private EventBatchSink input;

        Run(final Source source, final int workers, final TestStorage storage, final String... more) throws Exception
        {
            final CacheSettings loaded = new CacheSettings("loaded", NAME, List.of("k"), 1, new Loader());
            final String order = workers == 1 ? "ORDERED" : "PARTITION_ORDERED";
            final List<ProcessorStage.Rule> rules = new ArrayList<>();
            rules.add(new ProcessorStage.Rule("J", true, source.view(), List.of(), order,
                workers == 1 ? null : "s.k", true, SourcePosition.NONE));
            rules.add(new ProcessorStage.Rule("q", false, SUM, List.of(), order, workers == 1 ? null : "k", true,
                SourcePosition.NONE));
            for (final String text : more)
            {
                rules.add(new ProcessorStage.Rule("q" + rules.size(), false, text, List.of(), order, null, true,
                    SourcePosition.NONE));
            }
            stage = new ProcessorStage("proc", "cql", rules,
                Map.of("twoKeys", new ProcessorStage.CacheSource(twoKeys, twoKeySettings()),
                    "loaded", new ProcessorStage.CacheSource(new LocalCachingSystem().createCache(loaded), loaded)),
                new UserObjects(List.of(new UserObjects.Function("namesOf", new Names(), "namesOf", null,
                    SourcePosition.NONE)), List.of(), List.of(new UserObjects.Table("names", NAME, database, "names",
                    SourcePosition.NONE))), workers, Duration.ZERO, 100, true, List.of(), SourcePosition.NONE);
            wiring = new TestWiring(workers, 1).storage(storage).receivedBy(receiver);
            running = (RunningCqlProcessor)PROVIDER
                .plan(stage, Map.of("S", new InputChannel("S", ROW, false, true))).start(wiring);
        }

        Run begin() throws Exception
        {
            running.begin(wiring.dynamicOutputs());
            input = running.openInput("S");
            return this;
        }

        /** Sends rows in one batch; the value of each is its number. */
        void send(final int firstMs, final String... keys)
        {
            final EventBatch batch = new EventBatch(new BatchSchema(ROW));
            for (int row = 0; row < keys.length; row++)
            {
                batch.texts(0).set(row, keys[row]);
                batch.ints(1)[row] = firstMs + row;
                batch.useTimestampPerRow()[row] = (firstMs + row) * 1_000_000L;
            }
            batch.size(keys.length);
            FlowRun.deliver(input, batch);
        }

        void drain()
        {
            assertThat(running.drain(DRAIN_NS)).isTrue();
        }

        /** Emits what waits for the end of its instant, and stops. */
        void stop()
        {
            drain();
            receiver.commit();
            running.stop();
        }

        void kill()
        {
            receiver.kill();
            running.stop(SHORT_NS);
            receiver.kill();
        }
    }

    /** Model of the rules: what a row finds when it is sent is summed up. */
    private static final class Expectation
    {
        private final Map<List<String>, int[]> sums = new HashMap<>();
        private final Map<String, List<List<Object>>> rows = new LinkedHashMap<>();

        void row(final String key, final int value, final List<String> found)
        {
            for (final String name : found)
            {
                final int[] sum = sums.computeIfAbsent(List.of(key, name), id -> new int[2]);
                sum[0] += value;
                sum[1]++;
                rows.computeIfAbsent(key, id -> new ArrayList<>()).add(List.of(key, name, sum[0], sum[1]));
            }
        }
    }

    private Map<String, List<List<Object>>> received()
    {
        final Map<String, List<List<Object>>> rows = new LinkedHashMap<>();
        receiver.rows().forEach(row -> rows.computeIfAbsent((String)row.values().get(0), id -> new ArrayList<>())
            .add(List.of(row.values().get(0), row.values().get(1), ((Number)row.values().get(2)).intValue(),
                ((Number)row.values().get(3)).intValue())));
        return rows;
    }

    private static List<String> found(final Source source, final List<String> all)
    {
        return source == Source.TABLE || source == Source.COLLECTION || all.isEmpty() ? all : all.subList(0, 1);
    }

    @ParameterizedTest
    @CsvSource({"TABLE, 2", "CACHE_BY_TWO_KEYS, 1", "CACHE_WITH_LOADER, 2", "COLLECTION, 1"})
    void shouldContinueWithWhatRowsHaveFoundWhenItIsKilledOrStoppedAnywhere(final Source source, final int workers)
        throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_130L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final Expectation expected = new Expectation();
        TestStorage storage = new TestStorage(directory.resolve("0"));
        int time = 1;
        for (int start = 1; start <= STARTS; start++)
        {
            final Run run = new Run(source, workers, storage.followed(random.nextInt(3) == 0)).begin();
            for (int batches = random.nextInt(8); batches >= 0; batches--)
            {
                for (int i = random.nextInt(3); i > 0; i--)
                {
                    final String name = "name " + random.nextInt(1_000);
                    change("k" + random.nextInt(KEYS), random.nextInt(4) == 0 ? List.of() :
                        random.nextBoolean() ? List.of(name) : List.of(name, name + " of more than eight bytes"));
                }
                final String[] keys = new String[1 + random.nextInt(5)];
                for (int row = 0; row < keys.length; row++)
                {
                    keys[row] = random.nextInt(9) == 0 ? null : "k" + random.nextInt(KEYS);
                    if (keys[row] != null)
                    {
                        expected.row(keys[row], time + row,
                            found(source, names.getOrDefault(keys[row], List.of())));
                    }
                }
                if (source == Source.CACHE_WITH_LOADER)
                {
                    for (int row = 0; row < keys.length; row++)
                    {
                        // Its only entry is not that of the key.
                        run.send(time + row, keys[row]);
                    }
                }
                else
                {
                    run.send(time, keys);
                }
                time += keys.length;
                run.drain();
                if (random.nextInt(3) == 0)
                {
                    receiver.commit();
                    run.running.snapshot(DRAIN_NS);
                }
            }
            assertThat(run.wiring.rejected()).isZero();
            if (random.nextBoolean() && start < STARTS)
            {
                storage = storage.copyTo(directory.resolve(Integer.toString(start)));
                run.kill();
            }
            else
            {
                run.stop();
            }
        }
        assertThat(received()).as("seed=%d", seed).isEqualTo(expected.rows);
    }

    /**
     * The process ends in the middle of a batch, between two look-ups of it, and in the middle of the replay of that
     * batch: what was found before is found again, and the others find what there is then.
     */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "4, 2", "5, 1"})
    void shouldAskAgainOnlyForRowsWhoseAnswersAreNotStored(final int killedAt, final int killedAgainAt)
        throws Exception
    {
        change("a", List.of("old"));
        final TestStorage storage = new TestStorage(directory.resolve("first"));
        final Run first = new Run(Source.COLLECTION, 1, storage).begin();
        final TestStorage[] left = {storage};
        copyWhenAsked(killedAt, left, "second");
        first.send(1, "a", "a", "a", "a", "a");
        first.drain();
        first.kill();

        change("a", List.of("new"));
        final Run second = new Run(Source.COLLECTION, 1, left[0]);
        // Functions are called for all rows of the batch; it is killed at a call whose collection is read.
        copyWhenAsked(Math.min(5, killedAt - 1 + killedAgainAt), left, "third");
        second.begin();
        second.kill();

        change("a", List.of("newest"));
        whenAsked = () ->
        {
        };
        final Run third = new Run(Source.COLLECTION, 1, left[0]).begin();
        third.stop();
        final Run last = new Run(Source.COLLECTION, 1, left[0]).begin();
        last.send(6, "b");
        last.stop();
        final int again = Math.min(5, killedAt - 1 + killedAgainAt);
        final Expectation expected = new Expectation();
        for (int row = 1; row <= 5; row++)
        {
            expected.row("a", row, List.of(row < killedAt ? "old" : row < again ? "new" : "newest"));
        }
        assertThat(received()).isEqualTo(expected.rows);
    }

    /** Stops the process at a call; the next one continues with the files that exist then. */
    private void copyWhenAsked(final int call, final TestStorage[] storage, final String name)
    {
        final TestStorage from = storage[0];
        asked = 0;
        whenAsked = () ->
        {
            if (asked == call)
            {
                try
                {
                    storage[0] = from.copyTo(directory.resolve(name));
                }
                catch (final IOException failure)
                {
                    throw new UncheckedIOException(failure);
                }
            }
        };
    }

    /** A query that looks up is added while rows arrive; both continue with what their rows have found. */
    @Test
    void shouldRecordTheLookUpsOfRulesThatWereAdded() throws Exception
    {
        change("a", List.of("old"));
        final String added = Source.COLLECTION.view();
        final TestStorage storage = new TestStorage(directory.resolve("first"));
        final Run first = new Run(Source.TABLE, 1, storage).begin();
        first.send(1, "a");
        first.drain();
        receiver.commit();
        final Run next = new Run(Source.TABLE, 1, new TestStorage(directory.resolve("unused")), added);
        first.running.change(next.stage, first.wiring.dynamicOutputs(), () ->
        {
        });
        next.running.stop(SHORT_NS);
        first.send(2, "a", "a");
        first.drain();
        final TestStorage left = storage.copyTo(directory.resolve("left"));
        first.kill();

        change("a", List.of("new"));
        final Run second = new Run(Source.TABLE, 1, left, added).begin();
        second.send(4, "a");
        second.stop();
        final Expectation expected = new Expectation();
        for (int row = 1; row <= 3; row++)
        {
            expected.row("a", row, List.of("old"));
        }
        expected.row("a", 4, List.of("new"));
        assertThat(receiver.rows("q").stream().map(row -> row.values().get(1)).toList())
            .isEqualTo(expected.rows.get("a").stream().map(row -> row.get(1)).toList());
        assertThat(receiver.rows("q").stream().map(row -> ((Number)row.values().get(2)).intValue()))
            .containsExactly(1, 3, 6, 4);
        assertThat(receiver.rows("q2").stream().map(row -> row.values().get(2))).containsExactly("old", "old", "new");
    }

    /** A loader that fails rejects its row, in a replay as well. */
    @Test
    void shouldRejectAgainRowsWhoseLookUpFailedAndAskNothingInAReplay() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("first"));
        final Run first = new Run(Source.CACHE_WITH_LOADER, 1, storage).begin();
        change("a", List.of("!out of order"));
        first.send(1, "a");
        first.drain();
        change("a", List.of("works"));
        first.send(2, "a");
        first.drain();
        receiver.commit();
        assertThat(first.wiring.rejected("cache-loader-failed")).isEqualTo(1);
        final TestStorage left = storage.copyTo(directory.resolve("left"));
        first.kill();

        asked = 0;
        final Run second = new Run(Source.CACHE_WITH_LOADER, 1, left).begin();
        assertThat(asked).isZero();
        assertThat(second.wiring.rejected("cache-loader-failed")).isEqualTo(1);
        assertThat(second.wiring.detail("cache-loader-failed")).contains("CQL-8104", "out of order");
        second.send(3, "a");
        second.stop();
        assertThat(received()).isEqualTo(Map.of("a", List.of(List.of("a", "works", 2, 1),
            List.of("a", "works", 5, 2))));
    }

    /** An answer of more rows than a batch has is stored in parts. */
    @Test
    void shouldStoreAnswersOfManyRows() throws Exception
    {
        final List<String> many = new ArrayList<>();
        for (int i = 0; i < 2 * EventBatch.CAPACITY + 7; i++)
        {
            many.add("n" + i);
        }
        change("a", List.of("first"));
        names.put("a", many);
        final TestStorage storage = new TestStorage(directory.resolve("first"));
        final Run first = new Run(Source.COLLECTION, 1, storage).begin();
        first.send(1, "a");
        first.drain();
        final TestStorage left = storage.copyTo(directory.resolve("left"));
        first.kill();
        names.put("a", List.of("n5"));
        final Run second = new Run(Source.COLLECTION, 1, left).begin();
        second.send(2, "a");
        second.stop();
        final Expectation expected = new Expectation();
        expected.row("a", 1, many);
        expected.row("a", 2, List.of("n5"));
        assertThat(received()).isEqualTo(expected.rows);
    }

    @Test
    void shouldRejectARowWhoseAnswerIsLargerThanARecord() throws Exception
    {
        names.put("a", Collections.nCopies(EventBatch.CAPACITY, "x".repeat(40_000)));
        names.put("b", List.of("small"));
        final TestStorage storage = new TestStorage(directory.resolve("first"));
        final Run first = new Run(Source.COLLECTION, 1, storage).begin();
        first.send(1, "b", "a", "b");
        first.drain();
        receiver.commit();
        assertThat(first.wiring.rejected("not-journaled")).isEqualTo(1);
        assertThat(first.wiring.detail("not-journaled")).contains("CQL-8107", "JNL-0009", "too large", "collection n");
        final TestStorage left = storage.copyTo(directory.resolve("left"));
        first.kill();
        names.put("a", List.of("small, too"));
        final Run second = new Run(Source.COLLECTION, 1, left).begin();
        second.send(4, "b");
        second.stop();
        assertThat(received()).isEqualTo(Map.of("b", List.of(List.of("b", "small", 1, 1), List.of("b", "small", 4, 2),
            List.of("b", "small", 8, 3))));
    }

    @ParameterizedTest
    @EnumSource(Source.class)
    void shouldDescribeEachLookUpInItsJournal(final Source source) throws Exception
    {
        change("a", List.of("first"));
        final TestStorage storage = new TestStorage(directory.resolve("first"));
        final Run run = new Run(source, 1, storage).begin();
        run.send(1, "a");
        run.stop();
        final List<String> answers = new ArrayList<>();
        try (JournalReader reader = Journals.openReader(directory.resolve("first").resolve(storage.units().get(0))))
        {
            final RecordDecoder decoder = new RecordDecoder();
            while (reader.next())
            {
                decoder.begin(reader.bytes(), reader.length());
                if (decoder.kind() == RecordKind.ANSWER)
                {
                    final EventBatch rows = decoder.rows();
                    answers.add(decoder.group().name() + " found " + rows.value(rows.schema().columnCount() - 1, 0));
                }
            }
        }
        assertThat(answers).hasSize(1).first().asString().startsWith("flow ").contains(" look-up of ")
            .endsWith(" found first");
    }
}
