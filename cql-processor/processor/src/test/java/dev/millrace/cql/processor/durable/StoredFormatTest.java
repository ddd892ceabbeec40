package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.cql.processor.TestWiring;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads journals and snapshots that an earlier build has written, from {@code stored-state} in the test resources. Run
 * it with {@code -Dmillrace.artifacts=write} to store the state of this build under the number of a new format.
 */
@Timeout(120)
class StoredFormatTest
{
    private static final String FORMAT = "1";
    private static final Path RESOURCES = Path.of("src/test/resources/stored-state");
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int SNAPSHOT_AT = 80;
    private static final int KILLED_AT = 120;
    private static final int STEPS = 200;

    @TempDir
    private Path directory;

    /** A name of the state, the partition expression and the statement. */
    static Stream<List<String>> statements()
    {
        return Stream.of(
            List.of("groups", "sym", "select sym, sum(q) as s, avg(price) as a from S group by sym"),
            List.of("range-window", "sym", "select sym, sum(q) as s, max(price) as m from S[range 7 milliseconds] " +
                "group by sym"),
            List.of("slide-window", "sym", "select sym, avg(price) as a from S[range 9 milliseconds slide 4 " +
                "milliseconds] group by sym having count(*) > 1"),
            List.of("partition-window", "q", "select q, sym, price from S[partition by q rows 2]"),
            List.of("distinct", "sym", "select distinct sym, q from S[range 5 milliseconds]"),
            List.of("pattern", "sym", "select m.sym, m.x, m.n from S match_recognize (partition by sym measures " +
                "A.sym as sym, last(U.price) as x, count(*) as n pattern (A D+ U+) define D as D.price < " +
                "prev(D.price), U as U.price > prev(U.price)) as m"),
            List.of("pattern-within", "sym", "select m.sym, m.x, m.y from S match_recognize (partition by sym " +
                "measures A.sym as sym, A.q as x, C.q as y pattern (A B* C) within 6 milliseconds define C as " +
                "C.q > A.q) as m"));
    }

    private static List<Step> steps(final int from, final int to)
    {
        final List<Step> steps = new ArrayList<>();
        for (int i = from; i < to; i++)
        {
            steps.add(new Step("S", (i + 1) * 1_000_000L,
                List.of(List.of("symbol " + i % 5, i * 37 % 11 + 0.5, i * 13 % 7)), List.of((byte)0)));
        }
        return steps;
    }

    private static FlowRun run(final List<String> rule)
    {
        return new FlowRun(rule.get(2), "PARTITION_ORDERED", rule.get(1), 1, 1);
    }

    private static Map<Object, List<TestWiring.Row>> partitions(final List<TestWiring.Row> rows)
    {
        final Map<Object, List<TestWiring.Row>> found = new LinkedHashMap<>();
        rows.forEach(row -> found.computeIfAbsent(row.values().get(0), key -> new ArrayList<>()).add(row));
        return found;
    }

    /** The rows that a run without interruption emits after some steps. */
    private static Map<Object, List<TestWiring.Row>> expected(final List<String> rule) throws Exception
    {
        final FlowRun whole = run(rule);
        whole.start();
        whole.send(steps(0, KILLED_AT), false);
        assertThat(whole.running().drain(DRAIN_NS)).isTrue();
        final int before = whole.wiring().rows("q").size();
        whole.send(steps(KILLED_AT, STEPS), true);
        assertThat(whole.running().drain(DRAIN_NS)).isTrue();
        whole.running().stop();
        final List<TestWiring.Row> all = whole.wiring().rows("q");
        assertThat(all).hasSizeGreaterThan(before);
        return partitions(all.subList(before, all.size()));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void shouldContinueWithStateThatAnEarlierBuildHasStored(final List<String> rule) throws Exception
    {
        if ("write".equals(System.getProperty("millrace.artifacts")))
        {
            write(rule);
        }
        final Map<Object, List<TestWiring.Row>> expected = expected(rule);
        try (Stream<Path> formats = Files.list(RESOURCES))
        {
            for (final Path format : formats.sorted().toList())
            {
                final Path state = directory.resolve(format.getFileName());
                unpack(format.resolve(rule.get(0) + ".zip"), state);
                final FlowRun run = run(rule).storedIn(new TestStorage(state));
                run.start();
                run.send(steps(KILLED_AT, STEPS), true);
                assertThat(run.running().drain(DRAIN_NS)).isTrue();
                assertThat(partitions(run.wiring().rows("q"))).as("format %s", format).isEqualTo(expected);
                run.running().stop();
            }
        }
    }

    private void write(final List<String> rule) throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("written"));
        final FlowRun run = run(rule).storedIn(storage);
        run.start();
        run.send(steps(0, SNAPSHOT_AT), false);
        assertThat(((RunningCqlProcessor)run.running()).snapshot(DRAIN_NS)).isTrue();
        run.send(steps(SNAPSHOT_AT, KILLED_AT), false);
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        final Path killed = directory.resolve("killed");
        storage.copyTo(killed);
        run.running().stop();
        pack(killed, Files.createDirectories(RESOURCES.resolve(FORMAT)).resolve(rule.get(0) + ".zip"));
    }

    /** Packs files without the zeros at their ends; the name of an entry ends with the size of its file. */
    private static void pack(final Path from, final Path to) throws IOException
    {
        try (OutputStream file = Files.newOutputStream(to); ZipOutputStream out = new ZipOutputStream(file);
            Stream<Path> files = Files.walk(from))
        {
            for (final Path path : files.filter(Files::isRegularFile).sorted().toList())
            {
                final byte[] bytes = Files.readAllBytes(path);
                int used = bytes.length;
                while (used > 0 && bytes[used - 1] == 0)
                {
                    used--;
                }
                out.putNextEntry(new ZipEntry(from.relativize(path) + "|" + bytes.length));
                out.write(bytes, 0, used);
                out.closeEntry();
            }
        }
    }

    private static void unpack(final Path from, final Path to) throws IOException
    {
        try (InputStream file = Files.newInputStream(from); ZipInputStream in = new ZipInputStream(file))
        {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry())
            {
                final int end = entry.getName().lastIndexOf('|');
                final Path path = to.resolve(entry.getName().substring(0, end));
                Files.createDirectories(path.getParent());
                Files.write(path, in.readAllBytes());
                try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw"))
                {
                    sparse.setLength(Long.parseLong(entry.getName().substring(end + 1)));
                }
            }
        }
    }
}
