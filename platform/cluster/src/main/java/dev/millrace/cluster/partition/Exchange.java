package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.partition.RowSplitter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of a channel, the owners that this member follows, and the rows between them. Used by the thread of {@link
 * Membership}; links that come in and rows that come back are taken from any thread.
 */
final class Exchange
{
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final ChannelMember channel;
    private final Endpoint endpoint;
    private final PartitionHandover handover;
    private final RowSplitter splitter;
    private final Map<String, OutLink> out = new LinkedHashMap<>();
    /** By the number that the other side gave; guarded by itself. */
    private final Map<Long, InLink> in = new HashMap<>();
    /** Rows without a way, in order; guarded by itself. */
    private final List<Slot> homeless = new ArrayList<>();
    /** Rows of others that are gone and now belong to this member, until it may take them. */
    private final List<Slot> own = new ArrayList<>();
    private final Set<String> waitFor = new HashSet<>();
    private final BitSet everOwned = new BitSet(PartitionHash.PARTITIONS);
    /** Partitions of which the stages below may still know something. */
    private final BitSet known = new BitSet(PartitionHash.PARTITIONS);
    private BitSet owned = new BitSet(PartitionHash.PARTITIONS);
    private TableStep target;
    private Routes installed;
    private List<TableStep> history = List.of();
    private long openedEpoch;
    private boolean isPaused;
    private volatile Map<String, Object> figures = Map.of();
    private volatile long rowsRerouted;
    private volatile long begunEmpty;
    private volatile long cameBack;
    private long rowsSentBefore;
    private long rowsReceivedBefore;

    Exchange(final ChannelMember channel, final Endpoint endpoint, final PartitionHandover handover)
    {
        this.channel = channel;
        this.endpoint = endpoint;
        this.handover = handover;
        splitter = new RowSplitter(channel.terms().schema(), channel.terms().keyColumn());
    }

    /** Opens links to members that are new; ends those that come from members that are gone. */
    void meet(final String self, final Map<String, Registration> live)
    {
        for (final Registration other : live.values())
        {
            if (!other.stay().equals(self) && !out.containsKey(other.stay()))
            {
                final OutLink link = new OutLink(channel, other, endpoint);
                out.put(other.stay(), link);
                if (target != null)
                {
                    link.mark(target.epoch());
                }
                link.start();
            }
        }
        final List<InLink> gone = new ArrayList<>();
        synchronized (in)
        {
            in.values().removeIf(link -> !live.containsKey(link.stay()) && gone.add(link));
        }
        gone.forEach(link ->
        {
            rowsReceivedBefore += link.rows();
            link.close();
        });
    }

