package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static dev.millrace.distribution.Product.ASSEMBLY;
import static dev.millrace.distribution.Product.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.millrace.distribution.Product.Result;
import dev.millrace.loadgen.GeneratorSettings;
import dev.millrace.loadgen.LoadGenerator;
import dev.millrace.loadgen.RunSummary;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed while a generator sends: a durable processor sees every row once. */
@Timeout(300)
class KilledServerIT
{
    private static final int SYMBOLS = 40;
    private static final int ROWS_PER_SYMBOL = 2_000;
    private static final int KILLS = 3;
    /** The last row of a symbol, if no row before it was lost and none was counted twice. */
    private static final String RULE = "select symbol, sum(lastPrice) as lastPrice, max(lastPrice) as percLastPrice " +
        "from StockTickStream group by symbol having count(*) = " + ROWS_PER_SYMBOL + " and sum(lastPrice) = " +
        ROWS_PER_SYMBOL * (ROWS_PER_SYMBOL + 1L) / 2;
    private static final String CONFIGURATION =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\">" +
        "<processor><name>processor1</name><durable>true</durable><rules><query id=\"perc\" " +
        "ordering-constraint=\"PARTITION_ORDERED\" partition-expression=\"symbol\"><![CDATA[" + RULE +
        "]]></query></rules></processor></wlevs:config>";

    @TempDir
    private Path directory;

    private Path application(final int port) throws IOException
    {
        return Product.changed(directory.resolve("counts.jar"), Map.of(
            ASSEMBLY, text -> text.replace("${loadgen.port}", Integer.toString(port))
                .replace("id=\"StockTickStream\"", "id=\"StockTickStream\" max-threads=\"2\""),
            RULES, text -> CONFIGURATION));
    }

    private LoadGenerator generator(final int port) throws Exception
    {
        final Path data = directory.resolve("rows.csv");
        Files.writeString(data, IntStream.rangeClosed(1, ROWS_PER_SYMBOL).boxed().flatMap(price ->
            IntStream.range(0, SYMBOLS).mapToObj(symbol -> "S" + symbol + ',' + price + ".0\n"))
            .collect(Collectors.joining()));
        return new LoadGenerator(GeneratorSettings.of("kills", directory, Map.of("test.csvDataFile", "rows.csv",
            "test.packetType", "CSV", "test.port", Integer.toString(port), "test.senders", "2", "test.secs", "20",
            "test.rate", "5000", "test.ticksPerPacket", "7", "test.stream", "kills", "test.maxEvents",
            Integer.toString(SYMBOLS * ROWS_PER_SYMBOL))));
    }

    private static long figure(final RunningInstance instance, final String stage, final String name)
    {
        try
        {
            for (final JsonElement each : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
            {
                if (each.getAsJsonObject().get("id").getAsString().equals(stage))
                {
                    return each.getAsJsonObject().getAsJsonObject("own").get(name).getAsLong();
                }
            }
            throw new AssertionError("the application has no stage " + stage);
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isRunning(final RunningInstance instance)
    {
        try
        {
            return instance.state(APPLICATION).equals("RUNNING");
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldCountEveryRowOnceWhenTheServerIsKilledAgainAndAgain() throws Exception
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = free.getLocalPort();
        }
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed")))
        {
            final Result installed = instance.app("install", application(port));
            assertThat(installed.exitCode()).as(installed.output()).isZero();
            final LoadGenerator generator = generator(port);
            final CompletableFuture<RunSummary> sending = CompletableFuture.supplyAsync(() ->
            {
                try
                {
                    return generator.run(progress ->
                    {
                    });
                }
                catch (final Exception e)
                {
                    throw new IllegalStateException(e);
                }
            });
            for (int kill = 0; kill < KILLS; kill++)
            {
                final int rows = 1 + random.nextInt(SYMBOLS * ROWS_PER_SYMBOL / (2 * KILLS));
                Product.await(rows + " rows", 60, () -> figure(instance, "loadgenAdapter", "rows") >= rows);
                instance.process.process().destroyForcibly().waitFor(30, TimeUnit.SECONDS);
                instance.start();
                Product.await("the application", 60, () -> isRunning(instance));
            }
            assertThat(sending).isNotDone();
            final RunSummary summary = sending.get(120, TimeUnit.SECONDS);
            assertThat(summary.drained()).isTrue();
            assertThat(summary.sent()).isEqualTo(SYMBOLS * ROWS_PER_SYMBOL);
            Product.await("the last row of each symbol", 30,
                () -> figure(instance, "outputBean", "signals") == SYMBOLS);
        }
    }
}
