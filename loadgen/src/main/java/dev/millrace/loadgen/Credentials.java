package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.security.AccessToken;
import dev.millrace.adapter.loadgen.security.TlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/**
 * Credentials of connections and trust in the server. Immutable.
 *
 * @param token presented to the server, or {@code null}
 * @param tls   contains the trusted certificates, or {@code null} to send without TLS
 */
record Credentials(byte[] token, SSLContext tls)
{
    /** Reads the files named in the settings. */
    static Credentials of(final GeneratorSettings settings) throws GeneratorException
    {
        return new Credentials(token(settings.name(), settings.tokenFile()), settings.tls() ?
            tls(settings.name(), settings.trustedCertificates()) : null);
    }

    private static byte[] token(final String name, final Path file) throws GeneratorException
    {
        try
        {
            return file == null ? null : AccessToken.read(file).bytes();
        }
        catch (final IOException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0106 the token file cannot be used, " +
                "file=" + name + " tokenFile=" + file + " cause=" + ex.getMessage() +
                "; provide a copy of the adapter's token file with mode 600", ex);
        }
    }

    private static SSLContext tls(final String name, final Path certificates) throws GeneratorException
    {
        try
        {
            return TlsContexts.client(certificates);
        }
        catch (final IOException | GeneralSecurityException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0107 the certificates cannot be " +
                "used, file=" + name + " trustedCertificates=" + certificates + " cause=" + ex.getMessage() +
                "; provide the server's certificate in PEM: keytool -exportcert -rfc", ex);
        }
    }
}
