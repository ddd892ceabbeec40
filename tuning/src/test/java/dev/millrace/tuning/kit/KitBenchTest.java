package dev.millrace.tuning.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(180)
class KitBenchTest
{
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @BeforeEach
    void listen()
    {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveBack()
    {
        System.setOut(out);
        System.setErr(err);
    }

    private String text()
    {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private String complaint()
    {
        return complained.toString(StandardCharsets.UTF_8);
    }

    private static long number(final String pattern, final String text)
    {
        final Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void shouldBringEveryEventThroughWhenClientsSendOverTcp() throws Exception
    {
        assertThat(KitBench.run("-mode", "MALL", "-symbols", "5", "-rate", "2x2000", "-seconds", "2", "-warmup", "1",
            "-stat", "1")).as(complaint()).isZero();
        assertThat(text()).contains("mode MALL: 5 statements", "an event has 22 bytes", "end to end by one clock",
            "---Stats - engine (unit: ns)", "---Stats - endToEnd (unit: ms)", "Throughput ", "cnx 2)",
            " 0 events rejected");
        assertThat(number("(\\d+) rows emitted", text())).isBetween(1L, 12_000L)
            .isGreaterThanOrEqualTo(number("The whole run, (\\d+) events", text()));
    }

    @Test
    void shouldBringEveryEventThroughWhenThereIsAQueue() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("own.properties"),
            "DEAR=select ticker, price from Market where ticker = '$' and price > 0.5\n");
        assertThat(KitBench.run("server", "-mode", "DEAR", "-statements", file.toString(), "-symbols", "3", "-rate",
            "2x1000", "-seconds", "1", "-warmup", "0", "-queue", "64", "-batch", "1")).as(complaint()).isZero();
        assertThat(text()).contains(" 0 events rejected");
        assertThat(number("(\\d+) rows emitted", text())).isBetween(1L, 2_000L)
            .isEqualTo(number("The whole run, (\\d+) events", text()));
    }

    @Test
    void shouldServeClientsOfAnotherCommandWhenServerAndClientRunAlone() throws Exception
    {
        final List<Integer> codes = new ArrayList<>();
        final MarketData data = new MarketData(4);
        final KitStatistics statistics = new KitStatistics(System.nanoTime());
        try (KitServer server = new KitServer("127.0.0.1", 0, data, statistics);
            KitEngine engine = new KitEngine(data, new Statements(null).of("MNONE", data), KitEngine.NO_QUEUE, 256,
                0, statistics))
        {
            server.start(engine);
            final String port = Integer.toString(server.port());
            codes.add(KitBench.run("client", "-port", port, "-symbols", "4", "-rate", "3x1000", "-seconds", "1"));
            assertThat(server.awaitClients(60_000_000_000L)).isTrue();
            assertThat(statistics.events()).isBetween(1L, 3_000L)
                .isEqualTo(number("sent (\\d+) events in", text()));
            assertThat(engine.rowsOut()).isZero();
            codes.add(KitBench.run("client", "-port", port, "-symbols", "5", "-seconds", "1"));
            codes.add(KitBench.run("server", "-port", port, "-mode", "NOOP", "-seconds", "1"));
        }
        assertThat(codes).containsExactly(0, 64, 1);
        assertThat(text()).contains("end to end by one clock");
        assertThat(complaint()).contains("CMD-0176: client and server have different symbols, client=5 server=4",
            "CMD-0174: cannot open the port");
    }

    @Test
    void shouldSayThatNobodyIsThereWhenTheClientFindsNoServer() throws Exception
    {
        final int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            free = socket.getLocalPort();
        }
        assertThat(KitBench.run("client", "-port", Integer.toString(free))).isEqualTo(2);
        assertThat(complaint()).contains("CMD-0175: no server of the kit answers", "millrace bench kit server -port");
    }

    @Test
    void shouldRefuseWhenOptionsMakeNoSense() throws Exception
    {
        assertThat(KitBench.run("-rate", "5000")).isEqualTo(64);
        assertThat(KitBench.run("-queue", "0")).isEqualTo(64);
        assertThat(KitBench.run("-mode", "NOPE")).isEqualTo(64);
        assertThat(KitBench.run("-stat", "0")).isEqualTo(64);
        assertThat(KitBench.run("-batch", "257")).isEqualTo(64);
        assertThat(KitBench.run("client", "-port", "0")).isEqualTo(64);
        assertThat(KitBench.run("server", "-symbols", "0")).isEqualTo(64);
        assertThat(complaint()).contains("is not NxM", "-queue must be -1 for no queue", "unknown mode, mode=NOPE",
            "-stat must be 1 to", "-batch must be 1 to 256", "-port must be 1 to", "-symbols must be 1 to")
            .doesNotContain("Exception");
    }

    @Test
    void shouldShowExamplesWhenHelpIsAsked() throws Exception
    {
        assertThat(KitBench.run("--help")).isZero();
        assertThat(KitBench.run("server", "--help")).isZero();
        assertThat(KitBench.run("client", "--help")).isZero();
        assertThat(text()).contains("millrace bench kit -mode VWAP-ROWS", "-queue, --queue=EVENTS",
            "millrace bench kit client -rate 4x125000");
    }
}
