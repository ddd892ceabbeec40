package dev.millrace.client;

import static dev.millrace.client.RunningSource.ALL;
import static dev.millrace.client.RunningSource.TICK;
import static dev.millrace.client.RunningSource.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Senders and a real adapter: rows, refusals and errors. */
@Tag("slow")
@Timeout(60)
class EventSenderTest
{
    private static final Duration LONG = Duration.ofSeconds(60);

    private static RunningSource ticks() throws IOException
    {
        return new RunningSource(TICK, false, adapter ->
        {
        });
    }

    private static EventSenderBuilder local(final int port)
    {
        return new EventSenderBuilder("127.0.0.1", port);
    }

    static EventSenderBuilder to(final RunningSource source)
    {
        return to(source.port());
    }

    static EventSenderBuilder to(final int port)
    {
        return local(port).column("symbol", ColumnType.CHAR8)
            .column("lastPrice", ColumnType.DOUBLE).timeout(Duration.ofSeconds(60));
    }

    private static EventSenderBuilder all(final RunningSource source)
    {
        return local(source.port()).column("text", ColumnType.CHAR8)
            .column("longText", ColumnType.CHAR16).column("whole", ColumnType.INT).column("big", ColumnType.BIGINT)
            .column("small", ColumnType.FLOAT).column("number", ColumnType.DOUBLE).column("flag", ColumnType.BOOLEAN)
            .column("moment", ColumnType.TIMESTAMP);
    }

    @Test
    void shouldSendValuesOfAllTypesAndNulls() throws IOException
    {
        try (RunningSource source = new RunningSource(ALL, false, adapter ->
        {
        }))
        {
            final String umlauts = "ü".repeat(1_000);
            try (EventSender sender = all(source).connect())
            {
                sender.addString("Zürich €").addString(umlauts).addInt(-5).addLong(Long.MIN_VALUE).addFloat(0.5f)
                    .addDouble(-2.25).addBoolean(true).addTimestamp(Instant.parse("2026-01-31T23:59:59.000000001Z"))
                    .endRow();
                sender.addString(null).addNull().addNull().addNull().addNull().addNull().addNull().addNull().endRow();
                sender.addString("").addString("plain").addInt(7).addNull().addFloat(1).addNull().addBoolean(false)
                    .addTimestamp((Instant)null).endRow();
                sender.addString("last").addString("x").addInt(1).addLong(2).addFloat(3).addDouble(4).addBoolean(true)
                    .addTimestamp(6).endRow();
                assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
                assertThat(sender.acknowledgedRows()).isEqualTo(4);
            }
            final long ns = 1_769_903_999_000_000_001L;
            assertThat(source.rows.rows()).containsExactly(
                "Zürich €|" + umlauts + "|-5|-9223372036854775808|0.5|-2.25|true|" + ns,
                "null|null|null|null|null|null|null|null", "null|plain|7|null|1.0|null|false|null",
                "last|x|1|2|3.0|4.0|true|6");
            assertThat(source.rows.rejected()).isEmpty();
        }
    }

    @Test
    void shouldSendManyRowsInOrderAndAcknowledgeThem() throws IOException
    {
        final int count = 100_000;
        try (RunningSource source = ticks(); EventSender sender = to(source).frameBytes(4_096).connect())
        {
            for (int row = 0; row < count; row++)
            {
                sender.addString("S" + row % 7).addDouble(row).endRow();
            }
            assertThat(sender.rows()).isEqualTo(count);
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(sender.acknowledgedRows()).isEqualTo(count);
            assertThat(source.rows.count()).as("rows are received before they are acknowledged").isEqualTo(count);
            assertThat(source.rows.rows()).containsExactlyElementsOf(IntStream.range(0, count).mapToObj(row ->
                "S" + row % 7 + "|" + (double)row).toList());
        }
    }

    @Test
    void shouldSendEndedRowsWhenItIsFlushedInTheMiddleOfARow() throws IOException
    {
        try (RunningSource source = ticks(); EventSender sender = to(source).connect())
        {
            sender.addString("A").addDouble(1).endRow();
            sender.addString("B");
            sender.flush();
            await(() -> source.rows.count() == 1);
            sender.addNull().endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(source.rows.rows()).containsExactly("A|1.0", "B|null");
        }
    }

