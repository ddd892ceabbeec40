package dev.millrace.cluster.partition;

import dev.millrace.cluster.partition.link.Endpoint;
import dev.millrace.cluster.partition.link.HandshakeRequest;
import dev.millrace.cluster.partition.link.SendEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * Executes a rebalance: pauses the sources, sends markers on all links, resumes with the new owners, takes over and
 * releases partitions. Confined to the thread of {@link RebalanceLoop}, except that incoming links and returned rows
 * are accepted from any thread.
 *
 * <pre>
 *   out: one OutboundLink per member, in the order of the table       in: InboundLinks ── markers of the other members
 *   Strays ── rows whose owner has left                          Holdings ── partitions of this member
 * </pre>
 */
final class PartitionRebalance
{
    private final PartitionedChannelMember channel;
    private final Endpoint endpoint;
    private final Map<String, OutboundLink> out = new LinkedHashMap<>();
    private final InboundLinks in;
    private final UndeliveredRows strays;
    private final OwnedPartitions holdings;
    private final Set<String> waitFor = new HashSet<>();
    /** Routers of closed sources whose end has not been sent to other members yet. Any thread adds. */
    private final Queue<Integer> ended = new ConcurrentLinkedQueue<>();
    private PartitionAssignment target;
    private RoutingTable installed;
    private AssignmentHistory history;
    private long openedEpoch;
    private boolean isPaused;
    private volatile Map<String, Object> figures = Map.of();
    private long rowsSentBefore;
    private long rowsSentAgainBefore;

    PartitionRebalance(final PartitionedChannelMember channel, final Endpoint endpoint,
        final PartitionHandover handover)
    {
        this.channel = channel;
        this.endpoint = endpoint;
        in = new InboundLinks(channel);
        strays = new UndeliveredRows(channel);
        holdings = new OwnedPartitions(channel, handover, in::areThrough);
    }

    /**
     * Called before the set of live members is read for {@link #meet}. Links that arrive after this call are kept.
     */
    void beginLook()
    {
        in.beginLook();
    }

    /** Opens links to new members; ends links from members that have left. */
    void meet(final String self, final Map<String, Registration> live)
    {
        for (final Registration other : live.values())
        {
            final OutboundLink known = out.get(other.stay());
            if (!other.stay().equals(self) && (known == null || known.isWaitingForTarget()))
            {
                meet(other, known);
            }
        }
        in.endAllBut(live.keySet());
    }

    private void meet(final Registration other, final OutboundLink known)
    {
        final OutboundLink link = known == null ? new OutboundLink(channel, other, endpoint) : known;
        out.put(other.stay(), link);
        if (target != null)
        {
            link.mark(target.epoch());
        }
        link.meet(other);
    }

    /** Performs the next step of the rebalance to a table, if its condition holds. */
    void follow(final AssignmentHistory table, final Registration mine, final Map<String, Registration> live)
    {
        if (target == null || table.now().epoch() > target.epoch())
        {
            retarget(table);
        }
        if (!isPaused && installed.size() > 0 && (hasGone(live) || strays.areHomeless()))
        {
            pause();
        }
        if (isPaused && isDrained(live))
        {
            install(mine, live);
        }
        open(live);
        show();
    }

    /** Whether there are links to members that have left and do not own partitions in the target table. */
    private boolean hasGone(final Map<String, Registration> live)
    {
        return out.keySet().stream().anyMatch(stay -> isGone(stay, live));
    }

    /** Rows for a member that has left but is still in the table stay in its link until the next table. */
    private boolean isGone(final String stay, final Map<String, Registration> live)
    {
        return !live.containsKey(stay) && target.indexOf(stay) < 0;
    }

    boolean isChanging()
    {
        return isPaused || installed == null || channel.openEpoch() < installed.epoch();
    }

