package dev.millrace.command.simulation;

/**
 * What the model knows of this machine (X of tuning/FIGURES.md) and of the products underneath. Where a figure was
 * measured stands beside it; {@link Origin#INFERRED} ones are estimates, and what hangs on them alone is one, too.
 */
public enum Constant
{
    /** An instance takes an event in, in a packet with others, and puts it through the sample's queries. */
    EVENT_NS(24, "ns", Origin.MEASURED, "bench instance, one write a packet: difference of 10 rows and 1 row"),
    /** Beside its events: the system call that wakes the receiver. Sender and receiver shared the machine. */
    PACKET_NS(2_540, "ns", Origin.MEASURED, "bench instance, one write a packet: 0.39 M packets/s of one row"),
    /** An event more in a message between members, both ends together. */
    HOP_EVENT_NS(578, "ns", Origin.MEASURED, "Ignite messages: 1.64 M events/s in batches of 256, 0.116 M/s singly"),
    /** A message between members, beside its events, both ends together. */
    HOP_MESSAGE_NS(8_043, "ns", Origin.MEASURED, "the same two figures, solved for both costs"),
    /** A message of discovery goes from one member of the ring to the next. */
    RING_HOP_US(180, "us", Origin.INFERRED, "half of a measured message there and back, 300 to 430 us"),
    /** From kill -9 until the others know. */
    DETECTION_MS(300, "ms", Origin.MEASURED, "four members, kill -9: 280 to 300 ms"),
    /** From then until the new owners of partitions are known. */
    REMAP_MS(14, "ms", Origin.MEASURED, "four members, after kill -9"),
    /** A silent member is given up after this time; discovery has to get around in it. */
    FAILURE_DETECTION_MS(10_000, "ms", Origin.MEASURED, "default of failure-detection-millis; seen with kill -STOP"),
    /** A member joins, beside what grows with the number of members. */
    JOIN_MS(470, "ms", Origin.MEASURED, "ten nodes in one process: 4.7 s"),
    /** Messages that go around the ring until a member is in. */
    LAPS_PER_JOIN(2, "laps", Origin.INFERRED, "one that adds it, one that says it has been added"),
    /** What each link of a member to another one keeps in memory. */
    LINK_KIB(64, "KiB", Origin.INFERRED, "a buffer of 32 KiB each way"),
    /** Maps that all members share; caches of applications have a way of their own. */
    SHARED_MAPS(5, "maps", Origin.MEASURED, "deployments, results, bundles, partitions, notification groups"),
    /** Partitions of each of them. */
    SHARED_MAP_PARTITIONS(16, "partitions", Origin.MEASURED, "what the cluster makes its maps with"),
    /** What the coordinator writes about a partition of a shared map and a member. */
    EXCHANGE_ENTRY_BYTES(1, "bytes", Origin.INFERRED, "a byte for each partition and owner"),
    /** How fast it writes that. */
    EXCHANGE_MIB_PER_SEC(500, "MiB/s", Origin.INFERRED, "copying and one link of 5 Gbit/s");

    private final double value;
    private final String unit;
    private final Origin origin;
    private final String source;

    /** How a figure came about. */
    public enum Origin
    {
        /** Running code showed it. */
        MEASURED,
        /** It was reasoned. */
        INFERRED
    }

    Constant(final double value, final String unit, final Origin origin, final String source)
    {
        this.value = value;
        this.unit = unit;
        this.origin = origin;
        this.source = source;
    }

    /**
     * The figure.
     *
     * @return in its {@link #unit}
     */
    public double value()
    {
        return value;
    }

    /**
     * Its unit.
     *
     * @return short name
     */
    public String unit()
    {
        return unit;
    }

    /**
     * How it came about.
     *
     * @return origin
     */
    public Origin origin()
    {
        return origin;
    }

    /**
     * What showed it, or why it is thought so.
     *
     * @return one line
     */
    public String source()
    {
        return source;
    }
}
