package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.deployment.StartMarks.Kind;
import dev.millrace.server.deployment.StartMarks.Mark;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prevents applications that ended the process from being restarted automatically. Marks on disk name them: if an
 * application called {@code System.exit}, it is known when the process ends. After {@code halt}, an out-of-memory
 * condition or a kill, it may be any application that was starting; none of these is started then, so that the process
 * ends only once. When a single application turns out to be the cause, the others start again. Thread-safe.
 */
final class Quarantine
{
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    private static final String UNKNOWN =
        "the process ended without a trace: Runtime.halt, out of memory, a crash or a kill";

    private final StartMarks marks;

    /** The applications in quarantine. */
    private final Map<String, Mark> held = new ConcurrentHashMap<>();

    /** Versions whose first start was in progress when the process ended. */
    private final Map<String, Mark> tried = new ConcurrentHashMap<>();

    Quarantine(final StartMarks marks)
    {
        this.marks = marks;
    }

    /** Reads the remaining marks when the instance starts. */
    void load(final Collection<Deployment> deployments) throws IOException
    {
        final Set<String> names = new TreeSet<>();
        deployments.forEach(deployment -> names.add(deployment.name()));
        final Map<String, Mark> ended = new TreeMap<>();
        marks.read(Kind.START).forEach((name, mark) ->
        {
            if (!names.contains(name) || mark.cause().isEmpty() && marks.isOfEarlierBoot(mark))
            {
                marks.forget(Kind.START, name);
            }
            else if (mark.cause().isEmpty())
            {
                ended.put(name, mark);
            }
            else
            {
                held.put(name, mark);
            }
        });
        if (ended.size() == 1)
        {
            clearOthers(ended.keySet().iterator().next());
        }
        else if (!ended.isEmpty())
        {
            LOG.error("SRV-0238: the process ended while several applications started, names={} since={} hint: none of"
                + " them is started; start one at a time with millrace app resume NAME. When one ends the process"
                + " again, the others start with the instance", ended.keySet(),
                ended.values().iterator().next().since());
        }
        ended.forEach((name, mark) -> hold(name, mark.accused(UNKNOWN, ended.size() == 1 ? Set.of() : ended.keySet())));
        loadTried();
    }

    /** One application alone has ended the process: releases those held because they were also suspects. */
    private void clearOthers(final String guilty)
    {
        for (final Map.Entry<String, Mark> each : Map.copyOf(held).entrySet())
        {
            if (each.getValue().others().contains(guilty))
            {
                LOG.warn("application is started again because another one ended the process, name={} other={}",
                    each.getKey(), guilty);
                forget(each.getKey());
            }
        }
    }

    private void loadTried() throws IOException
    {
        marks.read(Kind.TRY).forEach((name, mark) ->
        {
            if (mark.cause().isEmpty() && marks.isOfEarlierBoot(mark))
            {
                marks.forget(Kind.TRY, name);
            }
            else
            {
                tried.put(name, mark);
            }
        });
        tried.forEach((name, mark) -> LOG.warn("SRV-0239: the process ended while a new version started,"
            + " name={} since={} cause=\"{}\" hint: the version was not installed; the previous state"
            + " applies. This message repeats until another version is installed", name,
            mark.since(), mark.cause().isEmpty() ? UNKNOWN : mark.cause()));
    }

    private void hold(final String name, final Mark mark)
    {
        held.put(name, mark);
        marks.accuse(Kind.START, name, mark);
    }

    boolean holds(final String name)
    {
        return held.containsKey(name);
    }

    /** Returns the entry of a quarantined application and logs the reason. */
    Entry entry(final Deployment deployment)
    {
        final Mark mark = held.get(deployment.name());
        final Problem problem = new Problem(DeploymentRegistry.QUARANTINED, new SourcePosition(deployment.name(), 0, 0),
            (mark.others().isEmpty() ? "the application ended the process while it started and is not started again"
            : "the process ended while this application and others started, and none of them is started again, names="
            + mark.others()) + ", since=" + mark.since() + " cause=\"" + mark.cause() + '"',
            "check the log of that time, then start it with millrace app resume "
            + deployment.name() + ", replace it with app update, or remove it with app uninstall", "");
        LOG.error("application QUARANTINED\n{}", problem.format());
        return new Entry(deployment, null, List.of(problem));
    }

    /** An application is being started, which ends its quarantine. */
    void starts(final String name)
    {
        held.remove(name);
        marks.set(Kind.START, name, "");
    }

    void hasStarted(final String name)
    {
        marks.clear(Kind.START, name);
    }

    /** An application was replaced or removed. */
    void forget(final String name)
    {
        if (held.remove(name) != null)
        {
            marks.forget(Kind.START, name);
        }
    }

    /**
     * Rejects a bundle that ended the process at its last start, for automatic callers.
     *
     * @param digest digest of the bundle
     */
    void check(final String name, final String digest) throws DeploymentException
    {
        final Mark mark = tried.get(name);
        if (mark != null && mark.bundle().equals(digest))
        {
            throw DeploymentRegistry.refuse("SRV-0240", name,
                "this bundle ended the process when it was started last, since="
                + mark.since() + " cause=\"" + (mark.cause().isEmpty() ? UNKNOWN : mark.cause()) + '"',
                "install a corrected bundle in the group; to retry this one, install it on this instance only");
        }
    }

    /** Permits a version to be tried again, on a user's request. */
    void mayTry(final String name)
    {
        tried.remove(name);
    }

    /**
     * The instance stops. If a call of {@code System.exit} is the reason, its application is known now; the other
     * applications start again next time.
     *
     * @param bundles returns the bundle of an application, or {@code null}
     * @return problems of the applications that were starting, by name
     */
    Map<String, Problem> instanceStops(final Function<String, Bundle> bundles)
    {
        final Set<String> starting = new TreeSet<>(marks.open(Kind.START));
        starting.addAll(marks.open(Kind.TRY));
        if (starting.isEmpty())
        {
            return Map.of();
        }
        final Optional<ExitCall> call = ExitCall.find();
        final Map<String, Problem> problems = new TreeMap<>();
        for (final String name : starting)
        {
            final Bundle bundle = bundles.apply(name);
            final SourcePosition position = new SourcePosition(name, 0, 0);
            if (call.isPresent() && bundle != null && (call.get().isOf(bundle) || starting.size() == 1))
            {
                final String cause = call.get().describe(bundle);
                problems.put(name, new Problem("SRV-0241", position,
                    "the application ends the process while it starts, " + cause,
                    "remove the call; the instance stops and must be started again", ""));
                LOG.error("application ends the process, name={} {}", name, cause);
                seal(name, cause);
            }
            else
            {
                problems.put(name, new Problem("SRV-0242", position, "the instance stops while the application starts",
                    "start the instance, then try again", ""));
                marks.forget(Kind.START, name);
                marks.forget(Kind.TRY, name);
            }
        }
        return problems;
    }

    private void seal(final String name, final String cause)
    {
        for (final Kind kind : Kind.values())
        {
            if (marks.open(kind).contains(name))
            {
                marks.seal(kind, name, cause);
            }
        }
    }
}
