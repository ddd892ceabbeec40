package dev.millrace.command.recovery;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.JvmOptions;
import dev.millrace.command.instance.Ports;
import dev.millrace.loadgen.RunSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Starts the application, kills it again and again under load, and compares what it stored. For the main thread. */
public final class RecoveryRun
{
    /** Snapshots are written more often than once a minute, and files are small, so that kills meet them. */
    private static final String DURABILITY =
        "<snapshot-interval>500ms</snapshot-interval><file-size>1m</file-size>";
    /** Kills after which the stored rows are compared. */
    private static final int KILLS_PER_CHECK = 10;
    private static final int FLOW_MS = 1_200;
    private static final long SNAPSHOT_WAIT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NS = 200_000;
    private static final int SNAPSHOT_MOST_US = 4_000;
    private static final long FILE_WAIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int FILE_MOST_US = 30_000;
    private static final int DEPLOYMENT_MS = 400;
    private static final long LAST_LOAD_MS = 1_000;

    private final RecoverySettings settings;
    private final Random random;
    private final RecoveryWorkload workload;
    private final KilledInstance instance;
    private final StreamLoad load;
    private final StoredRows rows;
    private final Map<KillMoment, Integer> kills = new EnumMap<>(KillMoment.class);
    private final List<Double> recoveryMs = new ArrayList<>();
    private final List<Double> resumedMs = new ArrayList<>();
    /** The longest pause of each processor in each of its lives. */
    private final List<Double> snapshotPausesUs = new ArrayList<>();

    private RecoveryRun(final RecoverySettings settings, final RecoveryWorkload workload,
        final KilledInstance instance, final StreamLoad load, final StoredRows rows)
    {
        this.settings = settings;
        this.workload = workload;
        this.instance = instance;
        this.load = load;
        this.rows = rows;
        random = new Random(settings.seed());
        for (final KillMoment moment : KillMoment.values())
        {
            kills.put(moment, 0);
        }
    }

    /**
     * @param cleanup ends all started processes, also after Ctrl-C
     * @param state   receives the current state as one line
     * @param lines   receives a line whenever rows were compared
     * @return the figures
     * @throws IOException when files cannot be read or written
     */
    public static RecoveryResult run(final Home home, final RecoverySettings settings, final CleanupStack cleanup,
        final Consumer<String> state, final Consumer<String> lines) throws IOException, InterruptedException
    {
        final Path directory = cleanup.directory(settings.keep());
        final RecoveryWorkload workload = RecoveryWorkload.of(settings.variant(), home, directory);
        final RecoveryTestbed testbed =
            RecoveryTestbed.start(home, directory, workload.tables(), settings.jdk(), cleanup, state);
        state.accept("starting the instance");
        final Ports ports = Ports.free();
        final KilledInstance instance =
            testbed.deploy("killed", ports, workload.application(), JvmOptions.USUAL, DURABILITY);
        final int connections = settings.variant().connections();
        final StreamLoad load = cleanup.open(() -> cleanup.add(
            new StreamLoad(directory, workload, ports.loadgen(), connections, settings.rate(), 0)));
        return new RecoveryRun(settings, workload, instance, load,
            new StoredRows(workload, testbed.database(), connections)).run(state, lines);
    }

    private RecoveryResult run(final Consumer<String> state, final Consumer<String> lines)
        throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        int done = 0;
        while (done < settings.kills())
        {
            final KillMoment moment = done == 0 || done + 1 == settings.kills() ?
                KillMoment.FLOW : KillMoment.any(random);
            state.accept(String.format(Locale.ROOT, "kill %d/%d, %s, %,d rows compared", done + 1, settings.kills(),
                moment.label(), rows.delivered()));
            load.check();
            killAt(moment);
            final int before = done;
            done += moment.isAfterStart() ? 2 : 1;
            recover();
            if (done / KILLS_PER_CHECK > before / KILLS_PER_CHECK || done >= settings.kills())
            {
                rows.read(load.mostRows());
                lines.accept(line(done, startNs));
            }
        }
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        state.accept("waiting for the last rows");
        Thread.sleep(LAST_LOAD_MS);
        final RunSummary summary = load.end();
        rows.settle(summary);
        instance.log().read();
        return new RecoveryResult(settings, kills, summary.sent(), rows.end(), recoveryMs, resumedMs,
            instance.log().replayedBatches(), snapshotPausesUs, seconds);
    }

    private String line(final int done, final long startNs)
    {
        return String.format(Locale.ROOT,
            "  %d/%d kills  %.1f s each  %,d rows compared, %d differences  recovery %,.0f ms", done, settings.kills(),
            (System.nanoTime() - startNs) / 1e9 / done, rows.delivered(), rows.differences(),
            recoveryMs.get(recoveryMs.size() - 1));
    }

    private void recover() throws IOException, InterruptedException
    {
        final int resumes = instance.resumes();
        final double ms = instance.start();
        (instance.resumes() == resumes ? recoveryMs : resumedMs).add(ms);
    }

    private void killAt(final KillMoment moment) throws IOException, InterruptedException
    {
        switch (moment)
        {
            case FLOW, FILE, RECOVERY ->
            {
                Thread.sleep(random.nextInt(FLOW_MS));
                snapshotPausesUs.addAll(instance.snapshotPausesUs());
            }
            case SNAPSHOT -> awaitChange(instance::snapshots, SNAPSHOT_WAIT_NS, SNAPSHOT_MOST_US);
            case DEPLOYMENT -> deploy();
            default -> throw new IllegalStateException("no such moment: " + moment);
        }
        kill(moment.isAfterStart() ? KillMoment.FLOW : moment);
        if (moment.isAfterStart())
        {
            final List<String> files = instance.journalFiles();
            instance.begin();
            if (moment == KillMoment.FILE)
            {
                awaitChange(files, instance::journalFiles, FILE_WAIT_NS, FILE_MOST_US);
            }
            else
            {
                // At any time of a start that takes as long as the last one.
                Thread.sleep(random.nextInt(recoveryMs.get(recoveryMs.size() - 1).intValue()));
            }
            kill(moment);
        }
    }

    private void kill(final KillMoment moment) throws InterruptedException
    {
        instance.kill();
        kills.merge(moment, 1, Integer::sum);
    }

    /** Lists files. */
    private interface Listing
    {
        List<String> files() throws IOException;
    }

    private void awaitChange(final Listing listing, final long waitNs, final int mostUs) throws IOException
    {
        awaitChange(listing.files(), listing, waitNs, mostUs);
    }

    /** Waits until a file appears; then, sometimes, until a part of the work after it is done. */
    private void awaitChange(final List<String> before, final Listing listing, final long waitNs, final int mostUs)
        throws IOException
    {
        final long deadlineNs = System.nanoTime() + waitNs;
        while (before.containsAll(listing.files()) && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(this, POLL_NS);
        }
        if (random.nextBoolean())
        {
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(random.nextInt(mostUs)));
        }
    }

    /** Updates the application with itself; some networks refuse that, because the running one uses the journal. */
    private void deploy() throws InterruptedException
    {
        final Thread update = new Thread(() ->
        {
            try
            {
                instance.update(workload.application());
            }
            catch (final CommandException | IOException e)
            {
                // It is refused, or the process is killed.
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }, "recovery-update");
        update.setDaemon(true);
        update.start();
        Thread.sleep(random.nextInt(DEPLOYMENT_MS));
    }
}
