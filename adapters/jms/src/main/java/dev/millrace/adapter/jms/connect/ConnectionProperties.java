package dev.millrace.adapter.jms.connect;

import dev.millrace.adapter.common.property.Passwords;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.api.secret.NamedSecrets;
import jakarta.jms.ConnectionFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The properties of a connection and its destination as set, and their validation. Not thread-safe. */
public final class ConnectionProperties
{
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionProperties.class);
    /** Properties of JNDI by which a name could load other classes. */
    private static final String JNDI_FACTORIES = "java.naming.factory.";

    public Object connectionFactory;
    public String connectionFactoryClass;
    public String connectionFactoryProperties;
    public String brokerUrl;
    public String jndiFactory;
    public String jndiProviderUrl;
    public String jndiProperties;
    public String connectionJndiName;
    public String destinationJndiName;
    public String destinationName;
    public String destinationType;
    public String user;
    public String password;
    public String encryptedPassword;
    public String passwordSecret;
    public String connectionUser;
    public String connectionPassword;
    public String connectionEncryptedPassword;
    public String connectionPasswordSecret;
    public String clientId;
    private final Map<String, String> ignored = new LinkedHashMap<>();

    /** Records a property of Oracle Event Processing that has no effect here. */
    public void ignore(final String name, final String value)
    {
        ignored.put(name, value);
    }

    /**
     * Validates the properties of the connection.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    public ConnectionSettings check(final PropertyCheck check, final AllowedNames allowed, final NamedSecrets secrets)
    {
        ignored.forEach((name, value) -> LOG.warn(JmsErrorCode.IGNORED.message("a property has no effect, stage=" +
            check.stageName() + " name=" + name + " value=" + value, "remove it; each adapter has one thread and one " +
            "connection")));
        final int ways = (connectionFactory == null ? 0 : 1) + (connectionFactoryClass == null ? 0 : 1) +
            (jndiFactory == null ? 0 : 1);
        check.require("jndiFactory", ways == 0 ? null : "several", ways == 1, "set one of jndiFactory, " +
            "connectionFactoryClass and connectionFactory");
        check.require("connectionFactory", String.valueOf(connectionFactory),
            connectionFactory == null || connectionFactory instanceof ConnectionFactory,
            "refer to a bean of class jakarta.jms.ConnectionFactory");
        checkClass(check, allowed, "connectionFactoryClass", connectionFactoryClass);
        checkClass(check, allowed, "jndiFactory", jndiFactory);
        checkUrl(check, allowed, "brokerUrl", brokerUrl);
        checkUrl(check, allowed, "jndiProviderUrl", jndiProviderUrl);
        checkName(check, "connectionJndiName", connectionJndiName);
        check.require("connectionJndiName", connectionJndiName, (connectionJndiName != null) == (jndiFactory != null),
            "set it together with jndiFactory");
        final Passwords passwords = new Passwords(check, secrets);
        final String jndiPassword = passwords.password("password", password, encryptedPassword, passwordSecret);
        final String ownPassword = passwords.password("connectionPassword", connectionPassword,
            connectionEncryptedPassword, connectionPasswordSecret);
        return new ConnectionSettings(connectionFactory, connectionFactoryClass, brokerUrl,
            pairs(check, "connectionFactoryProperties", connectionFactoryProperties), jndiFactory, jndiProviderUrl,
            jndiPairs(check, allowed), connectionJndiName, user, jndiPassword,
            connectionUser == null ? user : connectionUser, connectionUser == null ? jndiPassword : ownPassword,
            clientId);
    }

    private static void checkClass(
        final PropertyCheck check, final AllowedNames allowed, final String name, final String value)
    {
        check.require(name, value, value == null || allowed.hasClass(value), "use one of the permitted classes: " +
            allowed + "; the operator of the server adds others with -D" + AllowedNames.PROPERTY + "=NAME in " +
            "config/jvm.options");
    }

    private static void checkUrl(
        final PropertyCheck check, final AllowedNames allowed, final String name, final String value)
    {
        final String refused = value == null ? null : allowed.refusedScheme(value);
        check.require(name, refused, refused == null, "use one of the permitted schemes; the operator of the server " +
            "adds others with -D" + AllowedNames.PROPERTY + "=" + refused + " in config/jvm.options");
    }

    private static void checkName(final PropertyCheck check, final String name, final String value)
    {
        check.require(name, value, value == null || !value.isBlank() && !AllowedNames.isUrl(value),
            "use a name that is no URL");
    }

    private Map<String, String> jndiPairs(final PropertyCheck check, final AllowedNames allowed)
    {
        final Map<String, String> pairs = pairs(check, "jndiProperties", jndiProperties);
        pairs.forEach((name, value) ->
        {
            check.require("jndiProperties", name, !name.startsWith(JNDI_FACTORIES),
                "remove it: it could load classes that are not permitted");
            checkUrl(check, allowed, "jndiProperties", value);
        });
        return pairs;
    }

    private static Map<String, String> pairs(final PropertyCheck check, final String name, final String text)
    {
        final Map<String, String> pairs = new LinkedHashMap<>();
        for (final String pair : text == null ? new String[0] : text.split("[\n;]"))
        {
            final int equals = pair.indexOf('=');
            check.require(name, pair, pair.isBlank() || equals > 0, "write name=value, separated by semicolons");
            if (equals > 0)
            {
                pairs.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
            }
        }
        return pairs;
    }

    /**
     * Validates the properties of the destination.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    public DestinationSettings checkDestination(final PropertyCheck check)
    {
        check.require("destinationName", destinationName, (destinationName == null) != (destinationJndiName == null),
            "set either destinationName or destinationJndiName");
        check.require("destinationJndiName", destinationJndiName, destinationJndiName == null || jndiFactory != null,
            "set jndiFactory, or destinationName and destinationType");
        checkName(check, "destinationJndiName", destinationJndiName);
        final String type = destinationType == null ? null : destinationType.strip().toLowerCase(Locale.ROOT);
        check.require("destinationType", destinationType, destinationJndiName != null || type != null,
            "use QUEUE or TOPIC");
        return new DestinationSettings(destinationJndiName, destinationName,
            type != null && check.is("destinationType", type, "topic", "queue"));
    }
}
