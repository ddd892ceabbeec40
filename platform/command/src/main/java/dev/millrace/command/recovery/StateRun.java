package dev.millrace.command.recovery;

import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.JvmOptions;
import dev.millrace.command.instance.Ports;
import dev.millrace.loadgen.RunSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures the start after a kill: of an application that is not durable, of a durable one without state, and of a
 * durable one with many groups under load. For the main thread.
 */
public final class StateRun
{
    private static final JvmOptions HEAP = new JvmOptions("-Xmx2g");
    /** Seldom enough to write all groups in between. */
    private static final String DURABILITY = "<snapshot-interval>5s</snapshot-interval>";
    private static final int LOADING_RATE = 200_000;
    private static final int RATE = 1_000;
    private static final long SNAPSHOTS_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MS = 2;
    private static final long SNAPSHOT_POLL_MS = 100;
    private static final int BEFORE_MS = 4_000;
    private static final long ROW_NS = TimeUnit.SECONDS.toNanos(60);

    private final RecoverySettings settings;
    private final RecoveryTestbed testbed;
    private final RecoveryWorkload workload;
    private final Path directory;
    private final CleanupStack cleanup;
    private final Consumer<String> lines;
    private final Random random;
    private final List<Double> firstRowMs = new ArrayList<>();

    private StateRun(final RecoverySettings settings, final RecoveryTestbed testbed, final RecoveryWorkload workload,
        final Path directory, final CleanupStack cleanup, final Consumer<String> lines)
    {
        this.settings = settings;
        this.testbed = testbed;
        this.workload = workload;
        this.directory = directory;
        this.cleanup = cleanup;
        this.lines = lines;
        random = new Random(settings.seed());
    }

    /**
     * @param groups  number of groups
     * @param cleanup ends all started processes, also after Ctrl-C
     * @param state   receives the current state as one line
     * @param lines   receives a line for each start
     * @return the figures
     * @throws IOException when files cannot be read or written
     */
    public static StateResult run(final Home home, final RecoverySettings settings, final int groups,
        final CleanupStack cleanup, final Consumer<String> state, final Consumer<String> lines)
        throws IOException, InterruptedException
    {
        final Path directory = cleanup.directory(settings.keep());
        final RecoveryWorkload workload = RecoveryWorkload.state(home, directory, groups);
        final RecoveryTestbed testbed =
            RecoveryTestbed.start(home, directory, workload.tables(), settings.jdk(), cleanup, state);
        final StateRun run = new StateRun(settings, testbed, workload, directory, cleanup, lines);
        state.accept("starts without a journal");
        final List<Double> plain = run.starts("plain", RecoveryWorkload.stateApplication(home,
            directory.resolve("plain.jar"), rules -> rules.replace("<durable>true</durable>", "")));
        state.accept("starts without state");
        final List<Double> empty = run.starts("empty", workload.application());
        return run.full(groups, plain, empty, state);
    }

    /** Starts an instance without load after each kill; returns the times until its application runs. */
    private List<Double> starts(final String name, final Path application) throws IOException, InterruptedException
    {
        final KilledInstance instance = testbed.deploy(name, Ports.free(), application, HEAP, DURABILITY);
        final List<Double> ms = new ArrayList<>();
        for (int i = 0; i < settings.kills(); i++)
        {
            instance.kill();
            ms.add(instance.start());
            lines.accept(String.format("  %-6s %d/%d  runs after %,.0f ms", name, i + 1, settings.kills(), ms.get(i)));
        }
        instance.kill();
        return ms;
    }

    private StateResult full(final int groups, final List<Double> plain, final List<Double> empty,
        final Consumer<String> state) throws IOException, InterruptedException
    {
        final Ports ports = Ports.free();
        final KilledInstance instance =
            testbed.deploy("full", ports, workload.application(), HEAP, DURABILITY);
        state.accept("sending a row for each group");
        final StreamLoad loading = cleanup.open(() -> cleanup.add(
            new StreamLoad(directory, workload, ports.loadgen(), 1, LOADING_RATE, groups)));
        loading.await();
        state.accept("waiting for a snapshot of all groups");
        awaitSnapshots(instance);
        final List<Double> pausesUs = new ArrayList<>(instance.snapshotPausesUs());
        final StreamLoad load = cleanup.open(() -> cleanup.add(
            new StreamLoad(directory, workload, ports.loadgen(), 1, RATE, 0)));
        final StoredRows rows = new StoredRows(workload, testbed.database(), 1);
        final List<Double> ms = new ArrayList<>();
        final SinkTable table = workload.tables().get(0);
        awaitRow(table, 0);
        for (int i = 0; i < settings.kills(); i++)
        {
            Thread.sleep(random.nextInt(BEFORE_MS));
            pausesUs.addAll(instance.snapshotPausesUs());
            instance.kill();
            final long last = testbed.database().last(table);
            final long startNs = System.nanoTime();
            ms.add(instance.start());
            awaitRow(table, last);
            firstRowMs.add((System.nanoTime() - startNs) / 1e6);
            lines.accept(String.format("  %-6s %d/%d  runs after %,.0f ms, first row after %,.0f ms", "full", i + 1,
                settings.kills(), ms.get(i), firstRowMs.get(i)));
        }
        final RunSummary summary = load.end();
        rows.settle(summary);
        instance.log().read();
        return new StateResult(settings, groups, plain, empty, ms, firstRowMs, instance.snapshotBytes(),
            instance.log().replayedBatches(), pausesUs, rows.end());
    }

    /** Two, because one may have begun before the last row was received. */
    private static void awaitSnapshots(final KilledInstance instance) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + SNAPSHOTS_NS;
        final long before = instance.snapshotsWritten();
        while (instance.snapshotsWritten() < before + 2 && System.nanoTime() - deadlineNs < 0)
        {
            Thread.sleep(SNAPSHOT_POLL_MS);
        }
    }

    private void awaitRow(final SinkTable table, final long last) throws IOException, InterruptedException
    {
        final long deadlineNs = System.nanoTime() + ROW_NS;
        while (testbed.database().last(table) <= last && System.nanoTime() - deadlineNs < 0)
        {
            Thread.sleep(POLL_MS);
        }
    }
}
