package dev.millrace.server.config;

import dev.millrace.network.definition.SourcePosition;
import java.nio.file.Path;
import java.util.List;

/**
 * An {@code ssl} element: the key and the certificates of secure ports. Immutable; its text contains no password.
 *
 * @param name                name to which {@code ssl-config-bean-name} refers
 * @param keyStore            the key with its certificates
 * @param keyAlias            name of the key in its store; {@code null} for the only one
 * @param keyAlgorithm        algorithm of the key manager; {@code null} for Java's default
 * @param trustStore          certificates of clients; {@code null} for those that Java trusts
 * @param trustAlgorithm      algorithm of the trust manager; {@code null} for Java's default
 * @param needsClientAuth     whether clients must present a certificate
 * @param protocols           versions of TLS
 * @param cipherSuites        names of the permitted ones; empty for those that are considered strong
 * @param position            position of the element
 */
public record TlsSettings(String name, Store keyStore, String keyAlias, String keyAlgorithm, Store trustStore,
    String trustAlgorithm, boolean needsClientAuth, List<String> protocols, List<String> cipherSuites,
    SourcePosition position)
{
    public TlsSettings
    {
        protocols = List.copyOf(protocols);
        cipherSuites = List.copyOf(cipherSuites);
    }

    /**
     * A file with keys or certificates, PKCS12 or JKS.
     *
     * @param password of the file and of its keys; empty for none
     * @param position position of the element that names the file
     */
    public record Store(Path file, String password, SourcePosition position)
    {
        @Override
        public String toString()
        {
            return file.toString();
        }
    }
}
