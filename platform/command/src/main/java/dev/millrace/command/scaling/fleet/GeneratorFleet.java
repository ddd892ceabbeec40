package dev.millrace.command.scaling.fleet;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.ProcessorSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One generator process per instance, for one row of the table. Not thread-safe. */
public final class GeneratorFleet
{
    private static final long END_MS = TimeUnit.SECONDS.toMillis(60);

    private final List<GeneratorProcess> generators = new ArrayList<>();

    private GeneratorFleet()
    {
    }

    /** Starts all generators. */
    public static GeneratorFleet start(final Home home, final Fleet fleet, final LoadProfile feed,
        final CleanupStack cleanup)
        throws IOException
    {
        final GeneratorFleet made = new GeneratorFleet();
        for (final Fleet.Instance instance : fleet.instances())
        {
            made.generators.add(startOne(home, fleet, instance, feed, cleanup));
        }
        return made;
    }

    /** Starts a generator for one instance. */
    public static GeneratorProcess startOne(final Home home, final Fleet fleet, final Fleet.Instance instance,
        final LoadProfile feed,
        final CleanupStack cleanup) throws IOException
    {
        final Path directory = Files.createDirectories(fleet.directory().resolve("generator-" + instance.name()));
        final ProcessorSets sets = fleet.surroundings().generatorSets().only(fleet.instances().indexOf(instance));
        return cleanup.open(() -> cleanup.add(
            GeneratorProcess.start(home, directory, instance.ports(), feed, null, sets)));
    }

    /** Whether all generators still send. */
    public boolean isSending() throws InterruptedException
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

    /** Returns the processor time of all generators in seconds. */
    double cpuSec()
    {
        return generators.stream().mapToDouble(generator -> ProcessUsage.of(generator.pid()).cpuSec()).sum();
    }

    /** Waits for the end of all generators. */
    public List<GeneratorProcess.Summary> end() throws IOException, InterruptedException
    {
        final List<GeneratorProcess.Summary> summaries = new ArrayList<>();
        for (final GeneratorProcess generator : generators)
        {
            summaries.add(end(generator));
        }
        return summaries;
    }

    /** Waits for the end of one generator. */
    public static GeneratorProcess.Summary end(final GeneratorProcess generator) throws IOException,
        InterruptedException
    {
        if (!generator.await(END_MS))
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0186",
                "a load generator does not end, limitSeconds=" + TimeUnit.MILLISECONDS.toSeconds(END_MS),
                "the instances apply back-pressure: reduce --rate or --connections");
        }
        return generator.summary();
    }

    /** Returns the generators of all instances except one, in order. */
    public List<GeneratorProcess> others(final int than)
    {
        final List<GeneratorProcess> others = new ArrayList<>(generators);
        others.remove(than);
        return others;
    }

    /** Returns the generator of an instance. */
    public GeneratorProcess of(final int instance)
    {
        return generators.get(instance);
    }
}
