package dev.millrace.command.scaling;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import dev.millrace.command.demo.Cleanup;
import dev.millrace.command.demo.Feed;
import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A generator process for each instance, for one row of the table. For one thread. */
final class GeneratorFleet
{
    private static final long END_MS = TimeUnit.SECONDS.toMillis(60);

    private final List<GeneratorProcess> generators = new ArrayList<>();

    private GeneratorFleet()
    {
    }

    /** Starts all. */
    static GeneratorFleet start(final Home home, final Fleet fleet, final Feed feed, final Cleanup cleanup)
        throws IOException
    {
        final GeneratorFleet made = new GeneratorFleet();
        for (final Fleet.Instance instance : fleet.instances())
        {
            final Path directory = Files.createDirectories(fleet.directory().resolve("generator-" + instance.name()));
            made.generators.add(cleanup.open(() -> cleanup.add(
                GeneratorProcess.start(home, directory, instance.ports(), feed, null))));
        }
        return made;
    }

    /** Whether all still send. */
    boolean isSending() throws InterruptedException
    {
        for (final GeneratorProcess generator : generators)
        {
            if (generator.await(0))
            {
                return false;
            }
        }
        return true;
    }

    /** Processor time of all, seconds. */
    double cpuSec()
    {
        return generators.stream().mapToDouble(generator -> ProcessUse.of(generator.pid()).cpuSec()).sum();
    }

    /** Waits for the end of all. */
    List<GeneratorProcess.Summary> end() throws IOException, InterruptedException
    {
        final List<GeneratorProcess.Summary> summaries = new ArrayList<>();
        for (final GeneratorProcess generator : generators)
        {
            if (!generator.await(END_MS))
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0162",
                    "a load generator does not end, limitSeconds=" + TimeUnit.MILLISECONDS.toSeconds(END_MS),
                    "the instances push back: offer less with --rate or --connections");
            }
            summaries.add(generator.summary());
        }
        return summaries;
    }
}
