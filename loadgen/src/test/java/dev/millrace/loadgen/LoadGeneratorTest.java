package dev.millrace.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.adapter.loadgen.WireFormat;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(180)
class LoadGeneratorTest
{
    /** Eight bytes, a type, and the name "s-1" with its length. */
    private static final int PREAMBLE_BYTES = 8 + 1 + 2 + 3;
    private static final int FRAME_OF_ONE_INT_BYTES = WireFormat.FRAME_HEADER_BYTES + Integer.BYTES;

    @TempDir
    private Path folder;

    private GeneratorSettings settings(final int port, final String... more) throws GeneratorException
    {
        final Map<String, String> values = new TreeMap<>(Map.of("test.packetType", "CSV", "test.csvDataFile",
            "data.csv", "test.port", Integer.toString(port), "test.secs", "30"));
        for (int i = 0; i < more.length; i += 2)
        {
            values.put(more[i], more[i + 1]);
        }
        return GeneratorSettings.of("test.prop", folder, values);
    }

    private List<String> data(final String... lines) throws IOException
    {
        Files.write(folder.resolve("data.csv"), List.of(lines));
        return List.of(lines);
    }

    private List<String> sevenRows() throws IOException
    {
        return data("A,1.5", "B,2.0", "A,3.25", "C,4.0", "D,5.0", "B,6.0", "ANAMEOFTWELVE,7.0");
    }

