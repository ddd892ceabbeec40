package dev.millrace.command.recovery;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An instance that is killed and started again. For the main thread; the hook of the clean-up closes it.
 */
final class KilledInstance implements AutoCloseable
{
    private static final long START_MS = 180_000;
    private static final long POLL_MS = 5;
    private static final long APPLICATION_NS = TimeUnit.SECONDS.toNanos(60);
    /** How an operator starts an application again, by its state. */
    private static final Map<String, String> VERBS = Map.of("QUARANTINED", "resume", "FAILED", "restart");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Domain domain;
    private final Path jdk;
    private final CleanupStack cleanup;
    private final InstanceLog log;
    private InstanceProcess process;
    private ManagementClient client;
    private String application = "";
    private int resumes;

    KilledInstance(final Domain domain, final Path jdk, final CleanupStack cleanup)
    {
        this.domain = domain;
        this.jdk = jdk;
        this.cleanup = cleanup;
        log = new InstanceLog(domain.directory().resolve("logs/console.log"));
        cleanup.add(this);
    }

    /** Starts the process and does not wait. */
    void begin() throws IOException
    {
        process = cleanup.open(() ->
        {
            process = InstanceProcess.start(domain, jdk, List.of());
            return process;
        });
    }

    /** Waits until the instance runs. */
    void awaitInstance() throws IOException, InterruptedException
    {
        client = process.awaitRunning(START_MS).within(PATIENCE);
    }

    /** Deploys the application that {@link #awaitApplication} waits for. */
    void deploy(final Path bundle) throws IOException, InterruptedException
    {
        application = client.install(bundle).get("name").getAsString();
        awaitApplication();
    }

    /** Deploys the application again, as a new version. */
    void update(final Path bundle) throws IOException, InterruptedException
    {
        client.update(application, bundle, null);
    }

    /**
     * Waits until the application runs. Applications that were killed while they started are in quarantine, and so may
     * be the driver without which the application fails: they are resumed or restarted, as an operator does.
     */
    void awaitApplication() throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + APPLICATION_NS;
        JsonArray applications = client.applications();
        while (!isRunning(applications, application))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0209", "the application does not run again, answer=" +
                    applications, "the end of the instance's output:\n" + process.tail());
            }
            resume(applications);
            Thread.sleep(POLL_MS);
            applications = client.applications();
        }
    }

    private static boolean isRunning(final JsonArray applications, final String name)
    {
        for (final JsonElement each : applications)
        {
            final JsonObject candidate = each.getAsJsonObject();
            if (name.equals(candidate.get("name").getAsString()))
            {
                return "RUNNING".equals(candidate.get("state").getAsString());
            }
        }
        return false;
    }

    private void resume(final JsonArray applications) throws InterruptedException
    {
        for (final JsonElement each : applications)
        {
            final String verb = VERBS.get(each.getAsJsonObject().get("state").getAsString());
            if (verb != null)
            {
                resume(each.getAsJsonObject().get("name").getAsString(), verb);
            }
        }
    }

    /** It may fail again, as long as the driver of its database is in quarantine. */
    private void resume(final String name, final String verb) throws InterruptedException
    {
        resumes++;
        try
        {
            client.change(name, verb);
        }
        catch (final CommandException e)
        {
            // Its state is read again, and is part of the message after the time limit.
            Thread.sleep(POLL_MS);
        }
    }

    /** Starts the process; returns the milliseconds until the application runs. */
    double start() throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        begin();
        awaitInstance();
        awaitApplication();
        final double ms = (System.nanoTime() - startNs) / 1e6;
        log.read();
        return ms;
    }

    /** Kills the process with signal 9 and waits for its end. */
    void kill() throws InterruptedException
    {
        process.process().destroyForcibly().waitFor();
    }

    ManagementClient client()
    {
        return client;
    }

    InstanceLog log()
    {
        return log;
    }

    /** Returns how often the application was resumed, because the process was killed while it started. */
    int resumes()
    {
        return resumes;
    }

    /** Returns the names of the snapshots of all units, finished or not. */
    List<String> snapshots() throws IOException
    {
        return files("/snapshot-");
    }

    /** Returns the names of the files of all journals. */
    List<String> journalFiles() throws IOException
    {
        return files(".cq4");
    }

    private List<String> files(final String part) throws IOException
    {
        final Path state = domain.directory().resolve("var/state");
        try (Stream<Path> files = Files.walk(state))
        {
            return files.map(Path::toString).filter(name -> name.contains(part)).sorted().toList();
        }
        catch (final UncheckedIOException | NoSuchFileException e)
        {
            // A file was renamed or deleted in the meantime, or there is no state yet.
            return List.of();
        }
    }

    /** Returns how long rows waited at most for a snapshot since the start, for each processor that has written one. */
    List<Double> snapshotPausesUs() throws InterruptedException
    {
        return snapshotFigures().stream().filter(figures -> figures.get("written").getAsLong() > 0)
            .map(figures -> figures.get("maxPauseUs").getAsDouble()).toList();
    }

    /** Returns the number of snapshots of all processors since the start. */
    long snapshotsWritten() throws InterruptedException
    {
        return snapshotFigures().stream().mapToLong(figures -> figures.get("written").getAsLong()).sum();
    }

    private List<JsonObject> snapshotFigures() throws InterruptedException
    {
        final List<JsonObject> all = new ArrayList<>();
        for (final JsonElement stage : client.statistics(application).getAsJsonArray("stages"))
        {
            final JsonElement own = stage.getAsJsonObject().get("own");
            if (own != null && own.isJsonObject() && own.getAsJsonObject().has("snapshots"))
            {
                all.add(own.getAsJsonObject().getAsJsonObject("snapshots"));
            }
        }
        return all;
    }

    /** Returns the size of the largest snapshot. */
    long snapshotBytes() throws IOException
    {
        long most = 0;
        for (final String file : snapshots())
        {
            most = Math.max(most, Files.size(Path.of(file)));
        }
        return most;
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.close();
        }
    }
}
