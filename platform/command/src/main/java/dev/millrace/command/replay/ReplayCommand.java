package dev.millrace.command.replay;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.ExternalTool;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.journal.JournalRow;
import dev.millrace.command.journal.UnitJournal;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.ReplayEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs recorded input through the current rules or through changed ones. */
@Command(
    name = "replay", mixinStandardHelpOptions = true,
    description = {
        "Runs the recorded input of a durable processor through its rules, or through changed rules, in this process,"
            + " and prints their output or, with --diff, how the output of both differs.",
        "Nothing else of the application runs: no source, no sink, no other processor. The domain is only read; its"
            + " instance may be running.",
        "The journal is kept since the older of two snapshots. A replay starts with empty state at the first record"
            + " that is kept; rows before --from are processed, but their output is not shown.",
        "With --diff, exit code 0 means no difference, 3 that the output differs."},
    footer = {"", "Examples:",
        "  millrace replay --app my.application --processor orders --from 2026-11-29T10:15:00Z",
        "  millrace replay --app my.application --rules changed.xml --diff",
        "  millrace replay --app my.application --rules changed.xml --diff --format html --out diff.html",
        "  millrace replay --app my.application --rules changed.xml --diff --until-live --for 10m"})
public final class ReplayCommand implements Callable<Integer>
{
    /** System property with the class of the engine. */
    private static final String ENGINE = "millrace.replay";
    private static final int MAX_LIMIT = 1_000_000_000;
    private static final int DIFFERENCES = 20;
    private static final int MAX_DAYS = 36_500;
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final Set<String> OF_ROWS = new TreeSet<>(Set.of("table", "csv", "json"));
    private static final Set<String> OF_DIFFERENCE = new TreeSet<>(Set.of("table", "json", "html"));

    @Spec
    private CommandSpec spec;

    @Option(names = "--domain", paramLabel = "DIR", description = InstanceOptions.DOMAIN)
    private Path domain;

    @Option(names = "--app", paramLabel = "NAME", required = true, description = "Name of the application.")
    private String application;

    @Option(names = "--processor", paramLabel = "ID",
        description = "Id of the processor. Default: the only one that has journals.")
    private String processor;

    @Option(names = "--from", paramLabel = "TIME",
        description = "First time whose output is shown, for example 2026-11-29T10:15:00Z. Default: all.")
    private String from;

    @Option(names = "--to", paramLabel = "TIME",
        description = "Time at which the output ends, exclusively. Default: the end of the journal.")
    private String to;

    @Option(names = "--speed", paramLabel = "N|max", defaultValue = "max",
        description = "1 as recorded, 10 ten times as fast, max (the default) as fast as possible.")
    private String speed;

    @Option(names = "--rules", paramLabel = "FILE",
        description = "Component configuration file with one processor, whose rules are run instead of the current"
            + " ones.")
    private Path rules;

    @Option(names = "--diff", description = "Runs both the current rules and those of --rules, and shows the"
        + " difference of their output.")
    private boolean diff;

    @Option(names = "--format", paramLabel = "table|csv|json|html", defaultValue = "table",
        description = "Format of rows: table for users (the default), csv or json with a line for each row. With"
            + " --diff: table, json or html, which is one page.")
    private String format;

    @Option(names = "--out", paramLabel = "FILE", description = "File for the output. Default: the screen.")
    private Path file;

    @Option(names = "--until-live",
        description = "After the recorded rows, continues with the rows that the running processor receives, without a"
            + " gap, until Ctrl-C or --for. With --diff, differences are printed as soon as they are final.")
    private boolean untilLive;

    @Option(names = "--for", paramLabel = "DURATION",
        description = "How long --until-live continues when it has reached the running processor, for example 30s or"
            + " 10m. Default: until Ctrl-C.")
    private String duration;

    @Option(names = "--limit", paramLabel = "COUNT",
        description = "Number of rows that are shown; with --diff, of each query and kind of difference. Default: all,"
            + " with --diff 20.")
    private Integer limit;

    private Domain home;

