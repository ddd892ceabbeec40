package dev.millrace.client;

import static dev.millrace.client.RunningSource.ALL;
import static dev.millrace.client.RunningSource.TICK;
import static dev.millrace.client.RunningSource.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** The client in Python, run by {@code python3}, with the real adapter. */
@Tag("slow")
@Timeout(120)
@EnabledIf(value = "hasPython", disabledReason = "needs python3 in the PATH")
class PythonClientTest
{
    /** Connects to the port of the first argument. */
    private static final String TICKS = """
        import sys
        import millrace_client as millrace
        def open(**settings):
            return millrace.connect("127.0.0.1", int(sys.argv[1]), [("symbol", "char8"), ("lastPrice", "double")],
                **settings)
        """;
    private static final String ROWS = TICKS + """
        def rows(sender, first, last):
            for row in range(first, last + 1):
                sender.send("S%d" % row, None if row % 1000 == 0 else row)
        """;

    static boolean hasPython()
    {
        return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator)).anyMatch(directory ->
            Files.isExecutable(Path.of(directory, "python3")));
    }

    private static Process start(final String script, final int port) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder("python3", "-W", "error", "-c", script,
            Integer.toString(port)).redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", "../python");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        return builder.start();
    }

    private static String output(final Process process) throws IOException, InterruptedException
    {
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    static String run(final String script, final int port) throws IOException, InterruptedException
    {
        return output(start(script, port));
    }

    private static RunningSource ticks(final boolean isDurable) throws IOException
    {
        return new RunningSource(TICK, isDurable, adapter ->
        {
        });
    }

    private static void assertStored(final RunningSource source, final int count)
    {
        assertThat(source.rows.rows()).containsExactlyElementsOf(IntStream.rangeClosed(1, count).mapToObj(row ->
            "S" + row + (row % 1_000 == 0 ? "|null" : "|" + (double)row)).toList());
    }

    @Test
    void shouldSendTheBytesOfThePage() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            server.setSoTimeout(60_000);
            final CompletableFuture<Void> conversation = ProtocolBytesTest.converse(server);
            run(TICKS + """
                with open(stream="desk") as sender:
                    sender.send("ORCL", 31.5)
                    sender.send("Zürich", -1.5)
                    sender.send("MS", None)
                """, server.getLocalPort());
            conversation.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldSendValuesOfAllTypesAndNulls() throws Exception
    {
        try (RunningSource source = new RunningSource(ALL, false, adapter ->
        {
        }))
        {
            final String output = run("""
                import datetime, sys
                import millrace_client as millrace
                columns = [("text", "char8"), ("longText", "char16"), ("whole", "int"), ("big", "bigint"),
                    ("small", "float"), ("number", "double"), ("flag", "boolean"), ("moment", "timestamp")]
                with millrace.connect("127.0.0.1", int(sys.argv[1]), columns) as sender:
                    moment = datetime.datetime(2026, 1, 31, 23, 59, 59, 1, datetime.timezone.utc)
                    sender.send("Zürich €", "ü" * 1000, -5, -1 << 63, 0.5, -2.25, True, moment)
                    sender.send(*[None] * 8)
                    sender.send("", "plain", 7, None, 1, None, False, None)
                    sender.send("last", "x", 1, 2, 3, 4, True, 6)
                    print(sender.await_acknowledgements(30), sender.acknowledged_rows, sender.rows)
                """, source.port());
            assertThat(output).isEqualTo("True 4 4\n");
            assertThat(source.rows.rows()).containsExactly(
                "Zürich €|" + "ü".repeat(1_000) + "|-5|-9223372036854775808|0.5|-2.25|true|1769903999000001000",
                "null|null|null|null|null|null|null|null", "null|plain|7|null|1.0|null|false|null",
                "last|x|1|2|3.0|4.0|true|6");
            assertThat(source.rows.rejected()).isEmpty();
        }
    }

    @Test
    void shouldSendManyRowsInOrderAndAcknowledgeThem() throws Exception
    {
        try (RunningSource source = ticks(false))
        {
            assertThat(run(ROWS + """
                with open() as sender:
                    rows(sender, 1, 100000)
                    print(sender.await_acknowledgements(60), sender.acknowledged_rows)
                """, source.port())).isEqualTo("True 100000\n");
            assertStored(source, 100_000);
        }
    }

    @Test
    void shouldLoseAndRepeatNothingWhenTheServerEndsAgainAndAgain() throws Exception
    {
        final int count = 100_000;
        try (RunningSource source = ticks(true))
        {
            source.rows.storeUntil(12_345);
            final Process sending = start(ROWS + """
                with open(stream="desk", frame_bytes=2048, max_unacknowledged_bytes=100000, timeout=30) as sender:
                    rows(sender, 1, 100000)
                """, source.port());
            await(() -> source.rows.count() == 12_345);
            for (int stop = 1; stop <= 4; stop++)
            {
                final int rows = stop * count / 8;
                await(() -> source.rows.count() >= Math.min(rows, 12_345));
                source.stop();
                source.rows.storeUntil(Long.MAX_VALUE);
                source.start();
                await(() -> source.rows.count() >= rows);
            }
            assertThat(output(sending)).isEmpty();
            assertStored(source, count);
        }
    }

    @Test
    void shouldBlockWhenRowsThatAreNotStoredFillItsMemory() throws Exception
    {
        try (RunningSource source = ticks(true))
        {
            source.rows.reportUntil(0);
            final Process sending = start(ROWS + """
                sender = open(stream="desk", frame_bytes=1024, max_unacknowledged_bytes=40000)
                try:
                    rows(sender, 1, 20000)
                finally:
                    sender.close()
                with open(stream="desk") as again:
                    print(again.rows)
                """, source.port());
            // Rows have 11 to 15 bytes.
            await(() -> source.rows.count() > (40_000 - 2 * 1_024) / 15);
            assertThat(sending.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(source.rows.count()).isLessThan((40_000 + 1_024) / 11);
            source.rows.reportUntil(Long.MAX_VALUE);
            assertThat(output(sending)).isEqualTo("20000\n");
            assertStored(source, 20_000);
        }
    }

    @Test
    void shouldContinueAfterRejectedRowsWhenTheServerStartsAgain() throws Exception
    {
        try (RunningSource source = ticks(true))
        {
            final Process sending = start(TICKS + """
                with open(stream="desk") as sender:
                    sender.send("A", 1)
                    sender.send("x" * 17, 2)
                    print(sender.await_acknowledgements(30), sender.acknowledged_rows, flush=True)
                    sys.stdin.readline()
                    sender.send("C", 3)
                    print(sender.await_acknowledgements(30), sender.acknowledged_rows)
                """, source.port());
            await(() -> source.rows.rejected().containsValue(1));
            final BufferedReader printed = sending.inputReader(StandardCharsets.UTF_8);
            assertThat(printed.readLine()).isEqualTo("True 2");
            source.stop();
            source.start();
            sending.getOutputStream().write('\n');
            sending.getOutputStream().flush();
            assertThat(printed.readLine()).isEqualTo("True 3");
            assertThat(sending.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(source.rows.rows()).containsExactly("A|1.0", "C|3.0");
        }
    }

    @Test
    void shouldContinueAfterAcknowledgedRowsWhenTheServerKnowsLowerNumbersAfterARestart() throws Exception
    {
        try (RunningSource source = ticks(true))
        {
            final Process sending = start(ROWS + """
                with open(stream="desk") as sender:
                    rows(sender, 1, 10)
                    print(sender.await_acknowledgements(30), flush=True)
                    sys.stdin.readline()
                    rows(sender, 11, 20)
                """, source.port());
            final BufferedReader printed = sending.inputReader(StandardCharsets.UTF_8);
            assertThat(printed.readLine()).isEqualTo("True");
            source.stop();
            source.rows.reportUntil(7);
            source.start();
            sending.getOutputStream().write('\n');
            sending.getOutputStream().flush();
            await(() -> source.rows.count() == 20);
            source.rows.reportUntil(Long.MAX_VALUE);
            assertThat(output(sending)).isEmpty();
            assertStored(source, 20);
            assertThat(source.rows.repeated()).isZero();
        }
    }

    @Test
    void shouldLoseAndRepeatNothingWhenItIsInterrupted() throws Exception
    {
        try (RunningSource source = ticks(true))
        {
            source.rows.reportUntil(0);
            // An interrupted row was not added, so that the program sends it again.
            final Process sending = start(ROWS + """
                import signal
                def interrupt(number, frame):
                    raise KeyboardInterrupt
                sender = open(stream="desk", frame_bytes=1024, max_unacknowledged_bytes=4000)
                signal.signal(signal.SIGALRM, interrupt)
                signal.setitimer(signal.ITIMER_REAL, 1)
                row = 1
                try:
                    while True:
                        rows(sender, row, row)
                        row += 1
                except KeyboardInterrupt:
                    print("interrupted", flush=True)
                sys.stdin.readline()
                rows(sender, row, 2000)
                sender.close()
                """, source.port());
            final BufferedReader printed = sending.inputReader(StandardCharsets.UTF_8);
            assertThat(printed.readLine()).isEqualTo("interrupted");
            source.rows.reportUntil(Long.MAX_VALUE);
            sending.getOutputStream().write('\n');
            sending.getOutputStream().flush();
            assertThat(printed.readLine()).isNull();
            assertThat(sending.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertStored(source, 2_000);
        }
    }

    @Test
    void shouldPauseBeforeItConnectsAgainWhenTheServerEndsEachConnection() throws Exception
    {
        try (ScriptedServer server = ScriptedServer.endingEachConnection())
        {
            final long beginNs = System.nanoTime();
            assertThat(run(TICKS + """
                sender = open(stream="desk", timeout=6)
                sender.send("A", 1)
                print(sender.await_acknowledgements(1))
                try:
                    sender.close()
                except millrace.SenderError as error:
                    print(error.code)
                """, server.port())).matches("False\nCLN-030[23]\n");
            server.assertPauses(System.nanoTime() - beginNs);
        }
    }

    @Test
    void shouldEndWhenTheServerAcknowledgesMoreRowsThanWereSentOrDoesNotUseTheProtocol() throws Exception
    {
        final String script = TICKS + """
            sender = open(%s)
            sender.send("A", 1)
            try:
                sender.await_acknowledgements(30)
            except millrace.SenderError as error:
                print(error)
            sender.close()
            """;
        try (ScriptedServer server = ScriptedServer.responding(ScriptedServer.acknowledgement(7)))
        {
            assertThat(run(script.formatted("stream=\"desk\""), server.port())).startsWith("CLN-0304")
                .contains("acknowledged=7 stored=7 rows=1");
        }
        try (ScriptedServer server = ScriptedServer.responding(new byte[] {3, 1, 0, 1}))
        {
            assertThat(run(script.formatted(""), server.port())).startsWith("CLN-0301")
                .contains("not that of a socket adapter, status=3 bytes=1");
        }
    }

    @Test
    void shouldTellWhatIsWrong() throws Exception
    {
        try (RunningSource source = ticks(false))
        {
            final String output = run(TICKS + """
                def attempt(action):
                    try:
                        action()
                        print("no error")
                    except (millrace.SenderError, ValueError) as error:
                        print(getattr(error, "code", ""), error)
                port = int(sys.argv[1])
                attempt(lambda: millrace.connect("127.0.0.1", port, [("symbol", "int"), ("lastPrice", "double")]))
                attempt(lambda: millrace.connect("127.0.0.1", port, [("symbol", "char8"), ("price", "double")]))
                attempt(lambda: millrace.connect("127.0.0.1", port, [("symbol", "text")]))
                attempt(lambda: open(stream="desk"))
                attempt(lambda: open(frame_bytes=1))
                with open() as sender:
                    sender.send("A", 1)
                    attempt(lambda: sender.send("B", "1"))
                    attempt(lambda: sender.send("B"))
                    attempt(lambda: sender.send("x" * 256, 1))
                    attempt(lambda: sender.send(1, 1))
                    attempt(lambda: sender.send("B", True))
                    sender.send("C", 3)
                attempt(lambda: sender.flush())
                """, source.port());
            assertThat(output.lines().map(line -> line.replaceAll("127.0.0.1|port=\\d+", "").strip()))
                .satisfiesExactly(
                    line -> assertThat(line).startsWith("CLN-0203 CLN-0203 ").contains("LDG-0225"),
                    line -> assertThat(line).startsWith("CLN-0205").contains("column=2 name=price"),
                    line -> assertThat(line).startsWith("CLN-0108").contains("type=text; use one of char8"),
                    line -> assertThat(line).startsWith("CLN-0203").contains("LDG-0248"),
                    line -> assertThat(line).startsWith("CLN-0101").contains("name=frame_bytes value=1"),
                    line -> assertThat(line).startsWith("CLN-0102").contains("column=lastPrice expected=double"),
                    line -> assertThat(line).startsWith("CLN-0103").contains("too few"),
                    line -> assertThat(line).startsWith("CLN-0102").contains("256 bytes, max=255"),
                    line -> assertThat(line).startsWith("CLN-0102").contains("not a string"),
                    line -> assertThat(line).startsWith("CLN-0102").contains("not a number"),
                    line -> assertThat(line).startsWith("CLN-0107"));
            assertThat(source.rows.rows()).containsExactly("A|1.0", "C|3.0");
        }
    }

    @Test
    void shouldEndWhenAConnectionWithoutNameIsLostAndTellWhyTheServerClosedIt() throws Exception
    {
        try (RunningSource source = new RunningSource(TICK, true, adapter -> adapter.setMaxFrameBytes(4_096)))
        {
            assertThat(run(TICKS + """
                sender = open(stream="desk")
                try:
                    for row in range(1000):
                        sender.send("TOO LARGE", row)
                    sender.await_acknowledgements(30)
                except millrace.SenderError as error:
                    print(error)
                sender.close()
                """, source.port())).startsWith("CLN-0203").contains("LDG-0233 frame is too long");
            final Process lost = start(TICKS + """
                sender = open()
                sender.send("A", 1)
                print(sender.await_acknowledgements(30), flush=True)
                sys.stdin.readline()
                sender.send("B", 2)
                try:
                    sender.await_acknowledgements(30)
                except millrace.SenderError as error:
                    print(error)
                """, source.port());
            await(() -> source.rows.count() == 1);
            source.stop();
            lost.getOutputStream().write('\n');
            lost.getOutputStream().flush();
            assertThat(output(lost)).startsWith("True\nCLN-0301").contains("rows=2 acknowledged=1");
        }
    }
}
