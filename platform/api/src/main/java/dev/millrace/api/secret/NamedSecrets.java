package dev.millrace.api.secret;

/**
 * The {@code <secret>} elements of {@code config.xml}, decrypted. The server registers this as an OSGi service;
 * adapters look up the secrets that their properties name. Thread-safe.
 */
@FunctionalInterface
public interface NamedSecrets
{
    /**
     * Finds a secret.
     *
     * @param name of the {@code <secret>} element
     * @return its plain text, or {@code null} when there is no element of this name
     */
    String secret(String name);
}
