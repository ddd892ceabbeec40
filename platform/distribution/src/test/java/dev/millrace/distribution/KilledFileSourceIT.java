package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed while it reads files: the durable processor counts each row once, and the file that it writes
 * contains each row once.
 */
@Timeout(600)
class KilledFileSourceIT
{
    private static final String APPLICATION = "com.example.files";
    private static final int KILLS = Integer.getInteger("millrace.kills", 3);
    private static final int FILES = 2 * KILLS + 2;
    private static final int ROWS_PER_FILE = 20_000;
    private static final int ROWS = FILES * ROWS_PER_FILE;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="shop" type="char"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Total"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="n" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="orders" provider="csv-inbound">
            <wlevs:listener ref="ordersIn"/>
            <wlevs:instance-property name="directory" value="var/incoming"/>
            <wlevs:instance-property name="pattern" value="*.{csv,gz}"/>
            <wlevs:instance-property name="afterRead" value="delete"/>
            <wlevs:instance-property name="maxRetryMillis" value="100"/>
          </wlevs:adapter>
          <wlevs:channel id="ordersIn" event-type="Order"><wlevs:listener ref="counter"/></wlevs:channel>
          <wlevs:processor id="counter"/>
          <wlevs:channel id="countsOut" event-type="Total" source="counter">
            <wlevs:listener ref="archive"/></wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/counts.csv"/>
            <wlevs:instance-property name="exactlyOnce" value="true"/>
          </wlevs:adapter>
        </beans>""";
    /** Counts all rows: n is the number of the row if each was received once. */
    private static final String RULES =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\"><processor>" +
        "<name>counter</name><durable>true</durable><rules><query id=\"count\"><![CDATA[IStream(" +
        "select max(id) as id, count(*) as n from ordersIn)]]></query></rules></processor></wlevs:config>";

    @TempDir
    private Path directory;

    private Path application() throws IOException
    {
        return new TestBundle(APPLICATION, ASSEMBLY).configuration(RULES).write(directory);
    }

    /** Puts a complete file with consecutive ids and a bad row into the directory that the source reads. */
    private void put(final Path incoming, final int number) throws IOException
    {
        final boolean isCompressed = number % 2 == 1;
        final Path next = directory.resolve("next");
        try (OutputStream out = isCompressed ? new GZIPOutputStream(Files.newOutputStream(next)) :
            Files.newOutputStream(next))
        {
            final StringBuilder text = new StringBuilder("shop,id\n");
            IntStream.rangeClosed(1, ROWS_PER_FILE).forEach(row -> text.append("S").append(row % 97).append(',')
                .append(number * ROWS_PER_FILE + row).append('\n'));
            out.write(text.append("S,bad\n").toString().getBytes(StandardCharsets.UTF_8));
        }
        Files.move(next, incoming.resolve("orders-" + number + (isCompressed ? ".csv.gz" : ".csv")));
    }

    private static JsonObject figures(final RunningInstance instance)
    {
        try
        {
            for (final JsonElement each : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
            {
                if (each.getAsJsonObject().get("id").getAsString().equals("orders"))
                {
                    return each.getAsJsonObject().getAsJsonObject("own");
                }
            }
            throw new AssertionError("the application has no stage orders");
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isEmpty(final Path incoming)
    {
        try (Stream<Path> files = Files.list(incoming))
        {
            return files.findAny().isEmpty();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldCountAndWriteEveryRowOnceWhenTheServerIsKilledAgainAndAgain() throws Exception
    {
        final Random random = Product.random();
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed")))
        {
            final Path incoming = instance.domain.directory().resolve("var/incoming");
            final Path archive = instance.domain.directory().resolve("var/archive/counts.csv");
            instance.client.install(application());
            // The missing directory is reported.
            instance.awaitState(APPLICATION, "DEGRADED");
            Files.createDirectories(incoming);
            for (int kill = 0; kill < KILLS; kill++)
            {
                put(incoming, 2 * kill);
                put(incoming, 2 * kill + 1);
                final int rows = 2 * kill * ROWS_PER_FILE + 1 + random.nextInt(2 * ROWS_PER_FILE - 1);
                Product.await(rows + " rows", 60, () ->
                    Product.lines(archive, "\\d*,\\d+").size() >= rows);
                instance.kill();
                instance.start();
                instance.awaitState(APPLICATION, "RUNNING");
            }
            assertThat(instance.app("suspend", APPLICATION).exitCode()).isZero();
            put(incoming, 2 * KILLS);
            put(incoming, 2 * KILLS + 1);
            assertThat(instance.app("resume", APPLICATION).exitCode()).isZero();
            // The count of no rows is the first result.
            Product.await("the last row", 120, () -> Product.lines(archive, "\\d*,\\d+").size() >= ROWS + 1);
            assertThat(Product.lines(archive, "\\d*,\\d+")).isEqualTo(Stream.concat(Stream.of(",0"),
                IntStream.rangeClosed(1, ROWS).mapToObj(row -> row + "," + row)).toList());
            final JsonObject bad = figures(instance).getAsJsonArray("lastRejected").asList().stream()
                .map(JsonElement::getAsJsonObject).reduce((first, last) -> last).orElseThrow();
            assertThat(bad.get("reason").getAsString()).isEqualTo("wrong-type");
            assertThat(bad.get("line").getAsInt()).isEqualTo(ROWS_PER_FILE + 2);
            Product.await("the files to be deleted", 60, () -> isEmpty(incoming));
        }
    }
}
