package dev.millrace.adapter.kafka.property;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.api.secret.NamedSecrets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The properties of a Kafka client as the assembly file contains them, with the secrets that they name. The plain text
 * of a secret is only in the result of {@link #resolve}. Immutable.
 */
public final class ClientProperties
{
    private static final Pattern SECRET = Pattern.compile("\\$\\{secret:([^}]*)}");
    private static final String JAAS = "sasl.jaas.config";
    /** Properties that the stages set themselves, or that delivery depends on. */
    private static final Set<String> OWN = Set.of("bootstrap.servers", "group.id", "client.id", "enable.auto.commit",
        "auto.offset.reset", "key.deserializer", "value.deserializer", "key.serializer", "value.serializer",
        "transactional.id", "enable.idempotence", "acks", "partition.assignment.strategy", "allow.auto.create.topics");

    private final Map<String, String> values = new HashMap<>();

    /**
     * @param given by the assembly file; {@code null} for none
     * @throws IllegalArgumentException if the stage sets one of them itself, with code and next step
     */
    public ClientProperties(final PropertyCheck check, final Properties given)
    {
        if (given == null)
        {
            return;
        }
        for (final String name : given.stringPropertyNames())
        {
            if (OWN.contains(name))
            {
                throw check.wrong("clientProperties", name,
                    "remove it: the stage sets it, in most cases by another instance property");
            }
            values.put(name, given.getProperty(name));
        }
    }

    /**
     * Replaces the names of secrets by the secrets.
     *
     * @throws IllegalArgumentException if config.xml does not contain a secret, with code and next step
     */
    public Map<String, Object> resolve(final PropertyCheck check, final NamedSecrets secrets)
    {
        final Map<String, Object> resolved = new HashMap<>();
        values.forEach((name, value) -> resolved.put(name, SECRET.matcher(value).replaceAll(reference ->
            Matcher.quoteReplacement(secret(check, name, reference.group(1), secrets)))));
        return resolved;
    }

    private static String secret(
        final PropertyCheck check, final String property, final String name, final NamedSecrets secrets)
    {
        final String secret = secrets.secret(name);
        if (secret == null)
        {
            throw check.wrong("clientProperties", property + "=${secret:" + name + '}',
                "add <secret><name>" + name + "</name><value>{AES}...</value></secret> to config.xml");
        }
        // A value of this property has the syntax of JAAS, in which secrets are quoted.
        return property.equals(JAAS) ? secret.replace("\\", "\\\\").replace("\"", "\\\"") : secret;
    }
}
