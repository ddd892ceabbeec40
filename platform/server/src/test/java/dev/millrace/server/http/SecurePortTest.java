package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.audit.AuditLog;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.config.ServerConfiguration.SecureAddress;
import dev.millrace.server.config.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The management endpoint with TLS, with key stores made by keytool. */
@Tag("slow")
@Timeout(120)
class SecurePortTest
{
    private static final SourcePosition PLACE = new SourcePosition("config.xml", 7, 5);
    private static final String PASSWORD = "not-a-secret";

    @TempDir
    private static Path keys;

    @TempDir
    private Path directory;

    private final ExecutorService workers = Executors.newFixedThreadPool(2);

    @BeforeAll
    static void makeKeys() throws Exception
    {
        for (final String type : new String[] {"JKS", "PKCS12"})
        {
            keytool(type, "-genkeypair", "-alias", "identity", "-keyalg", "EC", "-groupname", "secp256r1", "-dname",
                "CN=localhost", "-ext", "SAN=IP:127.0.0.1", "-validity", "2");
        }
        keytool("PKCS12", "-genkeypair", "-alias", "other", "-keyalg", "EC", "-groupname", "secp256r1", "-dname",
            "CN=elsewhere", "-validity", "2");
    }

    private static void keytool(final String type, final String... options) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1",
            "-storetype", type, "-keystore", keys.resolve(type).toString(), "-storepass", PASSWORD,
            "-keypass", PASSWORD));
        command.addAll(List.of(options));
        assertThat(new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(keys.resolve("log").toFile()).start().waitFor()).isZero();
    }

    @AfterEach
    void close()
    {
        workers.shutdownNow();
    }

    private static TlsSettings.Store store(final String type, final String password)
    {
        return new TlsSettings.Store(keys.resolve(type), password, PLACE);
    }

    private static TlsSettings tls(final String type, final String alias, final boolean needsClientAuth)
    {
        return new TlsSettings("sslConfig", store(type, PASSWORD), alias, "SunX509",
            needsClientAuth ? store("JKS", PASSWORD) : null, null, needsClientAuth, List.of("TLSv1.3", "TLSv1.2"),
            List.of(), PLACE);
    }

    private ManagementEndpoint open(final TlsSettings tls, final int port, final EndpointLimits limits)
        throws Exception
    {
        return ManagementEndpoint.open(new NetworkAddress("NetIO", "127.0.0.1", 0, SourcePosition.NONE),
            new SecureAddress(new NetworkAddress("sslNetIo", "127.0.0.1", port, PLACE), tls), directory, workers, null,
            AuditLog.open(directory.resolve("logs")), limits);
    }

    private ManagementEndpoint open(final TlsSettings tls) throws Exception
    {
        return open(tls, 0, EndpointLimits.of(16));
    }

    private static SSLContext client(final boolean hasKey) throws Exception
    {
        final KeyStore store = KeyStore.getInstance(keys.resolve("JKS").toFile(), PASSWORD.toCharArray());
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("jks", store.getCertificate("identity"));
        trusted.setCertificateEntry("p12", KeyStore.getInstance(keys.resolve("PKCS12").toFile(),
            PASSWORD.toCharArray()).getCertificate("identity"));
        final TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManager[] own = null;
        if (hasKey)
        {
            final KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
            factory.init(store, PASSWORD.toCharArray());
            own = factory.getKeyManagers();
        }
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trust.getTrustManagers(), null);
        return context;
    }

    private static SSLSocket connect(final int port, final boolean hasKey, final String... protocols) throws Exception
    {
        final SSLSocket socket =
            (SSLSocket)client(hasKey).getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        if (protocols.length > 0)
        {
            socket.setEnabledProtocols(protocols);
        }
        return socket;
    }

    /** Sends one request; returns the response. */
    private static String get(final Socket socket, final String authorization) throws IOException
    {
        socket.getOutputStream().write(("GET /wlevs/nothing HTTP/1.1\r\nHost: cep.example.org:9003\r\n" +
            (authorization == null ? "" : "Authorization: " + authorization + "\r\n") +
            "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldServeRequestsOverBothVersionsWithKeysOfBothFormats() throws Exception
    {
        for (final String type : new String[] {"JKS", "PKCS12"})
        {
            try (ManagementEndpoint endpoint = open(tls(type, "identity", false)))
            {
                final String token = "Bearer " + Files.readString(directory.resolve("var/admin.token")).strip();
                for (final String version : new String[] {"TLSv1.3", "TLSv1.2"})
                {
                    try (SSLSocket socket = connect(endpoint.securePort(), false, version))
                    {
                        assertThat(get(socket, null)).startsWith("HTTP/1.1 401 ").contains("SRV-04");
                        assertThat(socket.getSession().getProtocol()).isEqualTo(version);
                    }
                    try (SSLSocket socket = connect(endpoint.securePort(), false, version))
                    {
                        assertThat(get(socket, token)).startsWith("HTTP/1.1 404 ").contains("SRV-0404");
                    }
                }
                assertThat(endpoint.figures()).containsEntry("closedForLateHead", 0L);
            }
        }
    }

    @Test
    void shouldRefuseOldVersionsAndPlainHttpAndKeepTheOtherPortPlain() throws Exception
    {
        try (ManagementEndpoint endpoint = open(tls("JKS", "identity", false)))
        {
            final SSLSocket old = connect(endpoint.securePort(), false, "TLSv1.1");
            assertThatThrownBy(old::startHandshake).isInstanceOf(SSLException.class);
            old.close();
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), endpoint.securePort()))
            {
                plain.setSoTimeout(60_000);
                assertThat(get(plain, null)).doesNotContain("HTTP/1.1 4").doesNotContain("HTTP/1.1 2");
            }
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), endpoint.port()))
            {
                plain.setSoTimeout(60_000);
                // The port without TLS still wants a name of this machine.
                assertThat(get(plain, null)).startsWith("HTTP/1.1 403 ").contains("SRV-0403");
            }
        }
    }

    @Test
    void shouldRequireCertificateOfClientWhenConfigured() throws Exception
    {
        try (ManagementEndpoint endpoint = open(tls("PKCS12", "identity", true)))
        {
            try (SSLSocket socket = connect(endpoint.securePort(), true))
            {
                assertThat(get(socket, null)).startsWith("HTTP/1.1 401 ");
            }
            try (SSLSocket socket = connect(endpoint.securePort(), false, "TLSv1.2"))
            {
                assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void shouldCloseConnectionsThatSendNothingAndCountEachOnce() throws Exception
    {
        // A handshake on a busy machine takes less time.
        final EndpointLimits impatient = new EndpointLimits(16, 16, TimeUnit.SECONDS.toNanos(3),
            TimeUnit.SECONDS.toNanos(3), 1 << 20, 1 << 20);
        try (ManagementEndpoint endpoint = open(tls("JKS", "identity", false), 0, impatient);
            Socket silent = new Socket(InetAddress.getLoopbackAddress(), endpoint.securePort());
            SSLSocket idle = connect(endpoint.securePort(), false))
        {
            silent.setSoTimeout(60_000);
            idle.startHandshake();
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
            assertThat(silent.getInputStream().readAllBytes()).hasSizeLessThan(16);
            assertThat(endpoint.figures()).containsEntry("closedForLateHead", 2L).containsEntry("connections", 0);
        }
    }

    private void assertRefused(final TlsSettings tls, final String... texts)
    {
        assertThatThrownBy(() -> open(tls)).isInstanceOf(DeploymentException.class)
            .hasMessageContainingAll(texts).hasMessageContaining("config.xml:7:5").hasMessageContaining("keytool -list")
            .message().doesNotContain(PASSWORD);
    }

    @Test
    void shouldNameFileAndReasonWhenKeyCannotBeUsed()
    {
        assertRefused(tls("none", "identity", false), "SRV-0160", "file=" + keys.resolve("none"));
        assertRefused(tls("JKS", "nobody", false), "SRV-0160", "key-store-alias=nobody", "[identity]");
        assertRefused(tls("PKCS12", null, false), "SRV-0160", "several keys");
        final TlsSettings good = tls("JKS", "identity", false);
        assertRefused(new TlsSettings("sslConfig", store("JKS", "wrong"), null, null, null, null, false,
            good.protocols(), List.of(), PLACE), "SRV-0160", "file=" + keys.resolve("JKS"));
    }

    @Test
    void shouldNamePortThatIsInUse() throws Exception
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            assertThatThrownBy(() -> open(tls("JKS", "identity", false), taken.getLocalPort(), EndpointLimits.of(16)))
                .isInstanceOf(DeploymentException.class).hasMessageContaining("SRV-0111")
                .hasMessageContaining("port=" + taken.getLocalPort() + " ").hasMessageContaining("netio=sslNetIo");
        }
    }
}
