package dev.millrace.command.demo;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.ProcessorSets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Feeds a sample instance, shows the progress, and verifies the output. For the main thread. */
public final class DemoRun
{
    private static final long FIRST_SIGNAL_POLL_MS = 10;
    private static final long POLL_MS = 200;
    private static final long LINE_MS = 1000;
    private static final long SETTLE_POLL_MS = 20;
    /** After so much time without progress, missing rows are considered lost. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(5);

    private final Home home;
    private final SampleInstance instance;
    private final TickFile ticks;
    private final ExpectedSignals expected;
    private final PrintWriter out;
    private final boolean isTerminal = System.console() != null;
    private long sentBefore;
    private double firstSignalSeconds = Double.NaN;

    /**
     * @param instance new: the sample has received no event
     * @param out      receives the live line
     * @throws IOException when the tick file cannot be read
     */
    public DemoRun(final Home home, final SampleInstance instance, final PrintWriter out) throws IOException
    {
        this.home = home;
        this.instance = instance;
        this.out = out;
        this.ticks = TickFile.read(home.ticks(), home.signalGeneration());
        this.expected = new ExpectedSignals(ticks.watched());
    }

    /**
     * Feeds the instance once. Counts are sums over all runs with this instance, rates are those of this run.
     *
     * @param feed    the load
     * @param jdk     Java of the generator, or {@code null}
     * @param cleanup closes the generator
     * @throws IOException          when files cannot be read or written
     * @throws InterruptedException when interrupted
     */
    public DemoResult run(final LoadProfile feed, final Path jdk, final CleanupStack cleanup)
        throws IOException, InterruptedException
    {
        final GeneratorProcess generator = cleanup.open(() -> cleanup.add(
            GeneratorProcess.start(home, instance.directory(), instance.ports(), feed, jdk, ProcessorSets.NONE)));
        final RateWindow window = new RateWindow(sentBefore);
        long lastLineNs = System.nanoTime();
        SampleFigures before = instance.figures();
        while (!generator.await(firstSignalSeconds > 0 ? POLL_MS : FIRST_SIGNAL_POLL_MS))
        {
            final SampleFigures now = instance.figures();
            final long nowNs = System.nanoTime();
            window.sample(now.accepted(), nowNs);
            if (now.signals() > 0 && !(firstSignalSeconds > 0))
            {
                firstSignalSeconds = secondsSinceStart();
            }
            if (nowNs - lastLineNs >= TimeUnit.MILLISECONDS.toNanos(LINE_MS))
            {
                showLine(before, now, nowNs - lastLineNs);
                before = now;
                lastLineNs = nowNs;
            }
        }
        final GeneratorProcess.Summary summary = generator.summary();
        expected.play(ExpectedSignals.split(ticks.ticks(), feed.connections()), summary.rowsSent());
        final long sent = sentBefore + summary.total();
        final SampleFigures last = settle(sent, window);
        endLine();
        sentBefore = sent;
        return new DemoResult(sent, last, expected.counts(), summary.offeredPerSec(),
            window.perSec(summary.elapsedSecs()), instance.readySeconds(), firstSignalSeconds);
    }

    /** Waits until all expected output was emitted, or there is no more progress. */
    private SampleFigures settle(final long sent, final RateWindow window) throws InterruptedException
    {
        SampleFigures figures = instance.figures();
        long movedNs = System.nanoTime();
        window.sample(figures.accepted(), movedNs);
        while (figures.accepted() + figures.rejected() < sent || figures.signals() < expected.counts().signals() ||
            figures.trends() < expected.counts().trends())
        {
            Thread.sleep(SETTLE_POLL_MS);
            final SampleFigures next = instance.figures();
            if (!next.equals(figures))
            {
                movedNs = System.nanoTime();
                window.sample(next.accepted(), movedNs);
            }
            else if (System.nanoTime() - movedNs > SETTLE_NS)
            {
                return next;
            }
            figures = next;
        }
        return figures;
    }

    private void showLine(final SampleFigures before, final SampleFigures now, final long elapsedNs)
    {
        final double rate = (now.accepted() - before.accepted()) * 1e9 / elapsedNs;
        final String line = String.format(Locale.ROOT,
            "%,11d events%,10.0f/s%,9d signals%,7d trends  %,.0f us, 99 %% %,.0f us   ",
            now.accepted(), rate, now.signals(), now.trends(), now.latency("p50"), now.latency("p99"));
        out.print(isTerminal ? '\r' + line : line + '\n');
        out.flush();
    }

    private void endLine()
    {
        if (isTerminal)
        {
            out.println();
        }
    }

    private static double secondsSinceStart()
    {
        final long startMs = ProcessHandle.current().info().startInstant()
            .orElseThrow(() -> new CommandException(
                ExitCode.FAILED, "CMD-0144", "the operating system does not provide the start time of this process",
                ""))
            .toEpochMilli();
        return (System.currentTimeMillis() - startMs) / 1000.0;
    }
}
