package dev.millrace.journal;

/** Switches off what Chronicle Queue does beside queues: usage statistics on the network, and checks of its own. */
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
