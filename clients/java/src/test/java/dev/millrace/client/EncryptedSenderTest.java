package dev.millrace.client;

import static dev.millrace.client.RunningSource.TICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Both clients with an adapter that requires TLS and a token. */
@Tag("slow")
@Timeout(180)
class EncryptedSenderTest
{
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final int ROWS = 20_000;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void makeKeys() throws IOException, InterruptedException
    {
        secret("token", TOKEN);
        secret("password", "changeit");
        keytool("-genkeypair", "-alias", "port", "-keyalg", "EC", "-dname", "CN=localhost", "-ext",
            "SAN=DNS:localhost", "-storetype", "PKCS12", "-storepass", "changeit", "-keystore", path("port.p12"));
        keytool("-exportcert", "-rfc", "-alias", "port", "-storepass", "changeit", "-keystore", path("port.p12"),
            "-file", path("port.pem"));
    }

    private static String path(final String name)
    {
        return folder.resolve(name).toString();
    }

    private static void secret(final String name, final String text) throws IOException
    {
        Files.createFile(folder.resolve(name), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rw-------")));
        Files.writeString(folder.resolve(name), text);
    }

    private static void keytool(final String... arguments) throws IOException, InterruptedException
    {
        final String[] command = new String[arguments.length + 1];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static RunningSource start() throws IOException
    {
        return new RunningSource(TICK, true, adapter ->
        {
            adapter.setTokenFile(path("token"));
            adapter.setKeyStore(path("port.p12"));
            adapter.setKeyStorePasswordFile(path("password"));
        });
    }

    private static EventSenderBuilder to(final RunningSource source, final String host) throws IOException
    {
        return new EventSenderBuilder(host, source.port()).column("symbol", ColumnType.CHAR8)
            .column("lastPrice", ColumnType.DOUBLE).stream("desk").timeout(Duration.ofSeconds(60))
            .tls(folder.resolve("port.pem"));
    }

    @Test
    void shouldSendEncryptedRowsToAPortWithAToken() throws IOException
    {
        try (RunningSource source = start())
        {
            try (EventSender sender = to(source, "localhost").token(TOKEN + "\n").connect())
            {
                for (int row = 0; row < ROWS; row++)
                {
                    sender.addString("S" + row).addDouble(row).endRow();
                }
            }
            assertThat(source.rows.rows()).hasSize(ROWS).endsWith("S19999|19999.0");
            assertThatThrownBy(() -> to(source, "localhost").token("another token of a port").connect())
                .hasMessageStartingWith("CLN-0203").hasMessageContaining("LDG-0230");
            assertThatThrownBy(() -> to(source, "localhost").connect()).hasMessageContaining("LDG-0229");
            assertThatThrownBy(() -> to(source, "127.0.0.1").token(TOKEN).connect())
                .as("the certificate has another name").hasMessageStartingWith("CLN-0204");
            assertThatThrownBy(() -> to(source, "localhost").tls(null).token(TOKEN).connect())
                .as("the certificate is not trusted").hasMessageStartingWith("CLN-0204");
            assertThatThrownBy(() -> to(source, "localhost").tls(folder.resolve("token")))
                .hasMessageStartingWith("CLN-0206");
        }
    }

    @Test
    @EnabledIf(value = "dev.millrace.client.PythonClientTest#hasPython", disabledReason = "needs python3 in the PATH")
    void shouldSendEncryptedRowsOfThePythonClientToAPortWithAToken() throws IOException, InterruptedException
    {
        try (RunningSource source = start())
        {
            final String output = PythonClientTest.run("""
                import ssl, sys
                import millrace_client as millrace
                columns = [("symbol", "char8"), ("lastPrice", "double")]
                def connect(host, **settings):
                    return millrace.connect(host, int(sys.argv[1]), columns, stream="desk", **settings)
                def attempt(host, **settings):
                    try:
                        connect(host, **settings)
                    except millrace.SenderError as error:
                        print(error)
                trusted = ssl.create_default_context(cafile="%s")
                with connect("localhost", token="%s", tls=trusted) as sender:
                    for row in range(%d):
                        sender.send("S%%d" %% row, row)
                    print(sender.await_acknowledgements(30), sender.acknowledged_rows)
                attempt("localhost", token="another token of a port", tls=trusted)
                attempt("127.0.0.1", token="another token of a port", tls=trusted)
                """.formatted(path("port.pem"), TOKEN, ROWS), source.port());
            assertThat(output.lines()).satisfiesExactly(
                line -> assertThat(line).isEqualTo("True 20000"),
                line -> assertThat(line).startsWith("CLN-0203").contains("LDG-0230"),
                line -> assertThat(line).startsWith("CLN-0204"));
            assertThat(source.rows.rows()).hasSize(ROWS).endsWith("S19999|19999.0");
        }
    }
}
