package dev.millrace.adapter.loadgen;

import static dev.millrace.adapter.loadgen.RunningAdapter.PAIR;
import static dev.millrace.adapter.loadgen.RunningAdapter.answer;
import static dev.millrace.adapter.loadgen.RunningAdapter.await;
import static dev.millrace.adapter.loadgen.RunningAdapter.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.loadgen.security.TlsContexts;
import dev.millrace.api.time.Clock;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledgements of rows to senders that request them. */
@Tag("slow")
@Timeout(180)
class AcknowledgementsTest
{
    @TempDir
    private Path folder;

    private static RunningAdapter start() throws IOException
    {
        return new RunningAdapter(Clock.SYSTEM, properties ->
        {
        });
    }

    /** Opens a connection of a new sender. */
    private static void open(final Socket socket, final String stream) throws IOException
    {
        open(socket, stream, 0);
    }

    /** Opens a connection; returns the number of stored rows if the stream has a name. */
    private static long open(final Socket socket, final String stream, final long acknowledged) throws IOException
    {
        socket.getOutputStream().write(WireFormat.acknowledged(WireFormat.preamble(PAIR, null, stream), acknowledged));
        assertThat(answer(socket.getInputStream())).isEqualTo("0 symbol:char,lastPrice:double");
        return stream == null ? 0 :
            Long.reverseBytes(new DataInputStream(socket.getInputStream()).readLong());
    }

    private static long acknowledged(final Socket socket) throws IOException
    {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        assertThat(in.readByte()).isEqualTo(WireFormat.ANSWER_ACKNOWLEDGED);
        assertThat(Short.reverseBytes(in.readShort())).isEqualTo((short)Long.BYTES);
        return Long.reverseBytes(in.readLong());
    }

