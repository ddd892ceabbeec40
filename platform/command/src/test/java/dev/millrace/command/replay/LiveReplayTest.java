package dev.millrace.command.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.journal.UnitJournal;
import dev.millrace.command.replay.ReplayDomain.Order;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays that continue while records are appended to the journal. */
@Tag("slow")
@Timeout(180)
class LiveReplayTest
{
    private static final int DIFFERENT = 3;
    private static final int BATCH = 200;
    private static final String PIPELINE = "Orders ORDERED -1";
    private static final String COUNT = "<query id=\"total\">IStream(select shop, count(*) as n from Orders " +
        "group by shop)</query>";

    @TempDir
    private Path directory;
    private ReplayDomain domain;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void createDomain() throws IOException
    {
        domain = new ReplayDomain(directory.resolve("domain"));
    }

    @AfterEach
    void closeDomain()
    {
        domain.close();
    }

    private int run(final String... arguments)
    {
        return domain.replay(out, err,
            Stream.concat(Stream.of("--app", "shop"), Stream.of(arguments)).toArray(String[]::new));
    }

    private CompletableFuture<Integer> start(final String... arguments)
    {
        return CompletableFuture.supplyAsync(() -> run(arguments));
    }

    private void awaitLive(final CompletableFuture<Integer> replay, final StringWriter in) throws InterruptedException
    {
        while (!in.toString().contains("live, records="))
        {
            assertThat(replay).as(() -> out.toString() + err).isNotDone();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Orders one second apart, the first one in second {@code from}. */
    private static Order[] orders(final int from)
    {
        return IntStream.range(from, from + BATCH).mapToObj(i -> new Order(i, "Berlin", i % 10, i))
            .toArray(Order[]::new);
    }

    private long[] numbers()
    {
        return out.toString().lines().filter(line -> line.startsWith("total,"))
            .mapToLong(line -> Long.parseLong(line.split(",")[4])).toArray();
    }

    /** A replay ends when the processor has another thread, whose rows it does not read. */
    private void end(final CompletableFuture<Integer> replay) throws Exception
    {
        try (var other = domain.new Writer("another", PIPELINE))
        {
            other.orders(0, orders(1));
            assertThat(replay.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.FAILED);
        }
    }

    @Test
    void shouldGoOnWithAppendedRowsOverManyFilesWithoutAGap() throws Exception
    {
        domain.deploy(COUNT);
        try (var journal = domain.new Writer(ReplayDomain.UNIT, PIPELINE))
        {
            int next = 1;
            for (; next < 20 * BATCH; next += BATCH)
            {
                journal.orders(0, orders(next));
            }
            final CompletableFuture<Integer> replay = start("--until-live", "--format", "csv");
            awaitLive(replay, err);
            assertThat(numbers()).isEqualTo(LongStream.range(1, next).toArray());
            // Several files of 1 MiB.
            for (int i = 0; i < 400; i++, next += BATCH)
            {
                journal.orders(0, orders(next));
            }
            final String last = "," + (next - 1);
            while (!out.toString().stripTrailing().endsWith(last))
            {
                assertThat(replay).as(err::toString).isNotDone();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(numbers()).isEqualTo(LongStream.range(1, next).toArray());
            end(replay);
            try (var files = Files.list(domain.state(ReplayDomain.UNIT)))
            {
                assertThat(files.filter(file -> file.toString().endsWith(".cq4"))).hasSizeGreaterThan(1);
            }
            assertThat(err.toString()).contains("live, records=20 ");
        }
    }

    @Test
    void shouldPrintDifferencesAsSoonAsTheyAreFinal() throws Exception
    {
        domain.deploy("<query id=\"large\">select shop, quantity from Orders where quantity &gt; 5</query>");
        final Path changed = Files.writeString(directory.resolve("changed.xml"), ReplayDomain.configuration(
            "<query id=\"large\">select shop, quantity from Orders where quantity &gt; 7</query>"));
        try (var journal = domain.new Writer(ReplayDomain.UNIT, PIPELINE))
        {
            journal.orders(0, new Order(1, "Berlin", 6, 0), new Order(2, "Paris", 9, 0)).time(0, 3);
            final CompletableFuture<Integer> replay = start("--rules", changed.toString(), "--diff", "--until-live",
                "--for", "5s");
            awaitLive(replay, out);
            journal.orders(0, new Order(4, "Bonn", 7, 0), new Order(5, "Rome", 8, 0)).time(0, 6);
            while (!out.toString().contains("shop=Bonn"))
            {
                assertThat(replay).as(() -> out.toString() + err).isNotDone();
                TimeUnit.MILLISECONDS.sleep(5);
            }
            assertThat(replay.get(60, TimeUnit.SECONDS)).as(err.toString()).isEqualTo(DIFFERENT);
        }
        assertThat(out.toString().lines()).containsExactly(
            "state is empty before the first row that is kept, first=1970-01-01T00:00:01Z",
            "only before  large 1970-01-01T00:00:01Z + shop=Berlin quantity=6",
            "live, records=2 until=1970-01-01T00:00:03Z",
            "only before  large 1970-01-01T00:00:04Z + shop=Bonn quantity=7",
            "replayed records=4 until=1970-01-01T00:00:06Z",
            "QUERY     BEFORE      AFTER       SAME    CHANGED ONLY BEFORE  ONLY AFTER",
            "large          4          2          2          0           2           0");
    }

    @Test
    void shouldEndWhenTheProcessorHasOtherThreads() throws Exception
    {
        domain.deploy(COUNT);
        try (var journal = domain.new Writer(ReplayDomain.UNIT, PIPELINE))
        {
            journal.orders(0, orders(1));
            final CompletableFuture<Integer> replay = start("--until-live", "--format", "csv");
            awaitLive(replay, err);
            end(replay);
        }
        assertThat(err.toString()).contains("CMD-0256", "another", "start the replay again");
    }

    @Test
    void shouldReportRecordsThatWereDeletedBeforeItHasReadThem() throws Exception
    {
        domain.deploy(COUNT);
        try (var journal = domain.new Writer(ReplayDomain.UNIT, PIPELINE))
        {
            journal.orders(0, orders(1));
            try (UnitCursor cursor = new UnitCursor(UnitJournal.find(Domain.find(domain.directory()), "shop").get(0)))
            {
                cursor.follow();
                for (int i = 1; i < 700; i++)
                {
                    journal.orders(0, orders(i * BATCH));
                }
                journal.deleteAllButTheNewestFile();
                assertThatThrownBy(() ->
                {
                    while (!cursor.isAtEnd())
                    {
                        cursor.advance();
                    }
                }).isInstanceOf(CommandException.class).hasMessageContainingAll("CMD-0253", "not reached", "retention");
            }
        }
    }

    @Test
    void shouldRefuseOptionsThatHaveNoMeaningWithoutAnEnd() throws Exception
    {
        domain.deploy(COUNT);
        assertThat(run("--for", "3s")).isEqualTo(ExitCode.USAGE);
        assertThat(run("--until-live", "--for", "soon")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("CMD-0254", "--for needs --until-live", "not a duration, --for=soon");
        assertThat(run("--until-live", "--to", "1970-01-01T00:00:03Z")).isEqualTo(ExitCode.USAGE);
        assertThat(run("--until-live", "--speed", "2")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("CMD-0255", "option=--to", "option=--speed");
    }
}