    /** Goes one step further on the way to a table. */
    void follow(final Table table, final Registration mine, final Map<String, Registration> live)
    {
        if (target == null || table.now().epoch() > target.epoch())
        {
            retarget(table);
        }
        if (!isPaused && installed.size() > 0 && (hasGone(live) || !kept().isEmpty()))
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

    /** Whether there are links to members that are gone, and were not there as owners a moment ago. */
    private boolean hasGone(final Map<String, Registration> live)
    {
        return out.keySet().stream().anyMatch(stay -> isGone(stay, live));
    }

    /** One that is gone while it still stands in the table keeps what is for it until the next table. */
    private boolean isGone(final String stay, final Map<String, Registration> live)
    {
        return !live.containsKey(stay) && target.indexOf(stay) < 0;
    }

    boolean isChanging()
    {
        return isPaused || installed == null || channel.openEpoch() < installed.epoch();
    }

    private void retarget(final Table table)
    {
        if (installed != null && channel.openEpoch() < installed.epoch())
        {
            // What came for an epoch that never opened here goes back to its senders, who share it out anew.
            channel.floor(table.now().epoch());
            takeBack(own);
            own.clear();
            synchronized (in)
            {
                in.values().forEach(InLink::cut);
            }
        }
        target = table.now();
        history = table.steps();
        pause();
        out.values().forEach(link -> link.mark(target.epoch()));
    }

    /** When this returns, no source is on its way; they wait for new routes. */
    private void pause()
    {
        isPaused = true;
        channel.routes(null);
        for (final SourceWay way : channel.ways())
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
        final List<Slot> again = new ArrayList<>();
        synchronized (homeless)
        {
            again.addAll(homeless);
            homeless.clear();
        }
        for (final OutLink link : List.copyOf(out.values()))
        {
            if (isGone(link.target().stay(), live))
            {
                out.remove(link.target().stay());
                again.addAll(link.close());
                rowsSentBefore += link.rows()[0];
            }
        }
        final List<OutLink> links = new ArrayList<>();
        for (final Owner owner : target.owners())
        {
            // One that is gone already gets a link that nobody serves, until the next table.
            final OutLink link = owner.stay().equals(mine.stay()) ? null : out.computeIfAbsent(owner.stay(),
                stay -> new OutLink(channel, nobody(owner, mine), endpoint));
            links.add(link);
        }
        final boolean isNew = installed == null || installed.epoch() != target.epoch();
        installed = new Routes(target, target.ownerOf(), target.indexOf(mine.stay()), links);
        if (isNew)
        {
            waitFor.clear();
            waitFor.addAll(ownersBefore(mine.stay()));
        }
        again.forEach(this::reroute);
        isPaused = false;
        if (channel.openEpoch() >= installed.epoch())
        {
            takeOwn();
        }
        channel.routes(installed);
    }

    private static Registration nobody(final Owner owner, final Registration mine)
    {
        return new Registration(owner.name(), "", owner.stay(), "", 0, mine.shape(), false, 0);
    }

    /** Who had what this member is to have now, in any epoch since it last took over. */
    private Set<String> ownersBefore(final String self)
    {
        final Set<String> before = new HashSet<>();
        final BitSet mine = owned(installed);
        for (final TableStep step : history)
        {
            if (step.epoch() >= openedEpoch && step.epoch() < target.epoch())
            {
                final short[] ownerOf = step.ownerOf();
                mine.stream().filter(partition -> ownerOf[partition] >= 0)
                    .forEach(partition -> before.add(step.owners().get(ownerOf[partition]).stay()));
            }
        }
        before.remove(self);
        return before;
    }

    private static BitSet owned(final Routes routes)
    {
        final BitSet owned = new BitSet(PartitionHash.PARTITIONS);
        for (int partition = 0; partition < routes.ownerOf().length; partition++)
        {
            owned.set(partition, routes.self() >= 0 && routes.ownerOf()[partition] == routes.self());
        }
        return owned;
    }

    /** Rows of a member that is gone go to those that own their partitions now, before any that come later. */
    private void reroute(final Slot slot)
    {
        final EventBatch batch = slot.batch;
        if (installed.size() == 0)
        {
            takeBack(List.of(slot));
            return;
        }
        rowsRerouted += batch.size();
        if (splitter.split(batch, installed.ownerOf(), installed.size(), installed.self()))
        {
            own.add(slot);
            return;
        }
        for (int owner = 0; owner < installed.size(); owner++)
        {
            final int count = splitter.count(owner);
            if (count > 0 && owner == installed.self())
            {
                final Slot part = new Slot(channel.terms().schema());
                part.begin(installed.epoch(), slot.way, false, channel.terms().timed());
                part.batch.copySelected(batch, splitter.rows(owner), 0, 0, count);
                part.batch.size(count);
                own.add(part);
            }
            else if (count > 0)
            {
                installed.link(owner)
                    .appendAgain(slot.way, installed.epoch(), batch, splitter.rows(owner), count);
            }
        }
    }

    /** Lets rows of the new epoch in as soon as nobody else has anything to do with its partitions. */
    private void open(final Map<String, Registration> live)
    {
        if (isPaused || installed == null || channel.openEpoch() >= installed.epoch())
        {
            return;
        }
        final boolean isFree = waitFor.stream().map(live::get).allMatch(other -> other == null ||
            other.released() >= installed.epoch() || !other.shape().equals(channel.shape()));
        if (isFree && beginEmpty(owned(installed)))
        {
            takeOver(owned(installed));
            takeOwn();
            openedEpoch = installed.epoch();
            channel.openEpoch(installed.epoch());
        }
    }

    /** Nothing is left of what this member once knew of partitions that come back; false to try again. */
    private boolean beginEmpty(final BitSet mine)
    {
        final BitSet left = (BitSet)mine.clone();
        left.andNot(owned);
        left.and(known);
        return forgotten(left);
    }

    private boolean forgotten(final BitSet partitions)
    {
        if (partitions.isEmpty() || channel.entrance().forget(partitions))
        {
            known.andNot(partitions);
            return true;
        }
        return false;
    }

    private void takeOver(final BitSet mine)
    {
        final BitSet gained = (BitSet)mine.clone();
        gained.andNot(owned);
        owned = mine;
        known.or(mine);
        if (!gained.isEmpty())
        {
            handover.takeOver(installed.epoch(), gained, new byte[0]);
            final BitSet again = (BitSet)gained.clone();
            again.and(everOwned);
            everOwned.or(gained);
            begunEmpty += gained.cardinality() - again.cardinality();
            cameBack += again.cardinality();
            LOG.info("CLU-0401 partitions taken over, channel={} epoch={} members={} owned={} begunEmpty={} "
                + "cameBack={}: they begin empty, whoever had them before", channel.label(), installed.epoch(),
                installed.size(), mine.cardinality(), gained.cardinality() - again.cardinality(), again.cardinality());
        }
    }

    private void takeOwn()
    {
        for (final Slot slot : own)
        {
            final SourceWay way = channel.ways().stream().filter(each -> each.number() == slot.way).findFirst()
                .orElseGet(() -> channel.ways().stream().findFirst().orElse(null));
            if (way == null)
            {
                channel.rejectNoPart(slot.batch.size());
                continue;
            }
            way.lock().lock();
            try
            {
                way.deliver(slot.batch);
            }
            finally
            {
                way.lock().unlock();
            }
        }
        own.clear();
    }

    /**
     * The epoch of which this member has had all rows of the ones before.
     *
     * @return what it was, or a later one
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
                markOf(other.stay()) < target.epoch())
            {
                return mine.released();
            }
        }
        final BitSet lost = (BitSet)owned.clone();
        if (installed != null && installed.epoch() == target.epoch())
        {
            lost.andNot(owned(installed));
        }
        handover.drain(target.epoch(), lost);
        final BitSet left = (BitSet)lost.clone();
        left.and(known);
        if (!forgotten(left))
        {
            return mine.released();
        }
        owned.andNot(lost);
        channel.floor(Math.max(channel.floor(), target.epoch()));
        return target.epoch();
    }

    /** Until the new routes are there nothing is known of what this member loses. */
    private boolean isPausedBefore()
    {
        return installed == null || installed.epoch() < target.epoch();
    }

    private long markOf(final String stay)
    {
        synchronized (in)
        {
            return in.values().stream().filter(link -> link.stay().equals(stay)).mapToLong(InLink::mark).max()
                .orElse(0);
        }
    }

    /** Whether this member owns nothing any more, nobody waits for it, and all its rows are where they belong. */
    boolean isThrough(final Registration mine)
    {
        final boolean isOut = target != null && !isPaused && target.indexOf(mine.stay()) < 0 &&
            mine.released() >= target.epoch();
        return (isOut || target == null) && kept().isEmpty() && own.isEmpty() &&
            out.values().stream().allMatch(OutLink::isDrained);
    }

    InLink inLink(final Hello hello)
    {
        synchronized (in)
        {
            return in.computeIfAbsent(hello.link(), link -> new InLink(channel, hello.stay()));
        }
    }

    void takeBack(final List<Slot> slots)
    {
        synchronized (homeless)
        {
            homeless.addAll(slots);
        }
    }

    List<Slot> kept()
    {
        synchronized (homeless)
        {
            return List.copyOf(homeless);
        }
    }

    /** Ends everything and gives the rows that nobody has acknowledged. */
    List<Slot> forget()
    {
        pause();
        isPaused = false;
        final List<Slot> left = new ArrayList<>();
        synchronized (homeless)
        {
            left.addAll(homeless);
            homeless.clear();
        }
        for (final OutLink link : out.values())
        {
            left.addAll(link.close());
            rowsSentBefore += link.rows()[0];
        }
        out.clear();
        left.addAll(own);
        own.clear();
        final List<InLink> all;
        synchronized (in)
        {
            all = List.copyOf(in.values());
            in.clear();
        }
        all.forEach(link ->
        {
            rowsReceivedBefore += link.rows();
            link.close();
        });
        target = null;
        installed = null;
        history = List.of();
        owned = new BitSet(PartitionHash.PARTITIONS);
        waitFor.clear();
        openedEpoch = 0;
        channel.openEpoch(0);
        channel.floor(0);
        show();
        return left;
    }

    void keep(final List<Slot> slots)
    {
        takeBack(slots);
    }

    void lose(final List<Slot> slots)
    {
        channel.reject(slots.stream().mapToInt(slot -> slot.batch.size()).sum(), "partition-lost",
            "CLU-0407 rows may not have reached the members that own them: this member did not wait any longer; send" +
                " them again");
    }

    void cutAll()
    {
        out.values().forEach(OutLink::close);
        synchronized (in)
        {
            in.values().forEach(InLink::close);
        }
    }

    private void show()
    {
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("epoch", installed == null ? 0L : installed.epoch());
        shown.put("open", installed != null && channel.isOpen(installed) && !isPaused);
        shown.put("members", installed == null ? List.of() :
            installed.step().owners().stream().map(Owner::name).toList());
        shown.put("owned", owned.cardinality());
        figures = shown;
    }

    Map<String, Object> statistics()
    {
        final Map<String, Object> shown = new LinkedHashMap<>(figures);
        synchronized (in)
        {
            shown.put("rowsReceived", rowsReceivedBefore + in.values().stream().mapToLong(InLink::rows).sum());
        }
        shown.put("rowsRerouted", rowsRerouted);
        shown.put("partitionsBegunEmpty", begunEmpty);
        shown.put("partitionsCameBack", cameBack);
        return shown;
    }
}
