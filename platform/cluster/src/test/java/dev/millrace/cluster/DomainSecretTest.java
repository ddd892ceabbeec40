package dev.millrace.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lookup and creation of the secret of a domain, and derivation of keys from it. */
@Timeout(60)
class DomainSecretTest
{
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "[::1]", "localhost");

    @TempDir
    private Path directory;

    private Path configuration;
    private Path home;

    @BeforeEach
    void makeDirectories() throws IOException
    {
        configuration = Files.createDirectory(directory.resolve("config"));
        home = Files.createDirectory(directory.resolve("home"));
    }

    private Path write(final String text, final String mode) throws IOException
    {
        final Path file = Files.writeString(configuration.resolve("cluster.secret"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    private DomainSecret find(final List<String> hosts) throws ClusterException
    {
        return DomainSecret.find(configuration, home, hosts);
    }

    /** Expected values computed with another implementation of HKDF (RFC 5869). */
    @Test
    void shouldDeriveKeysAsTheStandardSays()
    {
        final byte[] secret = new byte[DomainSecret.BYTES];
        for (int i = 0; i < secret.length; i++)
        {
            secret[i] = (byte)i;
        }
        assertThat(HexFormat.of().formatHex(DomainSecret.of(secret).key("links")))
            .isEqualTo("7242b56c37f62bf27418aa30c18b90eea12a0cb0a7769b105359c7d254c9b571");
        assertThat(DomainSecret.of(secret).key("join")).isNotEqualTo(DomainSecret.of(secret).key("links"));
        assertThat(DomainSecret.of(secret)).hasToString("DomainSecret");
    }

    @Test
    void shouldReadTheFileOfTheDomain() throws Exception
    {
        write("00".repeat(32) + "\n", "rw-------");
        assertThat(find(List.of("192.0.2.1")).key("links"))
            .isEqualTo(DomainSecret.of(new byte[32]).key("links"));
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void shouldRefuseAFileThatOthersMayReadOrThatIsNone() throws Exception
    {
        write("00".repeat(32), "rw-r-----");
        assertThatThrownBy(() -> find(LOOPBACK)).isInstanceOfSatisfying(ClusterException.class, e ->
        {
            assertThat(e.code()).isEqualTo("CLU-0108");
            assertThat(e.hint()).contains("chmod 600");
        });
        write("00".repeat(31), "rw-------");
        assertThatThrownBy(() -> find(LOOPBACK)).hasMessageContaining("cannot be read");
        write("what", "rw-------");
        assertThatThrownBy(() -> find(LOOPBACK)).hasMessageContaining("cannot be read");
    }

    @Test
    void shouldTakeThatOfTheUserOnLoopbackAlone() throws Exception
    {
        assertThatThrownBy(() -> find(List.of("127.0.0.1", "192.0.2.1")))
            .isInstanceOfSatisfying(ClusterException.class, e ->
            {
                assertThat(e.code()).isEqualTo("CLU-0108");
                assertThat(e.hint()).contains("millrace domain create");
            });
        assertThat(home).isEmptyDirectory();
        final DomainSecret made = find(LOOPBACK);
        assertThat(find(LOOPBACK).key("links")).isEqualTo(made.key("links"));
        final Path file = home.resolve(".millrace/cluster.secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
            .isEqualTo("rwx------");
        assertThat(made.key("links")).isNotEqualTo(DomainSecret.of(new byte[32]).key("links"));
    }

    @Test
    void shouldGiveMembersThatStartAtOnceTheSameSecret() throws Exception
    {
        final ExecutorService threads = Executors.newFixedThreadPool(8);
        try
        {
            final List<Future<DomainSecret>> found = new ArrayList<>();
            for (int i = 0; i < 32; i++)
            {
                found.add(threads.submit(() -> find(LOOPBACK)));
            }
            final byte[] first = found.get(0).get().key("links");
            for (final Future<DomainSecret> each : found)
            {
                assertThat(each.get().key("links")).isEqualTo(first);
            }
            try (var files = Files.list(home.resolve(".millrace")))
            {
                assertThat(files).hasSize(1);
            }
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldSayWhatToDoWhenNoneCanBeMade() throws Exception
    {
        Files.writeString(home.resolve(".millrace"), "a file");
        assertThatThrownBy(() -> find(LOOPBACK)).isInstanceOfSatisfying(ClusterException.class, e ->
        {
            assertThat(e.code()).isEqualTo("CLU-0108");
            assertThat(e.getMessage()).contains("none can be created for this user");
        });
    }
}