    @Test
    void shouldRemoveTheRowOfAValueThatIsRefused() throws IOException
    {
        try (RunningSource source = ticks())
        {
            final EventSender sender = to(source).frameBytes(1_024).connect();
            sender.addString("A").addDouble(1).endRow();
            assertThatThrownBy(() -> sender.addString("B").addInt(1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("CLN-0102").hasMessageContaining("column=lastPrice expected=DOUBLE actual=INT");
            assertThatThrownBy(() -> sender.addString("C").endRow())
                .hasMessageStartingWith("CLN-0103 a row has too few");
            assertThatThrownBy(() -> sender.addString("D").addDouble(1).addDouble(2))
                .hasMessageStartingWith("CLN-0103 a row has too many");
            assertThatThrownBy(() -> sender.addString("x".repeat(256))).hasMessageStartingWith("CLN-0104")
                .hasMessageContaining("bytes=256 max=255");
            assertThatThrownBy(() -> sender.addString("\uD800")).hasMessageStartingWith("CLN-0105");
            assertThatThrownBy(() -> sender.addString("x".repeat(2_000))).hasMessageStartingWith("CLN-0106");
            sender.addString("E").addDouble(5).endRow();
            sender.close();
            assertThat(source.rows.rows()).containsExactly("A|1.0", "E|5.0");
            assertThatThrownBy(sender::flush).isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("CLN-0107");
        }
    }

    @Test
    void shouldRemoveTheRowOfATimestampThatIsOutOfRange() throws IOException
    {
        try (RunningSource source = new RunningSource(ALL, false, adapter ->
        {
        }); EventSender sender = all(source).connect())
        {
            sender.addString("A").addString("a").addInt(1).addLong(1).addFloat(1).addDouble(1).addBoolean(true);
            assertThatThrownBy(() -> sender.addTimestamp(Instant.MAX)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("CLN-0109").hasMessageContaining("column=moment");
            sender.addString("B").addString("b").addInt(2).addLong(2).addFloat(2).addDouble(2).addBoolean(true)
                .addTimestamp(Instant.EPOCH).endRow();
            assertThatThrownBy(() -> sender.addTimestamp(Instant.MIN)).hasMessageStartingWith("CLN-0109");
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(source.rows.rows()).containsExactly("B|b|2|2|2.0|2.0|true|0");
        }
    }

    private static void assertRefused(final EventSenderBuilder builder, final String code, final String text)
    {
        assertThatThrownBy(builder::connect).isInstanceOfSatisfying(EventSenderException.class, refusal ->
        {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal).hasMessageContaining(text);
        });
    }

    @Test
    void shouldTellWhyAServerRefusesTheColumns() throws IOException
    {
        try (RunningSource source = ticks())
        {
            final EventSenderBuilder integer = local(source.port())
                .column("symbol", ColumnType.INT).column("lastPrice", ColumnType.DOUBLE);
            assertRefused(integer, "CLN-0203", "LDG-0225 column type does not match, column=symbol expected=char");
            assertRefused(local(source.port()).column("symbol", ColumnType.CHAR8), "CLN-0203",
                "LDG-0224");
            assertRefused(local(source.port()).column("symbol", ColumnType.CHAR8)
                .column("price", ColumnType.DOUBLE), "CLN-0205", "column=2 name=price properties=symbol:char,last");
            assertRefused(to(source).stream("desk"), "CLN-0203", "LDG-0248");
            assertRefused(to(source).tls(null), "CLN-0204", "keyStore");
        }
    }

    @Test
    void shouldTellWhenNoAdapterAnswers() throws IOException
    {
        final int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            free = socket.getLocalPort();
            assertRefused(local(free).column("a", ColumnType.INT).timeout(Duration.ofSeconds(2)),
                "CLN-0202", "port=" + free);
        }
        assertRefused(local(free).column("a", ColumnType.INT), "CLN-0201", "port=" + free);
    }

    @Test
    void shouldRefuseSettingsThatAreOutOfRange()
    {
        assertThatThrownBy(() -> local(0)).hasMessageStartingWith("CLN-0101")
            .hasMessageContaining("name=port value=0");
        assertThatThrownBy(() -> local(1).connect()).hasMessageContaining("name=columns");
        assertThatThrownBy(() -> local(1).frameBytes(10)).hasMessageContaining("name=frameBytes");
        assertThatThrownBy(() -> local(1).stream("")).hasMessageContaining("name=stream");
        assertThatThrownBy(() -> local(1).maxUnacknowledgedBytes(0))
            .hasMessageContaining("name=maxUnacknowledgedBytes");
        assertThatThrownBy(() -> local(1).timeout(Duration.ZERO))
            .hasMessageContaining("name=timeout");
        assertThat(local(1).timeout(Duration.ofSeconds(Long.MAX_VALUE))).as("as long as possible").isNotNull();
    }

    @Test
    void shouldEndWhenAConnectionWithoutNameIsLost() throws IOException
    {
        try (RunningSource source = ticks())
        {
            final EventSender sender = to(source).connect();
            sender.addString("A").addDouble(1).endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            source.stop();
            sender.addString("B").addDouble(2).endRow();
            assertThatThrownBy(() -> sender.awaitAcknowledgements(LONG)).isInstanceOf(EventSenderException.class)
                .hasMessageStartingWith("CLN-0301").hasMessageContaining("rows=2 acknowledged=1");
            assertThatThrownBy(sender::flush).hasMessageStartingWith("CLN-0301");
            sender.close();
        }
    }

    @Test
    void shouldTellWhyTheServerClosedTheConnection() throws IOException
    {
        try (RunningSource source = new RunningSource(TICK, true, adapter -> adapter.setMaxFrameBytes(4_096)))
        {
            final EventSender sender = to(source).stream("desk").connect();
            for (int row = 0; row < 1_000; row++)
            {
                sender.addString("TOO LARGE").addDouble(row).endRow();
            }
            assertThatThrownBy(() -> sender.awaitAcknowledgements(LONG)).isInstanceOf(EventSenderException.class)
                .hasMessageStartingWith("CLN-0203").hasMessageContaining("LDG-0233 frame is too long");
            sender.close();
        }
    }

    @Test
    void shouldStayConnectedWhenRowsComeLate() throws IOException
    {
        try (RunningSource source = new RunningSource(TICK, false, adapter ->
        {
            adapter.setFirstFrameTimeoutMillis(2_000);
            adapter.setFrameTimeoutMillis(2_000);
        }); EventSender sender = to(source).connect(); Socket silent = new Socket("127.0.0.1", source.port()))
        {
            silent.getOutputStream().write(new byte[] {0, 'M', 'R', 'F', 1, 0, 2, 0, 1, 6});
            final String said = new String(silent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).as("the other connection had the same time").contains("LDG-0245");
            sender.addString("LATE").addDouble(1).endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
        }
    }
}
