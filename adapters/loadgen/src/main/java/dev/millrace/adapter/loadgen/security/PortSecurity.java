package dev.millrace.adapter.loadgen.security;

import dev.millrace.api.secret.NamedSecrets;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/**
 * The properties of an adapter for authentication and encryption of senders. Confined to the managing thread. A port
 * that other hosts can reach requires a token and TLS, unless the properties explicitly permit otherwise.
 */
public final class PortSecurity
{
    private static final String DOMAIN = "wlevs.domain.home";

    private Path tokenFile;
    private Path keyStore;
    private Path keyStorePasswordFile;
    private boolean allowUnauthenticated;
    private boolean allowUnencrypted;
    private final NamedSecrets secrets;
    private String tokenSecret;
    private String keyStorePasswordSecret;

    /**
     * Starts with no property set.
     *
     * @param secrets source of named secrets
     */
    public PortSecurity(final NamedSecrets secrets)
    {
        this.secrets = secrets;
    }

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
     * Sets the secret that is the token.
     *
     * @param name of a {@code <secret>} of config.xml
     */
    public void tokenSecret(final String name)
    {
        tokenSecret = nameOrNull(name);
    }

    /**
     * Sets the secret that is the password of the key store.
     *
     * @param name of a {@code <secret>} of config.xml
     */
    public void keyStorePasswordSecret(final String name)
    {
        keyStorePasswordSecret = nameOrNull(name);
    }

    private static String nameOrNull(final String name)
    {
        return name == null || name.isBlank() ? null : name.strip();
    }

    /** Sets whether other hosts may send without a token. */
    public void allowUnauthenticated(final boolean isAllowed)
    {
        allowUnauthenticated = isAllowed;
    }

    /** Sets whether other hosts may send rows without encryption. */
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
     * Rejects an address that other hosts can reach unless authentication and encryption are configured or explicitly
     * waived.
     *
     * @param address to which the port will be bound
     * @param stage   for messages
     */
    public void check(final InetAddress address, final String stage)
    {
        final String where = ", stage=" + stage + " host=" + address.getHostAddress();
        if (!address.isLoopbackAddress() && tokenFile == null && tokenSecret == null && !allowUnauthenticated)
        {
            throw new IllegalArgumentException("LDG-0111 other hosts could send rows without authentication" +
                where + "; set tokenFile or tokenSecret, bind to 127.0.0.1, or set allowUnauthenticated=true");
        }
        if (!address.isLoopbackAddress() && keyStore == null && !allowUnencrypted)
        {
            throw new IllegalArgumentException("LDG-0112 rows of other hosts would be unencrypted" + where +
                "; set keyStore with keyStorePasswordFile or keyStorePasswordSecret, bind to 127.0.0.1, or set " +
                "allowUnencrypted=true");
        }
        if ((keyStore == null) != (keyStorePasswordFile == null && keyStorePasswordSecret == null))
        {
            throw new IllegalArgumentException("LDG-0113 the key store cannot be used" + where + " keyStore=" +
                keyStore + " keyStorePasswordFile=" + keyStorePasswordFile + " keyStorePasswordSecret=" +
                keyStorePasswordSecret + " cause=one of the two is missing; set the key store and its password, or "
                    + "none");
        }
        refuseTwo(where, "tokenFile", tokenFile, "tokenSecret", tokenSecret);
        refuseTwo(where, "keyStorePasswordFile", keyStorePasswordFile, "keyStorePasswordSecret",
            keyStorePasswordSecret);
    }

    private static void refuseTwo(final String where, final String one, final Path file, final String other,
        final String secret)
    {
        if (file != null && secret != null)
        {
            throw new IllegalArgumentException("LDG-0115 two sources are set for one value" + where + ' ' + one + '=' +
                file + ' ' + other + '=' + secret + "; remove one of them");
        }
    }

    /** The value of a secret of config.xml. */
    private String secret(final String property, final String name, final String stage)
    {
        final String text = secrets.secret(name);
        if (text == null)
        {
            throw new IllegalArgumentException("LDG-0114 unknown secret, stage=" + stage + ' ' + property +
                '=' + name + "; add <secret><name>" + name + "</name><value>{AES}...</value></secret> to config.xml, " +
                "with a value from millrace secret encrypt, and restart the server");
        }
        return text;
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
            if (tokenSecret != null)
            {
                return AccessToken.of(secret("tokenSecret", tokenSecret, stage));
            }
            return tokenFile == null ? null : AccessToken.read(tokenFile);
        }
        catch (final IOException ex)
        {
            if (tokenSecret != null)
            {
                throw new IllegalArgumentException("LDG-0116 the secret cannot be used as a token, stage=" + stage +
                    " tokenSecret=" + tokenSecret + " cause=" + ex.getMessage() +
                    "; create one: openssl rand -hex 32 | millrace secret encrypt", ex);
            }
            throw new IllegalArgumentException("LDG-0110 the token file cannot be used, stage=" + stage + " file=" +
                tokenFile + " cause=" + ex.getMessage() +
                "; create one: openssl rand -hex 32 > FILE; chmod 600 FILE", ex);
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
                TlsContexts.server(keyStore, keyStorePassword(stage).toCharArray());
        }
        catch (final IOException | GeneralSecurityException ex)
        {
            throw new IllegalArgumentException("LDG-0113 the key store cannot be used, stage=" + stage + " keyStore=" +
                keyStore + " keyStorePasswordFile=" + keyStorePasswordFile + " keyStorePasswordSecret=" +
                keyStorePasswordSecret + " cause=" + ex.getMessage() + "; create it with keytool -genkeypair " +
                "-storetype PKCS12, the password in a file of mode 600 or in a <secret> of config.xml", ex);
        }
    }

    private String keyStorePassword(final String stage) throws IOException
    {
        return keyStorePasswordSecret == null ? SecretFile.read(keyStorePasswordFile) :
            secret("keyStorePasswordSecret", keyStorePasswordSecret, stage);
    }
}
