package dev.millrace.journal;

/** Switches off what Chronicle Queue does in addition to queues: usage statistics on the network, and disk checks. */
final class ChronicleSettings
{
    private static final String[] OFF = {"chronicle.analytics.disable", "chronicle.disk.monitor.disable",
        "chronicle.announcer.disable"};

    private ChronicleSettings()
    {
    }

    static void apply()
    {
        for (final String property : OFF)
        {
            System.setProperty(property, "true");
        }
    }
}
