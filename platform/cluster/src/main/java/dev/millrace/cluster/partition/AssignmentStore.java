package dev.millrace.cluster.partition;

import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registrations and the table of one channel in the map shared by all members, and state in transfer. Thread-safe.
 */
final class AssignmentStore implements PartitionHandover
{
    /**
     * Maximum size of the state of all stages per pair of members: every member replicates the map, so it must stay
     * small.
     */
    static final int MAX_MOVED_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(AssignmentStore.class);

    private final ReplicatedMap map;
    private final String prefix;

    AssignmentStore(final ReplicatedMap map, final String application, final String channel)
    {
        this.map = map;
        prefix = "channel/" + application + '/' + channel + '/';
    }

    boolean isMine(final String name)
    {
        return name.startsWith(prefix);
    }

    private String memberKey(final String name)
    {
        return prefix + "member/" + name;
    }

    private String movedKey(final Way way)
    {
        return prefix + "moved/" + way.epoch() + '/' + way.from() + '>' + way.to();
    }

    @Override
    public void leave(final Way way, final Map<String, byte[]> states)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream to = new DataOutputStream(bytes))
        {
            to.writeInt(states.size());
            for (final Map.Entry<String, byte[]> each : states.entrySet())
            {
                to.writeUTF(each.getKey());
                to.writeInt(each.getValue().length);
                to.write(each.getValue());
            }
        }
        catch (final IOException impossible)
        {
            throw new UncheckedIOException("writing to an array cannot fail", impossible);
        }
        if (bytes.size() > MAX_MOVED_BYTES)
        {
            LOG.warn("partitions move without their state, which starts empty on the new owner, channel={} bytes={} " +
                "maxBytes={}", prefix, bytes.size(), MAX_MOVED_BYTES);
            return;
        }
        map.put(movedKey(way), bytes.toByteArray());
    }

    @Override
    public Map<String, byte[]> left(final Way way)
    {
        // The local replica may be behind. This no-op change goes through all members, so the read below is current.
        map.replace(movedKey(way), null, null);
        final byte[] bytes = map.get(movedKey(way));
        final Map<String, byte[]> states = new LinkedHashMap<>();
        if (bytes == null)
        {
            return states;
        }
        try (DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes)))
        {
            for (int count = from.readInt(); count > 0; count--)
            {
                final String stage = from.readUTF();
                states.put(stage, from.readNBytes(from.readInt()));
            }
        }
        catch (final IOException senseless)
        {
            throw new UncheckedIOException("transferred state cannot be decoded, please report it, channel=" + prefix,
                senseless);
        }
        return states;
    }

    @Override
    public void taken(final Way way)
    {
        map.put(movedKey(way), null);
    }

    /** Removes state stored in earlier epochs, which no member takes over anymore. */
    private void removeBefore(final long epoch)
    {
        map.all().keySet().stream().filter(name -> name.startsWith(prefix + "moved/") && epochOf(name) < epoch)
            .forEach(name -> map.put(name, null));
    }

    private long epochOf(final String left)
    {
        final int at = prefix.length() + "moved/".length();
        return Long.parseLong(left.substring(at, left.indexOf('/', at)));
    }

    /** Members that have registered and are in the cluster, by incarnation, coordinator first. */
    Map<String, Registration> live(final ClusterView view)
    {
        final Map<String, Registration> live = new LinkedHashMap<>();
        for (final Member member : view.members())
        {
            final byte[] json = map.get(memberKey(member.name()));
            final Registration registration = json == null ? null : Registration.of(json);
            if (registration != null && registration.memberId().equals(member.id().toString()))
            {
                live.put(registration.stay(), registration);
            }
        }
        return live;
    }

    void register(final Registration registration)
    {
        final byte[] json = registration.json();
        if (!Arrays.equals(json, map.get(memberKey(registration.name()))))
        {
            map.put(memberKey(registration.name()), json);
        }
    }

    /** Removes a registration unless a later incarnation has replaced it. */
    void unregister(final Registration registration)
    {
        final byte[] now = map.get(memberKey(registration.name()));
        if (now != null && Registration.of(now).stay().equals(registration.stay()))
        {
            map.put(memberKey(registration.name()), null);
        }
    }

    AssignmentHistory table()
    {
        return AssignmentHistory.of(map.get(prefix + "table"));
    }

    /**
     * Publishes a new table if the owners have changed. Only the first live member does this; others return
     * immediately.
     *
     * @param self incarnation of this member
     * @param live registered members
     */
    void decide(final String self, final Map<String, Registration> live)
    {
        final Optional<String> first = live.keySet().stream().findFirst();
        if (first.isEmpty() || !first.get().equals(self))
        {
            return;
        }
        final byte[] now = map.get(prefix + "table");
        final AssignmentHistory table = AssignmentHistory.of(now);
        final List<Owner> owners = live.values().stream().filter(Registration::owner)
            .map(each -> new Owner(each.name(), each.stay()))
            .sorted((one, other) -> one.name().compareTo(other.name())).toList();
        if (table == null ? !owners.isEmpty() : !table.now().owners().equals(owners))
        {
            final AssignmentHistory next = AssignmentHistory.next(table, owners);
            if (map.replace(prefix + "table", now, next.json()))
            {
                removeBefore(next.now().epoch());
            }
        }
    }
}
