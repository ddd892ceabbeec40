package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Creates the TLS context of a secure port from key store and trust store. Stateless. */
final class TlsContexts
{
    private static final int SESSIONS = 256;
    private static final String NEXT_STEP = "check path, password and alias with keytool -list -keystore FILE";

    private TlsContexts()
    {
    }

    /**
     * Reads the stores.
     *
     * @return Jetty's settings of a TLS server, not started
     * @throws DeploymentException with the position of the element of the store that cannot be used
     */
    static SslContextFactory.Server create(final TlsSettings settings) throws DeploymentException
    {
        final SslContextFactory.Server server = new SslContextFactory.Server();
        server.setSslContext(context(settings));
        server.setIncludeProtocols(settings.protocols().toArray(String[]::new));
        if (!settings.cipherSuites().isEmpty())
        {
            server.setExcludeCipherSuites();
            server.setIncludeCipherSuites(settings.cipherSuites().toArray(String[]::new));
        }
        server.setNeedClientAuth(settings.needsClientAuth());
        server.setSniRequired(false);
        server.setRenegotiationAllowed(false);
        return server;
    }

    /**
     * Reads the stores.
     *
     * @throws DeploymentException with the position of the element of the store that cannot be used
     */
    static SSLContext context(final TlsSettings settings) throws DeploymentException
    {
        TlsSettings.Store current = settings.keyStore();
        try
        {
            final String algorithm = settings.keyAlgorithm();
            final KeyManagerFactory keys = KeyManagerFactory.getInstance(
                algorithm == null ? KeyManagerFactory.getDefaultAlgorithm() : algorithm);
            final char[] password = current.password().toCharArray();
            keys.init(onlyKey(open(current), settings.keyAlias(), password), password);
            TrustManager[] trusted = null;
            if (settings.trustStore() != null)
            {
                current = settings.trustStore();
                final String trustAlgorithm = settings.trustAlgorithm();
                final TrustManagerFactory trust = TrustManagerFactory.getInstance(
                    trustAlgorithm == null ? TrustManagerFactory.getDefaultAlgorithm() : trustAlgorithm);
                trust.init(open(current));
                trusted = trust.getTrustManagers();
            }
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted, null);
            context.getServerSessionContext().setSessionCacheSize(SESSIONS);
            return context;
        }
        catch (final IOException | GeneralSecurityException e)
        {
            throw new DeploymentException("SRV-0160", current.position(), "key store or trust store cannot be used, "
                + "ssl=" + settings.name() + " file=" + current.file() + " reason=" + e, NEXT_STEP);
        }
    }

    private static KeyStore open(final TlsSettings.Store store) throws IOException, GeneralSecurityException
    {
        if (!Files.isRegularFile(store.file()))
        {
            throw new NoSuchFileException(store.file().toString());
        }
        return KeyStore.getInstance(store.file().toFile(), store.password().toCharArray());
    }

    /** Returns a store with the key of an alias, or with the single key of a store. */
    private static KeyStore onlyKey(final KeyStore all, final String alias, final char[] password)
        throws IOException, GeneralSecurityException
    {
        final List<String> aliases = Collections.list(all.aliases());
        String chosen = null;
        for (final String each : aliases)
        {
            if (all.isKeyEntry(each) && (alias == null || each.equalsIgnoreCase(alias)))
            {
                if (chosen != null)
                {
                    throw new GeneralSecurityException("there are several keys, name one in key-store-alias: " +
                        aliases);
                }
                chosen = each;
            }
        }
        if (chosen == null)
        {
            throw new GeneralSecurityException("there is no such private key, key-store-alias=" + alias +
                " aliases=" + aliases);
        }
        final Key key = all.getKey(chosen, password);
        final KeyStore one = KeyStore.getInstance("PKCS12");
        one.load(null, null);
        one.setKeyEntry(chosen, key, password, all.getCertificateChain(chosen));
        return one;
    }
}
