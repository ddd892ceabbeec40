package dev.millrace.server.config;

import java.security.cert.X509Certificate;
import java.util.Set;

/**
 * Whose signature bundles must bear. Immutable.
 *
 * @param isRequired   whether a bundle needs a signature of one of them
 * @param certificates those of signers, or of authorities that have issued theirs
 */
public record BundleTrust(boolean isRequired, Set<X509Certificate> certificates)
{
    /** A signature that is there must hold; none is needed. */
    public static final BundleTrust OPTIONAL = new BundleTrust(false, Set.of());

    /** Copies the set. */
    public BundleTrust
    {
        certificates = Set.copyOf(certificates);
    }
}
