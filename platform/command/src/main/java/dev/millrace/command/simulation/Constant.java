package dev.millrace.command.simulation;

/**
 * The model's constants of this machine (X of tuning/FIGURES.md) and of the underlying products, each with its source.
 * {@link Origin#INFERRED} constants are estimates, and so are results that depend only on them.
 */
public enum Constant
{
    /** Processing of one event in a packet with others, including the sample's queries. */
    EVENT_NS(24, "ns", Origin.MEASURED, "bench instance, one write per packet: difference of 10 rows and 1 row"),
    /**
     * Processing of one packet without its events: the system call that wakes the receiver. Sender and receiver shared
     * the machine.
     */
    PACKET_NS(2_540, "ns", Origin.MEASURED, "bench instance, one write per packet: 0.39 M packets/s of one row"),
    /** One additional event in a message between members, both ends together. */
    HOP_EVENT_NS(578, "ns", Origin.MEASURED, "Ignite messages: 1.64 M events/s in batches of 256, 0.116 M/s in single"
        + " messages"),
    /** One message between members without its events, both ends together. */
    HOP_MESSAGE_NS(8_043, "ns", Origin.MEASURED, "the same two figures, solved for both costs"),
    /** A discovery message from one member of the ring to the next. */
    RING_HOP_US(180, "us", Origin.INFERRED, "half of a measured round trip, 300 to 430 us"),
    /** From kill -9 until the other members detect it. */
    DETECTION_MS(300, "ms", Origin.MEASURED, "four members, kill -9: 280 to 300 ms"),
    /** From the detection until the new owners of partitions are known. */
    REMAP_MS(14, "ms", Origin.MEASURED, "four members, after kill -9"),
    /** Time after which an unresponsive member is removed; a discovery message must complete its lap within it. */
    FAILURE_DETECTION_MS(10_000, "ms", Origin.MEASURED,
        "default of failure-detection-millis; verified with kill -STOP"),
    /** Join of a member, without the part that grows with the number of members. */
    JOIN_MS(470, "ms", Origin.MEASURED, "ten nodes in one process: 4.7 s"),
    /** Laps of messages around the ring until a member has joined. */
    LAPS_PER_JOIN(2, "laps", Origin.INFERRED, "one adds it, one confirms it"),
    /** Memory of each link from one member to another. */
    LINK_KIB(64, "KiB", Origin.INFERRED, "a buffer of 32 KiB per direction"),
    /** Maps replicated to all members; caches of applications use another mechanism. */
    SHARED_MAPS(5, "maps", Origin.MEASURED, "deployments, results, bundles, partitions, notification groups"),
    /** Partitions of each of these maps. */
    SHARED_MAP_PARTITIONS(16, "partitions", Origin.MEASURED, "configured for the cluster's maps"),
    /** Data that the coordinator writes per member and partition of a map. */
    EXCHANGE_ENTRY_BYTES(1, "bytes", Origin.INFERRED, "one byte per partition and owner"),
    /** Rate at which it writes that data. */
    EXCHANGE_MIB_PER_SEC(500, "MiB/s", Origin.INFERRED, "copying and one link of 5 Gbit/s");

    private final double value;
    private final String unit;
    private final Origin origin;
    private final String source;

    /** The origin of a constant. */
    public enum Origin
    {
        /** Measured with running code. */
        MEASURED,
        /** Derived by reasoning. */
        INFERRED
    }

    Constant(final double value, final String unit, final Origin origin, final String source)
    {
        this.value = value;
        this.unit = unit;
        this.origin = origin;
        this.source = source;
    }

    /** Returns the value in its {@link #unit}. */
    public double value()
    {
        return value;
    }

    /** Returns the short name of the unit. */
    public String unit()
    {
        return unit;
    }

    public Origin origin()
    {
        return origin;
    }

    /** Returns the source of the measurement or the reasoning, in one line. */
    public String source()
    {
        return source;
    }
}
