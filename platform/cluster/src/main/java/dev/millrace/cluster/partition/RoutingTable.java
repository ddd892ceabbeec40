package dev.millrace.cluster.partition;

import java.util.List;

/**
 * The routing table of one epoch, as seen by one member. Immutable.
 *
 * @param step    the owners
 * @param ownerOf index of the owner of each partition
 * @param self    index of this member; -1 when it owns no partition
 * @param links   one per owner; {@code null} for this member
 */
record RoutingTable(PartitionAssignment step, short[] ownerOf, int self, List<OutboundLink> links)
{
    long epoch()
    {
        return step.epoch();
    }

    int size()
    {
        return step.owners().size();
    }

    OutboundLink link(final int owner)
    {
        return links.get(owner);
    }
}
