package dev.millrace.server.deployment;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.server.deployment.Deployed.Entry;
import dev.millrace.server.extender.ExtenderSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Bundle;

/**
 * Which version of an application counts while it is made: the next one as long as it is being tried, otherwise the one
 * that is deployed. Safe for all threads.
 */
final class TriedVersions implements ExtenderSettings.Deployments
{
    private final Deployed deployed;

    private final Map<String, Trial> trying = new ConcurrentHashMap<>();

    /** A version that has not proved itself yet, and whether it is meant to stand still. */
    private record Trial(Path jar, boolean suspended)
    {
    }

    TriedVersions(final Deployed deployed)
    {
        this.deployed = deployed;
    }

    /** From now on the files of a version count that has not proved itself yet. */
    void begin(final String name, final Path jar, final boolean suspended)
    {
        trying.put(name, new Trial(jar, suspended));
    }

    /** It has proved itself or failed. */
    void end(final String name)
    {
        trying.remove(name);
    }

    @Override
    public List<ConfigurationResource> configuration(final Bundle bundle)
    {
        final String name = bundle.getSymbolicName();
        final Trial tried = trying.get(name);
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
    public boolean isSuspended(final Bundle bundle)
    {
        final Trial tried = trying.get(bundle.getSymbolicName());
        final Entry entry = deployed.get(bundle.getSymbolicName());
        return tried != null ? tried.suspended() : entry != null && entry.deployment().suspended();
    }
}
