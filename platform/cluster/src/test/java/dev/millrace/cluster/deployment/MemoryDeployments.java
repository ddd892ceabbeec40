package dev.millrace.cluster.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.LocalDeployments;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A simulated instance. A bundle is a string whose first line is its name; the other lines specify the members on which
 * it fails ({@code fails-on one}), where the disk is full ({@code full-on one}) and where it blocks until the test
 * releases it ({@code waits-on one}). Rules and configuration are such strings too, without the name.
 */
final class MemoryDeployments implements LocalDeployments
{
    private final String member;
    private final Path directory;
    private final Map<String, Boolean> suspended = new ConcurrentHashMap<>();
    private final Map<String, ApplicationSettings> settings = new HashMap<>();
    private final Map<String, Integer> changes = new HashMap<>();
    private final Map<String, Integer> updates = new HashMap<>();
    /** State of an application set by the test instead of RUNNING. */
    final Map<String, String> states = new ConcurrentHashMap<>();
    /** Start limit passed with the last version of a file. */
    final Map<String, Long> startSeconds = new ConcurrentHashMap<>();
    /** Counted down when an operation waits for the test. */
    final CountDownLatch waiting = new CountDownLatch(1);
    /** Counted down by the test. */
    final CountDownLatch released = new CountDownLatch(1);

    MemoryDeployments(final String member, final Path directory) throws IOException
    {
        this.member = member;
        this.directory = Files.createDirectories(directory);
    }

    private Path jar(final String name)
    {
        return directory.resolve(name + ".jar");
    }

    /** Running applications with the string of their bundle; suspended ones in brackets. */
    synchronized Map<String, String> running()
    {
        final Map<String, String> all = new TreeMap<>();
        final Set<String> names = new TreeSet<>(suspended.keySet());
        for (final String name : names)
        {
            try
            {
                final String text = Files.readString(jar(name));
                all.put(name, suspended.get(name) ? '[' + text + ']' : text);
            }
            catch (final IOException e)
            {
                all.put(name, e.toString());
            }
        }
        return all;
    }

    @Override
    public boolean awaitRestored(final long timeoutMs)
    {
        return true;
    }

    @Override
    public String check(final Path bundle, final String fileName) throws IOException, DeploymentException
    {
        try (InputStream in = Files.newInputStream(bundle))
        {
            return name(in.readNBytes(200), fileName);
        }
    }

    private static String name(final byte[] bytes, final String fileName) throws DeploymentException
    {
        final String first = new String(bytes, UTF_8).lines().findFirst().orElse("");
        if (!first.startsWith("app"))
        {
            throw new DeploymentException(
                "SRV-0201", new SourcePosition(fileName, 0, 0), "not a bundle", "install another");
        }
        return first;
    }

    @Override
    public synchronized Optional<LocalApplication> find(final String name)
    {
        final Boolean standing = suspended.get(name);
        final String state = states.getOrDefault(name, "RUNNING");
        return standing == null ? Optional.empty() : Optional.of(new LocalApplication(
            name, standing ? "SUSPENDED" : state, !standing && state.equals("FAILED"), standing, jar(name), List.of()));
    }

    @Override
    public synchronized ApplicationSettings settings(final String name)
    {
        return settings.getOrDefault(name, ApplicationSettings.NONE);
    }

    @Override
    public synchronized void install(final InputStream bundle, final String fileName, final boolean standing,
        final ApplicationSettings changed, final long startNs) throws IOException, DeploymentException
    {
        startSeconds.put(fileName, TimeUnit.NANOSECONDS.toSeconds(startNs));
        final byte[] bytes = bundle.readAllBytes();
        keep(name(bytes, fileName), bytes, standing, changed);
    }

    @Override
    public synchronized void update(final String name, final InputStream bundle, final String fileName,
        final ApplicationSettings changed, final long startNs) throws IOException, DeploymentException
    {
        startSeconds.put(fileName, TimeUnit.NANOSECONDS.toSeconds(startNs));
        keep(name, bundle.readAllBytes(), suspended.get(name), changed);
        updates.merge(name, 1, Integer::sum);
    }

    @Override
    public synchronized List<String> updateReport(final String name)
    {
        return updates.containsKey(name) ?
            List.of("update " + updates.get(name) + " of " + name + " on " + member) : List.of();
    }

    @Override
    public synchronized void change(final String name, final ApplicationSettings changed)
        throws IOException, DeploymentException
    {
        check(changed);
        settings.put(name, changed);
        changes.merge(name, 1, Integer::sum);
    }

    /** Number of settings changes without a bundle. */
    synchronized int changes(final String name)
    {
        return changes.getOrDefault(name, 0);
    }

    private void keep(final String name, final byte[] bytes, final boolean standing,
        final ApplicationSettings changed) throws IOException, DeploymentException
    {
        check(new String(bytes, UTF_8));
        check(changed);
        Files.copy(new ByteArrayInputStream(bytes), jar(name), StandardCopyOption.REPLACE_EXISTING);
        suspended.put(name, standing);
        settings.put(name, changed);
    }

    private void check(final ApplicationSettings changed) throws IOException, DeploymentException
    {
        for (final String text : changed.rules().values())
        {
            check(text);
        }
        for (final String text : changed.configuration().values())
        {
            check(text);
        }
    }

    private void check(final String text) throws IOException, DeploymentException
    {
        final List<String> lines = text.lines().toList();
        if (lines.contains("waits-on " + member))
        {
            waiting.countDown();
            awaitRelease();
        }
        if (lines.contains("fails-on " + member))
        {
            throw new DeploymentException("EPN-0001", new SourcePosition("rules.xml", 3, 7), "no such event type, " +
                "name=Tick", "declare it");
        }
        if (lines.contains("full-on " + member))
        {
            throw new IOException("No space left on device");
        }
    }

    private void awaitRelease() throws IOException
    {
        try
        {
            if (!released.await(60, TimeUnit.SECONDS))
            {
                throw new IOException("not released in time");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public synchronized void setSuspended(final String name, final boolean standing)
    {
        suspended.replace(name, standing);
        states.remove(name, "FAILED");
    }

    @Override
    public synchronized void uninstall(final String name) throws IOException
    {
        suspended.remove(name);
        settings.remove(name);
        Files.delete(jar(name));
    }
}
