package dev.millrace.api.http;

import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * The TLS settings of a port. Immutable.
 *
 * @param context          with the key of the port
 * @param protocols        permitted versions of TLS
 * @param cipherSuites     permitted cipher suites; empty for those that are considered strong
 * @param needsClientAuth  whether clients must present a certificate that the context trusts
 */
public record PortTls(SSLContext context, List<String> protocols, List<String> cipherSuites, boolean needsClientAuth)
{
    /**
     * Creates settings.
     *
     * @param context         initialized
     * @param protocols       at least one
     * @param cipherSuites    may be empty
     * @param needsClientAuth whether a certificate is required
     */
    public PortTls
    {
        protocols = List.copyOf(protocols);
        cipherSuites = List.copyOf(cipherSuites);
    }
}