    @Test
    void shouldCountTheRowsOfEachConnectionWhenStreamsHaveNoName() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket first = adapter.connect(); Socket second = adapter.connect())
        {
            open(first, null);
            open(second, null);
            first.getOutputStream().write(frame("F", new double[1_000]));
            assertThat(acknowledged(first)).isEqualTo(1_000);
            assertThat(adapter.rows.count()).as("rows are sent on before they are acknowledged").isEqualTo(1_000);
            second.getOutputStream().write(frame("S", 1, 2));
            assertThat(acknowledged(second)).isEqualTo(2);
            first.getOutputStream().write(frame("F", 3));
            assertThat(acknowledged(first)).isEqualTo(1_001);
        }
    }

    @Test
    void shouldWaitUntilNamedRowsAreStored() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket socket = adapter.connect())
        {
            adapter.rows.stored(0);
            open(socket, "desk");
            socket.getOutputStream().write(frame("D", 1, 2, 3));
            await(() -> adapter.rows.count() == 3);
            socket.setSoTimeout(300);
            assertThatThrownBy(() -> socket.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
            socket.setSoTimeout(60_000);
            adapter.rows.stored(2);
            assertThat(acknowledged(socket)).isEqualTo(2);
            adapter.rows.stored(3);
            assertThat(acknowledged(socket)).isEqualTo(3);
        }
    }

    @Test
    void shouldNumberRowsAfterTheAcknowledgedOnesWhenTheServerKnowsLowerNumbersAfterARestart() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket socket = adapter.connect())
        {
            adapter.rows.stored(98);
            assertThat(open(socket, "desk", 101)).isEqualTo(101);
            socket.getOutputStream().write(frame("D", 1));
            await(() -> adapter.rows.count() == 1);
            assertThat(adapter.rows.sequences()).containsExactly("in/desk 102");
            adapter.rows.stored(102);
            assertThat(acknowledged(socket)).isEqualTo(102);
        }
    }

    @Test
    void shouldAcknowledgeRejectedRowsWhenTheServerKnowsLowerNumbersAfterARestart() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket socket = adapter.connect())
        {
            adapter.rows.stored(98);
            open(socket, "desk", 101);
            socket.getOutputStream().write(frame("x".repeat(17), 1));
            assertThat(acknowledged(socket)).isEqualTo(102);
            assertThat(adapter.rows.count()).isZero();
        }
    }

    @Test
    void shouldNumberRowsAfterTheStoredOnesWhenTheSenderKnowsFewer() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket socket = adapter.connect())
        {
            adapter.rows.stored(98);
            assertThat(open(socket, "desk", 97)).isEqualTo(98);
            socket.getOutputStream().write(frame("D", 1));
            await(() -> adapter.rows.count() == 1);
            assertThat(adapter.rows.sequences()).containsExactly("in/desk 99");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, (1L << 48) - 1, Long.MAX_VALUE})
    void shouldRefuseNumbersThatAreOutOfRange(final long acknowledged) throws IOException
    {
        try (RunningAdapter adapter = start(); Socket socket = adapter.connect())
        {
            adapter.rows.stored(0);
            socket.getOutputStream().write(
                WireFormat.acknowledged(WireFormat.preamble(PAIR, null, "desk"), acknowledged));
            assertThat(answer(socket.getInputStream())).startsWith("1 LDG-0247").contains("number=" + acknowledged);
        }
    }

    @Test
    void shouldAcknowledgeRejectedRowsWhenAllRowsBeforeThemAreStored() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket socket = adapter.connect())
        {
            adapter.rows.stored(0);
            open(socket, "desk");
            final ByteBuffer both = ByteBuffer.allocate(256);
            both.put(frame("GOOD", 1)).put(frame("x".repeat(17), 2));
            socket.getOutputStream().write(both.array(), 0, both.position());
            await(() -> adapter.rows.count() == 1);
            assertThat(adapter.rows.sequences()).containsExactly("in/desk 1");
            adapter.rows.stored(1);
            assertThat(acknowledged(socket)).isEqualTo(2);
            socket.getOutputStream().write(frame("x".repeat(17), 3));
            assertThat(acknowledged(socket)).isEqualTo(3);
            socket.getOutputStream().write(frame("LATER", 4));
            await(() -> adapter.rows.count() == 2);
            assertThat(adapter.rows.sequences()).containsExactly("in/desk 1", "in/desk 4");
            adapter.rows.stored(4);
            assertThat(acknowledged(socket)).isEqualTo(4);
        }
    }

    @Test
    void shouldSendNothingToSendersThatDoNotAsk() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket socket = adapter.connect())
        {
            socket.getOutputStream().write(WireFormat.preamble(PAIR));
            assertThat(answer(socket.getInputStream())).startsWith("0 ");
            socket.getOutputStream().write(frame("A", 1));
            await(() -> adapter.rows.count() == 1);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
    }

    @Test
    void shouldServeOthersWhenASenderDoesNotReadItsAcknowledgements() throws IOException
    {
        try (RunningAdapter adapter = start(); Socket unread = new Socket(); Socket other = adapter.connect())
        {
            unread.setReceiveBufferSize(1 << 10);
            unread.connect(new InetSocketAddress("127.0.0.1", adapter.adapter.boundPort()));
            adapter.rows.stored(0);
            open(unread, "unread");
            open(other, null);
            adapter.rows.forgetRows();
            // Each stored row is acknowledged alone, because the other connection waits for its acknowledgement.
            for (int row = 1; row <= 2_000; row++)
            {
                unread.getOutputStream().write(frame("D", row));
                adapter.rows.stored(row);
                other.getOutputStream().write(frame("O", row));
                while (acknowledged(other) < row)
                {
                    assertThat(adapter.statistic("connectionsOpen")).isEqualTo(2);
                }
            }
        }
    }

    @Test
    void shouldEncryptAcknowledgementsOnPortsWithTls() throws Exception
    {
        final Path store = TestKeys.keyStore(folder.resolve("port.p12"));
        final Path password = TestKeys.secret(folder.resolve("password"), TestKeys.PASSWORD);
        try (RunningAdapter adapter = new RunningAdapter(Clock.SYSTEM, properties ->
        {
            properties.setKeyStore(store.toString());
            properties.setKeyStorePasswordFile(password.toString());
        }); SSLSocket socket = (SSLSocket)TlsContexts.client(Path.of(store + ".pem")).getSocketFactory()
            .createSocket(adapter.connect(), "localhost", adapter.adapter.boundPort(), true))
        {
            open(socket, null);
            for (int row = 1; row <= 3; row++)
            {
                socket.getOutputStream().write(frame("T", row));
                assertThat(acknowledged(socket)).isEqualTo(row);
            }
        }
    }

    @Test
    void shouldKeepAnAcknowledgementThatTheSocketAcceptsOnlyInPart() throws Exception
    {
        final Rows rows = new Rows(Rows.TICK);
        final BatchAssembler batch = new BatchAssembler(rows, Rows.inOrder(Rows.TICK));
        final FrameDecoder decoder = new FrameDecoder(batch, PAIR, 1 << 20, "test");
        final RowAcknowledgement acknowledgement = new RowAcknowledgement(decoder, null);
        final ByteBuffer received = ByteBuffer.allocate(64);
        final List<Integer> accepted = Arrays.asList(0, 4, 0, 7, 64);
        final int[] writes = {0};
        final RowAcknowledgement.Output socket = bytes ->
        {
            final int count = Math.min(accepted.get(writes[0]++), bytes.remaining());
            received.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            return true;
        };
        assertThat(acknowledgement.isDue()).isFalse();
        byte[] bytes = frame("A", 1);
        decoder.decode(bytes, 0, bytes.length);
        assertThat(acknowledgement.send(batch, socket)).isTrue();
        assertThat(acknowledgement.isIncomplete()).isTrue();
        bytes = frame("B", 2, 3);
        decoder.decode(bytes, 0, bytes.length);
        assertThat(acknowledgement.send(batch, socket)).isFalse();
        assertThat(acknowledgement.send(batch, socket)).isFalse();
        assertThat(acknowledgement.send(batch, socket)).as("the first is complete, the second follows").isTrue();
        assertThat(acknowledgement.isDue()).isFalse();
        assertThat(Arrays.copyOf(received.array(), received.position())).asString(StandardCharsets.ISO_8859_1)
            .isEqualTo("\3\10\0\1\0\0\0\0\0\0\0\3\10\0\3\0\0\0\0\0\0\0");
    }
}
