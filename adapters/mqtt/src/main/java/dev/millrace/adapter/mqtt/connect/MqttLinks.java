package dev.millrace.adapter.mqtt.connect;

/** Creates connections. Thread-safe. */
public final class MqttLinks
{
    private static final int VERSION_5 = 5;

    private MqttLinks()
    {
    }

    /** Creates a connection of the version that the settings specify, not connected yet. */
    public static MqttLink of(final ConnectionSettings settings)
    {
        return settings.version() == VERSION_5 ? new Mqtt5Link(settings) : new Mqtt3Link(settings);
    }
}
