package dev.millrace.cluster.cache;

import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import dev.millrace.cluster.cache.CacheCommand.Change;
import dev.millrace.cluster.cache.CacheCommand.ChangeKind;
import dev.millrace.cluster.cache.CacheCommand.Kind;
import dev.millrace.network.cache.PreloadedCache;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache replicated to all members of a cluster. Reads are local: each application has a replica with its own objects.
 * A change goes to the leader, which orders all changes, and has been applied to the local replica when the call
 * returns; the other members follow immediately. Listeners on every member receive all changes in the same order.
 *
 * <p>Thread-safe. Listeners are called by the cache thread; a change made by a listener is asynchronous.
 *
 * <p>Failure: while this member is fenced, changes throw {@link FencedException} and are counted, and reads return the
 * last known values; afterwards listeners receive the differences. A cache store is written before the change is sent:
 * if the store throws, nothing changes.
 */
public final class ClusteredCache implements PreloadedCache, StatisticsSource, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(ClusteredCache.class);
    private static final long FILL_WAIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long FILL_POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CacheSettings settings;
    private final ReplicatedCacheService caches;
    private final LongSupplier clockNs;
    private final CacheCodec codec;
    private final CacheLoader loader;
    private final CacheStore store;
    private final CacheObjectView copy;
    private final LongAdder refused = new LongAdder();
    private final Object opening = new Object();
    private volatile boolean isOpen;
    private boolean isClosed;

    ClusteredCache(final CacheSettings settings, final ReplicatedCacheService caches, final LongSupplier clockNs)
    {
        this.settings = settings;
        this.caches = caches;
        this.clockNs = clockNs;
        codec = new CacheCodec(settings);
        copy = new CacheObjectView(settings.id(), codec);
        loader = settings.loader();
        store = loader instanceof final CacheStore both ? both : null;
        final List<String> problems = new ArrayList<>(codec.problems());
        if (settings.limits().eviction() == EvictionPolicy.LFU)
        {
            problems.add("a clustered cache cannot evict the least frequently used entry, because each member reads " +
                "its own replica, cache=" + settings.id() + " eviction-policy=LFU; use LRU (least recently written) " +
                "or FIFO");
        }
        if (!problems.isEmpty())
        {
            // CLU-0302: invalid cache settings: correct the settings listed in the message
            throw new IllegalArgumentException("CLU-0302 " + String.join("; ", problems));
        }
    }

    @Override
    public String id()
    {
        return settings.id();
    }

    /** Attaches to the cluster, once. The first caller waits until the replica is complete. */
    private void open()
    {
        if (isOpen)
        {
            return;
        }
        synchronized (opening)
        {
            if (isOpen)
            {
                return;
            }
            if (isClosed)
            {
                throw new IllegalStateException("the cache was closed with its application, cache=" + id());
            }
            final CacheDefinition definition = new CacheDefinition(codec.shape(), settings.limits());
            final CommandResult answer = caches.attach(settings.name(), definition, copy);
            if (!answer.isDone())
            {
                throw new OtherShapeException("CLU-0301", "a cache of this name has different columns elsewhere in "
                    + "the " +
                    "cluster, cache=" + id() + " name=" + settings.name() + " here=" + codec.shape() + " there=" +
                    answer.refusal());
            }
            isOpen = true;
        }
    }

    /** The columns differ from those of other members. */
    private static final class OtherShapeException extends IllegalStateException
    {
        private static final long serialVersionUID = 1L;

        private final String code;

        OtherShapeException(final String code, final String text)
        {
            super(text);
            this.code = code;
        }
    }

    /**
     * Attaches to the cluster, and loads all entries unless another member has: one member loads, the others wait for
     * it.
     *
     * @throws Exception when the loader fails, the loading member takes too long, or the columns differ
     */
    @Override
    public void preload() throws Exception
    {
        try
        {
            open();
        }
        catch (final OtherShapeException e)
        {
            throw new DeploymentException(e.code, SourcePosition.NONE, e.getMessage(), "deploy the same " +
                "application everywhere: uninstall the other application first, or give this cache another name");
        }
        if (loader == null)
        {
            return;
        }
        final long startNs = clockNs.getAsLong();
        while (true)
        {
            final CommandResult answer = caches.await(settings.name(),
                caches.command(settings.name(), Kind.CLAIM, List.of()));
            if (answer.isDone())
            {
                fill();
                return;
            }
            if (answer.refusal().isEmpty())
            {
                return;
            }
            if (clockNs.getAsLong() - startNs > FILL_WAIT_NS)
            {
                throw new IllegalStateException("CLU-0304 timeout while another member loads the cache, cache=" +
                    id() + " member=" + caches.memberName(answer.refusal()) + " seconds=" +
                    TimeUnit.NANOSECONDS.toSeconds(FILL_WAIT_NS));
            }
            LockSupport.parkNanos(FILL_POLL_NS);
        }
    }

    private void fill() throws Exception
    {
        try
        {
            final Map<Object, Object> loaded = loader.loadAll();
            if (loaded == null)
            {
                throw new IllegalStateException(
                    "the loader returned null instead of a map, loader=" + loader.getClass().getName());
            }
            if (loaded.size() > settings.maxSize())
            {
                throw new IllegalStateException("the loader returned more entries than the cache may hold, entries=" +
                    loaded.size() + " max-size=" + settings.maxSize());
            }
            make(commands(loaded, ChangeKind.PUT));
            caches.await(settings.name(), caches.command(settings.name(), Kind.FILLED, List.of()));
        }
        // A loader is an application class, so it can throw anything.
        catch (final Exception | LinkageError | AssertionError e)
        {
            unclaim(e);
            throw e;
        }
    }

    /** Allows another member to load. */
    private void unclaim(final Throwable why)
    {
        try
        {
            caches.await(settings.name(), caches.command(settings.name(), Kind.UNCLAIM, List.of()));
        }
        catch (final IllegalStateException e)
        {
            why.addSuppressed(e);
        }
    }

    @Override
    public Object get(final Object key)
    {
        if (key == null)
        {
            return null;
        }
        open();
        final Object known = codec.key(key);
        final Object value = copy.get(known);
        if (value != null || loader == null)
        {
            return value;
        }
        final Object loaded = loader.load(key);
        return loaded == null ? null : keep(Map.of(known, loaded)).get(known);
    }

    /**
     * Sends loaded entries to all members; entries written in the meantime are not overwritten. A fenced member stores
     * nothing.
     */
    private Map<Object, Object> keep(final Map<Object, Object> loaded)
    {
        try
        {
            make(commands(loaded, ChangeKind.LOAD));
        }
        catch (final FencedException fenced)
        {
            LOG.debug("loaded entries are not stored, cache={}", id(), fenced);
        }
        final Map<Object, Object> kept = new LinkedHashMap<>();
        loaded.forEach((key, value) -> kept.put(key, Objects.requireNonNullElse(copy.get(codec.key(key)), value)));
        return kept;
    }

    @Override
    public boolean findsElsewhere()
    {
        return loader != null && !loader.loadsEverything();
    }

    @Override
    public Map<Object, Object> getAll(final Collection<?> keys)
    {
        open();
        final Map<Object, Object> found = new LinkedHashMap<>();
        final List<Object> missing = new ArrayList<>();
        for (final Object key : keys)
        {
            final Object value = copy.get(codec.key(key));
            if (value != null)
            {
                found.put(key, value);
            }
            else
            {
                missing.add(key);
            }
        }
        if (loader != null && !missing.isEmpty())
        {
            found.putAll(keep(loader.loadAll(missing)));
        }
        return found;
    }

    @Override
    public Object put(final Object key, final Object value)
    {
        open();
        final Object known = codec.key(key);
        final Change change = new Change(ChangeKind.PUT, codec.encodeKey(known), codec.encode(value));
        if (store != null)
        {
            requireMember(1);
            store.store(key, value);
        }
        return before(known, change);
    }

    @Override
    public void putAll(final Map<?, ?> values)
    {
        open();
        final List<List<Change>> commands = commands(values, ChangeKind.PUT);
        if (store != null)
        {
            requireMember(values.size());
            store.storeAll(values);
        }
        make(commands);
    }

    @Override
    public Object remove(final Object key)
    {
        open();
        final Object known = codec.key(key);
        final Change change = new Change(ChangeKind.REMOVE, codec.encodeKey(known), null);
        if (store != null)
        {
            requireMember(1);
            store.remove(key);
        }
        return before(known, change);
    }

    /** Checks membership first, so that the store is not written for a change that the cluster would refuse. */
    private void requireMember(final int count)
    {
        if (!caches.isMember())
        {
            refused.add(count);
            throw new FencedException(caches.member());
        }
    }

    /** Applies one change and returns the previous value. */
    private Object before(final Object key, final Change change)
    {
        final Object now = copy.get(key);
        final List<CommandResult> answers = make(List.of(List.of(change)));
        if (answers.isEmpty())
        {
            return now;
        }
        final byte[] before = answers.get(0).before();
        return before == null ? null : codec.decode(before);
    }

    /** Splits many changes into few commands. */
    private List<List<Change>> commands(final Map<?, ?> values, final ChangeKind kind)
    {
        final List<List<Change>> commands = new ArrayList<>();
        List<Change> command = new ArrayList<>();
        for (final Map.Entry<?, ?> entry : values.entrySet())
        {
            command.add(
                new Change(kind, codec.encodeKey(codec.key(entry.getKey())), codec.encode(entry.getValue())));
            if (command.size() == Replication.MAX_CHANGES)
            {
                commands.add(command);
                command = new ArrayList<>();
            }
        }
        if (!command.isEmpty())
        {
            commands.add(command);
        }
        return commands;
    }

    /** Submits commands and returns their answers in order; to a listener, which must not wait, it returns none. */
    private List<CommandResult> make(final List<List<Change>> commands)
    {
        int count = 0;
        for (final List<Change> command : commands)
        {
            count += command.size();
        }
        try
        {
            final List<CompletableFuture<CommandResult>> waiting = new ArrayList<>();
            for (final List<Change> command : commands)
            {
                waiting.add(caches.command(settings.name(), Kind.CHANGE, command));
            }
            final List<CommandResult> answers = new ArrayList<>();
            for (final CompletableFuture<CommandResult> each : caches.isOwnThread() ?
                List.<CompletableFuture<CommandResult>>of() : waiting)
            {
                final CommandResult answer = caches.await(settings.name(), each);
                if (!answer.isDone())
                {
                    throw new IllegalStateException("the cluster refused the change, cache=" + id() + " reason=" +
                        answer.refusal());
                }
                answers.add(answer);
            }
            return answers;
        }
        catch (final IllegalStateException e)
        {
            refused.add(count);
            throw e;
        }
    }

    @Override
    public int size()
    {
        return copy.size();
    }

    @Override
    public Map<Object, Object> entries()
    {
        open();
        return copy.entries();
    }

    @Override
    public void addListener(final CacheListener listener)
    {
        copy.addListener(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void removeListener(final CacheListener listener)
    {
        copy.removeListener(listener);
    }

    /** Statistics: changes of all members applied to this replica, and refused changes of this member. */
    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("changes", copy.changes());
        figures.put("refusedChanges", refused.sum());
        figures.put("unreadableValues", copy.unreadable());
        return figures;
    }

    /** Detaches this application; the cluster keeps the entries. */
    @Override
    public void close()
    {
        synchronized (opening)
        {
            isClosed = true;
            if (isOpen)
            {
                isOpen = false;
                caches.detach(settings.name(), copy);
            }
        }
    }
}
