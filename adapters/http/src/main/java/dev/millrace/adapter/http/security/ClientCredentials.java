package dev.millrace.adapter.http.security;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.api.secret.LoginThrottle;
import dev.millrace.api.time.Clock;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * The credentials of the clients of a stage. Comparisons take the same time for all wrong values of the same length.
 * After five wrong passwords within a minute, a user has to wait, but only at the address that sent them, so that other
 * hosts cannot exclude a client. Thread-safe.
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
    private final LoginThrottle limit = new LoginThrottle(Clock.SYSTEM::epochNs);

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
     * Authenticates the client of a request.
     *
     * @return name of the client, {@link #ANYONE} if no credentials are required, {@code null} if they are missing or
     *     wrong
     * @throws RefusedRequest if the user has to wait after wrong passwords
     */
    public String client(final Request request) throws RefusedRequest
    {
        final String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
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
            ofPassword(authorization.substring(BASIC.length()).strip(), Request.getRemoteAddr(request)) : null;
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

    private String ofPassword(final String encoded, final String address) throws RefusedRequest
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
        final String login = (password == null ? "" : user) + '@' + address;
        if (!limit.mayTry(login))
        {
            throw new RefusedRequest(RefusedRequest.TOO_MANY, HttpErrorCode.TOO_MANY_LOGINS,
                "too many wrong passwords of this user came from this address",
                "correct the password, and repeat the request after " + LoginThrottle.PERIOD_SECONDS + " seconds");
        }
        if (password != null &&
            MessageDigest.isEqual(password, text.substring(colon + 1).getBytes(StandardCharsets.UTF_8)))
        {
            return user;
        }
        limit.failed(login);
        return null;
    }
}
