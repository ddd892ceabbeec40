package dev.millrace.cluster.trust;

import dev.millrace.cluster.ClusterSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS 1.3 between members. Both sides must present a certificate: the one derived from the domain's secret, or one from
 * the member's key store together with a proof of the secret. Thread-safe.
 */
public final class ClusterTls
{
    /** The only permitted version. */
    public static final String PROTOCOL = AuthenticatingServerSocket.PROTOCOL;

    private static final String STORE = "PKCS12";

    private ClusterTls()
    {
    }

    /**
     * Creates the TLS context of a member.
     *
     * @return its server sockets return only connections that have authenticated
     */
    public static SSLContext context(final ClusterSettings settings)
    {
        try
        {
            final ClusterSettings.Tls tls = settings.tls();
            return new Proving(settings.serverName(), tls == null ? ofSecret(settings) : ofStores(settings, tls));
        }
        catch (final GeneralSecurityException | IOException e)
        {
            throw new IllegalStateException(settings.tls() == null ?
                "the certificate of the domain cannot be derived from its secret" :
                "the stores of the cluster cannot be read, key-store=" + settings.tls().keyStore() + " trust-store=" +
                settings.tls().trustStore(), e);
        }
    }

    private static SSLContext ofSecret(final ClusterSettings settings) throws GeneralSecurityException, IOException
    {
        final DomainCertificate made = DomainCertificate.of(settings.secret());
        final char[] none = new char[0];
        final KeyStore keys = KeyStore.getInstance(STORE);
        keys.load(null, none);
        keys.setKeyEntry("member", made.key(), none, new Certificate[] {made.certificate()});
        final KeyStore trusted = KeyStore.getInstance(STORE);
        trusted.load(null, none);
        trusted.setCertificateEntry("members", made.certificate());
        return context(keys(keys, none), trusted(trusted));
    }

    private static SSLContext ofStores(final ClusterSettings settings, final ClusterSettings.Tls tls)
        throws GeneralSecurityException, IOException
    {
        final DomainCertificate domain = DomainCertificate.of(settings.secret());
        final KeyManager[] keys = keys(store(tls.keyStore(), tls.password()), tls.password());
        final TrustManager[] trusted = trusted(store(tls.trustStore(), tls.password()));
        if (!(keys[0] instanceof final X509ExtendedKeyManager ours) ||
            !(trusted[0] instanceof final X509ExtendedTrustManager theirs))
        {
            throw new GeneralSecurityException("this Java runtime does not provide X.509 key and trust managers");
        }
        return context(new KeyManager[] {new SecretProofKeyManager(ours, domain)},
            new TrustManager[] {new SecretProofTrustManager(theirs, domain)});
    }

    private static KeyManager[] keys(final KeyStore store, final char[] password) throws GeneralSecurityException
    {
        final KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, password);
        return factory.getKeyManagers();
    }

    private static TrustManager[] trusted(final KeyStore store) throws GeneralSecurityException
    {
        final TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static SSLContext context(final KeyManager[] keys, final TrustManager[] trusted)
        throws GeneralSecurityException
    {
        final SSLContext context = SSLContext.getInstance(PROTOCOL);
        context.init(keys, trusted, null);
        return context;
    }

    private static KeyStore store(final Path file, final char[] password) throws GeneralSecurityException, IOException
    {
        final KeyStore store = KeyStore.getInstance(STORE);
        try (InputStream in = Files.newInputStream(file))
        {
            store.load(in, password);
        }
        return store;
    }

    /** Delegates to another context, except for server sockets. */
    private static final class Proving extends SSLContext
    {
        private Proving(final String member, final SSLContext real)
        {
            super(new ProvingSpi(member, real), real.getProvider(), real.getProtocol());
        }
    }

    /** Delegates everything else to the actual context. */
    private static final class ProvingSpi extends SSLContextSpi
    {
        private final String member;
        private final SSLContext real;

        private ProvingSpi(final String member, final SSLContext real)
        {
            this.member = member;
            this.real = real;
        }

        @Override
        protected void engineInit(final KeyManager[] keys, final TrustManager[] trusted, final SecureRandom random)
            throws KeyManagementException
        {
            real.init(keys, trusted, random);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory()
        {
            return real.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory()
        {
            return new ProvingFactory(member, real.getSocketFactory());
        }

        @Override
        protected SSLEngine engineCreateSSLEngine()
        {
            return real.createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(final String host, final int port)
        {
            return real.createSSLEngine(host, port);
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext()
        {
            return real.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext()
        {
            return real.getClientSessionContext();
        }
    }

    /** Creates server sockets that listen immediately. */
    private static final class ProvingFactory extends SSLServerSocketFactory
    {
        private static final int BACKLOG = 128;

        private final String member;
        private final SSLSocketFactory factory;

        private ProvingFactory(final String member, final SSLSocketFactory factory)
        {
            this.member = member;
            this.factory = factory;
        }

        @Override
        public ServerSocket createServerSocket(final int port) throws IOException
        {
            return createServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        }

        @Override
        public ServerSocket createServerSocket(final int port, final int backlog) throws IOException
        {
            return createServerSocket(port, backlog, InetAddress.getLoopbackAddress());
        }

        @Override
        public ServerSocket createServerSocket(final int port, final int backlog, final InetAddress address)
            throws IOException
        {
            return new AuthenticatingServerSocket(member, factory, port, backlog == 0 ? BACKLOG : backlog, address);
        }

        @Override
        public String[] getDefaultCipherSuites()
        {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites()
        {
            return factory.getSupportedCipherSuites();
        }
    }
}