    /** Set by Ctrl-C, from another thread. */
    private volatile boolean isInterrupted;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        checkOptions();
        final TimeRange range = TimeRange.of(from, to);
        home = Domain.find(domain);
        final List<UnitJournal> journals = journals(home);
        final List<UnitCursor> cursors = new ArrayList<>();
        final Interruption interruption = new Interruption(() -> isInterrupted = true);
        try (PrintWriter out = file == null ? null : new PrintWriter(Files.newBufferedWriter(file)))
        {
            journals.forEach(journal -> cursors.add(new UnitCursor(journal)));
            return replay(journals, cursors, range, out == null ? spec.commandLine().getOut() : out);
        }
        catch (final DeploymentException e)
        {
            throw new CommandException(ExitCode.FAILED, String.join("\n",
                e.problems().stream().map(problem -> problem.format().replaceFirst("^-: ", "")).toList()));
        }
        finally
        {
            cursors.forEach(UnitCursor::close);
            interruption.close();
        }
    }

    private void checkOptions()
    {
        final Set<String> formats = diff ? OF_DIFFERENCE : OF_ROWS;
        if (!formats.contains(format))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0201", "no such format, format=" + format,
                "use one of " + String.join(", ", formats) + (diff ? "" : "; html needs --diff"));
        }
        if (diff && rules == null)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0248", "there are no rules to compare with, --diff without"
                + " --rules", "name the file of the changed rules: --rules FILE");
        }
        if (!speed.matches("max|\\d{1,6}(\\.\\d{1,6})?") || pace() == 0 && !"max".equals(speed))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0250", "not a speed, --speed=" + speed,
                "use 1 for the recorded speed, 10 for ten times that, or max");
        }
        checkLive();
        if (limit != null)
        {
            OptionRange.check("--limit", limit, 0, MAX_LIMIT);
        }
        if (file != null && (Files.isDirectory(file) || !Files.isDirectory(file.toAbsolutePath().getParent())))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0251",
                "the file for the output cannot be written, --out=" + file, "specify a file in an existing directory");
        }
    }

    private void checkLive()
    {
        if (duration != null && (!untilLive || liveNs() < 0))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0254", untilLive ? "not a duration, --for=" + duration :
                "--for needs --until-live, --for=" + duration, "use for example --until-live --for 30s");
        }
        if (untilLive && (to != null || !"max".equals(speed) || "html".equals(format)))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0255", "--until-live has no end and no speed, option=" +
                (to != null ? "--to" : "html".equals(format) ? "--format html" : "--speed"), "omit this option; " +
                "--for sets how long it continues");
        }
    }

    /** How long to continue after the recorded rows; -1 if it is not a duration. */
    private long liveNs()
    {
        final Duration time = duration == null ? Duration.ofDays(MAX_DAYS) : DurationFormat.parse(duration);
        return time == null || time.isZero() ? -1 : time.toNanos();
    }

    /** Recorded time by real time; 0 as fast as possible. */
    private double pace()
    {
        return "max".equals(speed) ? 0 : Double.parseDouble(speed);
    }

    /** The journals of the only processor that is selected. */
    private List<UnitJournal> journals(final Domain found)
    {
        final List<UnitJournal> journals =
            UnitJournal.find(found, processor == null ? application : application + '/' + processor);
        final Set<String> processors = new TreeSet<>();
        journals.forEach(journal -> processors.add(journal.processor()));
        if (processors.size() > 1)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0249", "several processors have journals, processors=" +
                processors, "select one with --processor ID");
        }
        return journals;
    }

    private int replay(final List<UnitJournal> journals, final List<UnitCursor> cursors, final TimeRange range,
        final PrintWriter out) throws DeploymentException, InterruptedException
    {
        final Map<String, List<GroupDescription>> recorded = new LinkedHashMap<>();
        cursors.forEach(cursor -> recorded.put(cursor.unit(), List.copyOf(cursor.groups())));
        final long firstKeptNs = journals.stream().mapToLong(UnitCursor::firstRowNs).filter(time ->
            time != Long.MIN_VALUE).min().orElse(Long.MIN_VALUE);
        final UnitJournal journal = journals.get(0);
        final ReplayEngine engine = ExternalTool.create(ENGINE, ReplayEngine.class);
        try (ReplayEngine.Rules changed = rules == null ? null :
                engine.plan(home.directory(), application, journal.processor(), rules);
            ReplayEngine.Rules current = rules != null && !diff ? null :
                engine.plan(home.directory(), application, journal.processor(), null))
        {
            return diff ? compare(journal, cursors, range, out, recorded, firstKeptNs, current, changed) :
                print(cursors, range, out, recorded, firstKeptNs, changed == null ? current : changed);
        }
    }

    private int print(final List<UnitCursor> cursors, final TimeRange range, final PrintWriter out,
        final Map<String, List<GroupDescription>> recorded, final long firstKeptNs, final ReplayEngine.Rules run)
        throws DeploymentException, InterruptedException
    {
        final RowLines lines = new RowLines(format, range, limit == null ? Long.MAX_VALUE : limit, out);
        final ReplayRun replay = new ReplayRun(cursors, List.of(run.start(recorded, lines)), range, pace(),
            () -> isInterrupted);
        // Programs read the rows from the output; notes are for users.
        final PrintWriter notes = "table".equals(format) ? out : spec.commandLine().getErr();
        notes.println(DifferenceReport.emptyState(firstKeptNs));
        notes.flush();
        final boolean isComplete = untilLive ? live(replay, cursors, notes).run(completeNs ->
        {
            out.flush();
            return true;
        }) : run(replay);
        refuseEmpty(replay, range, isComplete && !untilLive);
        out.flush();
        if (!isComplete)
        {
            notes.println("interrupted, the output is not complete");
        }
        notes.println("replayed records=" + replay.records() + " until=" + text(replay.untilNs()));
        lines.counts().forEach((query, rows) -> notes.println("query=" + query + " rows=" + rows));
        lines.rejected().forEach((reason, rows) -> notes.println("rejected: reason=" + reason + " rows=" + rows));
        notes.flush();
        return isComplete ? ExitCode.DONE : ExitCode.INTERRUPTED;
    }

    private static String text(final long timeNs)
    {
        return timeNs == Long.MIN_VALUE ? "-" : JournalRow.text(JournalRow.time(timeNs));
    }

    private int compare(final UnitJournal journal, final List<UnitCursor> cursors, final TimeRange range,
        final PrintWriter out, final Map<String, List<GroupDescription>> recorded, final long firstKeptNs,
        final ReplayEngine.Rules current, final ReplayEngine.Rules changed)
        throws DeploymentException, InterruptedException
    {
        final RowDifference difference = new RowDifference(range);
        final Map<String, Long> rejectedBefore = new TreeMap<>();
        final Map<String, Long> rejectedAfter = new TreeMap<>();
        final ReplayRun replay = new ReplayRun(cursors, List.of(
            current.start(recorded, difference.output(RowDifference.Side.BEFORE, rejectedBefore)),
            changed.start(recorded, difference.output(RowDifference.Side.AFTER, rejectedAfter))), range, pace(),
            () -> isInterrupted || difference.isFull());
        if (untilLive)
        {
            final PrintWriter notes = "table".equals(format) ? out : spec.commandLine().getErr();
            notes.println(DifferenceReport.emptyState(firstKeptNs));
            final boolean isEmpty = new LiveDifference(difference, "json".equals(format),
                limit == null ? Long.MAX_VALUE : limit, out).run(live(replay, cursors, notes), notes);
            DifferenceReport.printRejected("before", rejectedBefore, notes);
            DifferenceReport.printRejected("after", rejectedAfter, notes);
            notes.flush();
            return isInterrupted ? ExitCode.INTERRUPTED :
                isEmpty && rejectedBefore.equals(rejectedAfter) ? ExitCode.DONE : ExitCode.DIFFERENT;
        }
        final boolean isComplete = run(replay);
        refuseEmpty(replay, range, isComplete);
        final DifferenceReport report = new DifferenceReport(application, journal.processor(),
            String.valueOf(rules.getFileName()), firstKeptNs, range, replay.untilNs(), replay.records(),
            isComplete ? "" : isInterrupted ? "interrupted: later records are not compared" :
                "ended early: more than " + RowDifference.MAX_ROWS + " rows differ; narrow the range with --to",
            difference.results(), rejectedBefore, rejectedAfter);
        final int rows = limit == null ? DIFFERENCES : limit;
        if ("json".equals(format))
        {
            report.printJson(rows, out);
        }
        else if ("html".equals(format))
        {
            out.print(new DifferencePage(report, rows).text());
        }
        else
        {
            report.printTable(rows, out);
        }
        out.flush();
        return isInterrupted ? ExitCode.INTERRUPTED : report.isEmpty() ? ExitCode.DONE : ExitCode.DIFFERENT;
    }

    private LiveReplay live(final ReplayRun replay, final List<UnitCursor> cursors, final PrintWriter notes)
    {
        final Set<String> units = new TreeSet<>(cursors.stream().map(UnitCursor::unit).toList());
        return new LiveReplay(replay, units, () -> new TreeSet<>(journals(home).stream()
            .map(UnitJournal::unit).toList()), liveNs(), notes);
    }

    private static boolean run(final ReplayRun replay) throws InterruptedException
    {
        try (StatusLine progress = StatusLine.ofProcess(SILENCE_NS, STEP_NS, System::nanoTime))
        {
            return replay.run(progress);
        }
    }

    /** Refuses a range that contains no row, because no output would look like the output of the rules. */
    private static void refuseEmpty(final ReplayRun replay, final TimeRange range, final boolean isComplete)
    {
        if (isComplete && replay.rowRecords() == 0)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "CMD-0246", "no recorded row is in the range of times, from="
                + text(range.fromNs()) + " to=" + text(range.toNs() == Long.MAX_VALUE ? Long.MIN_VALUE :
                range.toNs()) + " first=" + text(replay.firstRowNs()) + " last=" + text(replay.untilNs()),
                "millrace journal show prints the rows with their times");
        }
    }

    /** Reacts to Ctrl-C: what was done so far is printed before the process ends, with exit code 130. */
    private static final class Interruption
    {
        private static final long LONGEST_WAIT_S = 10;

        private final CountDownLatch printed = new CountDownLatch(1);
        private final Thread hook;

        Interruption(final Runnable stop)
        {
            hook = new Thread(() ->
            {
                stop.run();
                try
                {
                    printed.await(LONGEST_WAIT_S, TimeUnit.SECONDS);
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                }
            }, "millrace-replay-stop");
            Runtime.getRuntime().addShutdownHook(hook);
        }

        void close()
        {
            printed.countDown();
            try
            {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            catch (final IllegalStateException ending)
            {
                // Ctrl-C: the hook runs.
            }
        }
    }
}
