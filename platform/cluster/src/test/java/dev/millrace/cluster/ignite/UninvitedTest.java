package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterSettings.Tls;
import dev.millrace.cluster.DomainSecret;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.trust.ClusterTls;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that know the ports and the name of a domain, but not its secret, cannot join and do no harm. */
@Tag("slow")
@Timeout(180)
class UninvitedTest
{
    private static final int IDLE = 300;

    @TempDir
    private Path directory;

    private final List<Cluster> members = new ArrayList<>();
    private final List<Socket> idle = new ArrayList<>();
    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void leave() throws Exception
    {
        for (final Socket each : idle)
        {
            each.close();
        }
        members.forEach(Cluster::close);
    }

    private Cluster join(final String name) throws ClusterException
    {
        final Cluster joined = IgniteCluster.join(ports.member(directory, name));
        members.add(joined);
        return joined;
    }

    private ClusterSettings withSecret(final String name, final Tls tls, final int filledWith)
    {
        final byte[] secret = new byte[DomainSecret.BYTES];
        Arrays.fill(secret, (byte)filledWith);
        return new ClusterSettings("shop", name, Member.NO_IDENTITY, Set.of(), "127.0.0.1", ports.addresses(),
            ports.ports(), TestPorts.FAILURE_DETECTION_MS, tls, directory.resolve(name),
            DomainSecret.of(secret));
    }

    private static void assertTogether(final Cluster... all)
    {
        for (final Cluster each : all)
        {
            assertThat(each.view().members()).hasSize(all.length);
        }
        all[0].map("rules").put("a", new byte[] {1});
        assertThat(all[all.length - 1].map("rules").get("a")).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void shouldNotLetAPlainNodeOfAnotherProcessIn(final String isClient) throws Exception
    {
        final Cluster one = join("alpha");
        final Cluster two = join("beta");
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> each.startsWith("--add")).forEach(command::add);
        command.addAll(List.of("-Xmx160m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
            PlainNodeMain.class.getName(), Integer.toString(ports.ports().discovery()), isClient));
        final Process stranger = new ProcessBuilder(command).redirectErrorStream(true).start();
        try
        {
            final String said = new String(stranger.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(stranger.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(said).contains("REFUSED").doesNotContain("NODES").doesNotContain("alpha").doesNotContain("beta");
        }
        finally
        {
            stranger.destroyForcibly();
        }
        assertTogether(one, two);
    }

    @Test
    void shouldNotLetAMemberWithAnotherSecretIn() throws Exception
    {
        final Cluster one = join("alpha");
        assertThatThrownBy(() -> IgniteCluster.join(withSecret("beta", null, 7)))
            .isInstanceOfSatisfying(ClusterException.class, e ->
            {
                assertThat(e.code()).isEqualTo("CLU-0104");
                assertThat(e.hint()).contains("config/cluster.secret");
                assertThat(e.getMessage()).doesNotContain("alpha");
            });
        assertTogether(one, join("beta"));
    }

    /** A trusted certificate alone is not sufficient. */
    @Test
    void shouldNotLetAMemberInWhoseCertificateIsTrustedAndWhoseSecretIsAnother() throws Exception
    {
        final Tls tls = TestKeys.make(directory.resolve("cluster.p12"));
        members.add(IgniteCluster.join(withSecret("alpha", tls, 1)));
        assertThatThrownBy(() -> IgniteCluster.join(withSecret("beta", tls, 2)))
            .isInstanceOfSatisfying(ClusterException.class, e ->
            {
                assertThat(e.code()).isEqualTo("CLU-0104");
                assertThat(e.hint()).contains("config/cluster.secret");
                assertThat(e.getMessage()).doesNotContain("alpha");
            });
        assertThat(members.get(0).view().members()).hasSize(1);
    }

    /**
     * Ignite's communication port greets every peer that has passed TLS; the discovery port waits for the first
     * message.
     */
    @Test
    void shouldNotTalkToOneWhoseCertificateIsTrustedAndWhoKnowsNoSecret() throws Exception
    {
        final Tls tls = TestKeys.make(directory.resolve("cluster.p12"));
        members.add(IgniteCluster.join(withSecret("alpha", tls, 1)));
        final int communication = ports.ports().communication();
        assertThat(isGreeted(ClusterTls.context(withSecret("beta", tls, 1)), communication)).isTrue();
        for (final SSLContext stranger : List.of(plain(tls), ClusterTls.context(withSecret("beta", tls, 2))))
        {
            assertThat(isGreeted(stranger, communication)).isFalse();
            assertThat(isGreeted(stranger, ports.ports().discovery())).isFalse();
        }
        assertTogether(members.get(0));
    }

    /** TLS with keys and trust of the stores only. */
    private static SSLContext plain(final Tls tls) throws Exception
    {
        final KeyStore store = KeyStore.getInstance(tls.keyStore().toFile(), tls.password());
        final KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, tls.password());
        final TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        final SSLContext context = SSLContext.getInstance(ClusterTls.PROTOCOL);
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    /** Whether the server sends a byte that is not a TLS alert; false when it closes the connection. */
    private static boolean isGreeted(final SSLContext client, final int port) throws IOException
    {
        try (SSLSocket socket = (SSLSocket)client.getSocketFactory().createSocket("127.0.0.1", port))
        {
            socket.setSoTimeout(60_000);
            socket.startHandshake();
            return socket.getInputStream().read() >= 0;
        }
        catch (final SSLException | SocketException e)
        {
            return false;
        }
    }

    @Test
    void shouldNotLetAClientInThatKnowsTheSecret() throws Exception
    {
        final Cluster one = join("alpha");
        final IgniteConfiguration client = NodeConfiguration.of(ports.member(directory, "client"), () -> { },
            event -> true).setClientMode(true);
        assertThatThrownBy(() ->
        {
            Ignition.start(client).close();
        }).isInstanceOf(IgniteException.class).hasStackTraceContaining("client nodes are not allowed");
        assertTogether(one);
    }

    @Test
    void shouldTakeMembersInWhileManyConnectionsSayNothing() throws Exception
    {
        final Cluster one = join("alpha");
        final Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        final long before = runtime.totalMemory() - runtime.freeMemory();
        connect(ports.ports().discovery());
        connect(ports.ports().communication());
        assertThat(idle.get(0).getInputStream().read()).as("the oldest was evicted").isEqualTo(-1);
        assertThat(idle.get(IDLE).getInputStream().read()).as("the oldest was evicted").isEqualTo(-1);
        runtime.gc();
        // Without the limit, Ignite would keep 300 buffers of 2.5 MB.
        assertThat(runtime.totalMemory() - runtime.freeMemory() - before).isLessThan(60L << 20);
        final Cluster two = join("beta");
        connect(ports.ports().discovery() + 1);
        connect(ports.ports().communication() + 1);
        assertTogether(one, two, join("gamma"));
    }

    private void connect(final int port) throws Exception
    {
        for (int i = 0; i < IDLE; i++)
        {
            idle.add(new Socket(InetAddress.getByName("127.0.0.1"), port));
        }
    }
}
