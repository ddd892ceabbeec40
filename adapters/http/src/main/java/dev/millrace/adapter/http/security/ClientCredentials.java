package dev.millrace.adapter.http.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The credentials of the clients of a stage. Comparisons take the same time for all wrong values of the same length.
 * Immutable.
 */
public final class ClientCredentials
{
    /** The client of a stage that requires no credentials. */
    public static final String ANYONE = "anyone";

    /** Minimum length of tokens and passwords: shorter ones could be guessed over the network. */
    public static final int MIN_CHARS = 16;

    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";

    private final Map<String, byte[]> tokens = new LinkedHashMap<>();
    private final Map<String, byte[]> passwords = new LinkedHashMap<>();

    /**
     * Copies credentials.
     *
     * @param tokens    by the name of the client
     * @param passwords by the name of the user
     */
    public ClientCredentials(final Map<String, String> tokens, final Map<String, String> passwords)
    {
        tokens.forEach((name, token) -> this.tokens.put(name, token.getBytes(StandardCharsets.UTF_8)));
        passwords.forEach((name, password) -> this.passwords.put(name, password.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether clients must authenticate. */
    public boolean isRequired()
    {
        return !tokens.isEmpty() || !passwords.isEmpty();
    }

    /**
     * Authenticates a client.
     *
     * @param authorization the header; {@code null} if it is missing
     * @return name of the client, {@link #ANYONE} if no credentials are required, {@code null} if they are wrong
     */
    public String client(final String authorization)
    {
        if (!isRequired())
        {
            return ANYONE;
        }
        if (authorization == null)
        {
            return null;
        }
        if (authorization.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        {
            return ofToken(authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8));
        }
        return authorization.regionMatches(true, 0, BASIC, 0, BASIC.length()) ?
            ofPassword(authorization.substring(BASIC.length()).strip()) : null;
    }

    private String ofToken(final byte[] given)
    {
        String client = null;
        for (final Map.Entry<String, byte[]> each : tokens.entrySet())
        {
            if (MessageDigest.isEqual(each.getValue(), given))
            {
                client = each.getKey();
            }
        }
        return client;
    }

    private String ofPassword(final String encoded)
    {
        final byte[] pair;
        try
        {
            pair = Base64.getDecoder().decode(encoded);
        }
        catch (final IllegalArgumentException e)
        {
            // Not base64, and therefore no password.
            return null;
        }
        final String text = new String(pair, StandardCharsets.UTF_8);
        final int colon = text.indexOf(':');
        final String user = colon < 1 ? "" : text.substring(0, colon);
        final byte[] password = passwords.get(user);
        return password != null &&
            MessageDigest.isEqual(password, text.substring(colon + 1).getBytes(StandardCharsets.UTF_8)) ? user : null;
    }
}
