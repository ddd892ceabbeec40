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

/**
 * TLS 1.3 of a member, certificates demanded on both sides: those of its stores, or the one that follows from the
 * domain's secret. Safe for all threads.
 */
public final class ClusterTls
{
    /** The only version. */
    public static final String PROTOCOL = "TLSv1.3";

    private static final String STORE = "PKCS12";

    private ClusterTls()
    {
    }

    /**
     * Makes the context of a member.
     *
     * @param settings of the member
     * @return whose server sockets give only connections that have proved themselves
     */
    public static SSLContext context(final ClusterSettings settings)
    {
        try
        {
            final ClusterSettings.Tls tls = settings.tls();
            final SSLContext plain = tls == null ? ofSecret(settings) :
                context(store(tls.keyStore(), tls.password()), tls.password(), store(tls.trustStore(), tls.password()));
            return new Proving(settings.serverName(), plain);
        }
        catch (final GeneralSecurityException | IOException e)
        {
            throw new IllegalStateException(settings.tls() == null ?
                "the certificate of the domain cannot be made of its secret" :
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
        return context(keys, none, trusted);
    }

    private static SSLContext context(final KeyStore keys, final char[] password, final KeyStore trusted)
        throws GeneralSecurityException
    {
        final KeyManagerFactory ours = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        ours.init(keys, password);
        final TrustManagerFactory theirs = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        theirs.init(trusted);
        final SSLContext context = SSLContext.getInstance(PROTOCOL);
        context.init(ours.getKeyManagers(), theirs.getTrustManagers(), null);
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

    /** A context like another one, but for its server sockets. */
    private static final class Proving extends SSLContext
    {
        private Proving(final String member, final SSLContext real)
        {
            super(new ProvingSpi(member, real), real.getProvider(), real.getProtocol());
        }
    }

    /** Asks the real one for everything else. */
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

    /** Makes server sockets that listen at once. */
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
            return new ProvingServerSocket(member, factory, port, backlog == 0 ? BACKLOG : backlog, address);
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
