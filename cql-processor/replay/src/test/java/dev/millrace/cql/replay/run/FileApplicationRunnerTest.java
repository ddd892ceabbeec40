package dev.millrace.cql.replay.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.ApplicationRunner;
import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Format;
import dev.millrace.network.spi.ApplicationRunner.Settings;
import dev.millrace.network.spi.ApplicationRunner.Summary;
import dev.millrace.network.spi.ApplicationRunner.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications over files: formats, times, several inputs, lines and rows that are rejected. */
@Tag("slow")
@Timeout(180)
class FileApplicationRunnerTest implements Surroundings
{
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Trade"><wlevs:properties>
              <wlevs:property name="ms" type="bigint"/>
              <wlevs:property name="symbol" type="char" length="8"/>
              <wlevs:property name="price" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Sum"><wlevs:properties>
              <wlevs:property name="symbol" type="char" length="8"/>
              <wlevs:property name="total" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Bid"><wlevs:properties>
              <wlevs:property name="at" type="bigint"/>
              <wlevs:property name="symbol" type="char" length="8"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Pair"><wlevs:properties>
              <wlevs:property name="symbol" type="char" length="8"/>
              <wlevs:property name="later" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="source" provider="${source.provider}"><wlevs:listener ref="trades"/></wlevs:adapter>
          <wlevs:channel id="trades" event-type="Trade"><wlevs:listener ref="rules"/></wlevs:channel>
          <wlevs:adapter id="one" provider="csvgen"><wlevs:listener ref="bids"/></wlevs:adapter>
          <wlevs:channel id="bids" event-type="Bid">
            <wlevs:application-timestamped><wlevs:expression>at</wlevs:expression></wlevs:application-timestamped>
            <wlevs:listener ref="rules"/>
          </wlevs:channel>
          <wlevs:adapter id="two" provider="csvgen"><wlevs:listener ref="asks"/></wlevs:adapter>
          <wlevs:channel id="asks" event-type="Bid">
            <wlevs:application-timestamped><wlevs:expression>at</wlevs:expression></wlevs:application-timestamped>
            <wlevs:listener ref="rules"/>
          </wlevs:channel>
          <wlevs:processor id="rules"><wlevs:listener ref="sums"/><wlevs:listener ref="pairs"/></wlevs:processor>
          <wlevs:channel id="sums" event-type="Sum" is-relation="true" primary-key="symbol">
            <wlevs:listener ref="output"/>
          </wlevs:channel>
          <wlevs:channel id="pairs" event-type="Pair"><wlevs:listener ref="output"/></wlevs:channel>
          <wlevs:adapter id="output" provider="jdbc"/>
        </beans>
        """;
    private static final String RULES = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>rules</name><rules>
            <query id="totals">select symbol, sum(price) as total from trades[range 1 seconds] group by symbol</query>
            <query id="matches">istream(select b.symbol, a.at as later from bids[range 1 seconds] as b,
              asks[now] as a where b.symbol = a.symbol)</query>
          </rules></processor>
          <channel><name>sums</name><selector>totals</selector></channel>
          <channel><name>pairs</name><selector>matches</selector></channel>
        </c:config>
        """;
    private static final Map<String, String> PROPERTIES = Map.of("source.provider", "jms-inbound");

    @TempDir
    private Path directory;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    private final List<String> invalid = new ArrayList<>();
    private byte[] standardInput = new byte[0];
    private boolean isStopped;

    @BeforeEach
    void create() throws Exception
    {
        Files.createDirectories(directory.resolve("META-INF/spring"));
        Files.createDirectories(directory.resolve("META-INF/wlevs"));
        Files.writeString(directory.resolve("META-INF/spring/app.xml"), ASSEMBLY);
        Files.writeString(directory.resolve("META-INF/wlevs/app.xml"), RULES);
    }

    @Override
    public InputStream in()
    {
        return new ByteArrayInputStream(standardInput);
    }

    @Override
    public PrintStream out()
    {
        return out;
    }

    @Override
    public void invalid(final String file, final long line, final String text)
    {
        invalid.add(Path.of(file).getFileName() + ":" + line + ": " + text);
    }

    @Override
    public void progress(final long rows, final long bytes)
    {
        assertThat(bytes).isGreaterThanOrEqualTo(rows);
    }

    @Override
    public boolean isStopped()
    {
        return isStopped;
    }

    private Connection file(final String stage, final String name, final String content) throws Exception
    {
        final Path file = Files.writeString(directory.resolve(name), content);
        return new Connection(stage, file.toString(), name.endsWith(".csv") ? Format.CSV : Format.JSON);
    }

    private Summary run(final List<Connection> inputs, final List<Connection> outputs, final List<String> times,
        final Duration advance, final String timeColumn) throws Exception
    {
        return new FileApplicationRunner().run(new Settings(directory, List.of(), inputs, outputs, times, advance,
            timeColumn, Format.JSON, PROPERTIES), this);
    }

