package dev.millrace.server.deployment;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.bundle.BundleFiles;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import dev.millrace.server.extender.ExtenderSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;

/**
 * Determines the version of an application to create: the next version while its start is being tried, otherwise the
 * deployed one. Thread-safe.
 */
final class CandidateVersions implements ExtenderSettings.Deployments
{
    private final DeploymentRegistry deployed;

    private final Map<Bundle, Trial> trying = new ConcurrentHashMap<>();

    /** Names of applications that start in any order, as those of a group on a member that joins. */
    private final Set<String> unordered = ConcurrentHashMap.newKeySet();

    private final StartMarks marks;

    private final LeftoverThreads leftovers;

    /** A version that has not started yet; whether it is to be suspended, and whether another version runs. */
    private record Trial(Path jar, boolean suspended, boolean isNext, long startNs)
    {
    }

    CandidateVersions(final DeploymentRegistry deployed, final StartMarks marks, final LeftoverThreads leftovers)
    {
        this.leftovers = leftovers;
        this.deployed = deployed;
        this.marks = marks;
    }

    /** Called before a bundle with its own files starts: the first version of an application. */
    void begin(final Bundle bundle, final Path jar, final boolean suspended, final long startNs) throws IOException
    {
        begin(bundle, new Trial(jar, suspended, false, startNs));
    }

    /** Called before a bundle of a next version is prepared while another version runs. */
    void beginNext(final Bundle bundle, final Path jar, final boolean suspended, final long startNs)
        throws IOException
    {
        begin(bundle, new Trial(jar, suspended, true, startNs));
    }

    private void begin(final Bundle bundle, final Trial trial) throws IOException
    {
        marks.set(StartMarks.Kind.TRY, bundle.getSymbolicName(), BundleFiles.digest(trial.jar()));
        trying.put(bundle, trial);
    }

    /** Called before and after a version is tried that may start before the applications that it takes rows of. */
    void unordered(final String name, final boolean isUnordered)
    {
        if (isUnordered)
        {
            unordered.add(name);
        }
        else
        {
            unordered.remove(name);
        }
    }

    /** Returns the bundle of an application that is being started: the tried version or the deployed one. */
    Bundle bundle(final String name)
    {
        final Entry entry = deployed.get(name);
        return trying.keySet().stream().filter(bundle -> name.equals(bundle.getSymbolicName())).findFirst()
            .orElse(entry == null ? null : entry.bundle());
    }

    /** The trial of a version has ended, successfully or not. */
    void end(final Bundle bundle)
    {
        if (bundle != null && trying.remove(bundle) != null)
        {
            marks.forget(StartMarks.Kind.TRY, bundle.getSymbolicName());
        }
    }

    @Override
    public List<ConfigurationResource> configuration(final Bundle bundle)
    {
        final String name = bundle.getSymbolicName();
        final Trial tried = trying.get(bundle);
        final Entry entry = deployed.get(name);
        try
        {
            if (tried != null)
            {
                return ApplicationStore.configuration(tried.jar());
            }
            return entry == null || !bundle.equals(entry.bundle())
                ? null : ApplicationStore.configuration(entry.deployment().jar());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("SRV-0214: configuration files cannot be listed, application=" + name, e);
        }
    }

    @Override
    public void starts(final Bundle bundle)
    {
        final Entry entry = deployed.get(bundle.getSymbolicName());
        // A version on trial already has a mark.
        if (!trying.containsKey(bundle) && entry != null && bundle.equals(entry.bundle()))
        {
            marks.set(StartMarks.Kind.START, bundle.getSymbolicName(), "");
        }
    }

    @Override
    public void hasStarted(final Bundle bundle)
    {
        marks.clear(StartMarks.Kind.START, bundle.getSymbolicName());
    }

    @Override
    public long startLimitNs(final Bundle bundle)
    {
        final Trial tried = trying.get(bundle);
        final Entry entry = deployed.get(bundle.getSymbolicName());
        return tried != null ? tried.startNs() : entry != null ? entry.deployment().startNs()
            : DeploymentsFile.START_NS;
    }

    @Override
    public Problem startHangs(final Bundle bundle, final Thread thread)
    {
        final String at = thread == null ? "" : " at=" + LeftoverThreads.place(bundle, thread);
        return new Problem("SRV-0212", new SourcePosition(bundle.getSymbolicName(), 0, 0),
            "the application does not start in time, limitSeconds="
            + TimeUnit.NANOSECONDS.toSeconds(startLimitNs(bundle)) + at, "the code at this location hangs or is slow: "
            + "correct it, or install with a longer --timeout", "");
    }

    @Override
    public void isLeftOver(final Bundle bundle, final Thread thread)
    {
        leftovers.watch(bundle, thread, () ->
        {
            // The application closes its context itself.
        });
    }

    @Override
    public boolean isSuspended(final Bundle bundle)
    {
        final Trial tried = trying.get(bundle);
        final Entry entry = deployed.get(bundle.getSymbolicName());
        return tried != null ? tried.suspended() : entry != null && entry.deployment().suspended();
    }

    @Override
    public boolean isNextVersion(final Bundle bundle)
    {
        final Trial tried = trying.get(bundle);
        return tried != null && tried.isNext();
    }

    @Override
    public boolean requiresOthers(final Bundle bundle)
    {
        return trying.containsKey(bundle) && !unordered.contains(bundle.getSymbolicName());
    }
}
