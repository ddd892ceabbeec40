package dev.millrace.adapter.http.security;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.http.EventPort;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.secret.NamedSecrets;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The instance properties about clients as set, and their validation. Not thread-safe. */
public final class AccessProperties
{
    public String tokenSecrets;
    public String userSecrets;
    public String allowedOrigins;
    public boolean allowUnauthenticated;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    public RequestGate check(final PropertyCheck check, final NamedSecrets secrets, final EventServer server)
    {
        final ClientCredentials credentials = new ClientCredentials(
            secrets(check, secrets, "tokenSecrets", tokenSecrets), secrets(check, secrets, "userSecrets", userSecrets));
        if (!credentials.isRequired() && !allowUnauthenticated)
        {
            onlyLocal(check, server, "set tokenSecrets or userSecrets");
        }
        final List<String> origins = check.names("allowedOrigins", allowedOrigins,
            "list origins such as https://app.example.org, separated by commas");
        return new RequestGate(credentials, origins == null ? Set.of() : Set.copyOf(origins));
    }

    /**
     * Refuses a server that other hosts can reach without a certificate.
     *
     * @param next how clients can be authenticated otherwise
     * @throws IllegalArgumentException if it has such a port
     */
    public static void onlyLocal(final PropertyCheck check, final EventServer server, final String next)
    {
        server.ports().stream().filter(port -> !isLocal(port)).findFirst().ifPresent(port ->
        {
            throw new IllegalArgumentException(HttpErrorCode.NO_AUTHENTICATION.message("other hosts could send " +
                "requests without authentication, stage=" + check.stageName() + " netio=" + port.name() + " host=" +
                port.host(), next + ", require certificates of clients (need-client-auth), or set " +
                "allowUnauthenticated (allow-unauthenticated in config.xml) to true"));
        });
    }

    private static boolean isLocal(final EventPort port)
    {
        try
        {
            return InetAddress.getByName(port.host()).isLoopbackAddress() ||
                port.tls() != null && port.tls().needsClientAuth();
        }
        catch (final UnknownHostException e)
        {
            // The port cannot be opened, which is reported then.
            return false;
        }
    }

    private static Map<String, String> secrets(final PropertyCheck check, final NamedSecrets secrets,
        final String property, final String value)
    {
        final Map<String, String> byName = new LinkedHashMap<>();
        final List<String> names =
            check.names(property, value, "list names of <secret> elements of config.xml, separated by commas");
        for (final String name : names == null ? List.<String>of() : names)
        {
            byName.put(name, secret(check, secrets, property, name));
        }
        return byName;
    }

    /**
     * A secret that clients present.
     *
     * @param property that names it, for messages
     * @throws IllegalArgumentException if it does not exist or is too short
     */
    public static String secret(final PropertyCheck check, final NamedSecrets secrets, final String property,
        final String name)
    {
        final String secret = secrets.secret(name);
        if (secret == null || secret.length() < ClientCredentials.MIN_CHARS)
        {
            throw new IllegalArgumentException(HttpErrorCode.SECRET.message("a secret is " + (secret == null ?
                "unknown" : "too short") + ", stage=" + check.stageName() + ' ' + property + '=' + name,
                "add <secret><name>" + name + "</name><value>{AES}...</value></secret> with at least " +
                ClientCredentials.MIN_CHARS + " characters to config.xml (openssl rand -hex 32 | millrace secret " +
                "encrypt), and restart the server"));
        }
        return secret;
    }
}
