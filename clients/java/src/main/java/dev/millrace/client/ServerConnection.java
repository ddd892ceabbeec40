package dev.millrace.client;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One connection that the server has accepted. Its reader thread receives acknowledgements and refusals; one other
 * thread writes, and waits for them. Owns its socket. Failure: bytes that are not those of the protocol end it.
 */
final class ServerConnection implements AutoCloseable
{
    private static final byte[] MAGIC = {0, 'M', 'R', 'F'};
    private static final byte VERSION = 1;
    private static final byte FLAG_TOKEN = 1;
    private static final byte FLAG_STREAM = 2;
    private static final byte FLAG_ACKNOWLEDGE = 8;
    private static final byte ACCEPTED = 0;
    private static final byte REFUSED = 1;
    private static final byte ACKNOWLEDGED = 3;
    private static final int ACKNOWLEDGEMENT_BYTES = Long.BYTES;
    private static final int MAX_TEXT_BYTES = 1024;
    private static final String[] TLS_VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final SenderSettings settings;
    private final Socket plain;
    /** The plain socket, or TLS over it. */
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final Thread reader;
    private long acknowledgedRows;
    private boolean hasEnded;
    private IOException cause;
    private String refusal;

    private ServerConnection(final SenderSettings settings, final Socket plain, final Socket socket)
        throws IOException
    {
        this.settings = settings;
        this.plain = plain;
        this.socket = socket;
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = socket.getOutputStream();
        reader = new Thread(this::read, "millrace-client-" + settings.port());
        reader.setDaemon(true);
    }

    /**
     * Connects, and waits until the server accepts the columns.
     *
     * @param acknowledged number up to which earlier connections have acknowledged rows of the stream
     * @param timeoutNs    maximum time for all of it
     * @throws EventSenderException if it does not
     */
    static ServerConnection open(final SenderSettings settings, final long acknowledged, final long timeoutNs)
        throws EventSenderException
    {
        final Socket plain = new Socket();
        // A time-out of the socket would begin again with each byte that it receives.
        final CompletableFuture<Void> opening =
            new CompletableFuture<Void>().orTimeout(timeoutNs, TimeUnit.NANOSECONDS);
        opening.whenComplete((none, overdue) -> closeQuietly(overdue == null ? null : plain));
        boolean isOpen = false;
        try
        {
            connect(plain, settings, opening);
            final Socket socket = settings.tls() == null ? plain : encrypted(plain, settings);
            final ServerConnection connection = new ServerConnection(settings, plain, socket);
            connection.shakeHands(acknowledged);
            isOpen = opening.complete(null);
            if (!isOpen)
            {
                throw new SocketTimeoutException();
            }
            connection.reader.start();
            return connection;
        }
        catch (final EventSenderException ex)
        {
            throw ex;
        }
        catch (final IOException ex)
        {
            if (ex instanceof SSLException && !opening.isCompletedExceptionally())
            {
                throw new EventSenderException("CLN-0204 the TLS handshake with the server failed, " +
                    settings.where() + " cause=" + ex.getMessage() + "; check that the adapter has a keyStore, and " +
                    "that its certificate is trusted and names the host", ex);
            }
            throw new EventSenderException("CLN-0202 the server does not respond, " + settings.where() + " cause=" +
                causeOf(opening, ex) + "; check that an application with a socket adapter runs on that port, and if " +
                "it needs TLS", ex);
        }
        finally
        {
            if (!isOpen)
            {
                opening.complete(null);
                closeQuietly(plain);
            }
        }
    }

    private static String causeOf(final CompletableFuture<Void> opening, final IOException failure)
    {
        return opening.isCompletedExceptionally() ? "the time-out of the sender has elapsed" : failure.toString();
    }

    private static void connect(final Socket socket, final SenderSettings settings,
        final CompletableFuture<Void> opening) throws EventSenderException
    {
        try
        {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(new InetSocketAddress(settings.host(), settings.port()));
        }
        catch (final IOException ex)
        {
            throw new EventSenderException("CLN-0201 cannot connect, " + settings.where() + " cause=" +
                causeOf(opening, ex) + "; start the server and its application, and check host and port", ex);
        }
    }

