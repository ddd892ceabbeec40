package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.property.Passwords;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.http.ChannelNames;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The properties that sources and sinks of channels have in common, and the context of the stage. Confined to the
 * managing thread.
 */
public abstract class ChannelStage implements Adapter, StageContextAware
{
    private static final int MAX_MILLIS = 3_600_000;
    private static final String LOCAL_PATH = "/pubsub";

    private final NamedSecrets secrets;
    private String channel;
    private String serverUrl;
    private String serverContextPath;
    private String user;
    private String password;
    private String encryptedPassword;
    private String passwordSecret;
    private int timeoutMillis = 10_000;
    private int maxRetryMillis = 10_000;
    private StageContext context;

    /** @param secrets of the server */
    protected ChannelStage(final NamedSecrets secrets)
    {
        this.secrets = secrets;
    }

    /** The name of the channel; required. */
    public final void setChannel(final String name)
    {
        channel = name;
    }

    /** The URL of a Bayeux server; default none: the channel is one of this instance. */
    public final void setServerUrl(final String url)
    {
        serverUrl = url;
    }

    /** The path of a server of channels of this instance; default {@value #LOCAL_PATH}. */
    public final void setServerContextPath(final String path)
    {
        serverContextPath = path;
    }

    /** The user at the remote server. */
    public final void setUser(final String name)
    {
        user = name;
    }

    /** The user's password. */
    public final void setPassword(final String plain)
    {
        password = plain;
    }

    /** The user's password, as {@code millrace secret encrypt} prints it. */
    public final void setEncryptedPassword(final String encrypted)
    {
        encryptedPassword = encrypted;
    }

    /** The name of the secret of config.xml that is the user's password, or without a user a bearer token. */
    public final void setPasswordSecret(final String name)
    {
        passwordSecret = name;
    }

    /** The maximum time for a response of the remote server; default 10000. */
    public final void setTimeoutMillis(final int millis)
    {
        timeoutMillis = millis;
    }

    /** The maximum time between two attempts to connect; default 10000. */
    public final void setMaxRetryMillis(final int millis)
    {
        maxRetryMillis = millis;
    }

    @Override
    public final void setStageContext(final StageContext given)
    {
        context = given;
    }

    /** The context; {@code null} without a network. */
    protected final StageContext context()
    {
        return context;
    }

    /** Receives the conditions of the stage. */
    protected final StageConditions conditions()
    {
        return context == null ? StageConditions.NONE : context.conditions();
    }

    /** Validates further properties. */
    protected final PropertyCheck check()
    {
        return new PropertyCheck(HttpErrorCode.PROPERTY, context == null ? "application/channel" :
            context.applicationName() + '/' + context.stageId());
    }

    /**
     * Validates the properties of this class.
     *
     * @param isPatternAllowed whether the channel may be a pattern
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    final ConnectionSettings connection(final boolean isPatternAllowed)
    {
        final PropertyCheck check = check();
        check.require("channel", channel, ChannelNames.isName(channel) ||
            isPatternAllowed && ChannelNames.isWild(channel), "use a name such as /stock/ORCL" +
            (isPatternAllowed ? ", or a pattern that ends with /* or /**" : ""));
        check.require("serverContextPath", serverContextPath, serverUrl == null || serverContextPath == null,
            "set serverUrl for a remote server, or serverContextPath for one of this instance");
        check.range("timeoutMillis", timeoutMillis, 1, MAX_MILLIS);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        final boolean hasCredentials =
            user != null || password != null || encryptedPassword != null || passwordSecret != null;
        check.require("user", user, serverUrl != null || !hasCredentials,
            "credentials are for a remote server; remove them, or set serverUrl");
        return new ConnectionSettings(check, serverUrl == null ? null : url(check),
            serverContextPath == null ? LOCAL_PATH : serverContextPath, channel, authorization(check), timeoutMillis,
            maxRetryMillis);
    }

    private URI url(final PropertyCheck check)
    {
        try
        {
            final URI parsed = new URI(serverUrl.strip());
            if (parsed.getHost() != null && parsed.getUserInfo() == null &&
                ("http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme())))
            {
                return parsed;
            }
        }
        catch (final URISyntaxException e)
        {
            // Reported below.
        }
        throw check.wrong("serverUrl", serverUrl,
            "use a URL such as https://host.example.org:9102/pubsub without credentials");
    }

    private String authorization(final PropertyCheck check)
    {
        final String secret =
            new Passwords(check, secrets).password("password", password, encryptedPassword, passwordSecret);
        check.require("password", null, user == null || secret != null, "set the password of the user");
        if (user == null)
        {
            check.require("user", null, secret == null || passwordSecret != null,
                "set the user of the password; a token is set by passwordSecret");
            return secret == null ? null : "Bearer " + secret;
        }
        return "Basic " + Base64.getEncoder().encodeToString((user + ':' + secret).getBytes(StandardCharsets.UTF_8));
    }
}
