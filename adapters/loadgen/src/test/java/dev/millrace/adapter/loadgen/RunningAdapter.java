package dev.millrace.adapter.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A real adapter for ticks on an ephemeral loopback port, with its thread and operations of senders. */
final class RunningAdapter implements AutoCloseable
{
    static final List<WireType> PAIR = List.of(WireType.CHAR8, WireType.DOUBLE);

    final Rows rows = new Rows(Rows.TICK);
    final LoadgenAdapter adapter;
    private final Thread runner;

    RunningAdapter(final Clock clock, final Consumer<LoadgenAdapter> properties) throws IOException
    {
        this(clock, name -> null, properties);
    }

    RunningAdapter(final Clock clock, final NamedSecrets secrets, final Consumer<LoadgenAdapter> properties)
        throws IOException
    {
        adapter = new LoadgenAdapter(secrets);
        runner = new Thread(adapter, "adapter");
        adapter.setPort(0);
        adapter.setTimesyncPort(0);
        adapter.setStageContext(new Context(clock));
        adapter.setBatchSender(rows);
        properties.accept(adapter);
        adapter.afterPropertiesSet();
        adapter.afterConfigurationActive();
        runner.start();
    }

    /** The stage "in" of the application "test". */
    record Context(Clock clock) implements StageContext
    {
        @Override
        public String applicationName()
        {
            return "test";
        }

        @Override
        public String stageId()
        {
            return "in";
        }

        @Override
        public EventTypeRepository eventTypes()
        {
            return new EventTypeRepository()
            {
                @Override
                public EventType eventType(final String name)
                {
                    return Rows.TICK.name().equals(name) ? Rows.TICK : null;
                }

                @Override
                public Collection<EventType> eventTypes()
                {
                    return List.of(Rows.TICK);
                }
            };
        }
    }

    Socket connect() throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), adapter.boundPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /**
     * Sends text on a new connection and ends it.
     *
     * @return the response of the adapter until it closes the connection
     */
    String say(final String text) throws IOException
    {
        return say(text.getBytes(StandardCharsets.UTF_8));
    }

    String say(final byte[] bytes) throws IOException
    {
        try (Socket socket = connect())
        {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final java.net.SocketException closedWhileBytesWereUnread)
        {
            return "";
        }
    }

    static String answer(final InputStream in) throws IOException
    {
        final byte[] head = in.readNBytes(WireFormat.ANSWER_HEADER_BYTES);
        final byte[] text = in.readNBytes(head[1] & 0xFF | (head[2] & 0xFF) << 8);
        return head[0] + " " + new String(text, StandardCharsets.UTF_8);
    }

    static byte[] frame(final String symbol, final double... prices)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(64 + prices.length * (symbol.length() + 9));
        final FrameWriter writer = new FrameWriter(buffer).begin(prices.length, 42, 0);
        for (final double price : prices)
        {
            writer.char8(symbol).float64(price);
        }
        writer.end();
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    static void await(final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("condition came true in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    long statistic(final String name)
    {
        return ((Number)adapter.statistics().get(name)).longValue();
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            adapter.destroy();
            runner.join(TimeUnit.SECONDS.toMillis(60));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        assertThat(runner.isAlive()).isFalse();
    }
}
