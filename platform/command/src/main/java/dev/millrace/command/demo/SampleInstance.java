package dev.millrace.command.demo;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server instance in a temporary domain, with the sample application deployed. Closing it ends the process. */
public final class SampleInstance implements AutoCloseable
{
    private static final long START_TIMEOUT_MS = 60_000;

    private final Path directory;
    private final Ports ports;
    private final InstanceProcess process;
    private final long startNs = System.nanoTime();
    private ManagementClient client;
    private String application;
    private double readySeconds;

    private SampleInstance(final Path directory, final Ports ports, final InstanceProcess process)
    {
        this.directory = directory;
        this.ports = ports;
        this.process = process;
    }

    /**
     * Starts an instance and deploys the sample.
     *
     * @param workers threads of a partitioned rule; 0 = the server's default
     * @param jdk     Java of the instance, or {@code null} for that of this process
     * @param keep    whether the domain directory is kept
     * @param cleanup closes the instance
     * @return the instance; the application runs
     * @throws IOException when files cannot be read or written
     */
    public static SampleInstance start(
        final Home home, final int workers, final Path jdk, final boolean keep, final CleanupStack cleanup)
        throws IOException, InterruptedException
    {
        return start(home, home.signalGeneration(), workers, jdk, keep, cleanup);
    }

    /**
     * Starts an instance and deploys a copy of the sample.
     *
     * @param bundle  the copy, see {@link SampleBundle}
     * @param workers threads of a partitioned rule; 0 = the server's default
     * @param jdk     Java of the instance, or {@code null} for that of this process
     * @param keep    whether the domain directory is kept
     * @param cleanup closes the instance
     * @return the instance; the application runs
     * @throws IOException when files cannot be read or written
     */
    public static SampleInstance start(final Home home, final Path bundle, final int workers, final Path jdk,
        final boolean keep, final CleanupStack cleanup) throws IOException, InterruptedException
    {
        final SampleInstance instance = start(home, workers, jdk, List.of(), keep, cleanup);
        instance.deploy(bundle);
        return instance;
    }

    /**
     * Starts an instance without an application.
     *
     * @param workers   threads of a partitioned rule; 0 = the server's default
     * @param jdk       Java of the instance, or {@code null} for that of this process
     * @param arguments arguments of its start script, for example {@code -Dname=value}
     * @param keep      whether the domain directory is kept
     * @param cleanup   closes the instance
     * @throws IOException when files cannot be read or written
     */
    static SampleInstance start(final Home home, final int workers, final Path jdk, final List<String> arguments,
        final boolean keep, final CleanupStack cleanup) throws IOException, InterruptedException
    {
        final Ports ports = Ports.free();
        final Path directory = cleanup.directory(keep);
        final Domain domain =
            cleanup.open(() -> DomainTemplate.create(home, directory.resolve("sample"), ports, workers));
        final SampleInstance instance = cleanup.open(() -> cleanup.add(new SampleInstance(
            directory, ports, InstanceProcess.start(domain, jdk, arguments))));
        instance.client = instance.process.awaitRunning(START_TIMEOUT_MS);
        return instance;
    }

    /**
     * Deploys an application.
     *
     * @return its symbolic name
     * @throws IOException when the bundle cannot be read
     */
    String deploy(final Path bundle) throws IOException, InterruptedException
    {
        final JsonObject deployed = client.install(bundle);
        if (!"RUNNING".equals(deployed.get("state").getAsString()))
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0141", "the sample does not run, answer=" + deployed,
                "the end of the instance's output:\n" + process.tail());
        }
        application = deployed.get("name").getAsString();
        readySeconds = (System.nanoTime() - startNs) / 1e9;
        return application;
    }

    /** Returns the time from the start of the process until the application ran. */
    public double readySeconds()
    {
        return readySeconds;
    }

    public Ports ports()
    {
        return ports;
    }

    /** Returns a directory for files of the run, deleted with the instance. */
    public Path directory()
    {
        return directory;
    }

    public InstanceProcess process()
    {
        return process;
    }

    SampleFigures figures() throws InterruptedException
    {
        return SampleFigures.of(statistics(application));
    }

    /** Returns the statistics of an application that was deployed here. */
    JsonObject statistics(final String name) throws InterruptedException
    {
        if (!process.process().isAlive())
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0142", "the instance has ended, exitCode=" + process.process().exitValue(),
                "the end of its output:\n" + process.tail());
        }
        return client.statistics(name);
    }

    @Override
    public void close()
    {
        process.close();
    }
}
