package dev.millrace.adapter.common.property;

import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.secret.SecretException;
import dev.millrace.api.secret.SecretKeys;
import java.io.IOException;

/** Reads passwords from properties. Messages contain none. Immutable. */
public final class Passwords
{
    private final PropertyCheck check;
    private final NamedSecrets secrets;

    /**
     * @param check   for messages
     * @param secrets of the server
     */
    public Passwords(final PropertyCheck check, final NamedSecrets secrets)
    {
        this.check = check;
        this.secrets = secrets;
    }

    /**
     * The password that one of three properties specifies.
     *
     * @param name      of the property with the plain password, for messages
     * @param plain     the password; {@code null} for none
     * @param encrypted as {@code millrace secret encrypt} prints it; {@code null} for none
     * @param secret    name of a {@code <secret>} of config.xml; {@code null} for none
     * @return {@code null} if none of them is set
     * @throws IllegalArgumentException if several are set, or the password cannot be decrypted
     */
    public String password(final String name, final String plain, final String encrypted, final String secret)
    {
        final int given = (plain == null ? 0 : 1) + (encrypted == null ? 0 : 1) + (secret == null ? 0 : 1);
        check.require(name, "several", given <= 1, "set only one of the password, the encrypted password and the " +
            "name of a secret");
        if (encrypted != null)
        {
            return decrypt(name, encrypted.strip());
        }
        if (secret == null)
        {
            return plain;
        }
        final String found = secrets.secret(secret.strip());
        check.require(name + "Secret", secret, found != null, "add a <secret> of this name to config.xml and restart " +
            "the server");
        return found;
    }

    private String decrypt(final String name, final String encrypted)
    {
        try
        {
            return SecretKeys.read(check.path(name, SecretKeys.FILE)).decrypt(encrypted);
        }
        catch (final SecretException | IOException e)
        {
            throw check.wrong(name, "an encrypted string that cannot be decrypted: " + e.getMessage(),
                "encrypt it again with millrace secret encrypt; its output begins with " + SecretKeys.PREFIX);
        }
    }
}
