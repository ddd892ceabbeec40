package dev.millrace.server.config;

import java.security.cert.X509Certificate;
import java.util.Set;

/**
 * Whose signature bundles must have. Immutable.
 *
 * @param isRequired   whether a bundle must be signed by a trusted signer
 * @param certificates certificates of signers, or of authorities that issued them
 */
public record BundleTrust(boolean isRequired, Set<X509Certificate> certificates)
{
    /** Signatures are optional; an existing signature must be valid. */
    public static final BundleTrust OPTIONAL = new BundleTrust(false, Set.of());

    public BundleTrust
    {
        certificates = Set.copyOf(certificates);
    }
}
