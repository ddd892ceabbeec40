package dev.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients send the bytes in PROTOCOL.md of the adapter, and understand its responses. */
@Timeout(60)
class ProtocolBytesTest
{
    private static final Pattern BLOCK = Pattern.compile("```hex\n(.*?)```", Pattern.DOTALL);
    private static final Pattern BYTES = Pattern.compile("^((?:[0-9A-F]{2} +)+)", Pattern.MULTILINE);

    private static List<byte[]> blocks() throws IOException
    {
        return BLOCK.matcher(Files.readString(Path.of("../../adapters/loadgen/PROTOCOL.md"))).results().map(block ->
            HexFormat.of().parseHex(String.join("", BYTES.matcher(block.group(1)).results().map(MatchResult::group)
                .toList()).replace(" ", ""))).toList();
    }

    /** Sets the due times of three frames to those of the page. */
    private static byte[] withDueTimes(final byte[] frames)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(frames).order(ByteOrder.LITTLE_ENDIAN);
        int position = 0;
        for (int frame = 0; frame < 3; frame++)
        {
            assertThat(bytes.getLong(position + 8)).as("due after 2025").isGreaterThan(1_735_689_600_000_000_000L);
            bytes.putLong(position + 8, 1_000 + frame);
            position += 4 + bytes.getInt(position);
        }
        return frames;
    }

    /** A server that compares the bytes of a sender with those of the page, and sends the responses of the page. */
    static CompletableFuture<Void> converse(final ServerSocket server)
    {
        return CompletableFuture.runAsync(() ->
        {
            try (Socket socket = server.accept())
            {
                final List<byte[]> page = blocks();
                assertThat(socket.getInputStream().readNBytes(page.get(0).length)).isEqualTo(page.get(0));
                socket.getOutputStream().write(page.get(1));
                assertThat(withDueTimes(socket.getInputStream().readNBytes(page.get(2).length)))
                    .isEqualTo(page.get(2));
                socket.getOutputStream().write(page.get(3));
                assertThat(socket.getInputStream().readAllBytes()).isEmpty();
            }
            catch (final IOException ex)
            {
                throw new IllegalStateException(ex);
            }
        });
    }

    @Test
    void shouldSendTheBytesOfThePage() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            server.setSoTimeout(60_000);
            final CompletableFuture<Void> conversation = converse(server);
            try (EventSender sender = new EventSenderBuilder("127.0.0.1", server.getLocalPort())
                .column("symbol", ColumnType.CHAR8).column("lastPrice", ColumnType.DOUBLE).stream("desk").connect())
            {
                sender.addString("ORCL").addDouble(31.5).endRow();
                sender.addString("Zürich").addDouble(-1.5).endRow();
                sender.addString("MS").addNull().endRow();
            }
            conversation.get(60, TimeUnit.SECONDS);
        }
    }
}
