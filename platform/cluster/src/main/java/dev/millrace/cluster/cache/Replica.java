package dev.millrace.cluster.cache;

import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.cluster.cache.CacheCommand.Change;
import dev.millrace.cluster.cache.CacheCommand.ChangeKind;
import dev.millrace.cluster.cache.CacheCommand.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * One member's replica of a cache, as bytes. It changes only by commands; the same commands in the same order produce
 * the same replica, including evictions. Applications that need objects observe it.
 *
 * <p>Confined to the cache thread.
 */
final class Replica
{
    private static final int INITIAL_CAPACITY = 64;

    private final LongSupplier clockNs;
    private final List<Observer> observers = new CopyOnWriteArrayList<>();

    /** In eviction order. */
    private Map<Key, Entry> entries = new LinkedHashMap<>(INITIAL_CAPACITY);
    /** Number of the last applied command per member, so that no command is applied twice. */
    private final Map<UUID, Long> numbers = new LinkedHashMap<>();
    private final Set<UUID> users = new TreeSet<>();
    private LogPosition version = LogPosition.UNKNOWN;
    private CacheDefinition definition;
    private boolean isFilled;
    private UUID filler;

    Replica(final LongSupplier clockNs)
    {
        this.clockNs = clockNs;
    }

    /** Receives changes of entries. */
    interface Observer
    {
        /** Null when there is no value. */
        void changed(Key key, byte[] before, byte[] after);
    }

    /** Value of one key; the time is local to this process. */
    private record Entry(byte[] value, long writtenNs)
    {
    }

    LogPosition version()
    {
        return version;
    }

    void version(final LogPosition reached)
    {
        version = reached;
    }

    long lastNumber(final UUID member)
    {
        return numbers.getOrDefault(member, 0L);
    }

    CacheDefinition definition()
    {
        return definition;
    }

    /** Result of a command applied earlier, reconstructed from the current state. */
    CommandResult outcome(final CacheCommand command)
    {
        final boolean isRefused = command.kind() == Kind.ATTACH && !users.contains(command.member()) ||
            command.kind() == Kind.CLAIM && !command.member().equals(filler);
        return !isRefused ? CommandResult.DONE :
            CommandResult.refused(command.kind() == Kind.CLAIM ? claimedBy() : definition.shape());
    }

    private String claimedBy()
    {
        return filler == null ? "" : filler.toString();
    }

    /** All entries as changes for members that have none. */
    List<Change> asLoads()
    {
        final List<Change> changes = new ArrayList<>(entries.size());
        entries.forEach((key, entry) -> changes.add(new Change(ChangeKind.LOAD, key, entry.value)));
        return changes;
    }

    /** Passes all entries, then later changes, to an observer. */
    void observe(final Observer observer)
    {
        entries.forEach((key, entry) -> observer.changed(key, null, entry.value));
        observers.add(observer);
    }

    void forget(final Observer observer)
    {
        observers.remove(observer);
    }

    /** Members known to this replica, which may have left the cluster. */
    Set<UUID> members()
    {
        final Set<UUID> known = new TreeSet<>(users);
        known.addAll(numbers.keySet());
        if (filler != null)
        {
            known.add(filler);
        }
        return known;
    }

    CommandResult apply(final CacheCommand command)
    {
        if (command.number() > 0)
        {
            numbers.put(command.member(), command.number());
        }
        return switch (command.kind())
        {
            case CHANGE -> command.number() == 0 || users.contains(command.member()) ?
                change(command.changes()) : CommandResult.refused("the member is not attached to the cache");
            case ATTACH -> attach(command.member(), command.definition());
            case DETACH ->
            {
                leave(command.member());
                yield CommandResult.DONE;
            }
            case CLAIM -> claim(command.member());
            case FILLED, UNCLAIM -> unclaim(command.member(), command.kind() == Kind.FILLED);
            case GONE ->
            {
                leave(command.member());
                numbers.remove(command.member());
                yield unclaim(command.member(), false);
            }
        };
    }

    private CommandResult change(final List<Change> changes)
    {
        byte[] before = null;
        for (final Change change : changes)
        {
            before = change(change);
        }
        return changes.size() == 1 && before != null ? new CommandResult(true, before, "") : CommandResult.DONE;
    }

    private byte[] change(final Change change)
    {
        final Key key = change.key();
        final Entry known = entries.get(key);
        final byte[] before = known == null ? null : known.value;
        if (change.kind() == ChangeKind.REMOVE)
        {
            if (known != null)
            {
                entries.remove(key);
                tell(key, before, null);
            }
        }
        else if (change.kind() == ChangeKind.PUT || known == null)
        {
            if (known != null && definition.limits().eviction() != EvictionPolicy.FIFO)
            {
                entries.remove(key);
            }
            entries.put(key, new Entry(change.value(), clockNs.getAsLong()));
            tell(key, before, change.value());
            shrink();
        }
        return before;
    }

