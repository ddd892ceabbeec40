package dev.millrace.adapter.mqtt.connect;

import dev.millrace.adapter.common.property.Passwords;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.api.secret.NamedSecrets;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** The properties of a connection as set, and their validation. Not thread-safe. */
public final class ConnectionProperties
{
    private static final int PORT = 1883;
    private static final int TLS_PORT = 8883;
    private static final int MAX_KEEP_ALIVE_SEC = 65_535;
    private static final int MAX_RECEIVE = 65_535;
    private static final long MAX_EXPIRY_SEC = 0xFFFF_FFFFL;
    private static final int MAX_MILLIS = 3_600_000;
    private static final Set<String> PLAIN = Set.of("tcp", "mqtt");
    private static final Set<String> TLS = Set.of("ssl", "mqtts");

    public String url;
    public String version = "5";
    public String clientId;
    public boolean cleanStart;
    public long sessionExpirySeconds = 86_400;
    public int keepAliveSeconds = 30;
    public int receiveMaximum = 1_000;
    public String user;
    public String password;
    public String encryptedPassword;
    public String passwordSecret;
    public String willTopic;
    public String willPayload = "";
    public int willQos;
    public boolean willRetained;
    public int answerMillis = 10_000;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    public ConnectionSettings check(final PropertyCheck check, final NamedSecrets secrets)
    {
        final URI broker = broker(check);
        final boolean isTls = TLS.contains(broker.getScheme().toLowerCase(Locale.ROOT));
        check.range("keepAliveSeconds", keepAliveSeconds, 0, MAX_KEEP_ALIVE_SEC);
        check.range("receiveMaximum", receiveMaximum, 1, MAX_RECEIVE);
        check.range("sessionExpirySeconds", sessionExpirySeconds, 0, MAX_EXPIRY_SEC);
        check.range("willQos", willQos, 0, 2);
        check.range("answerMillis", answerMillis, 1, MAX_MILLIS);
        final String id = clientId == null ? check.stageName() : clientId.strip();
        check.require("clientId", clientId, !id.isEmpty(), "use an id that no other client of the broker has");
        final boolean is5 = check.is("version", version.strip(), "5", "3.1.1");
        if (willTopic != null)
        {
            checkTopic(check, "willTopic", willTopic);
        }
        return new ConnectionSettings(check.stageName(), is5 ? 5 : 3, broker.getHost(),
            broker.getPort() >= 0 ? broker.getPort() : isTls ? TLS_PORT : PORT, isTls, id, cleanStart,
            sessionExpirySeconds, keepAliveSeconds, receiveMaximum, user,
            new Passwords(check, secrets).password("password", password, encryptedPassword, passwordSecret),
            willTopic == null ? null : new Outgoing(willTopic, willPayload.getBytes(StandardCharsets.UTF_8), willQos,
            willRetained), answerMillis);
    }

    private URI broker(final PropertyCheck check)
    {
        final String next = "write tcp://HOST:PORT or ssl://HOST:PORT";
        check.require("url", url, url != null, next);
        try
        {
            final URI uri = new URI(url.strip());
            final String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            check.require("url", url, uri.getHost() != null && (PLAIN.contains(scheme) || TLS.contains(scheme)), next);
            return uri;
        }
        catch (final URISyntaxException e)
        {
            throw check.wrong("url", url, next);
        }
    }

    /** Refuses a topic to which nothing can be published. */
    public static void checkTopic(final PropertyCheck check, final String name, final String topic)
    {
        check.require(name, topic, topic != null && !topic.isEmpty() && topic.indexOf('+') < 0 &&
            topic.indexOf('#') < 0 && topic.indexOf('\0') < 0, "write a topic without the wildcards + and #");
    }
}
