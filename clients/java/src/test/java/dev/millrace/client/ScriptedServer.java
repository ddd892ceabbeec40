package dev.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.loadgen.WireFormat;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with faults that the adapter does not have. Serves one connection after the other. */
final class ScriptedServer implements AutoCloseable
{
    /** Serves a connection from its preamble on. The connection is closed afterwards. */
    @FunctionalInterface
    interface Script
    {
        void serve(DataInputStream in, Socket socket) throws IOException;
    }

    /** The response with no stored row, for streams with and without a name. */
    private static final byte[] ACCEPTED =
        WireFormat.answer(WireFormat.ANSWER_ACCEPTED, "symbol:char,lastPrice:double");
    private static final int FLAGS = 5;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();
    private final Script script;
    private volatile IOException failure;
    private final Thread thread = new Thread(this::serve, "server");

    ScriptedServer(final Script script) throws IOException
    {
        this.script = script;
        thread.start();
    }

    /** Accepts the columns, reads the first rows, and closes the connection. */
    static ScriptedServer endingEachConnection() throws IOException
    {
        return new ScriptedServer((in, socket) ->
        {
            accept(in, socket);
            awaitRows(in);
        });
    }

    /** Responds to the first rows. */
    static ScriptedServer responding(final byte[] response) throws IOException
    {
        return new ScriptedServer((in, socket) ->
        {
            accept(in, socket);
            awaitRows(in);
            socket.getOutputStream().write(response);
            in.readAllBytes();
        });
    }

    static byte[] acknowledgement(final long acknowledged)
    {
        return ByteBuffer.allocate(11).order(ByteOrder.LITTLE_ENDIAN).put(WireFormat.ANSWER_ACKNOWLEDGED)
            .putShort((short)8).putLong(acknowledged).array();
    }

    /** Reads the preamble of a sender of ticks, and accepts it. */
    static void accept(final DataInputStream in, final Socket socket) throws IOException
    {
        final byte[] preamble = in.readNBytes(10);
        final boolean isNamed = (preamble[FLAGS] & WireFormat.PREAMBLE_FLAG_STREAM) != 0;
        if (isNamed)
        {
            in.readNBytes(Short.reverseBytes(in.readShort()) + Long.BYTES);
        }
        socket.getOutputStream().write(ACCEPTED);
        socket.getOutputStream().write(new byte[isNamed ? Long.BYTES : 0]);
    }

    /** Reads frames until one has rows. */
    private static void awaitRows(final DataInputStream in) throws IOException
    {
        int rows = 0;
        while (rows == 0)
        {
            rows = readFrame(in);
        }
    }

    /** Reads a frame; returns the number of its rows. */
    static int readFrame(final DataInputStream in) throws IOException
    {
        final byte[] frame = new byte[Integer.reverseBytes(in.readInt())];
        in.readFully(frame);
        return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getShort(2);
    }

    int port()
    {
        return listener.getLocalPort();
    }

    int connections()
    {
        return connections.get();
    }

    /** Asserts that a sender has connected again, but paused for 100 ms before each attempt. */
    void assertPauses(final long elapsedNs)
    {
        assertThat(connections()).isBetween(2, (int)(2 + TimeUnit.NANOSECONDS.toMillis(elapsedNs) / 100));
    }

    private void serve()
    {
        while (!listener.isClosed())
        {
            try (Socket socket = listener.accept())
            {
                connections.incrementAndGet();
                script.serve(new DataInputStream(socket.getInputStream()), socket);
            }
            catch (final IOException ex)
            {
                // The sender or the test may close a socket at any time.
                failure = ex instanceof SocketException || ex instanceof EOFException ? failure : ex;
            }
        }
    }

    @Override
    public void close() throws IOException
    {
        listener.close();
        assertThat(failure).isNull();
    }
}