    private void shrink()
    {
        while (entries.size() > definition.limits().maxSize())
        {
            final Iterator<Map.Entry<Key, Entry>> first = entries.entrySet().iterator();
            final Map.Entry<Key, Entry> gone = first.next();
            final Key key = gone.getKey();
            final byte[] value = gone.getValue().value;
            first.remove();
            tell(key, value, null);
        }
    }

    private void tell(final Key key, final byte[] before, final byte[] after)
    {
        for (final Observer observer : observers)
        {
            observer.changed(key, before, after);
        }
    }

    /** The schema stays while other members use the cache; the limits are those of the last member that attached. */
    private CommandResult attach(final UUID member, final CacheDefinition wanted)
    {
        if (definition != null && !definition.shape().equals(wanted.shape()))
        {
            final Set<UUID> others = new TreeSet<>(users);
            others.remove(member);
            if (!others.isEmpty())
            {
                return CommandResult.refused(definition.shape());
            }
            clear();
        }
        definition = wanted;
        users.add(member);
        shrink();
        return CommandResult.DONE;
    }

    /** If no member uses the cache, the next one loads again, over the existing entries. */
    private void leave(final UUID member)
    {
        users.remove(member);
        isFilled &= !users.isEmpty();
    }

    private void clear()
    {
        isFilled = false;
        filler = null;
        final Map<Key, Entry> gone = entries;
        entries = new LinkedHashMap<>(INITIAL_CAPACITY);
        gone.forEach((key, entry) -> tell(key, entry.value, null));
    }

    /**
     * Succeeds for the member that shall load. Refused with the name of that member while it loads, and without a name
     * when loading has ended.
     */
    private CommandResult claim(final UUID member)
    {
        if (isFilled || filler != null && !filler.equals(member))
        {
            return CommandResult.refused(isFilled ? "" : claimedBy());
        }
        filler = member;
        return CommandResult.DONE;
    }

    private CommandResult unclaim(final UUID member, final boolean filled)
    {
        if (member.equals(filler))
        {
            filler = null;
            isFilled = filled;
        }
        return CommandResult.DONE;
    }

    /** Keys of expired entries, up to a maximum. */
    List<Key> expired(final int most)
    {
        final List<Key> old = new ArrayList<>();
        if (definition == null || definition.limits().timeToLiveNs() == 0)
        {
            return old;
        }
        final long nowNs = clockNs.getAsLong();
        // Entries are in order of writing, except for FIFO, where a write does not change the order.
        final boolean isByTime = definition.limits().eviction() != EvictionPolicy.FIFO;
        for (final Map.Entry<Key, Entry> each : entries.entrySet())
        {
            final boolean isOld = nowNs - each.getValue().writtenNs >= definition.limits().timeToLiveNs();
            if (isOld)
            {
                old.add(each.getKey());
            }
            if (old.size() == most || !isOld && isByTime)
            {
                break;
            }
        }
        return old;
    }

    /** Encodes the replica. It contains ages instead of times, because clocks of members differ. */
    byte[] snapshot()
    {
        final WireWriter out = new WireWriter();
        version.write(out);
        out.one(definition == null ? 0 : 1);
        if (definition != null)
        {
            definition.write(out);
        }
        out.count(numbers.size());
        numbers.forEach((member, number) -> out.id(member).count(number));
        out.count(users.size());
        users.forEach(out::id);
        out.one(isFilled ? 1 : 0).one(filler == null ? 0 : 1);
        if (filler != null)
        {
            out.id(filler);
        }
        final long nowNs = clockNs.getAsLong();
        out.count(entries.size());
        entries.forEach((key, entry) -> out.block(key.bytes()).block(entry.value)
            .count(Math.max(0, nowNs - entry.writtenNs)));
        return out.bytes();
    }

    /** Installs a snapshot of another member; observers receive the differences. */
    void install(final byte[] snapshot)
    {
        final WireReader in = new WireReader(snapshot);
        version = LogPosition.read(in);
        definition = in.one() == 1 ? CacheDefinition.read(in) : null;
        numbers.clear();
        for (int i = in.size(); i > 0; i--)
        {
            numbers.put(in.id(), in.count());
        }
        users.clear();
        for (int i = in.size(); i > 0; i--)
        {
            users.add(in.id());
        }
        isFilled = in.one() == 1;
        filler = in.one() == 1 ? in.id() : null;
        final long nowNs = clockNs.getAsLong();
        final Map<Key, Entry> before = entries;
        entries = new LinkedHashMap<>(INITIAL_CAPACITY);
        for (int i = in.size(); i > 0; i--)
        {
            entries.put(new Key(in.block()), new Entry(in.block(), nowNs - in.count()));
        }
        before.forEach((key, entry) ->
        {
            if (!entries.containsKey(key))
            {
                tell(key, entry.value, null);
            }
        });
        entries.forEach((key, entry) ->
        {
            final Entry old = before.get(key);
            if (old == null || !Arrays.equals(old.value, entry.value))
            {
                tell(key, old == null ? null : old.value, entry.value);
            }
        });
    }
}
