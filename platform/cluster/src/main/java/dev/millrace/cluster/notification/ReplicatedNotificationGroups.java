package dev.millrace.cluster.notification;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.NotificationGroup;
import dev.millrace.cluster.NotificationGroups;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notification groups on top of a map that members share. Thread-safe.
 *
 * <p>Threads: a dedicated thread handles changes of the cluster view and of the map, rejoins groups after this member
 * was fenced, and calls listeners.
 */
public final class ReplicatedNotificationGroups implements NotificationGroups, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedNotificationGroups.class);

    private static final String MAP = "notification-groups";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(10);

    private final Cluster cluster;
    private final ReplicatedMap map;
    private final GroupEntries entries;
    private final Map<String, Entered> entered = new ConcurrentHashMap<>();
    private final List<Handle> handles = new CopyOnWriteArrayList<>();
    private final ClusterListener onMembers = view -> lookLater();
    private final ReplicatedMap.Listener onEntries = (name, value) -> lookLater();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work ->
    {
        final Thread made = new Thread(work, "millrace-notification-groups");
        made.setDaemon(true);
        return made;
    });

    /** A group that this member has joined, shared by all handles. Guarded by its own monitor. */
    private static final class Entered
    {
        private int users;
        private UUID stay;
        private String entry;
    }

    /**
     * Starts without groups.
     *
     * @param cluster must outlive this object
     */
    public ReplicatedNotificationGroups(final Cluster cluster)
    {
        this.cluster = cluster;
        map = cluster.map(MAP);
        entries = new GroupEntries(map);
        cluster.addListener(onMembers);
        map.addListener(onEntries);
    }

    @Override
    public NotificationGroup join(final String name)
    {
        if (!NAME.matcher(name).matches())
        {
            throw new IllegalArgumentException("not a valid group name, name=" + name +
                "; use letters, digits, '.', '_' and '-'");
        }
        final Entered group = entered.computeIfAbsent(name, key -> new Entered());
        synchronized (group)
        {
            group.users++;
        }
        enter(name, group, cluster.view());
        return new Handle(name);
    }

    /** Joins the group if this instance is a member and has not joined yet. */
    private void enter(final String name, final Entered group, final ClusterView view)
    {
        synchronized (group)
        {
            if (group.users == 0 || view.state() != State.MEMBER || view.self().id().equals(group.stay))
            {
                return;
            }
            try
            {
                group.entry = entries.enter(name, view.self().id());
                group.stay = view.self().id();
            }
            catch (final FencedException e)
            {
                LOG.debug("the group is joined when this member has rejoined the cluster, group={}", name);
            }
        }
    }

    private void leave(final String name)
    {
        final Entered group = entered.get(name);
        synchronized (group)
        {
            group.users--;
            if (group.users > 0 || group.entry == null)
            {
                return;
            }
            try
            {
                entries.leave(group.entry);
            }
            catch (final FencedException e)
            {
                LOG.debug("this member left the group when it left the cluster, group={}", name);
            }
            group.entry = null;
            group.stay = null;
        }
    }

    private List<Member> members(final String name)
    {
        final ClusterView view = cluster.view();
        return view.state() == State.MEMBER ? entries.members(name, view) : List.of();
    }

    private void lookLater()
    {
        later(this::look);
    }

    private void later(final Runnable work)
    {
        try
        {
            thread.execute(work);
        }
        catch (final RejectedExecutionException leaving)
        {
            LOG.debug("ignored a change of groups after this member has left");
        }
    }

    private void look()
    {
        final ClusterView view = cluster.view();
        try
        {
            entered.forEach((name, group) -> enter(name, group, view));
            if (view.state() == State.MEMBER && view.coordinator().equals(view.self()))
            {
                entries.clean(view);
            }
        }
        catch (final FencedException e)
        {
            LOG.debug("groups wait until this member has rejoined the cluster");
        }
        catch (final RuntimeException e)
        {
            LOG.error("CLU-0701 groups cannot be updated; retried with the next change", e);
        }
        handles.forEach(Handle::tell);
    }

    /** The object that one caller of {@link #join} receives. */
    private final class Handle implements NotificationGroup
    {
        private final String name;
        /** The members last reported to each listener; written by the groups thread only. */
        private final Map<Listener, List<Member>> told = new HashMap<>();
        private final List<Listener> listeners = new CopyOnWriteArrayList<>();
        private boolean isClosed;

        Handle(final String name)
        {
            this.name = name;
            handles.add(this);
        }

        @Override
        public String name()
        {
            return name;
        }

        @Override
        public List<Member> members()
        {
            return ReplicatedNotificationGroups.this.members(name);
        }

        @Override
        public void addListener(final Listener listener)
        {
            listeners.add(listener);
            later(this::tell);
        }

        @Override
        public void removeListener(final Listener listener)
        {
            listeners.remove(listener);
        }

        /** Runs on the groups thread. */
        private void tell()
        {
            told.keySet().retainAll(listeners);
            final List<Member> now = members();
            for (final Listener listener : listeners)
            {
                final List<Member> before = told.put(listener, now);
                if (before == null || !before.equals(now))
                {
                    tell(listener, before == null ? List.of() : before, now);
                }
            }
        }

        private void tell(final Listener listener, final List<Member> before, final List<Member> now)
        {
            final List<Member> came = new ArrayList<>(now);
            came.removeAll(before);
            final List<Member> gone = new ArrayList<>(before);
            gone.removeAll(now);
            try
            {
                listener.changed(new Change(name, now, came, gone));
            }
            catch (final RuntimeException e)
            {
                LOG.error("CLU-0702 a listener of a group failed, group={} listener={}; other listeners are not "
                    + "affected", name,
                    listener, e);
            }
        }

        @Override
        public void close()
        {
            synchronized (this)
            {
                if (isClosed)
                {
                    return;
                }
                isClosed = true;
            }
            handles.remove(this);
            leave(name);
        }
    }

    /** Leaves all groups. */
    @Override
    public void close()
    {
        handles.forEach(Handle::close);
        cluster.removeListener(onMembers);
        map.removeListener(onEntries);
        thread.shutdownNow();
        try
        {
            if (!thread.awaitTermination(CLOSE_NS, TimeUnit.NANOSECONDS))
            {
                LOG.warn("CLU-0703 a listener of a group does not return");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
