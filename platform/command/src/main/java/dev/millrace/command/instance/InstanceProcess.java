package dev.millrace.command.instance;

import com.google.gson.JsonObject;
import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process of a server instance that this command has started. Closing it leaves nothing behind. Safe for the
 * thread that made it and one more that closes it.
 */
public final class InstanceProcess implements AutoCloseable
{
    private static final long POLL_MS = 20;
    private static final long STOP_SECONDS = 15;
    private static final int TAIL_LINES = 25;

    private final Domain domain;
    private final Path console;
    private final Process process;
    private ManagementClient client;

    private InstanceProcess(final Domain domain, final Path console, final Process process)
    {
        this.domain = domain;
        this.console = console;
        this.process = process;
    }

    /**
     * Starts an instance with its own script.
     *
     * @param domain    domain directory
     * @param javaHome  Java to use, or {@code null} for the one of this process
     * @param arguments for the script, for example {@code -Dname=value}
     * @return the process; wait for it with {@link #awaitRunning}
     * @throws IOException when the script cannot be run
     */
    public static InstanceProcess start(final Domain domain, final Path javaHome, final List<String> arguments)
        throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(domain.directory().resolve("startwlevs.sh").toString());
        command.addAll(arguments);
        Files.createDirectories(domain.directory().resolve("logs"));
        Files.deleteIfExists(domain.directory().resolve(Domain.TOKEN_FILE));
        Files.deleteIfExists(domain.directory().resolve(Domain.URL_FILE));
        final Path console = domain.directory().resolve("logs/console.log");
        final ProcessBuilder builder = new ProcessBuilder(command)
            .directory(domain.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(console.toFile()));
        builder.environment().put("JAVA_HOME", javaHome(javaHome));
        return new InstanceProcess(domain, console, builder.start());
    }

    /**
     * The Java to start processes with.
     *
     * @param chosen directory of a JDK, or {@code null}
     * @return the chosen one, or the one of this process
     */
    public static String javaHome(final Path chosen)
    {
        return chosen == null ? System.getProperty("java.home") : chosen.toAbsolutePath().toString();
    }

    /**
     * Waits until the instance answers as running.
     *
     * @param timeoutMs how long
     * @return client of its management endpoint
     * @throws IOException          when its configuration cannot be read
     * @throws InterruptedException when interrupted
     * @throws CommandException     when it ends or does not come up, with the end of its output
     */
    public ManagementClient awaitRunning(final long timeoutMs) throws IOException, InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (System.nanoTime() < deadlineNs)
        {
            if (!process.isAlive())
            {
                throw new CommandException(
                    ExitCode.FAILED, "CMD-0130", "instance did not start, exitCode=" + process.exitValue() +
                    " domain=" + domain.directory(), "the end of its output:\n" + tail());
            }
            if (domain.token().isPresent() && isRunning())
            {
                return client;
            }
            Thread.sleep(POLL_MS);
        }
        throw new CommandException(
            ExitCode.FAILED, "CMD-0131", "instance is not running in time, limitMs=" + timeoutMs +
            " domain=" + domain.directory(), "the end of its output:\n" + tail());
    }

    private boolean isRunning() throws IOException, InterruptedException
    {
        try
        {
            client = new ManagementClient(domain.url(), "Bearer " + domain.token().orElse(""));
            final JsonObject server = client.server();
            return "RUNNING".equals(server.get("state").getAsString());
        }
        catch (final CommandException e)
        {
            // Not listening yet; the deadline of the caller ends the waiting.
            return false;
        }
    }

    /**
     * The last lines of what the instance printed.
     *
     * @return lines, or why there are none
     */
    public String tail()
    {
        try
        {
            final List<String> lines = Files.readAllLines(console);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        }
        catch (final IOException e)
        {
            return "(no output: " + e + ")";
        }
    }

    /**
     * The operating system's process.
     *
     * @return process
     */
    public Process process()
    {
        return process;
    }

    /**
     * Its domain.
     *
     * @return domain
     */
    public Domain domain()
    {
        return domain;
    }

    @Override
    public void close()
    {
        // What the script has begun and not ended before it became the instance would write into the domain later.
        final List<ProcessHandle> begun = process.descendants().toList();
        process.destroy();
        begun.forEach(ProcessHandle::destroy);
        try
        {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly().waitFor();
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
