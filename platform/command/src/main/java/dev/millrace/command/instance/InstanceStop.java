package dev.millrace.command.instance;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.management.ManagementClient;
import java.time.Duration;

/**
 * A requested stop of an instance. It applies only to the process that runs from the domain directory, regardless of
 * the address in the files of the directory.
 *
 * @param process the process that is ending
 * @param name    for messages
 */
public record InstanceStop(ProcessHandle process, String name)
{
    /** Time limit for a response; after that, the process gets a signal. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /**
     * Requests the stop of a domain's instance, which may still be starting, or hang.
     *
     * @param domain domain directory
     * @param client client of the instance
     * @param strict whether the user has specified address or credentials: then a wrong one is an error; otherwise the
     *               process gets the signal that ends it cleanly
     * @return the stop to wait for
     * @throws InterruptedException when interrupted
     * @throws CommandException     when no instance runs from the directory, or it refuses
     */
    public static InstanceStop request(final Domain domain, final ManagementClient client, final boolean strict)
        throws InterruptedException
    {
        final ProcessHandle process = domain.process().orElseThrow(() -> new CommandException(
            ExitCode.NOT_FOUND, "CMD-0133", "no instance runs from this directory, domain=" + domain.directory(),
            "millrace domain list shows running instances"));
        try
        {
            final ManagementClient patient = strict ? client : client.within(PATIENCE);
            final long pid = pid(patient.server());
            if (pid == process.pid())
            {
                shutdown(patient);
            }
            else if (strict)
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0134",
                    "another instance uses this address, pid=" + pid +
                    " domain=" + domain.directory() + " its pid=" + process.pid(),
                    "omit the address: the instance of a directory is found without it");
            }
            else
            {
                process.destroy();
            }
        }
        catch (final CommandException e)
        {
            if (strict)
            {
                throw e;
            }
            process.destroy();
        }
        return new InstanceStop(process, domain.name());
    }

    /**
     * Requests the stop of the instance at an address.
     *
     * @param client client of the instance
     * @return the stop to wait for
     * @throws InterruptedException when interrupted
     * @throws CommandException     when it does not respond, refuses, or is on another host
     */
    public static InstanceStop request(final ManagementClient client) throws InterruptedException
    {
        final JsonObject server = client.server();
        shutdown(client);
        return new InstanceStop(ProcessHandle.of(pid(server)).orElse(null), server.get("name").getAsString());
    }

    private static long pid(final JsonObject server)
    {
        return server.get("pid").getAsLong();
    }

    /** The instance may end before its response is sent. */
    private static void shutdown(final ManagementClient client) throws InterruptedException
    {
        try
        {
            client.shutdown();
        }
        catch (final CommandException e)
        {
            if (e.exitCode() != ExitCode.NOT_FOUND)
            {
                throw e;
            }
        }
    }

    /** Whether the process has ended. */
    public boolean isGone()
    {
        return process == null || !process.isAlive();
    }
}
