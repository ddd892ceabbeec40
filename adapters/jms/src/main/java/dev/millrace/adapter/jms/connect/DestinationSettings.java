package dev.millrace.adapter.jms.connect;

/**
 * A queue or topic. Immutable.
 *
 * @param jndiName name in JNDI; {@code null} for the name of the broker
 * @param name     name of the broker; {@code null} for that of JNDI
 * @param isTopic  whether the broker's name is that of a topic
 */
public record DestinationSettings(String jndiName, String name, boolean isTopic)
{
    @Override
    public String toString()
    {
        return jndiName != null ? jndiName : name;
    }
}