    private void retarget(final AssignmentHistory table)
    {
        if (channel.openEpoch() + 1 < table.now().epoch())
        {
            // Rows of an epoch that never opened here, because the next table was already there, go back to their
            // senders, which route them again: this member has not taken over the partitions of that epoch.
            channel.floor(table.now().epoch());
            strays.takeBack(strays.removeOwn());
            in.cut();
        }
        target = table.now();
        history = table;
        pause();
        out.values().forEach(link -> link.mark(target.epoch()));
    }

    /** Suspends all sources. When this returns, no source is inside the channel; sources wait for new routes. */
    private void pause()
    {
        isPaused = true;
        channel.routes(null);
        for (final PartitionRouter way : channel.ways())
        {
            way.lock().lock();
            way.lock().unlock();
        }
    }

    private boolean isDrained(final Map<String, Registration> live)
    {
        return out.values().stream().allMatch(link -> !live.containsKey(link.target().stay()) || link.isDrained());
    }

    private void install(final Registration mine, final Map<String, Registration> live)
    {
        final List<SendEntry> again = strays.removeHomeless();
        for (final OutboundLink link : List.copyOf(out.values()))
        {
            if (isGone(link.target().stay(), live))
            {
                out.remove(link.target().stay());
                again.addAll(end(link));
            }
        }
        final List<OutboundLink> links = new ArrayList<>();
        for (final Owner owner : target.owners())
        {
            // An owner that has already left, or is not visible yet, gets a link that waits for it or for the next
            // table.
            final OutboundLink link = owner.stay().equals(mine.stay()) ? null : out.computeIfAbsent(owner.stay(),
                stay -> new OutboundLink(channel, nobody(owner, mine), endpoint));
            links.add(link);
        }
        final boolean isNew = installed == null || installed.epoch() != target.epoch();
        installed = new RoutingTable(target, target.ownerOf(), target.indexOf(mine.stay()), links);
        if (isNew)
        {
            waitFor.clear();
            waitFor.addAll(history.ownersBefore(OwnedPartitions.of(installed), openedEpoch));
            if (!history.remembers(openedEpoch))
            {
                waitFor.addAll(live.keySet());
            }
            waitFor.remove(mine.stay());
        }
        again.forEach(slot -> strays.reroute(slot, installed));
        // A member that receives rows of a source that has closed in the meantime waits for its time until the end is
        // sent.
        again.stream().map(slot -> slot.way).filter(this::isClosed).distinct().forEach(ended::add);
        sayEnds();
        isPaused = false;
        if (channel.openEpoch() >= installed.epoch())
        {
            strays.deliverOwn();
        }
        channel.routes(installed);
    }

    private boolean isClosed(final int way)
    {
        return channel.terms().timed() && channel.ways().stream().noneMatch(each -> each.number() == way);
    }

    /** Records that a source has closed. Thread-safe. */
    void end(final int way)
    {
        ended.add(way);
    }

    /** Sends end markers for closed sources, after their last rows. */
    void sayEnds()
    {
        for (Integer way = ended.poll(); way != null; way = ended.poll())
        {
            final int number = way;
            out.values().forEach(link -> link.end(number));
        }
    }

    private static Registration nobody(final Owner owner, final Registration mine)
    {
        return new Registration(owner.name(), "", owner.stay(), "", 0, mine.shape(), false, 0);
    }

    private List<SendEntry> end(final OutboundLink link)
    {
        final List<SendEntry> left = link.close();
        rowsSentBefore += link.rowsSent();
        rowsSentAgainBefore += link.rowsSentAgain();
        return left;
    }

    /** Accepts rows of the new epoch as soon as no other member can still process rows of its partitions. */
    private void open(final Map<String, Registration> live)
    {
        if (isPaused || installed == null || channel.openEpoch() >= installed.epoch())
        {
            return;
        }
        final boolean isFree = waitFor.stream().map(live::get).allMatch(other -> other == null ||
            other.released() >= installed.epoch() || !other.shape().equals(channel.shape()));
        if (isFree && holdings.takeOver(installed, waitFor))
        {
            strays.deliverOwn();
            openedEpoch = installed.epoch();
            channel.openEpoch(installed.epoch());
        }
    }

