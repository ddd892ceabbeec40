package dev.millrace.server.http;

import dev.millrace.api.secret.LoginThrottle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Authenticates callers of the management endpoint: by the token file of this start, or by a line in {@code
 * config/users}. There is no default user. Thread-safe.
 */
final class Authentication
{
    /** Name of a caller that authenticates with the token. */
    static final String TOKEN_USER = "token";

    /** Name in the audit log for users that do not exist. */
    static final String NOBODY = "unknown";

    private static final int TOKEN_BYTES = 32;

    private static final String BEARER = "Bearer ";

    private static final String BASIC = "Basic ";

    private final byte[] token;

    private final UserStore passwords;

    private final LoginThrottle limit;

    private Authentication(final byte[] token, final UserStore passwords, final LoginThrottle limit)
    {
        this.token = token;
        this.passwords = passwords;
        this.limit = limit;
    }

    /** Writes a new token that only the owner of the process can read. */
    static Authentication open(final Path tokenFile, final Path usersFile, final LoginThrottle limit)
        throws IOException
    {
        final byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        final String token = HexFormat.of().formatHex(random);
        final Path next = tokenFile.resolveSibling(tokenFile.getFileName() + ".next");
        Files.createDirectories(tokenFile.getParent(), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        Files.deleteIfExists(next);
        // The mode is set when the file is created, so that other users can never read it.
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, token, StandardOpenOption.WRITE);
        Files.move(next, tokenFile, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return new Authentication(token.getBytes(StandardCharsets.UTF_8), new UserStore(usersFile), limit);
    }

    /** Whether a password must be verified, which is slow by design. */
    static boolean isPassword(final String authorization)
    {
        return authorization != null && authorization.startsWith(BASIC);
    }

    /** Receives users that have to wait before the next login. */
    @FunctionalInterface
    interface LockOut
    {
        void begins(String user);
    }

    /**
     * Returns the claimed user for the audit log. Unknown names are not logged, because they may be passwords entered
     * by mistake.
     */
    String claimed(final String authorization)
    {
        if (authorization == null)
        {
            return NOBODY;
        }
        if (authorization.startsWith(BEARER))
        {
            return TOKEN_USER;
        }
        final String pair = isPassword(authorization) ? decoded(authorization) : null;
        final String user = pair == null || pair.indexOf(':') < 1 ? "" : pair.substring(0, pair.indexOf(':'));
        return !user.isEmpty() && passwords.isUser(user) ? user : NOBODY;
    }

    /** Returns the user of a header, {@code token} for the token; throws when the credentials are missing or wrong. */
    String user(final String authorization, final LockOut lockOut) throws HttpProblem
    {
        if (authorization != null && authorization.startsWith(BEARER))
        {
            final String given = authorization.substring(BEARER.length()).trim();
            if (MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8)))
            {
                return TOKEN_USER;
            }
        }
        else if (isPassword(authorization))
        {
            final String user = basicUser(authorization, lockOut);
            if (user != null)
            {
                return user;
            }
        }
        throw new HttpProblem(HttpProblem.UNAUTHORIZED, "SRV-0401", "credentials are missing or invalid",
            "send Authorization: Bearer with the content of var/admin.token in the domain directory, or Basic with a"
                + " user of config/users");
    }

    /** Returns the user when the password is correct; null otherwise. */
    private String basicUser(final String authorization, final LockOut lockOut) throws HttpProblem
    {
        final String pair = decoded(authorization);
        if (pair == null)
        {
            return null;
        }
        final int colon = pair.indexOf(':');
        if (colon < 1)
        {
            return null;
        }
        final String user = pair.substring(0, colon);
        final String key = passwords.isUser(user) ? user : "";
        if (!limit.mayTry(key))
        {
            throw new HttpProblem(HttpProblem.TOO_MANY, "SRV-0406", "too many failed attempts",
                "wait " + LoginThrottle.PERIOD_SECONDS +
                " seconds; the token of var/admin.token works in the meantime");
        }
        final boolean right = passwords.isRight(user, pair.substring(colon + 1).toCharArray());
        if (!right && limit.failed(key))
        {
            lockOut.begins(key.isEmpty() ? NOBODY : key);
        }
        return right ? user : null;
    }

    /** Returns user and password; null when the header is not base64 and therefore not a password. */
    private static String decoded(final String authorization)
    {
        try
        {
            return new String(
                Base64.getDecoder().decode(authorization.substring(BASIC.length()).trim()), StandardCharsets.UTF_8);
        }
        catch (final IllegalArgumentException e)
        {
            return null;
        }
    }
}
