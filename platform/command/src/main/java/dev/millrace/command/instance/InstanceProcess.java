package dev.millrace.command.instance;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.Processes;
import dev.millrace.command.management.ManagementClient;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The process of a server instance that this command has started. Closing it ends the process. Safe for use by the
 * thread that created it and one more that closes it.
 */
public final class InstanceProcess implements AutoCloseable
{
    private static final long POLL_MS = 20;
    private static final long STOP_SECONDS = 15;
    private static final int TAIL_LINES = 25;

    /** Tolerates a clock of the file system that lags behind. */

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final File NOTHING = new File("/dev/null");

    private final Domain domain;
    private final List<LogTail> outputs;
    private final Process process;
    /** Time of the previous token; empty if there was none. */
    private final Optional<FileTime> oldToken;
    private ManagementClient client;
    private String connected = "";

    private InstanceProcess(
        final Domain domain, final List<LogTail> outputs, final Process process, final Optional<FileTime> oldToken)
    {
        this.domain = domain;
        this.outputs = List.copyOf(outputs);
        this.process = process;
        this.oldToken = oldToken;
    }

    /**
     * Starts an instance with its start script.
     *
     * @param domain    domain directory
     * @param javaHome  Java to use, or {@code null} for that of this process
     * @param arguments arguments of the script, for example {@code -Dname=value}
     * @return the process; wait for it with {@link #awaitRunning}
     * @throws IOException      when the script cannot be executed
     * @throws CommandException on Windows
     */
    public static InstanceProcess start(final Domain domain, final Path javaHome, final List<String> arguments)
        throws IOException
    {
        return start(domain, javaHome, List.of(), arguments);
    }

    /**
     * Starts an instance that outlives this process and its terminal. It logs only to logs/server.log.
     *
     * @param domain domain directory
     * @return the process; wait for it with {@link #poll}
     * @throws IOException      when the script cannot be executed
     * @throws CommandException on Windows
     */
    public static InstanceProcess startInBackground(final Domain domain) throws IOException
    {
        final List<String> detached = new ArrayList<>(ownSession());
        detached.addAll(installed("/usr/bin/nohup"));
        return start(domain, null, detached, List.of("-Dmillrace.console.level=OFF"));
    }

    /**
     * Returns a command prefix that starts a command in its own session.
     *
     * @return words; empty where the system has no such tool
     */
    public static List<String> ownSession()
    {
        return installed("/usr/bin/setsid");
    }

    /**
     * Returns a tool that replaces itself with the command, so that the process id is kept; empty when it is missing.
     */
    private static List<String> installed(final String tool)
    {
        return Files.isExecutable(Path.of(tool)) ? List.of(tool) : List.of();
    }

    private static InstanceProcess start(
        final Domain domain, final Path javaHome, final List<String> wrapper, final List<String> arguments)
        throws IOException
    {
        requireShell(System.getProperty("os.name"));
        final List<String> command = new ArrayList<>(wrapper);
        command.add(domain.directory().resolve(DomainFiles.SCRIPT).toString());
        command.addAll(arguments);
        PrivateFiles.apply(Files.createDirectories(domain.directory().resolve("logs")));
        final LogTail console = new LogTail(domain.directory().resolve("logs/console.log"));
        final List<LogTail> outputs = wrapper.isEmpty() ? List.of(console) :
            List.of(console, new LogTail(domain.directory().resolve("logs/server.log")));
        final ProcessBuilder builder = new ProcessBuilder(command)
            .directory(domain.directory().toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(NOTHING))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(console.file().toFile()));
        builder.environment().put("JAVA_HOME", javaHome(javaHome));
        final Path token = domain.directory().resolve(Domain.TOKEN_FILE);
        final Optional<FileTime> oldToken =
            Files.exists(token) ? Optional.of(Files.getLastModifiedTime(token)) : Optional.empty();
        return new InstanceProcess(domain, outputs, builder.start(), oldToken);
    }

    /**
     * Refuses a system without the shell that the start script needs.
     *
     * @param system name of the operating system
     */
    static void requireShell(final String system)
    {
        if (system.startsWith("Windows"))
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0128",
                "commands do not start instances on this system, system=" + system,
                "run startwlevs.cmd in the directory of the domain");
        }
    }

    /**
     * Returns the Java home for starting processes.
     *
     * @param chosen directory of a JDK, or {@code null}
     * @return the chosen one, or that of this process
     */
    public static String javaHome(final Path chosen)
    {
        return chosen == null ? System.getProperty("java.home") : chosen.toAbsolutePath().toString();
    }

    /**
     * Waits until the instance reports that it is running.
     *
     * @return client of its management endpoint
     * @throws IOException      when its configuration cannot be read
     * @throws CommandException when it ends or does not start in time, with the end of its output
     */
    public ManagementClient awaitRunning(final long timeoutMs) throws IOException, InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (System.nanoTime() < deadlineNs)
        {
            if (poll())
            {
                return client;
            }
            Thread.sleep(POLL_MS);
        }
        throw tooLate(timeoutMs);
    }

    /**
     * Whether the instance reports that it is running; does not wait.
     *
     * @throws IOException      when its configuration cannot be read
     * @throws CommandException when it has ended, with the end of its output
     */
    public boolean poll() throws IOException, InterruptedException
    {
        if (!process.isAlive())
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0130", "instance did not start, exitCode=" + process.exitValue() +
                " domain=" + domain.directory(), "the end of its output:\n" + tail());
        }
        return hasToken() && isRunning();
    }

    /**
     * Returns the exception for a timeout.
     *
     * @param timeoutMs the exceeded limit
     */
    public CommandException tooLate(final long timeoutMs)
    {
        return new CommandException(
            ExitCode.FAILED, "CMD-0131", "instance is not running in time, limitMs=" + timeoutMs +
            " domain=" + domain.directory(), "the end of its output:\n" + tail());
    }

    /** Whether the instance of this process has written its token; an earlier instance may have left one. */
    private boolean hasToken() throws IOException
    {
        final Path token = domain.directory().resolve(Domain.TOKEN_FILE);
        return Files.exists(token) && !Optional.of(Files.getLastModifiedTime(token)).equals(oldToken) &&
            domain.pid().filter(pid -> pid == process.pid()).isPresent() && domain.token().isPresent();
    }

    private boolean isRunning() throws IOException, InterruptedException
    {
        try
        {
            connect(domain.url(), domain.token().orElse(""));
            final JsonObject server = client.within(PATIENCE).server();
            return "RUNNING".equals(server.get("state").getAsString()) &&
                server.get("pid").getAsLong() == process.pid();
        }
        catch (final CommandException e)
        {
            // Not listening yet; the deadline of the caller ends the wait.
            return false;
        }
    }

    /**
     * Reuses the client while the address is unchanged: each client has a connection, and the instance limits
     * connections.
     */
    private void connect(final String url, final String token)
    {
        if (!(url + token).equals(connected))
        {
            client = new ManagementClient(url, "Bearer " + token);
            connected = url + token;
        }
    }

    /** Returns the last lines of the instance's output and log; may be empty. */
    public String tail()
    {
        return outputs.stream().map(output -> output.lines(TAIL_LINES)).filter(lines -> !lines.isEmpty())
            .collect(Collectors.joining("\n"));
    }

    public Process process()
    {
        return process;
    }

    public Domain domain()
    {
        return domain;
    }

    @Override
    public void close()
    {
        // Processes that the script has started and not ended would write to the domain later.
        final List<ProcessHandle> begun = process.descendants().toList();
        process.destroy();
        begun.forEach(ProcessHandle::destroy);
        Processes.end(process, STOP_SECONDS);
    }
}