    /**
     * The epoch such that this member has received all rows of earlier epochs.
     *
     * @return the previous value or a later one
     */
    long released(final Map<String, Registration> live, final Registration mine)
    {
        if (target == null || mine.released() >= target.epoch() || isPausedBefore())
        {
            return mine.released();
        }
        for (final Registration other : live.values())
        {
            if (!other.stay().equals(mine.stay()) && other.shape().equals(channel.shape()) &&
                in.markOf(other.stay()) < target.epoch())
            {
                return mine.released();
            }
        }
        if (!holdings.release(installed, mine.stay()))
        {
            return mine.released();
        }
        channel.floor(Math.max(channel.floor(), target.epoch()));
        return target.epoch();
    }

    /** Until the new routes are installed, the partitions that this member loses are not known. */
    private boolean isPausedBefore()
    {
        return installed == null || installed.epoch() < target.epoch();
    }

    /**
     * Whether this member owns no partitions, no other member waits for it, and all its rows have been acknowledged.
     *
     * <p>The other members must have released the epoch as well: only then have they read the last acknowledgements of
     * this member. If it left earlier, they would resend rows that it has already processed.
     */
    boolean isThrough(final Registration mine, final Map<String, Registration> live)
    {
        final boolean isOut = target != null && !isPaused && target.indexOf(mine.stay()) < 0 &&
            live.values().stream().allMatch(each ->
                each.released() >= target.epoch() || !each.shape().equals(channel.shape()));
        return (isOut || target == null) && strays.isEmpty() && out.values().stream().allMatch(OutboundLink::isDrained);
    }

    /** The link of a member in the current view; {@code null} when this member no longer participates. */
    InboundLink admit(final HandshakeRequest hello, final BooleanSupplier isHere)
    {
        return in.admit(hello, isHere);
    }

    void takeBack(final List<SendEntry> slots)
    {
        strays.takeBack(slots);
    }

    /**
     * Ends all links and resets the state.
     *
     * @return rows without acknowledgement
     */
    List<SendEntry> forget()
    {
        pause();
        isPaused = false;
        final List<SendEntry> left = strays.removeHomeless();
        out.values().forEach(link -> left.addAll(end(link)));
        out.clear();
        left.addAll(strays.removeOwn());
        in.clear();
        target = null;
        installed = null;
        history = null;
        holdings.clear();
        waitFor.clear();
        openedEpoch = 0;
        channel.openEpoch(0);
        channel.floor(0);
        show();
        return left;
    }

    void lose(final List<SendEntry> slots)
    {
        channel.reject(slots.stream().mapToInt(slot -> slot.batch.size()).sum(), "partition-lost",
            "CLU-0407 rows may be lost: gave up waiting for acknowledgements; send" +
                " them again");
    }

    void cutAll()
    {
        out.values().forEach(OutboundLink::close);
        in.clear();
    }

    private void show()
    {
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("epoch", installed == null ? 0L : installed.epoch());
        shown.put("open", installed != null && channel.isOpen(installed) && !isPaused);
        shown.put("members", installed == null ? List.of() :
            installed.step().owners().stream().map(Owner::name).toList());
        shown.put("owned", holdings.count());
        shown.put("rowsSent", rowsSentBefore + out.values().stream().mapToLong(OutboundLink::rowsSent).sum());
        shown.put("rowsSentAgain",
            rowsSentAgainBefore + out.values().stream().mapToLong(OutboundLink::rowsSentAgain).sum());
        figures = shown;
    }

    Map<String, Object> statistics()
    {
        final Map<String, Object> shown = new LinkedHashMap<>(figures);
        shown.put("rowsReceived", in.rows());
        shown.put("rowsRerouted", strays.rowsRerouted());
        holdings.addFigures(shown);
        return shown;
    }
}
