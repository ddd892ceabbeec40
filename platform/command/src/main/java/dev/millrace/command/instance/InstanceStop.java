package dev.millrace.command.instance;

import com.google.gson.JsonObject;
import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.time.Duration;

/**
 * A stop of an instance that has been asked for. It concerns the process that runs from the domain directory and no
 * other, whatever address the files of the directory name.
 *
 * @param process what is ending
 * @param name    for messages
 */
public record InstanceStop(ProcessHandle process, String name)
{
    /** For an answer; then a signal does it. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /**
     * Asks the instance of a domain to stop; it may be starting still, or hang.
     *
     * @param domain domain directory
     * @param client how to reach it
     * @param strict whether the user has named address or credentials: then a wrong one is an error, and otherwise the
     *               process gets the signal that ends it in good order
     * @return what to wait for
     * @throws InterruptedException when interrupted
     * @throws CommandException     when no instance runs from the directory, or it refuses
     */
    public static InstanceStop request(final Domain domain, final ManagementClient client, final boolean strict)
        throws InterruptedException
    {
        final ProcessHandle process = domain.process().orElseThrow(() -> new CommandException(
            ExitCode.NOT_FOUND, "CMD-0133", "no instance runs from this directory, domain=" + domain.directory(),
            "millrace domain list shows which ones run"));
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
                throw new CommandException(ExitCode.FAILED, "CMD-0134", "another instance answers there, pid=" + pid +
                    " domain=" + domain.directory() + " its pid=" + process.pid(),
                    "leave the address away: the instance of a directory is found without it");
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
     * Asks the instance at an address to stop.
     *
     * @param client how to reach it
     * @return what to wait for
     * @throws InterruptedException when interrupted
     * @throws CommandException     when it does not answer, refuses, or is on another host
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

    /** The instance may be gone before its answer is out. */
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

    /**
     * Whether the process is gone.
     *
     * @return false while it ends
     */
    public boolean isGone()
    {
        return process == null || !process.isAlive();
    }
}
