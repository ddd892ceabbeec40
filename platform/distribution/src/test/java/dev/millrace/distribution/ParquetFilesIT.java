package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server reads Parquet files in each compression with the libraries of the adapter bundle, and continues with the
 * next file after a kill.
 */
@Timeout(300)
class ParquetFilesIT
{
    private static final Path WRITTEN = Path.of("../../adapters/file/src/test/resources/parquet");
    private static final String APPLICATION = "com.example.parquet";
    private static final List<String> BEFORE = List.of("none", "snappy", "zstd");
    private static final List<String> AFTER = List.of("gzip", "lz4");
    private static final int ROWS_PER_FILE = 100;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Tick"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="symbol" type="char"/>
              <wlevs:property name="price" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Total"><wlevs:properties>
              <wlevs:property name="n" type="bigint"/><wlevs:property name="total" type="double"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="ticks" provider="parquet-inbound">
            <wlevs:listener ref="ticksIn"/>
            <wlevs:instance-property name="directory" value="var/incoming"/>
            <wlevs:instance-property name="pattern" value="*.parquet"/>
            <wlevs:instance-property name="afterRead" value="delete"/>
            <wlevs:instance-property name="maxRetryMillis" value="100"/>
          </wlevs:adapter>
          <wlevs:channel id="ticksIn" event-type="Tick"><wlevs:listener ref="counter"/></wlevs:channel>
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
        "select count(*) as n, sum(price) as total from ticksIn)]]></query></rules></processor></wlevs:config>";

    @TempDir
    private Path directory;

    private static void put(final Path incoming, final List<String> compressions) throws IOException
    {
        for (final String each : compressions)
        {
            final Path next = incoming.resolve(each + ".part");
            Files.copy(WRITTEN.resolve("ticks-" + each + ".parquet"), next);
            Files.move(next, incoming.resolve(each + ".parquet"));
        }
    }

    private static List<String> counts(final Path archive)
    {
        return Product.lines(archive, "\\d+,.*").stream().map(line -> line.substring(0, line.indexOf(','))).toList();
    }

    @Test
    void shouldReadEachCompressionInTheServerAndContinueAfterAKill() throws Exception
    {
        try (RunningInstance instance = new RunningInstance(directory.resolve("server")))
        {
            final Path incoming =
                Files.createDirectories(instance.domain.directory().resolve("var/incoming"));
            final Path archive = instance.domain.directory().resolve("var/archive/counts.csv");
            put(incoming, BEFORE);
            final Result installed = instance.app("install",
                new TestBundle(APPLICATION, ASSEMBLY).configuration(RULES).write(directory));
            assertThat(installed.exitCode()).as(installed.output()).isZero();
            final int before = BEFORE.size() * ROWS_PER_FILE;
            // The count of no rows is the first result.
            Product.await("the first files", 60, () -> counts(archive).size() >= before + 1);
            instance.kill();
            put(incoming, AFTER);
            instance.start();
            final int all = before + AFTER.size() * ROWS_PER_FILE;
            Product.await("all files", 60, () -> counts(archive).size() >= all + 1);
            assertThat(counts(archive)).isEqualTo(
                IntStream.rangeClosed(0, all).mapToObj(String::valueOf).toList());
            // Each file has the prices 0, 0.25 to 24.75.
            final double total = (BEFORE.size() + AFTER.size()) * 99 * 100 / 2 / 4.0;
            assertThat(Product.lines(archive, all + ",.*")).containsExactly(all + "," + total);
            Product.await("the files to be deleted", 60, () -> isEmpty(incoming));
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
            throw new IllegalStateException(e);
        }
    }
}
