package dev.millrace.cluster.partition;

import dev.millrace.cluster.ClusterView;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs when the partitions of a channel have no owner, for example because no member is in its group: sources wait, and
 * nothing else would indicate the reason. Confined to the thread of the channel.
 */
final class MissingOwnerWarning
{
    /** Grace period for members that start at the same time. */
    static final long FIRST_NS = TimeUnit.SECONDS.toNanos(5);
    static final long LATER_NS = TimeUnit.SECONDS.toNanos(60);

    private final Terms terms;
    private final LongSupplier clockNs;
    private final Consumer<String> words;
    private boolean isWithout;
    private long dueNs;

    /**
     * Creates a watch.
     *
     * @param terms   of the channel
     * @param clockNs monotonic time
     * @param words   receives messages
     */
    MissingOwnerWarning(final Terms terms, final LongSupplier clockNs, final Consumer<String> words)
    {
        this.terms = terms;
        this.clockNs = clockNs;
        this.words = words;
    }

    /** Evaluates the current state of the channel. */
    void look(final boolean hasOwners, final ClusterView view)
    {
        final long nowNs = clockNs.getAsLong();
        if (hasOwners || !isWithout)
        {
            isWithout = !hasOwners;
            dueNs = nowNs + FIRST_NS;
        }
        else if (nowNs - dueNs >= 0)
        {
            dueNs = nowNs + LATER_NS;
            final Set<String> groups = new TreeSet<>();
            view.members().forEach(member -> groups.addAll(member.groups()));
            words.accept("CLU-0414 the partitions of a channel have no owner, and its rows wait, channel=" +
                terms.application() + '/' + terms.channel() + " partition-group=" + terms.group() + " members=" +
                view.members().stream().map(member -> member.name()).toList() + " groups=" + groups +
                "; start the application on a member of that group, or correct partition-group");
        }
    }
}
