package dev.millrace.adapter.loadgen.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** Creates the TLS contexts and engines of both sides: versions 1.3 and 1.2 only. Stateless. */
public final class TlsContexts
{
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private TlsContexts()
    {
    }

    /**
     * Creates the context of a server.
     *
     * @param keyStore PKCS12 file with the key and its certificates
     * @param password of the file and of the key
     * @return context, which stores no client sessions
     * @throws IOException              when the file cannot be read or the password is wrong
     * @throws GeneralSecurityException when it contains no usable key
     */
    public static SSLContext server(final Path keyStore, final char[] password)
        throws IOException, GeneralSecurityException
    {
        final KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStore))
        {
            keys.load(in, password);
        }
        boolean hasKey = false;
        for (final String alias : Collections.list(keys.aliases()))
        {
            hasKey |= keys.isKeyEntry(alias);
        }
        if (!hasKey)
        {
            throw new GeneralSecurityException("the key store contains no private key");
        }
        final KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        // 0 would mean unlimited.
        context.getServerSessionContext().setSessionCacheSize(1);
        return context;
    }

    /**
     * Creates the context of a client.
     *
     * @param certificates file with trusted certificates in PEM, or {@code null} for the default trust store of Java
     * @return context
     * @throws IOException              when the file cannot be read
     * @throws GeneralSecurityException when it contains no certificates
     */
    public static SSLContext client(final Path certificates) throws IOException, GeneralSecurityException
    {
        final SSLContext context = SSLContext.getInstance("TLS");
        if (certificates == null)
        {
            context.init(null, null, null);
            return context;
        }
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(certificates))
        {
            int count = 0;
            for (final Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(in))
            {
                trusted.setCertificateEntry(Integer.toString(count++), certificate);
            }
            if (count == 0)
            {
                throw new GeneralSecurityException("the file contains no certificate in PEM");
            }
        }
        final TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    /**
     * Creates the engine of an accepted connection.
     *
     * @param context of the server
     * @return engine with started handshake
     * @throws IOException when the JDK cannot create one
     */
    public static SSLEngine serverEngine(final SSLContext context) throws IOException
    {
        final SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.beginHandshake();
        return engine;
    }

    /**
     * Creates the engine of a connection to a server, whose certificate must contain the host name.
     *
     * @param context of the client
     * @param host    as written by the user
     * @param port    of the server
     * @return engine with started handshake
     * @throws IOException when the JDK cannot create one
     */
    public static SSLEngine clientEngine(final SSLContext context, final String host, final int port)
        throws IOException
    {
        final SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(PROTOCOLS);
        final SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        engine.beginHandshake();
        return engine;
    }
}
