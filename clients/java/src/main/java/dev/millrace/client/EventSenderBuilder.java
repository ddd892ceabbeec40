package dev.millrace.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Declares the columns and settings of an {@link EventSender}. Not thread-safe.
 *
 * <p>Failure: invalid arguments are refused with {@link IllegalArgumentException}.
 */
public final class EventSenderBuilder
{
    private static final int MAX_COLUMNS = 1024;
    private static final int MAX_STREAM_BYTES = 128;
    private static final int MAX_TOKEN_BYTES = 512;
    private static final int MAX_PORT = 65_535;
    private static final int MIN_FRAME_BYTES = 1 << 10;
    private static final int MAX_FRAME_BYTES = 256 << 20;

    private final String host;
    private final int port;
    private final List<Column> columns = new ArrayList<>();
    private String stream;
    private byte[] token;
    private SSLContext tls;
    private int frameBytes = 64 << 10;
    private long maxUnacknowledgedBytes = 16 << 20;
    private Duration timeout = Duration.ofSeconds(60);

    /**
     * Begins the declaration of a sender.
     *
     * @param host name or address of the server
     * @param port of the adapter
     */
    public EventSenderBuilder(final String host, final int port)
    {
        check(port > 0 && port <= MAX_PORT, "port", port, 1, MAX_PORT);
        this.host = host;
        this.port = port;
    }

    /**
     * Adds a column. The columns fill the properties of the adapter ({@code eventPropertyNames}) in their order.
     *
     * @param name of the property
     * @param type of the values; it must fill the property without loss, or be a string
     * @return this
     */
    public EventSenderBuilder column(final String name, final ColumnType type)
    {
        check(columns.size() < MAX_COLUMNS, "columns", columns.size() + 1, 1, MAX_COLUMNS);
        columns.add(new Column(name, type));
        return this;
    }

    /**
     * Names the stream: a durable processor of the server then stores the numbers of its rows, and the sender connects
     * again after a loss and sends the rows that are not stored. Without a name, a lost connection ends the sender.
     *
     * @param name unique among the senders of the adapter, the same after a restart of the program; 1 to 128 bytes in
     * UTF-8, without blanks
     * @return this
     */
    public EventSenderBuilder stream(final String name)
    {
        final int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        check(bytes > 0 && bytes <= MAX_STREAM_BYTES, "stream", bytes, 1, MAX_STREAM_BYTES);
        stream = name;
        return this;
    }

    /**
     * Sets the token that the port requires.
     *
     * @param value content of the adapter's token file, without the newline at its end
     * @return this
     */
    public EventSenderBuilder token(final String value)
    {
        final byte[] bytes = value.strip().getBytes(StandardCharsets.UTF_8);
        check(bytes.length > 0 && bytes.length <= MAX_TOKEN_BYTES, "token", bytes.length, 1, MAX_TOKEN_BYTES);
        token = bytes;
        return this;
    }

    /**
     * Encrypts with TLS 1.3 or 1.2.
     *
     * @param trustedCertificates PEM file with the certificate of the server or of its authority; {@code null} to trust
     * the authorities that Java trusts
     * @return this
     * @throws IOException if the file cannot be read or contains no certificate
     */
    public EventSenderBuilder tls(final Path trustedCertificates) throws IOException
    {
        try
        {
            tls = SSLContext.getInstance("TLS");
            tls.init(null, trustedCertificates == null ? null : trust(trustedCertificates).getTrustManagers(), null);
            return this;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new EventSenderException("CLN-0206 the certificates cannot be used, trustedCertificates=" +
                trustedCertificates + " cause=" + ex.getMessage() +
                "; provide the certificate of the server in PEM: keytool -exportcert -rfc", ex);
        }
    }

    private static TrustManagerFactory trust(final Path file) throws IOException, GeneralSecurityException
    {
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(file))
        {
            int count = 0;
            for (final Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in))
            {
                trusted.setCertificateEntry(Integer.toString(count++), each);
            }
            if (count == 0)
            {
                throw new GeneralSecurityException("the file contains no certificate in PEM");
            }
        }
        final TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory;
    }

    /**
     * Sets the size of a frame, which is sent when it is full or flushed.
     *
     * @param bytes 1 KiB to 256 MiB, at most {@code maxFrameBytes} of the adapter; default 64 KiB
     * @return this
     */
    public EventSenderBuilder frameBytes(final int bytes)
    {
        check(bytes >= MIN_FRAME_BYTES && bytes <= MAX_FRAME_BYTES, "frameBytes", bytes, MIN_FRAME_BYTES,
            MAX_FRAME_BYTES);
        frameBytes = bytes;
        return this;
    }

    /**
     * Limits the memory for rows of a stream with a name that are not acknowledged. Sending blocks while it is used up.
     *
     * @param bytes at least 1; one frame is always sent; default 16 MiB
     * @return this
     */
    public EventSenderBuilder maxUnacknowledgedBytes(final long bytes)
    {
        check(bytes > 0, "maxUnacknowledgedBytes", bytes, 1, Long.MAX_VALUE);
        maxUnacknowledgedBytes = bytes;
        return this;
    }

    /**
     * Sets the maximum time to connect, to reconnect after a loss, and to wait for acknowledgements at the end.
     *
     * @param maximum at least 1 ms; default 60 s
     * @return this
     */
    public EventSenderBuilder timeout(final Duration maximum)
    {
        final long millis = TimeUnit.MILLISECONDS.convert(maximum);
        check(millis > 0, "timeout", millis, 1, Long.MAX_VALUE);
        timeout = maximum;
        return this;
    }

    /**
     * Connects, and waits until the server accepts the columns.
     *
     * @return a sender, which the caller must close
     * @throws EventSenderException if the server cannot be reached, or refuses the columns
     */
    public EventSender connect() throws EventSenderException
    {
        check(!columns.isEmpty(), "columns", 0, 1, MAX_COLUMNS);
        return new EventSender(new SenderSettings(host, port, List.copyOf(columns), stream, token, tls, frameBytes,
            maxUnacknowledgedBytes, TimeUnit.NANOSECONDS.convert(timeout)));
    }

    private static void check(final boolean isValid, final String name, final long value, final long min,
        final long max)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException("CLN-0101 a setting is out of range, name=" + name + " value=" + value +
                " min=" + min + " max=" + max + "; correct it");
        }
    }
}
