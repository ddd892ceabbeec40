package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.millrace.adapter.loadgen.security.TlsContexts;
import dev.millrace.command.cli.CommandException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands over https, to a server with a certificate made by keytool. */
@Tag("slow")
@Timeout(180)
class SecureAddressTest
{
    private static final String PASSWORD = "not-a-secret";

    @TempDir
    private Path directory;

    private HttpsServer server;

    @BeforeEach
    void start() throws Exception
    {
        keytool("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext",
            "SAN=DNS:localhost", "-validity", "2");
        keytool("-exportcert", "-rfc", "-file", directory.resolve("server.pem").toString());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.setHttpsConfigurator(new HttpsConfigurator(
            TlsContexts.server(directory.resolve("keys.p12"), PASSWORD.toCharArray())));
        server.createContext("/wlevs/server", exchange ->
        {
            final byte[] body = "{\"state\":\"RUNNING\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop()
    {
        server.stop(0);
    }

    private void keytool(final String... options) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1",
            "-storetype", "PKCS12", "-keystore", directory.resolve("keys.p12").toString(), "-storepass", PASSWORD,
            "-alias", "server"));
        command.addAll(List.of(options));
        assertThat(new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile()).start().waitFor()).isZero();
    }

    private InstanceOptions options(final String... more)
    {
        final InstanceOptions options = new InstanceOptions();
        final List<String> arguments = new ArrayList<>(List.of(
            "--url", "https://localhost:" + server.getAddress().getPort(), "--user", "ada", "--password", "x"));
        arguments.addAll(List.of(more));
        CommandLine.populateCommand(options, arguments.toArray(String[]::new));
        return options;
    }

    @Test
    void shouldTrustTheCertificatesOfTheFile() throws Exception
    {
        assertThat(options("--trusted-certificates", directory.resolve("server.pem").toString()).client().server()
            .get("state").getAsString()).isEqualTo("RUNNING");
    }

    @Test
    void shouldExplainThatTheServerIsNotTrusted() throws Exception
    {
        final InstanceOptions options = options();
        assertThatThrownBy(() -> options.client().server()).isInstanceOf(CommandException.class)
            .hasMessageContaining("CMD-0125").hasMessageContaining("--trusted-certificates");
    }

    @Test
    void shouldExplainThatTheFileCannotBeUsed() throws Exception
    {
        final Path empty = Files.createFile(directory.resolve("empty.pem"));
        assertThatThrownBy(() -> options("--trusted-certificates", empty.toString()).client())
            .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0126")
            .hasMessageContaining("trusted-certificates=" + empty);
    }
}
