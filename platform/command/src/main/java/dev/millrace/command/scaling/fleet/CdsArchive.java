package dev.millrace.command.scaling.fleet;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ensures that the home has a class archive for the instances of a study. The first one that ends creates it, so one
 * instance runs alone before the measured ones. Not thread-safe.
 */
public final class CdsArchive
{
    private static final String MAKES_ONE = "-XX:ArchiveClassesAtExit=";
    private static final long START_MS = 120_000;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_SECONDS = 120;
    private static final long POLL_MS = 50;

    private CdsArchive()
    {
    }

    /**
     * Creates an archive if the start script of this domain would. The domain must not be used afterwards.
     *
     * @throws IOException when the instance cannot be started
     */
    public static void prepare(final Domain domain, final CleanupStack cleanup, final Progress progress)
        throws IOException, InterruptedException
    {
        if (!wouldMakeOne(domain))
        {
            return;
        }
        progress.phase("archiving classes, once per home");
        final InstanceProcess process =
            cleanup.open(() -> cleanup.add(InstanceProcess.start(domain, null, List.of())));
        awaitWarmUp(process.awaitRunning(START_MS));
        process.process().destroy();
        if (!process.process().waitFor(END_SECONDS, TimeUnit.SECONDS))
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0170", "an instance does not stop, domain=" +
                domain.directory() + " limitSeconds=" + END_SECONDS, "the end of its output:\n" + process.tail());
        }
    }

    private static boolean wouldMakeOne(final Domain domain) throws IOException, InterruptedException
    {
        final ProcessBuilder builder =
            new ProcessBuilder(domain.directory().resolve("startwlevs.sh").toString(), "-dryrun");
        builder.environment().put("JAVA_HOME", InstanceProcess.javaHome(null));
        final Process script = builder.redirectErrorStream(true).start();
        final String command = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return script.waitFor() == 0 && command.contains(MAKES_ONE);
    }

    /** Waits until the classes of planner and compiler are also loaded. */
    private static void awaitWarmUp(final ManagementClient client) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + WARM_UP_NS;
        while (System.nanoTime() < deadlineNs)
        {
            final JsonObject warmUp = client.server().getAsJsonObject("warmUp");
            if (!List.of("PENDING", "RUNNING").contains(warmUp.get("state").getAsString()))
            {
                return;
            }
            Thread.sleep(POLL_MS);
        }
    }
}