    private List<String> printed()
    {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Connection printed(final String stage, final Format format)
    {
        return new Connection(stage, ApplicationRunner.STANDARD, format);
    }

    @Test
    void shouldUseATimeColumnAsTheTimeOfTheApplication() throws Exception
    {
        final Summary summary = run(
            List.of(file("source", "t.csv", "price,symbol,ms\n1,A,1000\n2,A,1500\n4,A,2100\n")),
            List.of(printed("sums", Format.CSV)), List.of("ms"), Duration.ofSeconds(5), "time");

        assertThat(printed()).startsWith("time,kind,symbol,total")
            .filteredOn(line -> line.contains("INSERT") || line.contains("UPDATE"))
            .extracting(line -> Instant.parse(line.substring(0, line.indexOf(','))).toEpochMilli() + " ms: " +
                line.substring(line.lastIndexOf(',') + 1))
            .containsExactly("1000 ms: 1.0", "1500 ms: 3.0", "2000 ms: 2.0", "2100 ms: 6.0", "2500 ms: 4.0");
        assertThat(summary.rowsRead()).isEqualTo(3);
        assertThat(summary.isVirtual()).isTrue();
        assertThat(summary.rejections()).isEmpty();
    }

    @Test
    void shouldMergeInputsByApplicationTime() throws Exception
    {
        final Summary summary = run(List.of(
            file("bids", "bids.json", """
                {"at":1000000000,"symbol":"A"}
                {"at":5000000000,"symbol":"A"}
                """),
            file("two", "asks.json", """
                {"at":1500000000,"symbol":"A"}
                {"at":2500000000,"symbol":"A"}
                {"at":5500000000,"symbol":"A"}
                """)), List.of(), List.of(), Duration.ofSeconds(1), null);

        assertThat(printed()).containsExactly("{\"stage\":\"pairs\",\"symbol\":\"A\",\"later\":1500000000}",
            "{\"stage\":\"pairs\",\"symbol\":\"A\",\"later\":5500000000}");
        assertThat(summary.rowsWritten()).isEqualTo(2);
    }

    @Test
    void shouldReadInputsInTurnWithTimesOfArrival() throws Exception
    {
        standardInput = "{\"ms\":1,\"symbol\":\"A\",\"price\":2.5}\n".getBytes(StandardCharsets.UTF_8);

        final Summary summary = run(List.of(new Connection("trades", ApplicationRunner.STANDARD, Format.JSON)),
            List.of(file("output", "out.json", ""), printed("trades", Format.CSV)), List.of(), Duration.ZERO, null);

        assertThat(printed()).containsExactly("ms,symbol,price", "1,A,2.5");
        assertThat(directory.resolve("out.json"))
            .hasContent("{\"kind\":\"INSERT\",\"symbol\":\"A\",\"total\":2.5}\n");
        assertThat(summary.isVirtual()).isFalse();
    }

    @Test
    void shouldReportLinesThatAreNoRowsAndContinue() throws Exception
    {
        final Summary summary = run(List.of(file("source", "t.csv",
            "ms,symbol,price\n2000,A,1\n2100,A,x\n,A,1\n1900,A,1\n2200,A\n\n2300,\"A,1\n")),
            List.of(printed("trades", Format.CSV)), List.of("source.ms"), Duration.ZERO, null);

        assertThat(printed()).containsExactly("ms,symbol,price", "2000,A,1.0");
        assertThat(invalid).extracting(line -> line.substring(0, line.indexOf(',')))
            .containsExactly("t.csv:3: FIL-0121: wrong-type", "t.csv:4: the row has no time",
                "t.csv:5: the time of the row is before that of an earlier row", "t.csv:6: FIL-0122: missing-field",
                "t.csv:8: FIL-0124: wrong-quotes");
        assertThat(summary.invalidLines()).isEqualTo(5);
    }

    @Test
    void shouldEndWhenItIsStopped() throws Exception
    {
        isStopped = true;

        assertThat(run(List.of(file("source", "t.csv", "ms,symbol,price\n2000,A,1\n")), List.of(), List.of(),
            Duration.ZERO, null).rowsRead()).isZero();
    }

    @Test
    void shouldRefuseNamesThatTheApplicationDoesNotHave() throws Exception
    {
        final Connection trades = file("source", "t.csv", "ms,symbol,price\n");
        assertThatThrownBy(() -> run(List.of(file("sourc", "u.csv", "")), List.of(), List.of(), Duration.ZERO, null))
            .isInstanceOf(DeploymentException.class).hasMessageContaining("CMD-0271").hasMessageContaining("id=sourc");
        assertThatThrownBy(() -> run(List.of(trades), List.of(printed("rules", Format.CSV)), List.of(), Duration.ZERO,
            null)).hasMessageContaining("stage=rules").hasMessageContaining("asks, bids, output, pairs, sums, trades");
        assertThatThrownBy(() -> run(List.of(trades), List.of(), List.of("symbol"), Duration.ZERO, null))
            .hasMessageContaining("column=symbol").hasMessageContaining("source [ms, symbol, price]");
        assertThatThrownBy(() -> run(List.of(trades, file("one", "v.csv", "")), List.of(), List.of(), Duration.ZERO,
            null)).hasMessageContaining("without=[source]");
        assertThatThrownBy(() -> run(List.of(trades), List.of(printed("output", Format.CSV)), List.of(),
            Duration.ZERO, null)).hasMessageContaining("events of several types");
        assertThatThrownBy(() -> run(List.of(trades), List.of(printed("sums", Format.CSV),
            printed("pairs", Format.CSV)), List.of(), Duration.ZERO, null)).hasMessageContaining("share a CSV file");
    }
}
