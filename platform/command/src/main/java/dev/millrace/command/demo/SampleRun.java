package dev.millrace.command.demo;

import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.FollowedFile;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.command.instance.Home;
import dev.millrace.command.project.ApplicationPackager;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Runs a sample once: packs it, deploys it in a new instance, feeds it, and prints what its sinks write to the standard
 * output of the instance. Ends when all input was processed, or after a time limit. For the main thread.
 */
public final class SampleRun
{
    private static final long POLL_MS = 100;
    /** All input has been processed when no row has moved for so long. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

    private final Home home;
    private final Sample sample;
    private final Settings settings;
    private final PrintWriter out;
    private final CleanupStack cleanup;
    private SampleInstance instance;
    private String application;
    private String feed;
    private GeneratorProcess generator;
    private long results;

    /**
     * Options of the command.
     *
     * @param seconds   limit for processing all input
     * @param bootstrap addresses of Kafka brokers
     * @param broker    URL of an MQTT broker; {@code null} for that of the home
     * @param jdk       Java of all processes, or {@code null} for that of this process
     * @param keep      whether the domain directory is kept
     */
    public record Settings(int seconds, String bootstrap, String broker, Path jdk, boolean keep)
    {
    }

    /**
     * @param out     receives results
     * @param cleanup closes what is started
     */
    public SampleRun(final Home home, final Sample sample, final Settings settings, final PrintWriter out,
        final CleanupStack cleanup)
    {
        this.home = home;
        this.sample = sample;
        this.settings = settings;
        this.out = out;
        this.cleanup = cleanup;
    }

    /**
     * Runs the sample.
     *
     * @throws IOException      when files cannot be read or written
     * @throws CommandException when it does not run, a row was rejected, or there was no result
     */
    public void run() throws IOException, InterruptedException
    {
        out.println(sample.name() + ": " + sample.summary());
        out.flush();
        final List<String> arguments = new ArrayList<>(List.of("-Dmillrace.console.level=WARN"));
        arguments.addAll(broker());
        final int firstPort = FreePorts.range(sample.playedFiles().size() + 1);
        for (int i = 0; i < sample.playedFiles().size(); i++)
        {
            arguments.add("-D" + stem(sample.playedFiles().get(i)) + ".port=" + (firstPort + i));
        }
        instance = SampleInstance.start(home, 0, settings.jdk(), arguments, settings.keep(), cleanup);
        try (FollowedFile console = new FollowedFile(instance.process().domain().directory()
            .resolve("logs/console.log")))
        {
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(settings.seconds());
            application = deploy(sample.directory(), sample.name());
            awaitConnections(endNs);
            feed = sample.hasFeed() ? deploy(sample.directory().resolve("feed"), sample.name() + "-feed") : null;
            generator = sample.playedFiles().isEmpty() ? null : play(firstPort);
            final boolean isComplete = show(console, endNs);
            report(isComplete);
        }
    }

    private List<String> broker() throws IOException, InterruptedException
    {
        return switch (sample.broker())
        {
            case NONE -> List.of();
            case KAFKA -> SampleBroker.kafka(settings.bootstrap());
            case MQTT -> SampleBroker.mqtt(settings.broker() == null ? startBroker() : settings.broker());
        };
    }

    private String startBroker() throws IOException, InterruptedException
    {
        final Path directory = cleanup.directory(false);
        return cleanup.open(() -> cleanup.add(MqttBrokerProcess.start(home, directory, settings.jdk())))
            .awaitListening();
    }

    private static String stem(final Path file)
    {
        return file.getFileName().toString().replaceFirst("\\.prop$", "");
    }

    private String deploy(final Path project, final String name) throws IOException, InterruptedException
    {
        final Path bundle = instance.directory().resolve(name + ".jar");
        new ApplicationPackager(project, name, "1.0.0").write(bundle);
        return instance.deploy(bundle);
    }

    /** Messages of a broker that are published earlier would be lost. */
    private void awaitConnections(final long endNs) throws InterruptedException
    {
        while (!progress(application).connected())
        {
            if (System.nanoTime() - endNs > 0)
            {
                throw failure("CMD-0294", "the sample is not connected to its broker, seconds=" + settings.seconds());
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** Plays copies of the files, which contain the port of this instance. */
    private GeneratorProcess play(final int firstPort) throws IOException
    {
        final List<Path> copies = new ArrayList<>();
        for (final Path file : sample.playedFiles())
        {
            final List<String> lines = new ArrayList<>();
            for (final String line : Files.readAllLines(file))
            {
                lines.add(line.startsWith("test.port=") ? "test.port=" + (firstPort + copies.size()) :
                    line.replace("test.csvDataFile=", "test.csvDataFile=" + sample.directory() + '/'));
            }
            copies.add(Files.write(instance.directory().resolve(file.getFileName()), lines));
        }
        return cleanup.open(() -> cleanup.add(
            GeneratorProcess.play(home, instance.directory(), copies, settings.jdk())));
    }

    /**
     * Prints results until all input was processed, or until a limit.
     *
     * @return whether all input was processed
     */
    private boolean show(final FollowedFile console, final long endNs) throws IOException, InterruptedException
    {
        SampleProgress before = SampleProgress.NONE;
        long movedNs = System.nanoTime();
        while (System.nanoTime() - endNs < 0)
        {
            console.readNew(this::print);
            out.flush();
            final SampleProgress own = progress(application);
            final SampleProgress now = own.plus(progress(feed));
            if (now.passed() != before.passed() || own.received() < sent())
            {
                movedNs = System.nanoTime();
            }
            else if (own.received() > 0 && System.nanoTime() - movedNs > QUIET_NS)
            {
                return true;
            }
            before = now;
            Thread.sleep(POLL_MS);
        }
        return false;
    }

    /** Rows that a feed or the load generator has sent; the maximum while the generator runs. */
    private long sent() throws IOException, InterruptedException
    {
        if (generator != null)
        {
            return generator.await(0) ? generator.played() : Long.MAX_VALUE;
        }
        return progress(feed).received();
    }

    private SampleProgress progress(final String name) throws InterruptedException
    {
        return name == null ? SampleProgress.NONE : SampleProgress.of(instance.statistics(name));
    }

    /** Sinks write an object of JSON on each line; warnings of the instance are other lines. */
    private void print(final String line)
    {
        if (line.startsWith("{") && JsonParser.parseString(line).isJsonObject())
        {
            results++;
            out.println("  " + line);
        }
    }

    private void report(final boolean isComplete) throws InterruptedException
    {
        final SampleProgress own = progress(application);
        out.printf(Locale.ROOT, "%,d events, %,d results%s%n", own.received(), results,
            isComplete ? "" : ", ended after " + settings.seconds() + " s");
        out.flush();
        final long rejected = own.rejected() + progress(feed).rejected();
        if (rejected > 0 || results == 0)
        {
            throw failure("CMD-0295", "the sample has no results, or rejected rows, results=" + results +
                " rejected=" + rejected);
        }
    }

    private CommandException failure(final String code, final String text)
    {
        return new CommandException(ExitCode.FAILED, code, text,
            "run it again with --keep, and see logs/server.log of the domain; the end of the instance's output:\n" +
            instance.process().tail());
    }
}
