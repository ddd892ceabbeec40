package dev.millrace.adapter.loadgen.security;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/**
 * What the properties of an adapter say about who may send and whether others can read along. Confined to the managing
 * thread. A port that other hosts reach wants a token and TLS, unless what is given up was named.
 */
public final class PortSecurity
{
    private static final String DOMAIN = "wlevs.domain.home";

    private Path tokenFile;
    private Path keyStore;
    private Path keyStorePasswordFile;
    private boolean allowUnauthenticated;
    private boolean allowUnencrypted;

    /**
     * The file with the token.
     *
     * @param file path, relative to the directory of the domain
     */
    public void tokenFile(final String file)
    {
        tokenFile = inDomain(file);
    }

    /**
     * The file with key and certificates.
     *
     * @param file path, relative to the directory of the domain
     */
    public void keyStore(final String file)
    {
        keyStore = inDomain(file);
    }

    /**
     * The file with the password of the key store.
     *
     * @param file path, relative to the directory of the domain
     */
    public void keyStorePasswordFile(final String file)
    {
        keyStorePasswordFile = inDomain(file);
    }

    /**
     * Whether other hosts may send without a token.
     *
     * @param isAllowed whether
     */
    public void allowUnauthenticated(final boolean isAllowed)
    {
        allowUnauthenticated = isAllowed;
    }

    /**
     * Whether rows of other hosts may travel readable.
     *
     * @param isAllowed whether
     */
    public void allowUnencrypted(final boolean isAllowed)
    {
        allowUnencrypted = isAllowed;
    }

    private static Path inDomain(final String file)
    {
        return file == null || file.isBlank() ? null :
            Path.of(System.getProperty(DOMAIN, "")).resolve(file.strip());
    }

    /**
     * Refuses an address that other hosts reach, while anybody could send there or read along.
     *
     * @param address what the port will be bound to
     * @param stage   for messages
     */
    public void check(final InetAddress address, final String stage)
    {
        final String where = ", stage=" + stage + " host=" + address.getHostAddress();
        if (!address.isLoopbackAddress() && tokenFile == null && !allowUnauthenticated)
        {
            throw new IllegalArgumentException("LDG-0111 other hosts could send rows without proving who they are" +
                where + "; set tokenFile, bind to 127.0.0.1, or set allowUnauthenticated=true");
        }
        if (!address.isLoopbackAddress() && keyStore == null && !allowUnencrypted)
        {
            throw new IllegalArgumentException("LDG-0112 rows of other hosts would travel readable" + where +
                "; set keyStore and keyStorePasswordFile, bind to 127.0.0.1, or set allowUnencrypted=true");
        }
        if ((keyStore == null) != (keyStorePasswordFile == null))
        {
            throw new IllegalArgumentException("LDG-0113 the key store cannot be used" + where + " keyStore=" +
                keyStore + " keyStorePasswordFile=" + keyStorePasswordFile + " cause=one of both is missing" +
                "; set both or none");
        }
    }

    /**
     * Reads the token.
     *
     * @param stage for messages
     * @return token, or {@code null} when none is set
     */
    public AccessToken token(final String stage)
    {
        try
        {
            return tokenFile == null ? null : AccessToken.read(tokenFile);
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("LDG-0110 the token file cannot be used, stage=" + stage + " file=" +
                tokenFile + " cause=" + ex.getMessage() +
                "; make one: openssl rand -hex 32 > FILE; chmod 600 FILE", ex);
        }
    }

    /**
     * Reads the key store.
     *
     * @param stage for messages
     * @return context, or {@code null} when none is set
     */
    public SSLContext tls(final String stage)
    {
        try
        {
            return keyStore == null ? null :
                TlsContexts.server(keyStore, SecretFile.read(keyStorePasswordFile).toCharArray());
        }
        catch (final IOException | GeneralSecurityException ex)
        {
            throw new IllegalArgumentException("LDG-0113 the key store cannot be used, stage=" + stage + " keyStore=" +
                keyStore + " keyStorePasswordFile=" + keyStorePasswordFile + " cause=" + ex.getMessage() +
                "; make it with keytool -genkeypair -storetype PKCS12, the password in a file of mode 600", ex);
        }
    }
}
