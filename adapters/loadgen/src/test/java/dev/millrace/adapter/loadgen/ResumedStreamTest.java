package dev.millrace.adapter.loadgen;

import static dev.millrace.adapter.loadgen.RunningAdapter.PAIR;
import static dev.millrace.adapter.loadgen.RunningAdapter.answer;
import static dev.millrace.adapter.loadgen.RunningAdapter.await;
import static dev.millrace.adapter.loadgen.RunningAdapter.frame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that continue a stream after the rows that are stored. */
@Timeout(60)
class ResumedStreamTest
{
    private RunningAdapter adapter;

    @BeforeEach
    void start() throws IOException
    {
        adapter = new RunningAdapter(Clock.SYSTEM, properties ->
        {
        });
    }

    @AfterEach
    void stop() throws IOException
    {
        adapter.close();
    }

    private Socket open(final String stream, final long stored) throws IOException
    {
        final Socket socket = adapter.connect();
        socket.getOutputStream().write(WireFormat.preamble(PAIR, null, stream));
        assertThat(answer(socket.getInputStream())).isEqualTo("0 symbol:char,lastPrice:double");
        final byte[] number = socket.getInputStream().readNBytes(Long.BYTES);
        assertThat(ByteBuffer.wrap(number).order(ByteOrder.LITTLE_ENDIAN).getLong()).isEqualTo(stored);
        return socket;
    }

    private String refusal(final String stream) throws IOException
    {
        try (Socket socket = adapter.connect())
        {
            socket.getOutputStream().write(WireFormat.preamble(PAIR, null, stream));
            return answer(socket.getInputStream());
        }
    }

    @Test
    void shouldNumberRowsAfterThoseThatAreStored() throws IOException
    {
        adapter.rows.stored(41);
        try (Socket first = open("a", 41); Socket second = open("b", 41); Socket plain = adapter.connect())
        {
            first.getOutputStream().write(frame("F", 1, 2));
            await(() -> adapter.rows.count() == 2);
            second.getOutputStream().write(frame("S", 1));
            await(() -> adapter.rows.count() == 3);
            plain.getOutputStream().write("P,1\n".getBytes(StandardCharsets.US_ASCII));
            await(() -> adapter.rows.count() == 4);
            first.getOutputStream().write(frame("F", 3));
            await(() -> adapter.rows.count() == 5);
        }
        assertThat(adapter.rows.sequences()).containsExactly("in/a 42", "in/a 43", "in/b 42", "none", "in/a 44");
    }

    @Test
    void shouldNumberTheRowsOfSeveralBatchesOfOneRead() throws IOException
    {
        adapter.rows.stored(0);
        final double[] prices = new double[1_000];
        try (Socket socket = open("many", 0))
        {
            socket.getOutputStream().write(frame("M", prices));
            await(() -> adapter.rows.count() == prices.length);
        }
        for (int row = 0; row < prices.length; row++)
        {
            assertThat(adapter.rows.sequences().get(row)).isEqualTo("in/many " + (row + 1));
        }
    }

    @Test
    void shouldCloseTheEarlierConnectionOfAStream() throws IOException
    {
        adapter.rows.stored(0);
        try (Socket earlier = open("one", 0))
        {
            adapter.rows.stored(7);
            try (Socket later = open("one", 7))
            {
                assertThat(earlier.getInputStream().read()).isEqualTo(-1);
                later.getOutputStream().write(frame("L", 1));
                await(() -> adapter.rows.count() == 1);
            }
        }
        assertThat(adapter.rows.sequences()).containsExactly("in/one 8");
    }

    @Test
    void shouldRefuseStreamsThatNoStageStoresAndNamesThatAreNone() throws IOException
    {
        assertThat(refusal("a")).startsWith("1 LDG-0248").contains("durable").contains("test.stream");
        adapter.rows.stored(0);
        assertThat(refusal("")).startsWith("1 LDG-0247");
        assertThat(refusal("two words")).startsWith("1 LDG-0247");
        assertThat(refusal("x".repeat(WireFormat.MAX_STREAM_BYTES + 1))).startsWith("1 LDG-0247");
        open("x".repeat(WireFormat.MAX_STREAM_BYTES), 0).close();
        assertThat(adapter.rows.rejected()).containsEntry("wrong-stream", 3).containsEntry("stream-not-stored", 1);
    }
}
