package dev.millrace.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and its self-signed certificate, which the JDK's keytool creates in a directory. */
public final class TestCertificate
{
    public static final String PASSWORD = "password";

    private final Path directory;
    private final String name;
    private final KeyStore keys;

    /** @param hosts the names of the server, for example {@code IP:127.0.0.1} */
    public TestCertificate(final Path directory, final String name, final String hosts) throws Exception
    {
        this.directory = directory;
        this.name = name;
        final Path file = directory.resolve(name + ".p12");
        final Process keytool = new ProcessBuilder(System.getProperty("java.home") + "/bin/keytool",
            "-J-XX:TieredStopAtLevel=1", "-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=" + name,
            "-ext", "SAN=" + hosts, "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD)
            .inheritIO().start();
        assertThat(keytool.waitFor()).isZero();
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file))
        {
            keys.load(in, PASSWORD.toCharArray());
        }
    }

    /** Presents this certificate, and trusts another one. */
    public SSLContext trusting(final TestCertificate peer) throws GeneralSecurityException, IOException
    {
        final KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        return context(own.getKeyManagers(), peer);
    }

    /** Presents no certificate, and trusts this one. */
    public SSLContext trusted() throws GeneralSecurityException, IOException
    {
        return context(null, this);
    }

    private static SSLContext context(final KeyManager[] own, final TestCertificate trusted)
        throws GeneralSecurityException, IOException
    {
        final TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted.trustStore());
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trust.getTrustManagers(), null);
        return context;
    }

    private KeyStore trustStore() throws GeneralSecurityException, IOException
    {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("key", keys.getCertificate("key"));
        return store;
    }

    /** Writes a trust store with this certificate. */
    public Path trustFile() throws GeneralSecurityException, IOException
    {
        final Path file = directory.resolve(name + "-trust.p12");
        try (OutputStream out = Files.newOutputStream(file))
        {
            trustStore().store(out, PASSWORD.toCharArray());
        }
        return file;
    }
}
