package dev.millrace.adapter.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes key stores by the keytool of the JDK, with certificates for loopback that are valid for a day. */
public final class TestKeys
{
    /** The password of the stores. */
    public static final String PASSWORD = "store-password";

    private TestKeys()
    {
    }

    /**
     * A store with a key and its certificate.
     *
     * @param directory for the file, which exists
     * @param name      of the file
     */
    public static Path keyStore(final Path directory, final String name) throws Exception
    {
        final Path store = directory.resolve(name);
        keytool("-genkeypair", "-alias", "broker", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "1",
            "-dname", "CN=" + name, "-ext", "SAN=ip:127.0.0.1", "-keystore", store.toString());
        return store;
    }

    /** A store that trusts the certificate of a key store. */
    public static Path trustStore(final Path keyStore) throws Exception
    {
        final Path certificate = keyStore.resolveSibling(keyStore.getFileName() + ".cer");
        final Path store = keyStore.resolveSibling(keyStore.getFileName() + ".trust");
        keytool("-exportcert", "-alias", "broker", "-file", certificate.toString(), "-keystore", keyStore.toString());
        keytool("-importcert", "-noprompt", "-alias", "broker", "-file", certificate.toString(), "-keystore",
            store.toString());
        return store;
    }

    private static void keytool(final String... arguments) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        final Path output = Files.createTempFile("keytool", ".txt");
        try
        {
            final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        }
        finally
        {
            Files.delete(output);
        }
    }
}