    /** Expected rows, computed from the lines only: symbols assigned in turn, each connection repeats its own rows. */
    private static List<String> expected(
        final List<String> lines, final boolean copy, final int senders, final int total)
    {
        final List<String> symbols = lines.stream().map(line -> line.split(",")[0]).distinct().toList();
        final List<String> all = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++)
        {
            final int mine = sender;
            final List<String> own = lines.stream()
                .filter(line -> copy || symbols.indexOf(line.split(",")[0]) % senders == mine).toList();
            final int count = total / senders + (sender < total % senders ? 1 : 0);
            for (int i = 0; i < count; i++)
            {
                all.add(own.get(i % own.size()));
            }
        }
        return all;
    }

    @Test
    void shouldDeliverExactRowsWhenFileWrapsAround() throws Exception
    {
        final List<String> lines = sevenRows();
        for (final String split : new String[] {"symbol", "copy"})
        {
            for (final int senders : new int[] {1, 3})
            {
                for (final int ticks : new int[] {1, 4, 1000})
                {
                    for (final String packets : new String[] {"CSV", "TEXT"})
                    {
                        assertExact(lines, split, senders, ticks, packets);
                    }
                }
            }
        }
    }

    private void assertExact(final List<String> lines, final String split, final int senders, final int ticks,
        final String packets) throws Exception
    {
        final String where = split + " " + senders + " " + ticks + " " + packets;
        try (Receiver receiver = new Receiver())
        {
            final LoadGenerator generator = new LoadGenerator(settings(receiver.port(), "test.split", split,
                "test.senders", "" + senders, "test.ticksPerPacket", "" + ticks, "test.maxEvents", "2003",
                "test.rate", "1000000", "test.packetType", packets));
            final RunSummary summary = generator.run(ProgressListener.NONE);
            assertThat(receiver.rows()).as(where)
                .containsExactlyInAnyOrderElementsOf(expected(lines, split.equals("copy"), senders, 2003));
            assertThat(summary.sent()).isEqualTo(2003);
            assertThat(summary.offered()).isEqualTo(2003);
            assertThat(summary.unsent()).isZero();
            assertThat(summary.ended()).isEqualTo("completed");
            assertThat(summary.drained()).isTrue();
            assertThat(receiver.rejected()).isEmpty();
            assertThat(fromPlan(generator, summary)).as(where)
                .containsExactlyInAnyOrderElementsOf(receiver.rows());
        }
    }

    /** The rows that a checker derives from plan and summary. */
    private static List<String> fromPlan(final LoadGenerator generator, final RunSummary summary)
    {
        final List<String> rows = new ArrayList<>();
        for (final RunSummary.Connection connection : summary.connections())
        {
            for (long i = 0; i < connection.rowsSent(); i++)
            {
                rows.add(generator.data().line(generator.plan().row(connection.index(), i)));
            }
        }
        return rows;
    }

    /** The rows stored before this run are not part of its schedule, before and after a loss. */
    @Test
    void shouldContinueAtOnceAfterALossWhenAStreamHasManyRowsOfAnEarlierRun() throws Exception
    {
        data("1");
        final long before = 1_000_000;
        final AtomicReference<Long> received = new AtomicReference<>(0L);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final Thread receiver = new Thread(() ->
            {
                try
                {
                    received.set(receive(server, before, 50));
                    received.set(received.get() + receive(server, before + 50, 150));
                    receive(server, before + 200, 0);
                }
                catch (final IOException e)
                {
                    received.set(-1L);
                }
            });
            receiver.start();
            final RunSummary summary = new LoadGenerator(settings(server.getLocalPort(), "test.stream", "s",
                "test.rate", "1000", "test.maxEvents", Long.toString(before + 200))).run(ProgressListener.NONE);
            receiver.join();
            assertThat(summary.ended()).isEqualTo("completed");
            assertThat(summary.sent()).isEqualTo(before + 200);
            assertThat(summary.connections().get(0).reconnects()).isPositive();
            assertThat(received.get()).isEqualTo(200);
        }
    }

    /** Accepts a stream, and closes its connection after some rows of one int, or at its end. */
    private static long receive(final ServerSocket server, final long stored, final long most) throws IOException
    {
        try (Socket socket = server.accept())
        {
            socket.getInputStream().readNBytes(PREAMBLE_BYTES);
            final ByteBuffer accepted =
                ByteBuffer.allocate(WireFormat.ANSWER_HEADER_BYTES + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            socket.getOutputStream().write(accepted.putLong(WireFormat.ANSWER_HEADER_BYTES, stored).array());
            long rows = 0;
            while (rows < most &&
                socket.getInputStream().readNBytes(FRAME_OF_ONE_INT_BYTES).length == FRAME_OF_ONE_INT_BYTES)
            {
                rows++;
            }
            return rows;
        }
    }

    @Test
    void shouldKeepOrderWithinConnection() throws Exception
    {
        final List<String> lines = sevenRows();
        try (Receiver receiver = new Receiver())
        {
            new LoadGenerator(settings(receiver.port(), "test.maxEvents", "20", "test.rate", "max"))
                .run(ProgressListener.NONE);
            assertThat(receiver.rows()).isEqualTo(expected(lines, false, 1, 20));
        }
    }

    @Test
    void shouldStampDueTimesWhenPaced() throws Exception
    {
        sevenRows();
        try (Receiver receiver = new Receiver())
        {
            final RunSummary summary = new LoadGenerator(settings(receiver.port(), "test.maxEvents", "100",
                "test.rate", "1000", "test.ticksPerPacket", "2", "test.latencyStats", "true"))
                .run(ProgressListener.NONE);
            final List<Long> origins = receiver.origins();
            for (int i = 2; i < 100; i++)
            {
                // Two rows per packet at 1000 per second: packets are due every 2 ms, whenever they were written.
                assertThat(origins.get(i) - origins.get(i - 2)).isBetween(1_999_999L, 2_000_001L);
            }
            assertThat(summary.packets()).isEqualTo(50);
            assertThat(summary.lagUs().count()).isEqualTo(50);
            assertThat(summary.writes()).isLessThanOrEqualTo(50);
            assertThat(summary.elapsedSecs()).isGreaterThanOrEqualTo(0.098);
        }
    }

    @Test
    void shouldOfferRateTimesSecondsWhenNothingEndsIt() throws Exception
    {
        sevenRows();
        try (Receiver receiver = new Receiver())
        {
            final List<Progress> reports = new ArrayList<>();
            final RunSummary summary = new LoadGenerator(settings(receiver.port(), "test.secs", "1", "test.rate",
                "5000", "test.senders", "2", "test.ticksPerPacket", "10", "test.statInterval", "100"))
                .run(reports::add);
            // The second connection starts half a packet interval later and still sends its last packet in time.
            assertThat(summary.offered()).isBetween(9_990L, 10_000L);
            assertThat(receiver.count()).isEqualTo((int)summary.sent());
            assertThat(reports).hasSizeGreaterThan(3);
            assertThat(reports.get(reports.size() - 1).sent()).isEqualTo(summary.sent());
            assertThat(reports.get(0).line()).contains("offered", "sent", "lag");
        }
    }

    @Test
    void shouldWriteEachPacketAloneWhenAsked() throws Exception
    {
        sevenRows();
        try (Receiver receiver = new Receiver())
        {
            final RunSummary alone = new LoadGenerator(settings(receiver.port(), "test.maxEvents", "5000",
                "test.rate", "max", "test.writePerPacket", "true")).run(ProgressListener.NONE);
            assertThat(alone.writes()).isGreaterThanOrEqualTo(5000);
            final RunSummary shared = new LoadGenerator(settings(receiver.port(), "test.maxEvents", "5000",
                "test.rate", "max")).run(ProgressListener.NONE);
            assertThat(shared.writes()).isLessThan(500);
            assertThat(receiver.count()).isEqualTo(10_000);
        }
    }

    @Test
    void shouldReportLagAndUnsentWhenReceiverDoesNotRead() throws Exception
    {
        sevenRows();
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            deaf.setReceiveBufferSize(4096);
            // Never reads; the generator must neither hang nor slow down unnoticed.
            final LoadGenerator generator = new LoadGenerator(settings(deaf.getLocalPort(), "test.packetType", "TEXT",
                "test.secs", "1", "test.rate", "100000000", "test.ticksPerPacket", "1000"));
            final RunSummary summary = generator.run(progress -> generatorStopsAtEnd(generator, progress));
            assertThat(summary.offered()).isGreaterThan(summary.sent());
            assertThat(summary.unsent()).isEqualTo(summary.offered() - summary.sent());
            assertThat(summary.drained()).isFalse();
        }
    }

    /** Shortens the wait for a confirmation that will not arrive. */
    private static void generatorStopsAtEnd(final LoadGenerator generator, final Progress progress)
    {
        if (progress.elapsedSecs() > 0.9)
        {
            generator.stop();
        }
    }

    @Test
    void shouldCarryEachTypeAndNull() throws Exception
    {
        data("text,1,5000000000,2.5,true,1970-01-01T00:00:01Z", "x,,7,,false,5", ",3,8,1e3,,");
        final EventType type = EventType.tuple("All", new EventProperty("t", CqlType.CHAR),
            new EventProperty("i", CqlType.INT), new EventProperty("b", CqlType.BIGINT),
            new EventProperty("d", CqlType.DOUBLE), new EventProperty("f", CqlType.BOOLEAN),
            new EventProperty("m", CqlType.TIMESTAMP));
        try (Receiver receiver = new Receiver(type, 0, 0, Clock.SYSTEM))
        {
            new LoadGenerator(settings(receiver.port(), "test.maxEvents", "3", "test.rate", "max",
                "test.columnTypes", "char,int,bigint,double,boolean,timestamp")).run(ProgressListener.NONE);
            assertThat(receiver.rows()).containsExactly("text,1,5000000000,2.5,true,1000000000",
                "x,null,7,null,false,5", "null,3,8,1000.0,null,null");
        }
    }

    @Test
    void shouldSayWhatServerSaysWhenStreamIsRefused() throws Exception
    {
        data("A,1.0,2");
        try (Receiver receiver = new Receiver())
        {
            final LoadGenerator generator = new LoadGenerator(settings(receiver.port()));
            assertThatThrownBy(() -> generator.run(ProgressListener.NONE)).isInstanceOf(GeneratorException.class)
                .hasMessageStartingWith("GEN-0203").hasMessageContaining("LDG-0224")
                .hasMessageContaining("symbol:char,lastPrice:double");
        }
    }

    @Test
    void shouldNamePortWhenNobodyListens() throws Exception
    {
        sevenRows();
        final int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = unused.getLocalPort();
        }
        final LoadGenerator generator = new LoadGenerator(settings(port));
        assertThatThrownBy(() -> generator.run(ProgressListener.NONE)).isInstanceOfSatisfying(
            GeneratorException.class, ex -> assertThat(ex.exitCode()).isEqualTo(GeneratorException.EXIT_CONNECT))
            .hasMessageStartingWith("GEN-0201").hasMessageContaining("port=" + port);
    }

    @Test
    void shouldEndWithMessageWhenServerGoesAway() throws Exception
    {
        sevenRows();
        final Receiver receiver = new Receiver();
        final Path json = folder.resolve("lost.json");
        final LoadGenerator generator = new LoadGenerator(settings(receiver.port(), "test.rate", "10000",
            "test.statInterval", "10", "test.summaryFile", json.toString()));
        final RunSummary summary = generator.run(progress ->
        {
            try
            {
                receiver.close();
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
        });
        assertThat(summary.ended()).isEqualTo("lost");
        assertThat(summary.exitCode()).isEqualTo(GeneratorException.EXIT_LOST);
        assertThat(summary.failure()).startsWith("GEN-0301").contains("rowsSent=", "restart");
        assertThat(Files.readString(json)).contains("\"ended\": \"lost\"");
    }

    @Test
    void shouldGoOnWhenServerComesBackAndReconnectIsSet() throws Exception
    {
        sevenRows();
        final AtomicReference<Receiver> receiver = new AtomicReference<>(new Receiver());
        final int port = receiver.get().port();
        final LoadGenerator generator = new LoadGenerator(settings(port, "test.rate", "1000",
            "test.statInterval", "50", "test.reconnect", "true"));
        final RunSummary summary = generator.run(progress ->
        {
            try
            {
                if (receiver.get().port() != 0 && progress.openConnections() == 1 && progress.sent() > 10 &&
                    receiver.get().statistics().get("connectionsTotal").equals(1L) && first(receiver, port))
                {
                    return;
                }
                if (receiver.get().count() > 0 && second)
                {
                    generator.stop();
                }
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
        });
        receiver.get().close();
        assertThat(summary.failure()).isNull();
        assertThat(summary.connections().get(0).reconnects()).isEqualTo(1);
        assertThat(summary.missed()).isPositive();
        assertThat(summary.ended()).isEqualTo("stopped");
    }

    private volatile boolean second;

    /** Replaces the first receiver with a second one on the same port; false when that was done before. */
    private boolean first(final AtomicReference<Receiver> receiver, final int port) throws IOException
    {
        if (second)
        {
            return false;
        }
        second = true;
        receiver.get().close();
        receiver.set(new Receiver(Receiver.TICK, port, 0, Clock.SYSTEM));
        return true;
    }

    @Test
    void shouldStampInServersClockWhenServersDiffer() throws Exception
    {
        sevenRows();
        final long ahead = TimeUnit.HOURS.toNanos(3);
        final int timesyncPort;
        try (DatagramSocket free = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            timesyncPort = free.getLocalPort();
        }
        final Clock serverClock = () -> Clock.SYSTEM.epochNs() + ahead;
        try (Receiver receiver = new Receiver(Receiver.TICK, 0, timesyncPort, serverClock))
        {
            final RunSummary summary = new LoadGenerator(settings(receiver.port(), "test.maxEvents", "10",
                "test.rate", "1000", "test.timesyncPort", "" + timesyncPort)).run(ProgressListener.NONE);
            final long error = summary.clockOffsetNs() - ahead;
            assertThat(Math.abs(error)).isLessThanOrEqualTo(summary.clockUncertaintyNs());
            assertThat(summary.clockUncertaintyNs()).isPositive();
            // A request whose response is late is repeated, at most twice.
            assertThat((Long)receiver.statistics().get("timesyncRequests")).isBetween(64L, 66L);
            assertThat(receiver.origins().get(0)).isCloseTo(
                serverClock.epochNs(), org.assertj.core.data.Offset.offset(TimeUnit.MINUTES.toNanos(5)));
        }
    }

    @Test
    void shouldSayNextStepWhenServersClockIsSilent() throws Exception
    {
        sevenRows();
        final int port;
        try (DatagramSocket free = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            port = free.getLocalPort();
        }
        final LoadGenerator generator = new LoadGenerator(settings(9001, "test.timesyncPort", "" + port));
        assertThatThrownBy(() -> generator.run(ProgressListener.NONE)).hasMessageStartingWith("GEN-0204")
            .hasMessageContaining("test.timesyncPort=" + port);
    }

    @Test
    void shouldWriteSummaryAsJsonWhenSeveralFilesAreDriven() throws Exception
    {
        sevenRows();
        try (Receiver one = new Receiver(); Receiver two = new Receiver())
        {
            final List<Path> files = new ArrayList<>();
            for (final Receiver receiver : List.of(one, two))
            {
                final Path file = folder.resolve("g" + receiver.port() + ".prop");
                Files.write(file, List.of("test.packetType=CSV", "test.csvDataFile=data.csv",
                    "test.port=" + receiver.port(), "test.senders=2", "test.rate=max"));
                files.add(file);
            }
            final Path json = folder.resolve("run.json");
            assertThat(Main.execute(files.get(0).toString(), files.get(1).toString(), "-Dtest.maxEvents=100",
                "--summary", json.toString(), "--quiet")).isZero();
            assertThat(one.count()).isEqualTo(100);
            assertThat(two.count()).isEqualTo(100);
            final JsonObject run = JsonParser.parseString(Files.readString(json)).getAsJsonObject()
                .getAsJsonArray("runs").get(1).getAsJsonObject();
            assertThat(run.get("sent").getAsLong()).isEqualTo(100);
            assertThat(run.get("columnTypes").toString()).isEqualTo("[\"char8\",\"double\"]");
            final JsonObject connection = run.getAsJsonArray("connections").get(1).getAsJsonObject();
            assertThat(connection.get("index").getAsInt()).isEqualTo(1);
            assertThat(connection.get("rowsSent").getAsLong()).isEqualTo(50);
            assertThat(connection.get("rowsPerPass").getAsLong()).isEqualTo(3);
        }
    }

    @Test
    void shouldEndWithItsCodeWhenCommandLineIsWrong()
    {
        assertThat(Main.execute(folder.resolve("none.prop").toString())).isEqualTo(2);
        assertThat(Main.execute("--help")).isZero();
        assertThat(Main.execute("--unknown")).isEqualTo(2);
    }

    @Test
    void shouldWriteSummaryWhenProcessIsInterrupted() throws Exception
    {
        sevenRows();
        try (Receiver receiver = new Receiver())
        {
            final Path file = folder.resolve("long.prop");
            final Path json = folder.resolve("long.json");
            Files.write(file, List.of("test.packetType=CSV", "test.csvDataFile=data.csv", "test.port=" +
                receiver.port(), "test.rate=1000", "test.secs=600", "test.summaryFile=long.json"));
            final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString(), "-cp", System.getProperty("java.class.path"), Main.class.getName(), file.toString())
                .redirectErrorStream(true).redirectOutput(folder.resolve("console.txt").toFile()).start();
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (receiver.count() < 50)
            {
                assertThat(System.nanoTime()).as("rows arrive in time").isLessThan(deadline);
                Thread.onSpinWait();
            }
            // Ends the process like Ctrl-C.
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            final JsonObject run = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
            assertThat(run.get("ended").getAsString()).isEqualTo("stopped");
            assertThat(run.get("drained").getAsBoolean()).isTrue();
            assertThat(run.get("sent").getAsLong()).isEqualTo(receiver.count());
            assertThat(receiver.rejected()).isEmpty();
        }
    }

    private static EventType vehicle()
    {
        return EventType.tuple("Vehicle", new EventProperty("vehicleId", CqlType.CHAR),
            new EventProperty("at", CqlType.TIMESTAMP), new EventProperty("isFull", CqlType.BOOLEAN),
            new EventProperty("seats", CqlType.INT));
    }

    private RunSummary playVehicles(final Receiver receiver, final String... more) throws Exception
    {
        final List<String> settings = new ArrayList<>(List.of("test.rate", "100000", "test.split", "copy"));
        settings.addAll(List.of(more));
        return new LoadGenerator(settings(receiver.port(), settings.toArray(String[]::new)))
            .run(ProgressListener.NONE);
    }

    @Test
    void shouldSendTypesOfEventWhenDataFileLooksLikeOthers() throws Exception
    {
        data("0815,7,0,4", "1,8,1,", "20,9,0,6");
        try (Receiver receiver = new Receiver(vehicle(), 0, 0, Clock.SYSTEM))
        {
            final RunSummary summary = playVehicles(receiver, "test.senders", "2", "test.maxEvents", "8",
                "test.latencyStats", "true");
            assertThat(summary.drained()).isTrue();
            assertThat(summary.lagUs().count()).isEqualTo(8);
            assertThat(summary.columnTypes()).containsExactly("char8", "timestamp", "boolean", "int");
            assertThat(receiver.rows().stream().sorted().toList()).containsExactly("0815,7,false,4", "0815,7,false,4",
                "0815,7,false,4", "0815,7,false,4", "1,8,true,null", "1,8,true,null", "20,9,false,6", "20,9,false,6");
            assertThat(receiver.rejected()).isEmpty();
        }
    }

    @Test
    void shouldRejectOnlyRowsWithoutValueOfTypeOfProperty() throws Exception
    {
        data("0815,7,0,4", "1,today,1,5", "20,9,0,6.5", "21,1970-01-01T00:00:00.000000010Z,true,7");
        try (Receiver receiver = new Receiver(vehicle(), 0, 0, Clock.SYSTEM))
        {
            final RunSummary summary = playVehicles(receiver, "test.maxEvents", "4");
            assertThat(summary.columnTypes()).containsExactly("char8", "char8", "boolean", "char8");
            assertThat(receiver.rows()).containsExactly("0815,7,false,4", "21,10,true,7");
            assertThat(receiver.rejected()).containsOnly(Map.entry("bad-value", 1), Map.entry("not-a-number", 1));
        }
    }

    @Test
    void shouldRefuseDeclaredTypesThatDoNotFillProperties() throws Exception
    {
        data("0815,7,0,4");
        try (Receiver receiver = new Receiver(vehicle(), 0, 0, Clock.SYSTEM))
        {
            assertThatThrownBy(() -> playVehicles(receiver, "test.columnTypes", "int,bigint,boolean,int"))
                .hasMessageStartingWith("GEN-0203").hasMessageContaining("LDG-0225")
                .hasMessageContaining("column=vehicleId");
            assertThat(receiver.rows()).isEmpty();
        }
    }

    private Path secret(final String name, final String text) throws IOException
    {
        return Files.writeString(Files.createFile(folder.resolve(name), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rw-------"))), text);
    }

    private void keytool(final String... options) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-keystore",
            folder.resolve("port.p12").toString(), "-storepass", "not-a-secret", "-alias", "port"));
        command.addAll(List.of(options));
        assertThat(new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile()).start().waitFor()).isZero();
    }

    @Test
    void shouldShowTokenAndEncryptWhenTheAdapterWantsIt() throws Exception
    {
        final List<String> lines = sevenRows();
        final Path token = secret("token", "0123456789abcdef");
        final Path password = secret("password", "not-a-secret");
        keytool("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext",
            "SAN=IP:127.0.0.1", "-validity", "2", "-storetype", "PKCS12");
        keytool("-exportcert", "-rfc", "-file", folder.resolve("port.pem").toString());
        try (Receiver receiver = new Receiver(Receiver.TICK, 0, 0, Clock.SYSTEM, adapter ->
        {
            adapter.setTokenFile(token.toString());
            adapter.setKeyStore(folder.resolve("port.p12").toString());
            adapter.setKeyStorePasswordFile(password.toString());
        }))
        {
            int arrived = 0;
            for (final String packets : new String[] {"CSV", "TEXT"})
            {
                final RunSummary summary = new LoadGenerator(settings(receiver.port(), "test.senders", "3",
                    "test.ticksPerPacket", "100", "test.maxEvents", "200003", "test.rate", "max", "test.packetType",
                    packets, "test.tokenFile", "token", "test.tls", "true", "test.trustedCertificates", "port.pem"))
                    .run(ProgressListener.NONE);
                assertThat(summary.drained()).as(packets).isTrue();
                assertThat(summary.sent()).isEqualTo(200003);
                assertThat(receiver.rows().subList(arrived, receiver.count()).stream().sorted().toList())
                    .isEqualTo(expected(lines, false, 3, 200003).stream().sorted().toList());
                arrived = receiver.count();
            }
            assertRefused(receiver, "GEN-0203", "LDG-0229", "test.tls", "true", "test.trustedCertificates", "port.pem");
            assertRefused(receiver, "GEN-0205", "trustedCertificates", "test.tokenFile", "token", "test.tls", "true");
            assertRefused(receiver, "GEN-0202", "test.tls", "test.tokenFile", "token");
            assertThat(receiver.count()).isEqualTo(arrived);
        }
    }

    private void assertRefused(final Receiver receiver, final String code, final String text, final String... more)
        throws Exception
    {
        final LoadGenerator generator = new LoadGenerator(settings(receiver.port(), more));
        assertThatThrownBy(() -> generator.run(ProgressListener.NONE)).isInstanceOf(GeneratorException.class)
            .hasMessageStartingWith(code).hasMessageContaining(text);
    }

    @Test
    void shouldRefuseSecretsThatCannotBeUsed() throws Exception
    {
        sevenRows();
        Files.writeString(folder.resolve("open"), "0123456789abcdef");
        assertThatThrownBy(() -> new LoadGenerator(settings(1, "test.tokenFile", "open")))
            .hasMessageStartingWith("GEN-0106 the token file cannot be used").hasMessageContaining("chmod 600");
        assertThatThrownBy(() -> new LoadGenerator(settings(1, "test.tls", "true", "test.trustedCertificates", "open")))
            .hasMessageStartingWith("GEN-0107 the certificates cannot be used");
        assertThatThrownBy(() -> settings(1, "test.trustedCertificates", "open"))
            .hasMessageStartingWith("GEN-0103").hasMessageContaining("set test.tls=true");
    }
}
