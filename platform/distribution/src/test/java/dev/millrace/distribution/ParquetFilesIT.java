package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server reads Parquet files in each compression with the libraries of the adapter bundle, and continues with the
 * next file after a kill; and one that writes Parquet files is killed several times.
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

    private static final String WRITER = "com.example.parquetwriter";
    private static final int KILLS = 3;
    private static final int WRITTEN_ROWS = 20_000;
    /** Reads the lines of a file that grows, and writes each of them once; another source reads the finished files. */
    private static final String WRITER_ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Line"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="symbol" type="char"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="lines" provider="csv-inbound">
            <wlevs:listener ref="linesIn"/>
            <wlevs:instance-property name="file" value="var/incoming/lines.csv"/>
            <wlevs:instance-property name="mode" value="tail"/>
            <wlevs:instance-property name="maxRetryMillis" value="100"/>
          </wlevs:adapter>
          <wlevs:channel id="linesIn" event-type="Line"><wlevs:listener ref="copier"/></wlevs:channel>
          <wlevs:processor id="copier"/>
          <wlevs:channel id="linesOut" event-type="Line" source="copier">
            <wlevs:listener ref="columns"/></wlevs:channel>
          <wlevs:adapter id="columns" provider="parquet-outbound">
            <wlevs:instance-property name="file" value="var/columns/lines.parquet"/>
            <wlevs:instance-property name="eventTypeName" value="Line"/>
            <wlevs:instance-property name="exactlyOnce" value="true"/>
            <wlevs:instance-property name="rotateSize" value="4k"/>
          </wlevs:adapter>
          <wlevs:adapter id="finished" provider="parquet-inbound">
            <wlevs:listener ref="finishedIn"/>
            <wlevs:instance-property name="directory" value="var/columns"/>
            <wlevs:instance-property name="pattern" value="*.parquet"/>
            <wlevs:instance-property name="afterRead" value="delete"/>
          </wlevs:adapter>
          <wlevs:channel id="finishedIn" event-type="Line"><wlevs:listener ref="checker"/></wlevs:channel>
          <wlevs:processor id="checker"/>
          <wlevs:channel id="checked" event-type="Line" source="checker"><wlevs:listener ref="archive"/></wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/lines.csv"/>
            <wlevs:instance-property name="exactlyOnce" value="true"/>
          </wlevs:adapter>
        </beans>""";
    private static final String WRITER_RULES =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\"><processor>" +
        "<name>copier</name><durable>true</durable><rules><query id=\"copy\"><![CDATA[" +
        "select id, symbol from linesIn]]></query></rules></processor><processor><name>checker</name>" +
        "<durable>true</durable><rules><query id=\"check\"><![CDATA[select id, symbol from finishedIn]]></query>" +
        "</rules></processor></wlevs:config>";

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
            instance.client.install(new TestBundle(APPLICATION, ASSEMBLY).configuration(RULES).write(directory));
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

    /** Every row arrives once, through files of which no kill leaves an unreadable or a repeated one. */
    @Test
    void shouldWriteEachRowOnceIntoFilesAlthoughItIsKilledWhileItWrites() throws Exception
    {
        try (RunningInstance instance = new RunningInstance(directory.resolve("server")))
        {
            final Path domain = instance.domain.directory();
            final Path lines = Files.createDirectories(domain.resolve("var/incoming")).resolve("lines.csv");
            final Path archive = domain.resolve("var/archive/lines.csv");
            Files.writeString(lines, "id,symbol\n");
            instance.client.install(
                new TestBundle(WRITER, WRITER_ASSEMBLY).configuration(WRITER_RULES).write(directory));
            int written = 0;
            for (int kill = 1; kill <= KILLS; kill++)
            {
                final int before = counts(archive).size();
                written = append(lines, written);
                // Some files are finished, and others are in progress.
                Product.await("rows before a kill", 60, () -> counts(archive).size() > before);
                instance.kill();
                instance.start();
            }
            written = append(lines, written);
            final int all = written;
            // The last rows are in a file when the application ends.
            Product.await("most rows", 60, () -> counts(archive).size() > all - WRITTEN_ROWS / 10);
            assertThat(instance.app("restart", WRITER).exitCode()).isZero();
            Product.await("all rows", 60, () -> counts(archive).size() >= all);
            assertThat(counts(archive)).isEqualTo(
                IntStream.rangeClosed(1, all).mapToObj(String::valueOf).toList());
        }
    }

    private static int append(final Path lines, final int written) throws IOException
    {
        Files.write(lines, IntStream.rangeClosed(written + 1, written + WRITTEN_ROWS)
            .mapToObj(id -> id + ",S" + id % 7).toList(), StandardOpenOption.APPEND);
        return written + WRITTEN_ROWS;
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
