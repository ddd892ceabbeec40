package dev.millrace.adapter.loadgen;

import static dev.millrace.adapter.loadgen.RunningAdapter.PAIR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes in PROTOCOL.md are those of the code. */
@Timeout(60)
class ProtocolPageTest
{
    private static final Pattern BLOCK = Pattern.compile("```hex\n(.*?)```", Pattern.DOTALL);
    private static final Pattern BYTES = Pattern.compile("^((?:[0-9A-F]{2} +)+)", Pattern.MULTILINE);
    private static final int PREAMBLE = 0;
    private static final int RESPONSE = 1;
    private static final int FRAMES = 2;
    private static final int ACKNOWLEDGEMENT = 3;

    private static List<byte[]> blocks() throws IOException
    {
        return BLOCK.matcher(Files.readString(Path.of("PROTOCOL.md"))).results().map(block -> HexFormat.of().parseHex(
            String.join("", BYTES.matcher(block.group(1)).results().map(MatchResult::group).toList())
                .replace(" ", ""))).toList();
    }

    @Test
    void shouldShowThePreambleTheResponseTheFramesAndTheAcknowledgementThatTheCodeWrites() throws IOException
    {
        assertThat(blocks()).hasSize(4);
        assertThat(WireFormat.acknowledged(WireFormat.preamble(PAIR, null, "desk"), 0))
            .isEqualTo(blocks().get(PREAMBLE));
        assertThat(ByteBuffer.allocate(128).put(WireFormat.answer(WireFormat.ANSWER_ACCEPTED,
            "symbol:char,lastPrice:double")).putLong(0).flip()).isEqualTo(ByteBuffer.wrap(blocks().get(RESPONSE)));
        final ByteBuffer frames = ByteBuffer.allocate(128);
        final FrameWriter writer = new FrameWriter(frames);
        writer.begin(0, 1000, 0).end();
        writer.begin(2, 1001, 0).char8("ORCL").float64(31.5).char8("Zürich").float64(-1.5).end();
        writer.begin(1, 1002, WireFormat.FLAG_NULLS).nulls((byte)2).char8("MS").float64(0).end();
        assertThat(Arrays.copyOf(frames.array(), frames.position())).isEqualTo(blocks().get(FRAMES));
        assertThat(WireFormat.acknowledgement(3)).isEqualTo(ByteBuffer.wrap(blocks().get(ACKNOWLEDGEMENT)));
    }

    @Test
    void shouldShowAConversationThatTheAdapterHolds() throws IOException
    {
        try (RunningAdapter adapter = new RunningAdapter(Clock.SYSTEM, properties ->
        {
        }))
        {
            adapter.rows.stored(0);
            try (Socket socket = adapter.connect())
            {
                final byte[] response = blocks().get(RESPONSE);
                socket.getOutputStream().write(blocks().get(PREAMBLE));
                assertThat(socket.getInputStream().readNBytes(response.length)).isEqualTo(response);
                socket.getOutputStream().write(blocks().get(FRAMES));
                RunningAdapter.await(() -> adapter.rows.count() == 3);
                adapter.rows.stored(3);
                final byte[] acknowledgement = blocks().get(ACKNOWLEDGEMENT);
                assertThat(socket.getInputStream().readNBytes(acknowledgement.length)).isEqualTo(acknowledgement);
            }
            assertThat(adapter.rows.rows()).containsExactly("ORCL,31.5", "Zürich,-1.5", "MS,null");
            assertThat(adapter.rows.origins()).containsExactly(1001L, 1001L, 1002L);
            assertThat(adapter.rows.sequences()).containsExactly("in/desk 1", "in/desk 2", "in/desk 3");
        }
    }
}
