package dev.millrace.command.scaling.fault;

import dev.millrace.command.demo.TickFile;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.scaling.ScalingTable;
import dev.millrace.command.scaling.fleet.ExpectedOutput;
import dev.millrace.command.scaling.fleet.Fleet;
import dev.millrace.command.scaling.fleet.Progress;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Starts a fleet and executes faults sequentially. For the main thread. */
public final class FaultRun
{
    private FaultRun()
    {
    }

    /**
     * @param cleanup ends all started processes, also after Ctrl-C
     * @param state   receives the current state as one line
     * @param lines   receives the table, line by line
     * @return the measured effects
     * @throws IOException when files cannot be read or written
     */
    public static FaultResult run(final Home home, final FaultSettings settings, final CleanupStack cleanup,
        final Consumer<String> state, final Consumer<String> lines) throws IOException, InterruptedException
    {
        final Progress progress = new Progress(state, 0);
        final ExpectedOutput expected =
            new ExpectedOutput(TickFile.read(home.ticks(), home.signalGeneration()), settings.instances());
        final Fleet fleet = Fleet.start(home, settings.fleet(), cleanup, progress);
        lines.accept(ScalingTable.started(fleet.instances().size(), fleet.formedSeconds(), fleet.deployedSeconds()));
        lines.accept(FaultCheck.head());
        final FaultTestbed bench = new FaultTestbed(home, settings, fleet, expected, cleanup, progress);
        int shown = 0;
        for (final Fault fault : settings.faults())
        {
            apply(fault, bench);
            final List<FaultCheck> checks = bench.checks();
            checks.subList(shown, checks.size()).forEach(check -> lines.accept(check.line()));
            shown = checks.size();
        }
        return new FaultResult(settings, fleet.formedSeconds(), fleet.deployedSeconds(), bench.checks());
    }

    private static void apply(final Fault fault, final FaultTestbed bench) throws IOException, InterruptedException
    {
        switch (fault)
        {
            case KILL -> KillFault.run(bench);
            case PAUSE -> PauseFault.run(bench);
            case COORDINATOR -> CoordinatorFault.run(bench);
            case PORT -> PortFault.run(bench);
            default -> throw new IllegalStateException("no such fault: " + fault);
        }
    }
}
