package dev.millrace.command.scaling.fault;

import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.instance.ProcessorSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A load generator for a port on which no process listens: it must end soon with a message that contains the port. */
final class PortFault
{
    private static final double END_SECONDS = 15;
    private static final long MOST_SECONDS = 120;
    private static final int REFUSED = 3;

    private PortFault()
    {
    }

    static void run(final FaultTestbed bench) throws IOException, InterruptedException
    {
        final Ports unused = Ports.free();
        final Path directory = Files.createDirectories(bench.directory().resolve("generator-unused-ports"));
        final long startNs = System.nanoTime();
        final GeneratorProcess generator = bench.cleanup().open(() -> bench.cleanup().add(
            GeneratorProcess.start(bench.home(), directory, unused, bench.settings().feed(1), null,
                ProcessorSets.NONE)));
        final boolean hasEnded = generator.await(TimeUnit.SECONDS.toMillis(MOST_SECONDS));
        bench.check(Fault.PORT, "the generator has ended",
            hasEnded ? FaultTestbed.secondsSince(startNs) : Double.POSITIVE_INFINITY, END_SECONDS, "s");
        // It first connects to the clock exchange, which has a separate port.
        final boolean isClear = hasEnded && generator.exitCode() == REFUSED &&
            generator.output().contains("=" + unused.timesync());
        bench.check(Fault.PORT, "runs without exit code 3 and a message with the port", isClear ? 0 : 1, 0, "times");
    }
}
