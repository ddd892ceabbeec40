package dev.millrace.command.instance;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of an instance at one time.
 *
 * @param state   {@link #STOPPED}, {@link #STARTING}, {@link #NO_ANSWER}, or the state that the instance reports
 * @param process while it lives
 * @param ports   as configured; the management port is the actual one
 */
public record InstanceState(Domain domain, String state, Optional<ProcessHandle> process, List<NamedPort> ports)
{
    /** The instance accepts applications and events. */
    public static final String RUNNING = "RUNNING";

    /** There is no process. */
    public static final String STOPPED = "STOPPED";

    /** There is a process, but it does not listen yet. */
    public static final String STARTING = "STARTING";

    /** There is a process that should respond but does not. Check its log. */
    public static final String NO_ANSWER = "NO ANSWER";

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /**
     * Determines the state without connecting to the instance: running when it has a process.
     *
     * @throws IOException when the files of the domain cannot be read
     */
    public static InstanceState seen(final Domain domain) throws IOException
    {
        final Optional<ProcessHandle> process = domain.process();
        return new InstanceState(
            domain, process.isPresent() ? RUNNING : STOPPED, process, ports(domain, process.isPresent()));
    }

    /**
     * Requests the state from the instance.
     *
     * @throws IOException          when the files of the domain cannot be read
     * @throws InterruptedException when interrupted
     */
    public static InstanceState asked(final Domain domain) throws IOException, InterruptedException
    {
        final InstanceState seen = seen(domain);
        return seen.process().isEmpty() ? seen :
            new InstanceState(domain, ask(domain, seen.process().get()), seen.process(), seen.ports());
    }

    private static String ask(final Domain domain, final ProcessHandle process)
        throws IOException, InterruptedException
    {
        if (!Files.exists(domain.directory().resolve(Domain.URL_FILE)))
        {
            return STARTING;
        }
        try
        {
            final JsonObject server = domain.client().within(PATIENCE).server();
            // Until it listens, the address may be one that an earlier instance has left.
            return server.get("pid").getAsLong() == process.pid() ? server.get("state").getAsString() : STARTING;
        }
        catch (final CommandException e)
        {
            return NO_ANSWER;
        }
    }

    private static List<NamedPort> ports(final Domain domain, final boolean runs) throws IOException
    {
        final String url = runs ? domain.url() : "";
        final String port = url.substring(url.lastIndexOf(':') + 1);
        return domain.ports().stream().map(named -> "netio".equals(named.name()) && port.matches("\\d{1,5}") ?
            new NamedPort("netio", Integer.parseInt(port)) : named).toList();
    }

    /** Returns the age of the process; empty when there is no process or its start time is unknown. */
    public Optional<Duration> uptime()
    {
        return process.flatMap(handle -> handle.info().startInstant())
            .map(start -> Duration.between(start, Instant.now()));
    }
}