    private static SSLSocket encrypted(final Socket plain, final SenderSettings settings) throws IOException
    {
        final SSLSocket socket = (SSLSocket)settings.tls().getSocketFactory().createSocket(plain, settings.host(),
            settings.port(), true);
        final SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setProtocols(TLS_VERSIONS);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private void shakeHands(final long acknowledged) throws IOException
    {
        out.write(preamble(acknowledged));
        final byte status = in.readByte();
        if (status != ACCEPTED && status != REFUSED)
        {
            throw new IOException("the response is not that of a socket adapter, firstByte=" + status);
        }
        final String text = readText();
        if (status == REFUSED)
        {
            throw refused(text);
        }
        final long stored = settings.stream() == null ? 0 : Long.reverseBytes(in.readLong());
        if (stored < 0)
        {
            throw new IOException("the response is not that of a socket adapter, stored=" + stored);
        }
        acknowledge(stored);
        checkNames(text);
        // Rows may come much later.
        out.write(FrameBuffer.empty());
    }

    private byte[] preamble(final long acknowledged)
    {
        final byte[] stream = settings.stream() == null ? null : settings.stream().getBytes(StandardCharsets.UTF_8);
        final byte[] token = settings.token();
        final int flags = FLAG_ACKNOWLEDGE | (token == null ? 0 : FLAG_TOKEN) | (stream == null ? 0 : FLAG_STREAM);
        final ByteBuffer bytes = ByteBuffer.allocate(8 + settings.columns().size() +
            (token == null ? 0 : Short.BYTES + token.length) +
            (stream == null ? 0 : Short.BYTES + stream.length + Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN).put(MAGIC).put(VERSION).put((byte)flags)
            .putShort((short)settings.columns().size());
        settings.columns().forEach(column -> bytes.put((byte)column.type().code()));
        if (token != null)
        {
            bytes.putShort((short)token.length).put(token);
        }
        if (stream != null)
        {
            bytes.putShort((short)stream.length).put(stream).putLong(acknowledged);
        }
        return bytes.array();
    }

    private String readText() throws IOException
    {
        final int length = readLength();
        if (length > MAX_TEXT_BYTES)
        {
            throw new IOException("the response is not that of a socket adapter, bytes=" + length);
        }
        final byte[] text = new byte[length];
        in.readFully(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private int readLength() throws IOException
    {
        return Short.reverseBytes(in.readShort()) & 0xFFFF;
    }

    private EventSenderException refused(final String reason)
    {
        return new EventSenderException("CLN-0203 the server refuses the rows, " + settings.where() + " response: " +
            reason, null);
    }

    /** Compares the names of the columns with those of the properties, as far as the server lists them. */
    private void checkNames(final String properties) throws EventSenderException
    {
        final String[] listed = properties.split(",");
        final boolean isCut = properties.getBytes(StandardCharsets.UTF_8).length == MAX_TEXT_BYTES;
        final int complete = isCut ? listed.length - 1 : listed.length;
        for (int i = 0; i < Math.min(complete, settings.columns().size()); i++)
        {
            final String name = settings.columns().get(i).name();
            if (!listed[i].startsWith(name + ':'))
            {
                throw new EventSenderException("CLN-0205 a column has another name than its property, " +
                    settings.where() + " column=" + (i + 1) + " name=" + name + " properties=" + properties +
                    "; declare the columns in the order of the properties", null);
            }
        }
    }

    /** The reader thread. */
    private void read()
    {
        IOException end = null;
        String reason = null;
        try
        {
            for (byte status = in.readByte(); status != REFUSED; status = in.readByte())
            {
                final int length = readLength();
                if (status != ACKNOWLEDGED || length != ACKNOWLEDGEMENT_BYTES)
                {
                    throw new IOException("the response is not that of a socket adapter, status=" + status +
                        " bytes=" + length);
                }
                acknowledge(Long.reverseBytes(in.readLong()));
            }
            reason = readText();
        }
        catch (final EOFException ex)
        {
            end = new EOFException("closed by the server");
        }
        catch (final IOException ex)
        {
            end = ex;
        }
        synchronized (this)
        {
            hasEnded = true;
            cause = end;
            refusal = reason;
            notifyAll();
        }
    }

    private synchronized void acknowledge(final long acknowledged)
    {
        acknowledgedRows = Math.max(acknowledgedRows, acknowledged);
        notifyAll();
    }

    /** The number of the last row that the server has acknowledged. */
    synchronized long acknowledgedRows()
    {
        return acknowledgedRows;
    }

    /**
     * Waits until a row is acknowledged, or the connection is lost.
     *
     * @param row        its number
     * @param deadlineNs by {@link System#nanoTime}
     * @return whether it is acknowledged
     */
    synchronized boolean awaitAcknowledged(final long row, final long deadlineNs) throws InterruptedException
    {
        while (acknowledgedRows < row && !hasEnded)
        {
            final long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0)
            {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
        return acknowledgedRows >= row;
    }

    synchronized boolean hasEnded()
    {
        return hasEnded;
    }

    /** Writes; blocks while the server does not read. */
    void write(final byte[] frame) throws IOException
    {
        out.write(frame);
    }

    /**
     * The reason why the connection has ended, after a failure of writing or reading.
     *
     * @param failure of writing, or {@code null}
     * @return its cause
     * @throws EventSenderException if the server has refused the rows
     */
    IOException end(final IOException failure) throws EventSenderException
    {
        try
        {
            // The reason arrives before the end of the stream.
            reader.join(TimeUnit.SECONDS.toMillis(1));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        abandon();
        synchronized (this)
        {
            if (refusal != null)
            {
                throw refused(refusal);
            }
            return failure != null ? failure : cause != null ? cause : new EOFException("closed by the server");
        }
    }

    /** Closes the connection, and with TLS sends a close alert, which blocks while the server does not read. */
    @Override
    public void close()
    {
        closeQuietly(socket);
    }

    /** Closes the connection without blocking. */
    void abandon()
    {
        closeQuietly(plain);
    }

    private static void closeQuietly(final Socket socket)
    {
        try
        {
            if (socket != null)
            {
                socket.close();
            }
        }
        catch (final IOException ex)
        {
            System.getLogger(ServerConnection.class.getName()).log(System.Logger.Level.DEBUG,
                "closing a connection failed", ex);
        }
    }
}
