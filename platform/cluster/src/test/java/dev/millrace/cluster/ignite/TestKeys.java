package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Certificates for tests. */
public final class TestKeys
{
    private static final String PASSWORD = "not-secret";

    private TestKeys()
    {
    }

    /**
     * Creates a key and its certificate in one store, which serves as key store and trust store.
     *
     * @param store file to be created
     * @return settings for members that trust each other
     * @throws Exception when keytool fails
     */
    public static Tls make(final Path store) throws Exception
    {
        final Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1",
            "-genkeypair", "-alias", "member", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" +
            store.getFileName(), "-validity", "2", "-storetype", "PKCS12", "-keystore", store.toString(),
            "-storepass", PASSWORD)
            .redirectErrorStream(true).start();
        final String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0)
        {
            throw new IOException("keytool failed: " + output);
        }
        return new Tls(store, store, PASSWORD.toCharArray());
    }
}
